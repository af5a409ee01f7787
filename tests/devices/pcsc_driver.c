/*
 * A PC/SC reader driver for tests: pcscd loads it like the driver of a real reader, and a test writes in a file what lies on the
 * reader and what goes wrong with it. Unlike the virtual reader of vsmartcard it can be pulled, fail and dawdle.
 *
 * The file (DEVICENAME in reader.conf) is mapped by both sides:
 *   0       1: the reader hangs on its cable
 *   1       1: a card lies on it
 *   2       how an exchange goes, one of MODE_…
 *   3       parameter of the mode: tens of ms for MODE_SLOW
 *   4       how often MODE_… is still in force; 255: always
 *   5       1: a card does not answer when it is powered (mute)
 *   6       1: the reader does not say whether a card is there
 *   8       size of the UID, then the UID
 *   32      size of the answer of MODE_FIXED, then the answer
 *   240     exchanges so far, 32 bits, least byte first
 *   244     power-ups so far
 *   236     how often pcscd has looked for a card
 *   248     commands to the reader itself (FF 00 …) so far
 */
#include <fcntl.h>
#include <ifdhandler.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

enum { SIZE = 256, READERS = 32 };
enum { PLUGGED, CARD, MODE, PARAMETER, TIMES, MUTE, SILENT, UID = 8, ANSWER = 32, LOOKS = 236, EXCHANGES = 240, POWERED = 244, COMMANDS = 248 };
enum { MODE_TRUTH, MODE_FIXED, MODE_ERROR, MODE_SLOW, MODE_PULLED, MODE_TAKEN };

/* A card of ISO 15693, as PC/SC part 3 describes it to applications. */
static const UCHAR ATR[] = {0x3B, 0x8F, 0x80, 0x01, 0x80, 0x4F, 0x0C, 0xA0, 0x00, 0x00,
                            0x03, 0x06, 0x0B, 0x00, 0x14, 0x00, 0x00, 0x00, 0x00, 0x77};

static volatile uint8_t *readers[READERS];

static volatile uint8_t *reader_of(DWORD lun)
{
    return readers[(lun >> 16) % READERS];
}

static void count(volatile uint8_t *reader, int place)
{
    volatile uint32_t *number = (volatile uint32_t *)(reader + place);
    *number = *number + 1;
}

RESPONSECODE IFDHCreateChannelByName(DWORD lun, LPSTR name)
{
    int file = open(name, O_RDWR | O_CLOEXEC);
    if (file < 0)
        return IFD_COMMUNICATION_ERROR;
    void *mapped = mmap(NULL, SIZE, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    close(file);
    if (mapped == MAP_FAILED)
        return IFD_COMMUNICATION_ERROR;
    volatile uint8_t *reader = mapped;
    if (!reader[PLUGGED]) {
        munmap(mapped, SIZE);
        return IFD_NO_SUCH_DEVICE;
    }
    readers[(lun >> 16) % READERS] = reader;
    return IFD_SUCCESS;
}

RESPONSECODE IFDHCreateChannel(DWORD lun, DWORD channel)
{
    (void)lun;
    (void)channel;
    return IFD_COMMUNICATION_ERROR;
}

RESPONSECODE IFDHCloseChannel(DWORD lun)
{
    volatile uint8_t *reader = reader_of(lun);
    readers[(lun >> 16) % READERS] = NULL;
    if (reader != NULL)
        munmap((void *)reader, SIZE);
    return IFD_SUCCESS;
}

RESPONSECODE IFDHGetCapabilities(DWORD lun, DWORD tag, PDWORD length, PUCHAR value)
{
    (void)lun;
    switch (tag) {
    case TAG_IFD_ATR:
        memcpy(value, ATR, sizeof ATR);
        *length = sizeof ATR;
        return IFD_SUCCESS;
    case TAG_IFD_SIMULTANEOUS_ACCESS:
        *length = 1;
        *value = READERS;
        return IFD_SUCCESS;
    case TAG_IFD_SLOTS_NUMBER:
    case TAG_IFD_THREAD_SAFE:
        *length = 1;
        *value = 1;
        return IFD_SUCCESS;
    default:
        *length = 0;
        return IFD_ERROR_TAG;
    }
}

RESPONSECODE IFDHSetCapabilities(DWORD lun, DWORD tag, DWORD length, PUCHAR value)
{
    (void)lun;
    (void)tag;
    (void)length;
    (void)value;
    return IFD_ERROR_TAG;
}

RESPONSECODE IFDHSetProtocolParameters(DWORD lun, DWORD protocol, UCHAR flags, UCHAR a, UCHAR b, UCHAR c)
{
    (void)lun;
    (void)protocol;
    (void)flags;
    (void)a;
    (void)b;
    (void)c;
    return IFD_SUCCESS;
}

RESPONSECODE IFDHPowerICC(DWORD lun, DWORD action, PUCHAR atr, PDWORD length)
{
    volatile uint8_t *reader = reader_of(lun);
    if (reader == NULL || !reader[PLUGGED])
        return IFD_NO_SUCH_DEVICE;
    if (action == IFD_POWER_DOWN) {
        *length = 0;
        return IFD_SUCCESS;
    }
    if (!reader[CARD] || reader[MUTE])
        return IFD_ERROR_POWER_ACTION;
    count(reader, POWERED);
    memcpy(atr, ATR, sizeof ATR);
    *length = sizeof ATR;
    return IFD_SUCCESS;
}

static RESPONSECODE answer(volatile uint8_t *from, int size, PUCHAR to, PDWORD length)
{
    for (int k = 0; k < size; k++)
        to[k] = from[k];
    *length = size;
    return IFD_SUCCESS;
}

RESPONSECODE IFDHTransmitToICC(DWORD lun, SCARD_IO_HEADER send, PUCHAR command, DWORD size, PUCHAR to, PDWORD length,
                               PSCARD_IO_HEADER received)
{
    (void)send;
    (void)received;
    volatile uint8_t *reader = reader_of(lun);
    *length = 0;
    if (reader == NULL || !reader[PLUGGED])
        return IFD_NO_SUCH_DEVICE;
    count(reader, EXCHANGES);
    int mode = reader[MODE];
    if (reader[TIMES] == 0)
        mode = MODE_TRUTH;
    else if (reader[TIMES] != 255)
        reader[TIMES] = reader[TIMES] - 1;
    switch (mode) {
    case MODE_FIXED:
        return answer(reader + ANSWER + 1, reader[ANSWER], to, length);
    case MODE_ERROR:
        return IFD_COMMUNICATION_ERROR;
    case MODE_PULLED:
        reader[PLUGGED] = 0;
        return IFD_NO_SUCH_DEVICE;
    case MODE_TAKEN:
        reader[CARD] = 0;
        return IFD_COMMUNICATION_ERROR;
    case MODE_SLOW: {
        long ms = reader[PARAMETER] * 10L;
        struct timespec nap = {ms / 1000, ms % 1000 * 1000000L};
        nanosleep(&nap, NULL);
        break;
    }
    default:
        break;
    }
    if (!reader[CARD])
        return IFD_COMMUNICATION_ERROR;
    if (size == 5 && memcmp(command, "\xFF\xCA\x00\x00", 4) == 0) {
        if (command[4] == 0 || command[4] == reader[UID]) {
            answer(reader + UID + 1, reader[UID], to, length);
            to[*length] = 0x90;
            to[*length + 1] = 0x00;
            *length += 2;
        } else {
            to[0] = 0x6C;
            to[1] = reader[UID];
            *length = 2;
        }
        return IFD_SUCCESS;
    }
    to[0] = 0x6D;
    if (size >= 2 && memcmp(command, "\xFF\x00", 2) == 0) {
        count(reader, COMMANDS);
        to[0] = 0x90;
    }
    to[1] = 0x00;
    *length = 2;
    return IFD_SUCCESS;
}

RESPONSECODE IFDHControl(DWORD lun, DWORD code, PUCHAR to, DWORD size, PUCHAR from, DWORD room, LPDWORD length)
{
    (void)lun;
    (void)code;
    (void)to;
    (void)size;
    (void)from;
    (void)room;
    *length = 0;
    return IFD_NOT_SUPPORTED;
}

RESPONSECODE IFDHICCPresence(DWORD lun)
{
    volatile uint8_t *reader = reader_of(lun);
    if (reader == NULL || !reader[PLUGGED])
        return IFD_NO_SUCH_DEVICE;
    count(reader, LOOKS);
    if (reader[SILENT])
        return IFD_COMMUNICATION_ERROR;
    return reader[CARD] ? IFD_ICC_PRESENT : IFD_ICC_NOT_PRESENT;
}
