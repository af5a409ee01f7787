/* Frames on the wire: COBS, a zero byte as delimiter, CRC-16/CCITT-FALSE (spec.md, section 3).
 *
 * C99, no allocation, no recursion, nothing but what is given. Sizes are in bytes.
 */
#ifndef TP_FRAME_H
#define TP_FRAME_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define TP_MAX_BODY 250u                  /* of a body, without its CRC */
#define TP_MAX_ENCODED (TP_MAX_BODY + 3u) /* between two delimiters */
#define TP_MAX_FRAME (TP_MAX_ENCODED + 1u)

/* Counts of what came in; they only grow, and wrap. */
typedef struct {
    uint32_t frames;
    uint32_t garbage_bytes;
    uint32_t crc_errors;
    uint32_t oversize;
    uint32_t malformed;
} tp_framer_counters;

/* Bytes become bodies. Set to zero (`= {0}`) before the first use. */
typedef struct {
    tp_framer_counters counters;
    uint16_t size;
    bool skipping;
    uint8_t bytes[TP_MAX_ENCODED];
} tp_framer;

/* Polynomial 0x1021, initial value 0xFFFF, nothing reflected, nothing added at the end. */
uint16_t tp_crc16(const uint8_t *data, size_t size);

/* Writes the frame of a body with the delimiter at its end to `out`, which has TP_MAX_FRAME bytes.
 * Returns its size; 0 when no frame holds such a body (empty, or more than TP_MAX_BODY). */
size_t tp_encode_frame(const uint8_t *body, size_t size, uint8_t *out);

/* Takes one byte. Returns the size of the body that ends with it, else 0. `*body` is then within the framer, without
 * its CRC, and stays as it is until the next call. */
size_t tp_framer_take(tp_framer *framer, uint8_t byte, const uint8_t **body);

#endif
