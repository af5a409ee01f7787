/* A reader that exists only in this program: tp_device on a serial port of a POSIX system, with real time.
 *
 *     posix_reader PORT SERIAL COUNT EVERY_MS [KEYFILE]
 *
 * With a file of 64 hexadecimal digits its line is secured by that key, number 1.
 *
 * It has three antennas. On the first a tag comes and goes, COUNT events in all, one each EVERY_MS; on the second one tag lies
 * still; the third is empty. Ends at the end of its standard input. Shows what a firmware has to do around tp_device.
 */
#define _POSIX_C_SOURCE 200809L

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>

#include "../tp_device.h"

enum { ANTENNAS = 3, SCAN_PERIOD_MS = 50 };

static const tp_uid COMING = {8, {0xE0, 0x04, 0x01, 0, 0, 0, 0, 1}};
static const tp_uid LYING = {7, {0x04, 0xA1, 0xB2, 0xC3, 0xD4, 0xE5, 0xF6}};

/* What a scan found; `events` counts changes on the first antenna. */
typedef struct {
    uint32_t events;
    uint32_t scans;
    uint32_t now_ms;
} antennas;

static uint32_t monotonic_ms(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint32_t)((uint64_t)now.tv_sec * 1000u + (uint64_t)now.tv_nsec / 1000000u);
}

static void send_inventory(tp_device *device, const antennas *seen, uint16_t request_id, uint8_t antenna)
{
    uint8_t message[TP_MAX_MESSAGE];
    tp_inventory inventory;
    memset(&inventory, 0, sizeof inventory);
    inventory.request_id = request_id;
    inventory.antenna = antenna;
    inventory.t_ms = seen->now_ms;
    inventory.scan = seen->scans;
    inventory.scan_period_ms = SCAN_PERIOD_MS;
    inventory.part = inventory.parts = 1;
    if ((antenna == 1 && seen->events % 2 == 1) || antenna == 2) {
        inventory.uids_count = 1;
        inventory.uids[0] = antenna == 1 ? COMING : LYING;
    }
    (void)tp_device_send(device, message, tp_write_inventory(&inventory, message), seen->now_ms);
}

static void on_request(tp_device *device, const tp_inventory_request *request, void *context)
{
    const antennas *seen = context;
    uint8_t message[TP_MAX_MESSAGE];
    tp_inventory_done done;
    uint8_t antenna;
    for (antenna = 1; antenna <= ANTENNAS; antenna++) {
        if (request->antenna == antenna || request->antenna == 255) {
            send_inventory(device, seen, request->request_id, antenna);
        }
    }
    done.request_id = request->request_id;
    (void)tp_device_send(device, message, tp_write_inventory_done(&done, message), seen->now_ms);
}

/* The tag on the first antenna came, or left. */
static void send_event(tp_device *device, antennas *seen)
{
    uint8_t message[TP_MAX_MESSAGE];
    size_t size;
    seen->events++;
    if (seen->events % 2 == 1) {
        tp_tag_arrived arrived;
        arrived.antenna = 1;
        arrived.t_ms = seen->now_ms;
        arrived.scan = seen->events;
        arrived.scan_period_ms = SCAN_PERIOD_MS;
        arrived.uid = COMING;
        size = tp_write_tag_arrived(&arrived, message);
    } else {
        tp_tag_left left;
        left.antenna = 1;
        left.t_ms = seen->now_ms;
        left.scan = seen->events;
        left.scan_period_ms = SCAN_PERIOD_MS;
        left.uid = COMING;
        size = tp_write_tag_left(&left, message);
    }
    (void)tp_device_send(device, message, size, seen->now_ms);
}

static void from_system(uint8_t *out, size_t size, void *context)
{
    int source = open("/dev/urandom", O_RDONLY);
    (void)context;
    if (source < 0 || read(source, out, size) != (ssize_t)size) {
        abort(); /* no session without random bytes */
    }
    (void)close(source);
}

static bool read_key(const char *name, uint8_t key[TP_KEY_BYTES])
{
    FILE *file = fopen(name, "r");
    unsigned byte;
    size_t at;
    bool read = file != NULL;
    for (at = 0; read && at < TP_KEY_BYTES; at++) {
        read = fscanf(file, "%2x", &byte) == 1;
        key[at] = (uint8_t)byte;
    }
    if (file != NULL) {
        (void)fclose(file);
    }
    return read;
}

static int open_port(const char *name)
{
    struct termios mode;
    int port = open(name, O_RDWR | O_NOCTTY | O_NONBLOCK);
    if (port < 0 || tcgetattr(port, &mode) != 0) {
        return -1;
    }
    mode.c_iflag = 0;
    mode.c_oflag = 0;
    mode.c_lflag = 0;
    mode.c_cflag = CS8 | CREAD | CLOCAL;
    mode.c_cc[VMIN] = 1;
    mode.c_cc[VTIME] = 0;
    (void)cfsetispeed(&mode, B115200);
    (void)cfsetospeed(&mode, B115200);
    return tcsetattr(port, TCSANOW, &mode) == 0 ? port : -1;
}

/* Writes all, waiting where the line is full. */
static bool write_all(int port, const uint8_t *data, size_t size)
{
    while (size > 0) {
        ssize_t written = write(port, data, size);
        if (written > 0) {
            data += written;
            size -= (size_t)written;
        } else if (errno == EAGAIN) {
            struct pollfd room = {0, POLLOUT, 0};
            room.fd = port;
            (void)poll(&room, 1, 100);
        } else if (errno != EINTR) {
            return false;
        }
    }
    return true;
}

int main(int count, char **arguments)
{
    static tp_device device;
    static antennas seen;
    tp_identify identity;
    uint32_t events, every_ms, next_ms, idle_ms;
    int port;
    uint8_t key[TP_KEY_BYTES];
    if (count < 5 || count > 6 || strlen(arguments[2]) >= sizeof identity.serial) {
        fprintf(stderr, "usage: posix_reader PORT SERIAL COUNT EVERY_MS [KEYFILE]\n");
        return 2;
    }
    port = open_port(arguments[1]);
    if (port < 0) {
        fprintf(stderr, "posix_reader: %s: %s\n", arguments[1], strerror(errno));
        return 2;
    }
    events = (uint32_t)strtoul(arguments[3], NULL, 10);
    every_ms = (uint32_t)strtoul(arguments[4], NULL, 10);
    memset(&identity, 0, sizeof identity);
    identity.major = TP_MAJOR;
    identity.minor = TP_MINOR;
    seen.now_ms = monotonic_ms();
    identity.boot_id = (uint32_t)getpid() << 16 ^ seen.now_ms;
    identity.kind = TP_DEVICE_KIND_READER;
    strcpy(identity.model, "SIM-POSIX");
    strcpy(identity.serial, arguments[2]);
    strcpy(identity.firmware, "1.0.0");
    identity.antennas = ANTENNAS;
    identity.scan_period_ms = SCAN_PERIOD_MS;
    tp_device_begin(&device, &identity, seen.now_ms, on_request, &seen);
    if (count == 6) {
        if (!read_key(arguments[5], key)) {
            fprintf(stderr, "posix_reader: %s: expected 64 hexadecimal digits\n", arguments[5]);
            return 2;
        }
        tp_device_secure(&device, 1, key, from_system);
    }
    next_ms = seen.now_ms + every_ms;
    for (;;) {
        uint8_t data[1024];
        struct pollfd ready[2] = {{0, POLLIN, 0}, {STDIN_FILENO, POLLIN, 0}};
        size_t size;
        ssize_t came = 0;
        ready[0].fd = port;
        seen.now_ms = monotonic_ms();
        while (seen.events < events && (int32_t)(seen.now_ms - next_ms) >= 0) {
            send_event(&device, &seen);
            next_ms += every_ms;
        }
        seen.scans = seen.events;
        while ((size = tp_device_outgoing(&device, data, sizeof data, seen.now_ms)) > 0) {
            if (!write_all(port, data, size)) {
                return 1;
            }
        }
        idle_ms = tp_device_idle_ms(&device, seen.now_ms);
        if (seen.events < events && next_ms - seen.now_ms < idle_ms) {
            idle_ms = next_ms - seen.now_ms;
        }
        if (poll(ready, 2, (int)(idle_ms > 1000u ? 1000u : idle_ms)) > 0) {
            if (ready[1].revents != 0 && read(STDIN_FILENO, data, sizeof data) <= 0) {
                return 0;
            }
            if (ready[0].revents != 0) {
                came = read(port, data, sizeof data);
                if (came <= 0 && errno != EAGAIN && errno != EINTR) {
                    return 1;
                }
            }
        }
        tp_device_receive(&device, data, came > 0 ? (size_t)came : 0, monotonic_ms());
    }
}
