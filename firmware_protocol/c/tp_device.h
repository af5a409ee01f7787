/* A device's end of a link: answers a host, and keeps what it has to tell until a host has acknowledged it (spec.md, section 5).
 *
 * C99, no allocation, no recursion; one tp_device is all the memory. No function reads a clock: `now_ms` is any monotonic time in
 * ms that wraps at 2**32, the same for all calls. Not safe for two threads or an interrupt at once.
 *
 * The main loop of a firmware:
 *
 *     tp_device_receive(&device, bytes, size, now_ms);              what came in; size 0 lets time pass
 *     tp_device_send(&device, message, tp_write_tag_arrived(...), now_ms);
 *     size = tp_device_outgoing(&device, out, sizeof out, now_ms);  write them; again until it gives 0
 *     sleep at most tp_device_idle_ms(&device, now_ms), less when bytes come in
 */
#ifndef TP_DEVICE_H
#define TP_DEVICE_H

#include "tp_frame.h"
#include "tp_messages.h"
#include "tp_outbox.h"
#include "tp_secure.h"

#define TP_PERIOD_MS 250u   /* from heartbeat to heartbeat */
#define TP_LOST_MS 750u     /* without a sign of life after which the host is missing */
#define TP_NOISE_NAK_MS 20u /* at most one NAK for noise in this time */

typedef enum {
    TP_WAITING, /* no host has asked yet */
    TP_READY,
    TP_STALE,   /* a session, but no sign of life */
    TP_FAILED,  /* broken off; the next identify_request begins anew */
    TP_REFUSED  /* the host speaks another major version */
} tp_state;

/* Counts of what a link has seen since it was made; they only grow, and wrap. The outbox has more. */
typedef struct {
    uint32_t malformed; /* good frames whose header or message is not as declared */
    uint32_t unknown;   /* messages of a newer minor version */
    uint32_t forbidden; /* messages that must not exist */
    uint32_t stale;     /* frames of another session */
    uint32_t duplicates;
    uint32_t gaps;
    uint32_t naks;
    uint32_t sessions;
    uint32_t forged;    /* sealed frames and proofs that are not the host's, or that came before */
    uint32_t unsecured; /* frames in the clear where a secured session is */
} tp_counters;

struct tp_device;
/* A host asks what lies on an antenna, or on all (255). Answer with tp_device_send, now or later. */
typedef void (*tp_on_inventory_request)(struct tp_device *device, const tp_inventory_request *request, void *context);

/* Gives random bytes that nobody can foretell: of a hardware generator, not of a clock. */
typedef void (*tp_random)(uint8_t *out, size_t size, void *context);

typedef struct tp_device {
    tp_identify identity;
    tp_counters counters;
    tp_on_inventory_request on_request;
    void *context;
    tp_framer framer;
    tp_state state;
    uint32_t started_ms;
    uint32_t heard_ms;
    uint32_t beat_ms;
    uint32_t noise_ms;
    /* session and what comes in */
    uint32_t nonce;
    uint32_t answer_nonce;
    uint16_t expected;
    uint16_t gap_seq;
    uint16_t doubted;
    uint16_t unknown_session;
    bool has_gap;
    bool has_doubted;
    bool has_unknown_session;
    bool answer_due;
    bool ack_due;
    bool nak_due;
    /* the secured session; key_id 0: there is none */
    uint8_t key_id;
    uint8_t key[TP_KEY_BYTES];
    tp_random random;
    tp_identify_request asked;
    uint8_t challenge[TP_RANDOM_BYTES];
    tp_secure_answer answered;
    tp_secure_ready ready;
    tp_channel channel;
    bool has_asked;
    bool has_answered;
    bool ready_due;
    bool secured;
    tp_outbox outbox;
} tp_device;

/* `identity`: what it answers to hosts; its nonce does not matter. `on_request` may be null for a device that reads nothing. */
void tp_device_begin(tp_device *device, const tp_identify *identity, uint32_t now_ms, tp_on_inventory_request on_request,
                     void *context);

/* Give the device a key, after tp_device_begin: from then on no session begins that is not secured. `key_id` from 1; `random` is
 * called with the context of tp_device_begin. To change a key give the host the new one first, then call this with its number. */
void tp_device_secure(tp_device *device, uint8_t key_id, const uint8_t key[TP_KEY_BYTES], tp_random random);

/* Take bytes in any portion, and let time pass. */
void tp_device_receive(tp_device *device, const uint8_t *data, size_t size, uint32_t now_ms);

/* Queue a message of `size` bytes, as tp_write_… gives it. False for one of no bytes, too long, or that a device of this kind does
 * not send. When there is no room the oldest that was never sent is dropped, and an overflow will stand in its place. */
bool tp_device_send(tp_device *device, const uint8_t *message, size_t size, uint32_t now_ms);

/* The bytes to write now, as many whole frames as `room` holds (at least TP_MAX_FRAME + 1); 0 when there are none. */
size_t tp_device_outgoing(tp_device *device, uint8_t *out, size_t room, uint32_t now_ms);

/* How long nothing needs to be called if nothing happens. */
uint32_t tp_device_idle_ms(const tp_device *device, uint32_t now_ms);

#endif
