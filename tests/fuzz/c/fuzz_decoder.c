/* Hostile bytes against the C reference: the framer, every message, and a whole device. libFuzzer drives it in `make fuzz`; with
 * FUZZ_REPLAY it has a main of its own that plays files, and so many blind changes of each, for compilers without libFuzzer.
 *
 * The first byte says what the others are:
 *     0  what comes in on a line, in portions     1  one message     2  orders to a device on a line of hostile bytes
 *     3  the same, but with bodies, which are framed here: no fuzzer guesses a CRC
 *
 * What must hold is checked beside what the sanitizers see; a breach ends in abort().
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tp_device.h"

enum { OUT = 2048 };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void must(int condition)
{
    if (!condition) {
        abort();
    }
}

/* A body that came out goes in again and is found again. */
static void framed_again(const uint8_t *body, size_t size)
{
    uint8_t frame[TP_MAX_FRAME];
    tp_framer framer = {0};
    const uint8_t *found = NULL;
    size_t at, framed = tp_encode_frame(body, size, frame), found_size = 0;
    must(framed > 0 && framed <= TP_MAX_FRAME);
    for (at = 0; at < framed; at++) {
        must(found_size == 0);
        found_size = tp_framer_take(&framer, frame[at], &found);
    }
    must(found_size == size && memcmp(found, body, size) == 0);
}

static void line(const uint8_t *data, size_t size)
{
    tp_framer framer = {0};
    size_t at;
    for (at = 0; at < size; at++) {
        const uint8_t *body = NULL;
        uint8_t copy[TP_MAX_BODY];
        size_t got = tp_framer_take(&framer, data[at], &body);
        must(got <= TP_MAX_BODY);
        if (got > 0) {
            memcpy(copy, body, got);
            framed_again(copy, got);
        }
    }
    must(framer.size <= TP_MAX_ENCODED);
}

/* What can be read can be written, and what was written is read as the same. */
#define CODEC(name)                                                                                                            \
    {                                                                                                                          \
        tp_##name message;                                                                                                     \
        memset(&message, 0, sizeof message);                                                                                   \
        if (tp_read_##name(data, size, &message)) {                                                                            \
            tp_##name again;                                                                                                   \
            uint8_t first[TP_MAX_MESSAGE], second[TP_MAX_MESSAGE];                                                             \
            size_t written = tp_write_##name(&message, first);                                                                 \
            must(tp_known(data[0]) && written > 0 && written <= TP_MAX_MESSAGE);                                               \
            memset(&again, 0, sizeof again);                                                                                   \
            must(tp_read_##name(first, written, &again));                                                                      \
            must(tp_write_##name(&again, second) == written && memcmp(first, second, written) == 0);                           \
        }                                                                                                                      \
    }

static void message(const uint8_t *data, size_t size)
{
    TP_EACH_MESSAGE(CODEC)
}

static tp_device device;
static unsigned answers;

static void on_request(tp_device *asked, const tp_inventory_request *request, void *context)
{
    must(asked == &device && context == &answers && request != NULL);
    answers++;
}

static void begin(uint32_t now_ms)
{
    static const tp_identify identity = {1,  1,  7,   TP_DEVICE_KIND_READER, "FUZZ", "F-0001", "1",
                                         14, 100, 0};
    tp_device_begin(&device, &identity, now_ms, on_request, &answers);
}

static void said(uint32_t now_ms, size_t room)
{
    static uint8_t out[OUT];
    size_t size = tp_device_outgoing(&device, out, room, now_ms);
    tp_framer framer = {0};
    size_t at;
    must(size <= room);
    for (at = 0; at < size; at++) {
        const uint8_t *body = NULL;
        (void)tp_framer_take(&framer, out[at], &body);
    }
    /* Whole, good frames only. */
    must(framer.counters.crc_errors == 0 && framer.counters.oversize == 0 && framer.size == 0);
}

static void tell(uint8_t antenna, uint32_t now_ms)
{
    tp_tag_arrived told = {0};
    uint8_t out[TP_MAX_MESSAGE];
    size_t size;
    told.antenna = (uint8_t)(antenna % 14u + 1u);
    told.t_ms = now_ms;
    told.scan = now_ms / 100u;
    told.scan_period_ms = 100;
    told.uid.size = 8;
    size = tp_write_tag_arrived(&told, out);
    must(size > 0);
    (void)tp_device_send(&device, out, size, now_ms);
}

/* Orders: 0 n bytes come in · 1 what goes out · 2 a read to tell · 3 ms pass · 4 many ms pass · others are no orders. */
static void live(const uint8_t *data, size_t size, int framed)
{
    uint32_t now_ms = 0xFFFFFF00u;
    size_t at = 0;
    begin(now_ms);
    while (at + 1 < size) {
        uint8_t order = data[at++], value = data[at++];
        size_t take = value;
        uint8_t frame[TP_MAX_FRAME];
        switch (order % 5u) {
        case 0:
            if (take > size - at) {
                take = size - at;
            }
            if (framed) {
                size_t frame_size = tp_encode_frame(data + at, take, frame);
                tp_device_receive(&device, frame, frame_size, now_ms);
            } else {
                tp_device_receive(&device, data + at, take, now_ms);
            }
            at += take;
            break;
        case 1:
            said(now_ms, TP_MAX_FRAME + 1u + 4u * value);
            break;
        case 2:
            tell(value, now_ms);
            break;
        case 3:
            now_ms += value;
            tp_device_receive(&device, NULL, 0, now_ms);
            break;
        default:
            now_ms += value * 64u;
            tp_device_receive(&device, NULL, 0, now_ms);
            (void)tp_device_idle_ms(&device, now_ms);
            break;
        }
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size < 2) {
        return 0;
    }
    switch (data[0] % 4u) {
    case 0:
        line(data + 1, size - 1);
        break;
    case 1:
        message(data + 1, size - 1);
        break;
    case 2:
        live(data + 1, size - 1, 0);
        break;
    default:
        live(data + 1, size - 1, 1);
        break;
    }
    return 0;
}

#ifdef FUZZ_REPLAY
enum { LARGEST = 4096 };

static uint32_t state = 1;

static uint32_t draw(uint32_t below)
{
    state ^= state << 13;
    state ^= state >> 17;
    state ^= state << 5;
    return state % below;
}

static void change(uint8_t *bytes, size_t *size)
{
    uint32_t times = draw(4) + 1;
    while (times-- > 0 && *size > 0) {
        uint32_t at = draw((uint32_t)*size), i;
        switch (draw(4)) {
        case 0:
            bytes[at] ^= (uint8_t)(1u << draw(8));
            break;
        case 1:
            bytes[at] = (uint8_t)draw(256);
            break;
        case 2:
            *size = at;
            break;
        default:
            if (*size < LARGEST) {
                for (i = (uint32_t)*size; i > at; i--) {
                    bytes[i] = bytes[i - 1];
                }
                (*size)++;
            }
            break;
        }
    }
}

/* Arguments: how many changed copies of each file to play, then the files. */
int main(int count, char **arguments)
{
    static uint8_t kept[LARGEST], bytes[LARGEST + 1];
    unsigned long copies, copy, played = 0;
    int file;
    must(count > 2);
    copies = strtoul(arguments[1], NULL, 10);
    for (file = 2; file < count; file++) {
        FILE *from = fopen(arguments[file], "rb");
        size_t whole;
        must(from != NULL);
        whole = fread(kept, 1, sizeof kept, from);
        fclose(from);
        for (copy = 0; copy <= copies; copy++) {
            size_t size = whole;
            uint8_t *exact;
            memcpy(bytes, kept, whole);
            if (copy > 0) {
                change(bytes, &size);
            }
            /* A copy of just that size, so that a step beyond its end is seen. */
            exact = malloc(size > 0 ? size : 1);
            must(exact != NULL);
            memcpy(exact, bytes, size);
            (void)LLVMFuzzerTestOneInput(exact, size);
            free(exact);
            played++;
        }
    }
    printf("%lu\n", played);
    return 0;
}
#endif
