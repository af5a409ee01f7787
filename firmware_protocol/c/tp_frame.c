#include "tp_frame.h"

#define CRC_BYTES 2u
#define NO_RUN 0xFFu /* the COBS code of a run without a zero: frames are too short for one */

uint16_t tp_crc16(const uint8_t *data, size_t size)
{
    uint16_t crc = 0xFFFFu;
    size_t at;
    for (at = 0; at < size; at++) {
        int bit;
        crc = (uint16_t)(crc ^ (uint16_t)((unsigned)data[at] << 8));
        for (bit = 0; bit < 8; bit++) {
            unsigned shifted = (unsigned)crc << 1;
            crc = (uint16_t)((crc & 0x8000u) ? shifted ^ 0x1021u : shifted);
        }
    }
    return crc;
}

size_t tp_encode_frame(const uint8_t *body, size_t size, uint8_t *out)
{
    uint16_t crc;
    size_t at, code_at = 0, end = 1;
    if (size == 0 || size > TP_MAX_BODY) {
        return 0;
    }
    crc = tp_crc16(body, size);
    for (at = 0; at < size + CRC_BYTES; at++) {
        uint8_t byte = at < size ? body[at] : (uint8_t)(at == size ? crc >> 8 : crc & 0xFFu);
        if (byte == 0) {
            out[code_at] = (uint8_t)(end - code_at);
            code_at = end++;
        } else {
            out[end++] = byte;
        }
    }
    out[code_at] = (uint8_t)(end - code_at);
    out[end++] = 0;
    return end;
}

/* Undoes COBS where it stands. Returns the size of what was encoded, 0 when nothing gives these bytes. */
static size_t cobs_decode(uint8_t *bytes, size_t size)
{
    size_t from = 0, to = 0;
    while (from < size) {
        size_t code = bytes[from];
        size_t end = from + code;
        if (code == NO_RUN || end > size) {
            return 0;
        }
        for (from++; from < end; from++) {
            bytes[to++] = bytes[from];
        }
        if (from < size) {
            bytes[to++] = 0;
        }
    }
    return to;
}

static size_t body_of(tp_framer *framer, size_t size)
{
    size_t whole = cobs_decode(framer->bytes, size);
    if (whole <= CRC_BYTES) {
        framer->counters.malformed++;
    } else if (tp_crc16(framer->bytes, whole) != 0) {
        /* The CRC of a body with its own CRC behind it is zero. */
        framer->counters.crc_errors++;
    } else {
        framer->counters.frames++;
        return whole - CRC_BYTES;
    }
    framer->counters.garbage_bytes += (uint32_t)size;
    return 0;
}

size_t tp_framer_take(tp_framer *framer, uint8_t byte, const uint8_t **body)
{
    if (byte != 0) {
        if (framer->skipping) {
            framer->counters.garbage_bytes++;
        } else if (framer->size == TP_MAX_ENCODED) {
            framer->skipping = true;
            framer->counters.oversize++;
            framer->counters.garbage_bytes += TP_MAX_ENCODED + 1u;
        } else {
            framer->bytes[framer->size++] = byte;
        }
        return 0;
    }
    {
        size_t size = framer->size;
        bool skipping = framer->skipping;
        framer->size = 0;
        framer->skipping = false;
        if (skipping || size == 0) {
            return 0;
        }
        *body = framer->bytes;
        return body_of(framer, size);
    }
}
