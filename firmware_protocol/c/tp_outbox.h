/* The sending half of a link: messages that wait, messages in flight, and when to send them again (spec.md, section 5).
 *
 * Numbers are given when a message is first sent in a session; a new session numbers everything that is not acknowledged anew,
 * from 1. The host keeps nothing out of order, so what is sent again is everything in flight.
 */
#ifndef TP_OUTBOX_H
#define TP_OUTBOX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tp_messages.h"

/* Bytes of messages that wait for a host, each one byte longer than itself. 16384 hold 712 tag_arrived with 8-byte UIDs;
 * spec.md asks for 512. */
#ifndef TP_WAITING_BYTES
#define TP_WAITING_BYTES 16384u
#endif
/* Messages in flight, at most 16. */
#ifndef TP_WINDOW
#define TP_WINDOW 16u
#endif
#define TP_WINDOW_BYTES 1024u
#define TP_FIRST_RTO_MS 400u
#define TP_MIN_RTO_MS 150u
#define TP_MAX_RTO_MS 2000u
#define TP_MAX_TIMEOUTS 10u
#define TP_MAX_LOST 16384u

/* A message that was on its way. `lost` of an overflow, else 0; `sent`: how many times in this session. */
typedef struct {
    uint32_t sent_ms;
    uint16_t first;
    uint16_t last;
    uint16_t lost;
    uint8_t sent;
    uint8_t size;
    uint8_t message[TP_MAX_MESSAGE];
} tp_flight;

/* Begin with tp_outbox_session. */
typedef struct {
    uint32_t retransmits;
    uint32_t overflows; /* messages lost because nobody took them */
    bool resend;
    uint8_t resend_at;
    uint8_t timeouts;
    uint16_t next;
    uint16_t acked;
    uint16_t lost;
    uint32_t timer_ms;
    uint32_t rtt_8_ms; /* smoothed round trip, in eighths; 0: not measured */
    uint32_t rtt_spread_4_ms;
    uint8_t flight_first;
    uint8_t flight_count;
    uint8_t flight_sent; /* the first so many have a number in this session */
    tp_flight flight[TP_WINDOW];
    uint32_t waiting_first;
    uint32_t waiting_size;
    uint8_t waiting[TP_WAITING_BYTES];
} tp_outbox;

/* Queue a message of 1 to TP_MAX_MESSAGE bytes. When there is no room the oldest that was never sent is dropped, and an overflow
 * will stand in its place. */
void tp_outbox_push(tp_outbox *box, const uint8_t *message, size_t size);

/* A new session: what is not acknowledged is numbered anew. */
void tp_outbox_session(tp_outbox *box, uint32_t now_ms);

/* The host has everything up to `ack`. False when it cannot have: that was never sent. */
bool tp_outbox_acknowledge(tp_outbox *box, uint16_t ack, uint32_t now_ms);

/* Send everything in flight again at the next chance. */
void tp_outbox_resend(tp_outbox *box);

/* The host is back: do not wait for a time-out, and count none for its absence. */
void tp_outbox_resume(tp_outbox *box, uint32_t now_ms);

/* Note a time-out if there is one; true when it was one too many. */
bool tp_outbox_expire(tp_outbox *box, uint32_t now_ms);

/* What to send now, NULL for nothing: again what has to be sent again, then new ones as far as the window goes. To be sent: it
 * counts as sent. */
const tp_flight *tp_outbox_due(tp_outbox *box, uint32_t now_ms);

/* Whether tp_outbox_due would give something. */
bool tp_outbox_has_due(const tp_outbox *box);

/* How long until the next time-out; false when none is planned. */
bool tp_outbox_idle_ms(const tp_outbox *box, uint32_t now_ms, uint32_t *idle_ms);

/* The newest number given in this session, 0 if none. */
uint16_t tp_outbox_last_sent(const tp_outbox *box);

#endif
