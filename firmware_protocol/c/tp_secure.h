/* A secured session (spec.md, section 6): its keys, the proofs of both sides, and the sealing of bodies. */
#ifndef TP_SECURE_H
#define TP_SECURE_H

#include "tp_crypto.h"
#include "tp_frame.h"
#include "tp_messages.h"

#define TP_RANDOM_BYTES 16u
#define TP_SECURED_KIND 6u
#define TP_SECURED_BYTES 23u          /* what a secured body is longer than the one within */
#define TP_MAX_SEALED_FRAMES (1u << 31) /* a host begins a new session long before */

/* One end of the session: seals what this side says, opens what the other one did. */
typedef struct {
    uint8_t seal_key[TP_KEY_BYTES];
    uint8_t open_key[TP_KEY_BYTES];
    uint32_t sealed;
    uint32_t opened;
    uint16_t session;
} tp_channel;

/* What follows from a key and from what both sides said in the clear. */
typedef struct {
    tp_channel channel; /* the device's end */
    uint8_t host_proof[TP_RANDOM_BYTES];
    uint8_t device_proof[TP_RANDOM_BYTES];
} tp_opening;

/* `request` and `identify` as they were on the wire, that one with the nonce of the request. */
void tp_secure_open(tp_opening *opening, const uint8_t key[TP_KEY_BYTES], const tp_identify_request *request,
                    const tp_identify *identify, uint8_t key_id, const uint8_t challenge[TP_RANDOM_BYTES],
                    const uint8_t answer[TP_RANDOM_BYTES]);

/* Writes the secured body of a body to `out`, which has `size` + TP_SECURED_BYTES; its size, or 0 when no more can be sealed. */
size_t tp_channel_seal(tp_channel *channel, const uint8_t *body, size_t size, uint8_t *out);

/* Writes the body within a secured one to `out`; its size, or 0: not sealed by the other side, or not newer than the last. */
size_t tp_channel_open(tp_channel *channel, const uint8_t *secured, size_t size, uint8_t *out);

#endif
