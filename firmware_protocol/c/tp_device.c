#include "tp_device.h"

#include <string.h>

#include "tp_numbers.h"

enum { DATA = 1, ACK = 2, NAK = 3, RESET = 4, PLAIN = 5 };
enum { DATA_HEADER = 7, ACK_SIZE = 5, RESET_SIZE = 3 };

static uint16_t get_u16(const uint8_t *at)
{
    return tp_u16((unsigned)at[0] << 8 | at[1]);
}

static void put_u16(uint8_t *at, uint16_t value)
{
    at[0] = (uint8_t)(value >> 8);
    at[1] = (uint8_t)(value & 0xFFu);
}

static bool in_session(const tp_device *device)
{
    return device->state == TP_READY || device->state == TP_STALE;
}

/* ------------------------------------------------------------ sessions */

/* There is no session any more. */
static void end_session(tp_device *device, tp_state state)
{
    device->state = state;
    device->secured = false;
}

static void begin_session(tp_device *device, uint32_t nonce, uint32_t now_ms)
{
    device->counters.sessions++;
    device->nonce = nonce;
    device->state = TP_READY;
    device->heard_ms = now_ms;
    device->expected = 1;
    device->has_gap = device->has_doubted = false;
    device->ack_due = device->nak_due = false;
    device->has_unknown_session = false;
    tp_outbox_session(&device->outbox, now_ms);
}

static void heard(tp_device *device, uint32_t now_ms)
{
    device->heard_ms = now_ms;
    if (device->state == TP_STALE) {
        device->state = TP_READY;
        tp_outbox_resume(&device->outbox, now_ms);
    }
}

static void tick(tp_device *device, uint32_t now_ms)
{
    if (device->state != TP_READY) {
        return;
    }
    if (now_ms - device->heard_ms > TP_LOST_MS) {
        device->state = TP_STALE;
    } else if (tp_outbox_expire(&device->outbox, now_ms)) {
        end_session(device, TP_FAILED);
    }
}

/* ------------------------------------------------------------ what comes in */

static void start(tp_device *device, const tp_identify_request *request, uint32_t now_ms)
{
    if (request->last_nonce == device->nonce) {
        (void)tp_outbox_acknowledge(&device->outbox, request->last_seq, now_ms);
    }
    begin_session(device, request->nonce, now_ms);
}

static bool same_request(const tp_identify_request *one, const tp_identify_request *other)
{
    return one->minor == other->minor && one->nonce == other->nonce && one->last_nonce == other->last_nonce &&
           one->last_seq == other->last_seq;
}

/* Anyone may have asked: it is answered, and changes nothing of a session that goes on. */
static void take_open_request(tp_device *device, const tp_identify_request *request)
{
    if (device->state == TP_REFUSED) {
        device->state = TP_WAITING;
    }
    if (in_session(device) && request->nonce == device->nonce) {
        return;
    }
    if (!device->has_asked || !same_request(&device->asked, request)) {
        device->asked = *request;
        device->has_asked = true;
        device->random(device->challenge, TP_RANDOM_BYTES, device->context);
    }
}

static void take_identify_request(tp_device *device, const tp_identify_request *request, uint32_t now_ms)
{
    device->answer_due = true;
    device->answer_nonce = request->nonce;
    if (request->major == 0) {
        return; /* somebody asks who is there, and no more */
    }
    if (request->major != TP_MAJOR) {
        if (device->key_id == 0 || !in_session(device)) {
            end_session(device, TP_REFUSED);
        }
    } else if (device->key_id != 0) {
        take_open_request(device, request);
    } else if (in_session(device) && request->nonce == device->nonce) {
        heard(device, now_ms);
    } else {
        start(device, request, now_ms);
    }
}

static bool same_answer(const tp_secure_answer *one, const tp_secure_answer *other)
{
    return one->nonce == other->nonce && tp_same(one->answer, other->answer, TP_RANDOM_BYTES) &&
           tp_same(one->proof, other->proof, TP_RANDOM_BYTES);
}

static void take_answer(tp_device *device, const tp_secure_answer *answer, uint32_t now_ms)
{
    tp_opening opening;
    tp_identify said = device->identity;
    if (device->has_answered && in_session(device) && same_answer(answer, &device->answered)) {
        device->ready_due = true; /* what told the host so was lost */
        return;
    }
    if (!device->has_asked || answer->nonce != device->asked.nonce) {
        device->counters.stale++;
        return;
    }
    said.nonce = answer->nonce;
    tp_secure_open(&opening, device->key, &device->asked, &said, device->key_id, device->challenge, answer->answer);
    if (!tp_same(opening.host_proof, answer->proof, TP_RANDOM_BYTES)) {
        device->counters.forged++;
        return;
    }
    device->has_asked = false;
    device->answered = *answer;
    device->has_answered = device->ready_due = true;
    device->ready.nonce = answer->nonce;
    memcpy(device->ready.proof, opening.device_proof, TP_RANDOM_BYTES);
    start(device, &device->asked, now_ms);
    device->channel = opening.channel;
    device->secured = true;
}

static void foreign(tp_device *device, uint16_t session)
{
    device->unknown_session = session;
    device->has_unknown_session = true;
}

static void take_heartbeat(tp_device *device, const tp_heartbeat *heartbeat, uint32_t now_ms)
{
    if (!in_session(device) || heartbeat->boot_id != device->nonce) {
        foreign(device, tp_u16(heartbeat->boot_id));
        return;
    }
    heard(device, now_ms);
    if (tp_ahead(heartbeat->last_seq, device->expected) < TP_SEQ_HALF) {
        device->nak_due = true;
    }
}

static bool forbidden(uint8_t id)
{
    return id >= TP_FORBIDDEN_FIRST && id <= TP_FORBIDDEN_LAST;
}

static void take_plain(tp_device *device, const uint8_t *message, size_t size, bool opened, uint32_t now_ms)
{
    tp_identify_request request;
    tp_secure_answer answer;
    tp_heartbeat heartbeat;
    if (forbidden(message[0])) {
        device->counters.forbidden++;
    } else if (!tp_known(message[0])) {
        device->counters.unknown++;
    } else if (tp_read_identify_request(message, size, &request)) {
        take_identify_request(device, &request, now_ms);
    } else if (tp_read_secure_answer(message, size, &answer)) {
        take_answer(device, &answer, now_ms);
    } else if (tp_read_heartbeat(message, size, &heartbeat)) {
        if (device->secured && !opened) {
            device->counters.unsecured++;
        } else {
            take_heartbeat(device, &heartbeat, now_ms);
        }
    } else {
        device->counters.malformed++;
    }
}

/* The next message of the session. One that cannot be read is asked for again once: one damaged frame in 65536 has the right
 * CRC. What is as unreadable then was meant so, and is skipped. */
static void take_next(tp_device *device, uint16_t seq, const uint8_t *message, size_t size)
{
    tp_inventory_request request;
    bool read = tp_read_inventory_request(message, size, &request);
    if (!read && (forbidden(message[0]) || tp_carries_uid(message[0]))) {
        device->counters.forbidden++;
    } else if (!read && !(device->has_doubted && device->doubted == seq)) {
        device->doubted = seq;
        device->has_doubted = true;
        if (tp_known(message[0])) {
            device->counters.malformed++;
        } else {
            device->counters.unknown++;
        }
        device->nak_due = true;
        return;
    }
    device->has_doubted = device->has_gap = false;
    device->expected = tp_u16(seq + 1u);
    device->ack_due = true;
    if (read && device->on_request != NULL) {
        device->on_request(device, &request, device->context);
    }
}

static void take_data(tp_device *device, uint16_t seq, const uint8_t *message, size_t size)
{
    uint16_t ahead = tp_ahead(seq, device->expected);
    if (ahead == 0) {
        take_next(device, seq, message, size);
    } else if (ahead >= TP_SEQ_HALF) {
        device->counters.duplicates++;
        device->ack_due = true;
    } else {
        device->counters.gaps++;
        /* Numbers that grow belong to the same round of sending; asking once a round is enough. */
        if (!device->has_gap || tp_ahead(seq, device->gap_seq + 1u) >= TP_SEQ_HALF) {
            device->nak_due = true;
        }
        device->gap_seq = seq;
        device->has_gap = true;
    }
}

static bool of_session(tp_device *device, uint16_t session, uint16_t ack, uint32_t now_ms)
{
    if (!in_session(device) || session != tp_u16(device->nonce)) {
        device->counters.stale++;
        foreign(device, session);
        return false;
    }
    if (!tp_outbox_acknowledge(&device->outbox, ack, now_ms)) {
        /* The two do not speak of the same session. */
        end_session(device, TP_FAILED);
        return false;
    }
    heard(device, now_ms);
    return true;
}

/* The body within a secured one, in `clear`; its size, or 0 when it is nothing of this session. */
static size_t open_body(tp_device *device, const uint8_t *body, size_t size, uint8_t *clear)
{
    uint16_t session = get_u16(body + 1);
    size_t within;
    if (!device->secured || session != device->channel.session) {
        device->counters.stale++;
        foreign(device, session);
        return 0;
    }
    within = tp_channel_open(&device->channel, body, size, clear);
    if (within == 0) {
        device->counters.forged++;
    }
    return within;
}

static void take_body(tp_device *device, const uint8_t *body, size_t size, uint32_t now_ms)
{
    uint8_t clear[TP_MAX_BODY];
    bool opened = body[0] == TP_SECURED_KIND && size > TP_SECURED_BYTES;
    unsigned kind;
    if (opened) {
        size = open_body(device, body, size, clear);
        if (size == 0) {
            return;
        }
        body = clear;
    }
    kind = body[0];
    if (device->secured && !opened && (kind == DATA || kind == ACK || kind == NAK)) {
        device->counters.unsecured++;
    } else if (kind == DATA && size > DATA_HEADER) {
        if (of_session(device, get_u16(body + 1), get_u16(body + 5), now_ms)) {
            take_data(device, get_u16(body + 3), body + DATA_HEADER, size - DATA_HEADER);
        }
    } else if ((kind == ACK || kind == NAK) && size == ACK_SIZE) {
        if (of_session(device, get_u16(body + 1), get_u16(body + 3), now_ms) && kind == NAK) {
            tp_outbox_resend(&device->outbox);
        }
    } else if (kind == PLAIN && size > 1) {
        take_plain(device, body + 1, size - 1, opened, now_ms);
    } else if (!(kind == RESET && size == RESET_SIZE)) {
        device->counters.malformed++;
    }
}

/* ------------------------------------------------------------ what users call */

void tp_device_begin(tp_device *device, const tp_identify *identity, uint32_t now_ms, tp_on_inventory_request on_request,
                     void *context)
{
    memset(device, 0, sizeof *device);
    device->identity = *identity;
    device->on_request = on_request;
    device->context = context;
    device->state = TP_WAITING;
    device->started_ms = device->heard_ms = now_ms;
    device->noise_ms = now_ms - TP_NOISE_NAK_MS;
    /* A line that nobody has opened yet needs no heartbeat at once. */
    device->beat_ms = now_ms + TP_PERIOD_MS;
    device->expected = 1;
    tp_outbox_session(&device->outbox, now_ms);
}

void tp_device_secure(tp_device *device, uint8_t key_id, const uint8_t key[TP_KEY_BYTES], tp_random random)
{
    device->key_id = key_id;
    memcpy(device->key, key, TP_KEY_BYTES);
    device->random = random;
    device->has_asked = device->has_answered = device->ready_due = false;
    end_session(device, TP_WAITING);
}

void tp_device_receive(tp_device *device, const uint8_t *data, size_t size, uint32_t now_ms)
{
    const tp_framer_counters *framing = &device->framer.counters;
    uint32_t broken = framing->crc_errors + framing->malformed;
    size_t at;
    for (at = 0; at < size; at++) {
        const uint8_t *body;
        size_t body_size = tp_framer_take(&device->framer, data[at], &body);
        if (body_size > 0) {
            take_body(device, body, body_size, now_ms);
        }
    }
    if (framing->crc_errors + framing->malformed != broken && now_ms - device->noise_ms >= TP_NOISE_NAK_MS) {
        device->noise_ms = now_ms;
        device->nak_due = true;
    }
    tick(device, now_ms);
}

bool tp_device_send(tp_device *device, const uint8_t *message, size_t size, uint32_t now_ms)
{
    (void)now_ms;
    if (size == 0 || size > TP_MAX_MESSAGE || !tp_sequenced(message[0]) || message[0] == TP_ID_OVERFLOW ||
        !tp_sent_by(message[0], device->identity.kind)) {
        return false;
    }
    tp_outbox_push(&device->outbox, message, size);
    return true;
}

/* Where frames go: whole ones only. */
typedef struct {
    uint8_t *out;
    size_t room;
    size_t size;
} sink;

static bool put_frame(sink *to, const uint8_t *body, size_t size)
{
    uint8_t frame[TP_MAX_FRAME];
    size_t made = tp_encode_frame(body, size, frame);
    /* The zero ends whatever noise the line has gathered, so that it cannot take the first frame with it. */
    size_t zero = to->size == 0 ? 1u : 0u;
    if (to->size + zero + made > to->room) {
        return false;
    }
    if (zero) {
        to->out[to->size++] = 0;
    }
    memcpy(to->out + to->size, frame, made);
    to->size += made;
    return true;
}

/* A frame of the session, sealed where that is secured. What is sealed counts, so that it is made only when it surely fits. */
static bool put_session_frame(tp_device *device, sink *to, const uint8_t *body, size_t size)
{
    uint8_t sealed[TP_MAX_BODY];
    if (!device->secured) {
        return put_frame(to, body, size);
    }
    if (to->room - to->size < TP_MAX_FRAME + 1u) {
        return false;
    }
    size = tp_channel_seal(&device->channel, body, size, sealed);
    if (size == 0) {
        end_session(device, TP_FAILED); /* a host that begins no new session in 2^31 frames is none */
        return false;
    }
    return put_frame(to, sealed, size);
}

static bool put_challenge(tp_device *device, sink *to)
{
    uint8_t body[TP_MAX_BODY];
    tp_secure_challenge challenge;
    challenge.nonce = device->answer_nonce;
    challenge.key_id = device->key_id;
    memcpy(challenge.challenge, device->challenge, TP_RANDOM_BYTES);
    body[0] = PLAIN;
    return put_frame(to, body, 1u + tp_write_secure_challenge(&challenge, body + 1));
}

static bool put_ready(tp_device *device, sink *to)
{
    uint8_t body[TP_MAX_BODY];
    body[0] = PLAIN;
    return put_frame(to, body, 1u + tp_write_secure_ready(&device->ready, body + 1));
}

static bool put_identify(tp_device *device, sink *to)
{
    uint8_t body[TP_MAX_BODY];
    tp_identify answer = device->identity;
    answer.nonce = device->answer_nonce;
    body[0] = PLAIN;
    return put_frame(to, body, 1u + tp_write_identify(&answer, body + 1));
}

/* The challenge goes first, so that a host without a key does not begin a session that this device has not. */
static bool put_answer(tp_device *device, sink *to)
{
    bool asks = device->has_asked && device->asked.nonce == device->answer_nonce;
    if (to->room - to->size < TP_MAX_FRAME + 1u) {
        return false; /* both together are shorter than one frame can be */
    }
    return (!asks || put_challenge(device, to)) && put_identify(device, to);
}

static bool put_heartbeat(tp_device *device, sink *to, uint32_t now_ms)
{
    uint8_t body[TP_MAX_BODY];
    tp_heartbeat beat;
    beat.uptime_ms = now_ms - device->started_ms;
    beat.boot_id = device->identity.boot_id;
    beat.last_seq = in_session(device) ? tp_outbox_last_sent(&device->outbox) : 0;
    body[0] = PLAIN;
    return put_session_frame(device, to, body, 1u + tp_write_heartbeat(&beat, body + 1));
}

static bool put_reset(tp_device *device, sink *to)
{
    uint8_t body[RESET_SIZE];
    body[0] = RESET;
    put_u16(body + 1, device->unknown_session);
    return put_frame(to, body, RESET_SIZE);
}

static bool put_ack(tp_device *device, sink *to, uint8_t kind)
{
    uint8_t body[ACK_SIZE];
    body[0] = kind;
    put_u16(body + 1, tp_u16(device->nonce));
    put_u16(body + 3, tp_u16(device->expected - 1u));
    return put_session_frame(device, to, body, ACK_SIZE);
}

/* What has to be sent again, then new messages as far as the window goes. False when there was no room for all. */
static bool put_messages(tp_device *device, sink *to, uint32_t now_ms)
{
    while (tp_outbox_has_due(&device->outbox)) {
        const tp_flight *entry;
        uint8_t body[TP_MAX_BODY];
        /* Taken only when the frame surely fits: it counts as sent. */
        if (to->room - to->size < TP_MAX_FRAME + 1u) {
            return false;
        }
        entry = tp_outbox_due(&device->outbox, now_ms);
        body[0] = DATA;
        put_u16(body + 1, tp_u16(device->nonce));
        put_u16(body + 3, entry->first);
        put_u16(body + 5, tp_u16(device->expected - 1u));
        memcpy(body + DATA_HEADER, entry->message, entry->size);
        (void)put_session_frame(device, to, body, (size_t)DATA_HEADER + entry->size);
        device->ack_due = false;
    }
    return true;
}

size_t tp_device_outgoing(tp_device *device, uint8_t *out, size_t room, uint32_t now_ms)
{
    sink to;
    to.out = out;
    to.room = room;
    to.size = 0;
    if (room < TP_MAX_FRAME + 1u) {
        return 0;
    }
    tick(device, now_ms);
    if (device->answer_due && put_answer(device, &to)) {
        device->answer_due = false;
    }
    if (device->ready_due && put_ready(device, &to)) {
        device->ready_due = false;
    }
    if (device->has_unknown_session && put_reset(device, &to)) {
        device->has_unknown_session = false;
    }
    if (in_session(device)) {
        bool all = device->state == TP_STALE || put_messages(device, &to, now_ms);
        if (!all) {
            return to.size;
        }
        if (device->nak_due) {
            if (put_ack(device, &to, NAK)) {
                device->counters.naks++;
                device->ack_due = device->nak_due = false;
            }
        } else if (device->ack_due && put_ack(device, &to, ACK)) {
            device->ack_due = false;
        }
    } else {
        device->ack_due = device->nak_due = false;
    }
    if (tp_reached(now_ms, device->beat_ms) && put_heartbeat(device, &to, now_ms)) {
        device->beat_ms = now_ms + TP_PERIOD_MS;
    }
    return to.size;
}

uint32_t tp_device_idle_ms(const tp_device *device, uint32_t now_ms)
{
    uint32_t idle_ms = tp_until_ms(now_ms, device->beat_ms), other_ms;
    if (device->answer_due || device->ready_due || device->has_unknown_session) {
        return 0;
    }
    if (!in_session(device)) {
        return idle_ms;
    }
    if (device->ack_due || device->nak_due) {
        return 0;
    }
    if (device->state == TP_STALE) {
        return idle_ms;
    }
    if (tp_outbox_has_due(&device->outbox)) {
        return 0;
    }
    other_ms = tp_until_ms(now_ms, device->heard_ms + TP_LOST_MS + 1u);
    idle_ms = other_ms < idle_ms ? other_ms : idle_ms;
    if (tp_outbox_idle_ms(&device->outbox, now_ms, &other_ms)) {
        idle_ms = other_ms < idle_ms ? other_ms : idle_ms;
    }
    return idle_ms;
}
