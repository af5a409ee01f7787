/* The C reference driven over standard input and output, for the tests: one byte of operation, its arguments, one answer.
 *
 *     b u8 size, identify             begin                         -> u8 taken
 *     r u32 now, u16 size, bytes      receive                       -> u8 count, then id u16 and antenna u8 of each request
 *     o u32 now, u16 room             outgoing                      -> u16 size, bytes
 *     s u32 now, u8 size, bytes       send                          -> u8 taken
 *     i u32 now                       idle                          -> u32 ms
 *     q                               state and counters            -> u8, then u32 each
 *     m u8 size, bytes                read a message and write it   -> u8 size, bytes (0: refused)
 *     e u16 size, bytes               frame of a body               -> u16 size, bytes
 *     f u16 size, bytes               feed a framer                 -> u16 count, then u16 size and bytes of each body
 *
 *     k u8 number, key, u32 seed      give it a key                 -> u8 1
 *     h u8 size, key, u16 size, bytes HMAC-SHA256                   -> 32 bytes
 *     p key, u16 size, bytes          Poly1305 of whole blocks      -> 16 bytes
 *     x key, nonce, u8 size, ad, u16 size, bytes   seal             -> u16 size, bytes and tag
 *     y key, nonce, u8 size, ad, u16 size, bytes and tag   open     -> u8 right, then u16 size, bytes
 *
 * Numbers are big-endian. Ends at the end of input.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tp_device.h"

enum { ROOM = 65536, REQUESTS = 255 };

static tp_device device;
static tp_framer framer;
static uint8_t buffer[ROOM];
static uint8_t answer[ROOM * 2];
static size_t answer_size;

static struct {
    size_t count;
    tp_inventory_request requests[REQUESTS];
} told;

/* Random bytes that a test can foretell. */
static uint32_t dice;

static void roll(uint8_t *out, size_t size, void *context)
{
    (void)context;
    while (size-- > 0) {
        dice = dice * 1664525u + 1013904223u;
        *out++ = (uint8_t)(dice >> 24);
    }
}

static void must(int condition, const char *what)
{
    if (!condition) {
        fprintf(stderr, "c_device: %s\n", what);
        exit(2);
    }
}

static uint32_t get(unsigned bytes)
{
    uint32_t value = 0;
    while (bytes-- > 0) {
        int byte = getchar();
        must(byte != EOF, "an argument is missing");
        value = value << 8 | (uint32_t)byte;
    }
    return value;
}

static size_t get_bytes(unsigned size_bytes)
{
    size_t size = get(size_bytes), at;
    must(size <= ROOM, "too many bytes");
    for (at = 0; at < size; at++) {
        buffer[at] = (uint8_t)get(1);
    }
    return size;
}

static void put(unsigned bytes, uint32_t value)
{
    while (bytes-- > 0) {
        answer[answer_size++] = (uint8_t)(value >> (8 * bytes) & 0xFFu);
    }
}

static void put_bytes(unsigned size_bytes, const uint8_t *data, size_t size)
{
    must(answer_size + size + size_bytes <= sizeof answer, "the answer is too long");
    put(size_bytes, (uint32_t)size);
    if (size > 0) {
        memcpy(answer + answer_size, data, size);
        answer_size += size;
    }
}

static void on_request(tp_device *asked, const tp_inventory_request *request, void *context)
{
    (void)asked;
    must(context == &told, "the context is the user's");
    must(told.count < REQUESTS, "too many requests");
    told.requests[told.count++] = *request;
}

#define CODEC(name)                                                                                                            \
    {                                                                                                                          \
        tp_##name message;                                                                                                     \
        if (tp_read_##name(data, size, &message)) {                                                                            \
            return tp_write_##name(&message, out);                                                                             \
        }                                                                                                                      \
    }

static size_t read_and_write(const uint8_t *data, size_t size, uint8_t *out)
{
    TP_EACH_MESSAGE(CODEC)
    return 0;
}

static void tell_state(void)
{
    const tp_framer_counters *framing = &device.framer.counters;
    put(1, (uint32_t)device.state);
    put(4, framing->frames);
    put(4, framing->garbage_bytes);
    put(4, framing->crc_errors);
    put(4, framing->oversize);
    put(4, framing->malformed + device.counters.malformed);
    put(4, device.counters.unknown);
    put(4, device.counters.forbidden);
    put(4, device.counters.stale);
    put(4, device.counters.duplicates);
    put(4, device.counters.gaps);
    put(4, device.counters.naks);
    put(4, device.outbox.retransmits);
    put(4, device.outbox.overflows);
    put(4, device.counters.sessions);
    put(4, device.outbox.flight_count);
    put(4, device.outbox.waiting_size);
    put(4, device.nonce);
    put(4, device.counters.forged);
    put(4, device.counters.unsecured);
    put(4, device.secured);
}

static void receive(uint32_t now_ms, size_t size)
{
    size_t at;
    told.count = 0;
    tp_device_receive(&device, buffer, size, now_ms);
    put(1, (uint32_t)told.count);
    for (at = 0; at < told.count; at++) {
        put(2, told.requests[at].request_id);
        put(1, told.requests[at].antenna);
    }
}

static void feed(size_t size)
{
    size_t at, count_at = answer_size;
    unsigned count = 0;
    put(2, 0);
    for (at = 0; at < size; at++) {
        const uint8_t *body;
        size_t body_size = tp_framer_take(&framer, buffer[at], &body);
        if (body_size > 0) {
            put_bytes(2, body, body_size);
            count++;
        }
    }
    answer[count_at] = (uint8_t)(count >> 8);
    answer[count_at + 1] = (uint8_t)(count & 0xFFu);
}

static void give_key(void)
{
    uint8_t key_id = (uint8_t)get(1), key[TP_KEY_BYTES];
    size_t at;
    for (at = 0; at < sizeof key; at++) {
        key[at] = (uint8_t)get(1);
    }
    dice = get(4);
    tp_device_secure(&device, key_id, key, roll);
    put(1, 1);
}

static void hash(void)
{
    uint8_t key[64], made[TP_HASH_BYTES];
    size_t key_size = get_bytes(1);
    must(key_size <= sizeof key, "the key is too long");
    memcpy(key, buffer, key_size);
    tp_hmac_sha256(key, key_size, buffer, get_bytes(2), made);
    memcpy(answer + answer_size, made, sizeof made);
    answer_size += sizeof made;
}

static void authenticator(void)
{
    uint8_t key[TP_KEY_BYTES], tag[TP_TAG_BYTES];
    size_t at;
    for (at = 0; at < sizeof key; at++) {
        key[at] = (uint8_t)get(1);
    }
    tp_poly1305(key, buffer, get_bytes(2), tag);
    memcpy(answer + answer_size, tag, sizeof tag);
    answer_size += sizeof tag;
}

static void aead(int operation)
{
    uint8_t key[TP_KEY_BYTES], nonce[TP_NONCE_BYTES], ad[255];
    size_t at, ad_size, size;
    for (at = 0; at < sizeof key; at++) {
        key[at] = (uint8_t)get(1);
    }
    for (at = 0; at < sizeof nonce; at++) {
        nonce[at] = (uint8_t)get(1);
    }
    ad_size = get_bytes(1);
    memcpy(ad, buffer, ad_size);
    size = get_bytes(2);
    if (operation == 'x') {
        must(size + TP_TAG_BYTES <= ROOM, "too many bytes");
        tp_aead_seal(key, nonce, ad, ad_size, buffer, size, buffer + size);
        put_bytes(2, buffer, size + TP_TAG_BYTES);
    } else {
        must(size >= TP_TAG_BYTES, "the tag is missing");
        size -= TP_TAG_BYTES;
        put(1, tp_aead_open(key, nonce, ad, ad_size, buffer, size, buffer + size));
        put_bytes(2, buffer, size);
    }
}

static void serve(int operation)
{
    static uint8_t out[ROOM];
    tp_identify identity;
    uint32_t now_ms;
    size_t size;
    switch (operation) {
    case 'b':
        size = get_bytes(1);
        must(tp_read_identify(buffer, size, &identity), "the identity is not as declared");
        tp_device_begin(&device, &identity, get(4), on_request, &told);
        put(1, 1);
        break;
    case 'r':
        now_ms = get(4);
        receive(now_ms, get_bytes(2));
        break;
    case 'o':
        now_ms = get(4);
        size = get(2);
        put_bytes(2, out, tp_device_outgoing(&device, out, size, now_ms));
        break;
    case 's':
        now_ms = get(4);
        size = get_bytes(1);
        put(1, tp_device_send(&device, buffer, size, now_ms));
        break;
    case 'i':
        put(4, tp_device_idle_ms(&device, get(4)));
        break;
    case 'q':
        tell_state();
        break;
    case 'm':
        size = get_bytes(1);
        put_bytes(1, out, read_and_write(buffer, size, out));
        break;
    case 'e':
        size = get_bytes(2);
        put_bytes(2, out, tp_encode_frame(buffer, size, out));
        break;
    case 'f':
        feed(get_bytes(2));
        break;
    case 'k':
        give_key();
        break;
    case 'h':
        hash();
        break;
    case 'p':
        authenticator();
        break;
    case 'x':
    case 'y':
        aead(operation);
        break;
    default:
        must(0, "no such operation");
    }
}

int main(void)
{
    int operation;
    while ((operation = getchar()) != EOF) {
        answer_size = 0;
        serve(operation);
        must(fwrite(answer, 1, answer_size, stdout) == answer_size, "the answer cannot be written");
        fflush(stdout);
    }
    return 0;
}
