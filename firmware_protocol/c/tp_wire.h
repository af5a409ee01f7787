/* Values as bytes, for tp_messages.c. Numbers are big-endian; texts, UIDs and lists of UIDs begin with their length.
 *
 * A writer or reader that has met something not as declared is no longer `ok`, and goes on without harm.
 */
#ifndef TP_WIRE_H
#define TP_WIRE_H

#include "tp_messages.h"

typedef struct {
    uint8_t *out; /* has TP_MAX_MESSAGE bytes */
    size_t size;
    bool ok;
} tp_writer;

typedef struct {
    const uint8_t *data;
    size_t size;
    size_t at;
    bool ok;
} tp_reader;

void tp_require(bool *ok, bool condition);

void tp_put_u8(tp_writer *writer, uint8_t value);
void tp_put_u16(tp_writer *writer, uint16_t value);
void tp_put_u32(tp_writer *writer, uint32_t value);
void tp_put_text(tp_writer *writer, const char *text, size_t limit);
void tp_put_bytes16(tp_writer *writer, const uint8_t *bytes);
void tp_put_uid(tp_writer *writer, const tp_uid *uid);
void tp_put_uids(tp_writer *writer, const tp_uid *uids, size_t count, size_t limit);

uint8_t tp_get_u8(tp_reader *reader);
uint16_t tp_get_u16(tp_reader *reader);
uint32_t tp_get_u32(tp_reader *reader);
void tp_get_text(tp_reader *reader, char *text, size_t limit); /* `text` has room for `limit` and a zero */
void tp_get_bytes16(tp_reader *reader, uint8_t *bytes);
void tp_get_uid(tp_reader *reader, tp_uid *uid);
uint8_t tp_get_uids(tp_reader *reader, tp_uid *uids, size_t limit);

#endif
