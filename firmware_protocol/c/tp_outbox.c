#include "tp_outbox.h"

#include "tp_numbers.h"

static unsigned flight_index(const tp_outbox *box, unsigned index)
{
    return (box->flight_first + index) % TP_WINDOW;
}

static tp_flight *flight_at(tp_outbox *box, unsigned index)
{
    return &box->flight[flight_index(box, index)];
}

static uint8_t waiting_byte(const tp_outbox *box, uint32_t offset)
{
    return box->waiting[(box->waiting_first + offset) % TP_WAITING_BYTES];
}

static void drop_waiting(tp_outbox *box)
{
    uint32_t size = 1u + waiting_byte(box, 0);
    box->waiting_first = (box->waiting_first + size) % TP_WAITING_BYTES;
    box->waiting_size -= size;
}

static void push_waiting(tp_outbox *box, const uint8_t *message, size_t size)
{
    size_t at;
    uint32_t end = (box->waiting_first + box->waiting_size) % TP_WAITING_BYTES;
    box->waiting[end] = (uint8_t)size;
    for (at = 0; at < size; at++) {
        end = (end + 1u) % TP_WAITING_BYTES;
        box->waiting[end] = message[at];
    }
    box->waiting_size += (uint32_t)size + 1u;
}

static uint32_t rto_ms(const tp_outbox *box)
{
    uint32_t rto = TP_FIRST_RTO_MS;
    if (box->rtt_8_ms != 0) {
        rto = box->rtt_8_ms / 8u + box->rtt_spread_4_ms;
    }
    if (rto < TP_MIN_RTO_MS) {
        rto = TP_MIN_RTO_MS;
    }
    if (rto > TP_MAX_RTO_MS) {
        rto = TP_MAX_RTO_MS;
    }
    rto <<= box->timeouts > 4u ? 4u : box->timeouts;
    return rto > TP_MAX_RTO_MS ? TP_MAX_RTO_MS : rto;
}

/* Jacobson's estimate, in integers: an eighth of each difference, and a quarter of its deviation from the spread. */
static void measure(tp_outbox *box, uint32_t rtt_ms)
{
    if (rtt_ms > TP_MAX_RTO_MS) {
        rtt_ms = TP_MAX_RTO_MS;
    }
    if (box->rtt_8_ms == 0) {
        box->rtt_8_ms = rtt_ms * 8u + 1u;
        box->rtt_spread_4_ms = rtt_ms * 2u;
    } else {
        uint32_t smoothed_ms = box->rtt_8_ms / 8u;
        uint32_t difference_ms = rtt_ms > smoothed_ms ? rtt_ms - smoothed_ms : smoothed_ms - rtt_ms;
        box->rtt_spread_4_ms += difference_ms - box->rtt_spread_4_ms / 4u;
        box->rtt_8_ms += rtt_ms - smoothed_ms;
        if (box->rtt_8_ms == 0) {
            box->rtt_8_ms = 1u;
        }
    }
}

/* Whether a message waits for its first number in this session and the window has room for it. */
static bool has_new(const tp_outbox *box)
{
    unsigned index;
    size_t bytes = 0;
    bool overflow_in_flight = false, overflow_next = box->lost > 0;
    bool was_in_flight = box->flight_sent < box->flight_count;
    if (!was_in_flight && box->lost == 0 && box->waiting_size == 0) {
        return false;
    }
    if (box->flight_sent == 0) {
        return true;
    }
    for (index = 0; index < box->flight_sent; index++) {
        const tp_flight *entry = &box->flight[flight_index(box, index)];
        bytes += entry->size;
        overflow_in_flight = overflow_in_flight || entry->lost > 0;
    }
    if (box->flight_sent >= TP_WINDOW || bytes >= TP_WINDOW_BYTES) {
        return false;
    }
    if (was_in_flight) {
        overflow_next = box->flight[flight_index(box, box->flight_sent)].lost > 0;
    }
    /* Two overflows in flight could span more than half of the numbers. */
    return !(overflow_next && overflow_in_flight);
}

/* Takes the oldest message that waits, or an overflow for those that were lost before it, among those in flight. */
static void take_waiting(tp_outbox *box)
{
    tp_flight *entry = flight_at(box, box->flight_count++);
    entry->lost = box->lost;
    if (box->lost > 0) {
        box->lost = 0;
    } else {
        size_t at;
        entry->size = waiting_byte(box, 0);
        for (at = 0; at < entry->size; at++) {
            entry->message[at] = waiting_byte(box, (uint32_t)at + 1u);
        }
        drop_waiting(box);
    }
}

/* The next message gets its number. Only after has_new(). */
static tp_flight *number_next(tp_outbox *box, uint32_t now_ms)
{
    tp_flight *entry;
    if (box->flight_sent == box->flight_count) {
        take_waiting(box);
    }
    if (box->flight_sent == 0) {
        box->timer_ms = now_ms;
    }
    entry = flight_at(box, box->flight_sent++);
    entry->sent = 0;
    entry->first = box->next;
    entry->last = tp_u16(box->next + (entry->lost > 0 ? entry->lost : 1u) - 1u);
    box->next = tp_u16(entry->last + 1u);
    if (entry->lost > 0) {
        tp_overflow overflow;
        overflow.first_seq = entry->first;
        overflow.last_seq = entry->last;
        overflow.lost = entry->lost;
        entry->size = (uint8_t)tp_write_overflow(&overflow, entry->message);
    }
    return entry;
}

bool tp_outbox_acknowledge(tp_outbox *box, uint16_t ack, uint32_t now_ms)
{
    uint16_t ahead = tp_ahead(ack, box->acked);
    if (ahead == 0) {
        return true;
    }
    if (ahead > tp_ahead(box->next - 1u, box->acked)) {
        return ahead >= TP_SEQ_HALF; /* older than what is known already, or impossible */
    }
    while (box->flight_sent > 0) {
        const tp_flight *entry = flight_at(box, 0);
        if (tp_ahead(ack, entry->last) >= TP_SEQ_HALF) {
            break;
        }
        if (entry->sent == 1) {
            measure(box, now_ms - entry->sent_ms);
        }
        box->flight_first = (uint8_t)((box->flight_first + 1u) % TP_WINDOW);
        box->flight_count--;
        box->flight_sent--;
        if (box->resend_at > 0) {
            box->resend_at--;
        }
    }
    box->acked = ack;
    box->timeouts = 0;
    box->timer_ms = now_ms;
    if (box->flight_sent == 0) {
        box->resend = false;
    }
    return true;
}

void tp_outbox_resend(tp_outbox *box)
{
    box->resend = box->flight_sent > 0;
    box->resend_at = 0;
}

void tp_outbox_resume(tp_outbox *box, uint32_t now_ms)
{
    box->timeouts = 0;
    box->timer_ms = now_ms;
    tp_outbox_resend(box);
}

void tp_outbox_push(tp_outbox *box, const uint8_t *message, size_t size)
{
    while (box->waiting_size + size + 1u > TP_WAITING_BYTES) {
        drop_waiting(box);
        box->overflows++;
        if (box->lost < TP_MAX_LOST) {
            box->lost++;
        }
    }
    push_waiting(box, message, size);
}

void tp_outbox_session(tp_outbox *box, uint32_t now_ms)
{
    box->flight_sent = 0;
    box->next = 1;
    box->acked = 0;
    box->resend = false;
    box->resend_at = 0;
    box->timeouts = 0;
    box->timer_ms = now_ms;
    box->rtt_8_ms = 0;
    box->rtt_spread_4_ms = 0;
}

bool tp_outbox_expire(tp_outbox *box, uint32_t now_ms)
{
    if (box->flight_sent == 0 || !tp_reached(now_ms, box->timer_ms + rto_ms(box))) {
        return false;
    }
    box->timer_ms = now_ms;
    box->timeouts++;
    tp_outbox_resend(box);
    return box->timeouts > TP_MAX_TIMEOUTS;
}

const tp_flight *tp_outbox_due(tp_outbox *box, uint32_t now_ms)
{
    tp_flight *entry;
    if (box->resend && box->resend_at < box->flight_sent) {
        entry = flight_at(box, box->resend_at++);
        box->retransmits++;
    } else if (has_new(box)) {
        entry = number_next(box, now_ms);
    } else {
        entry = NULL;
    }
    if (box->resend_at >= box->flight_sent) {
        box->resend = false;
    }
    if (entry != NULL) {
        entry->sent_ms = now_ms;
        if (entry->sent < 0xFFu) {
            entry->sent++;
        }
    }
    return entry;
}

bool tp_outbox_has_due(const tp_outbox *box)
{
    return (box->resend && box->resend_at < box->flight_sent) || has_new(box);
}

bool tp_outbox_idle_ms(const tp_outbox *box, uint32_t now_ms, uint32_t *idle_ms)
{
    if (box->flight_sent == 0) {
        return false;
    }
    *idle_ms = tp_until_ms(now_ms, box->timer_ms + rto_ms(box));
    return true;
}

uint16_t tp_outbox_last_sent(const tp_outbox *box)
{
    return tp_u16(box->next - 1u);
}
