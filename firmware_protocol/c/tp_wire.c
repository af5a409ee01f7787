#include "tp_wire.h"

void tp_require(bool *ok, bool condition)
{
    if (!condition) {
        *ok = false;
    }
}

void tp_put_u8(tp_writer *writer, uint8_t value)
{
    if (writer->size >= TP_MAX_MESSAGE) {
        writer->ok = false;
    } else {
        writer->out[writer->size++] = value;
    }
}

void tp_put_u16(tp_writer *writer, uint16_t value)
{
    tp_put_u8(writer, (uint8_t)(value >> 8));
    tp_put_u8(writer, (uint8_t)(value & 0xFFu));
}

void tp_put_u32(tp_writer *writer, uint32_t value)
{
    tp_put_u16(writer, (uint16_t)(value >> 16));
    tp_put_u16(writer, (uint16_t)(value & 0xFFFFu));
}

static bool printable(char letter)
{
    return letter >= 0x20 && letter <= 0x7E;
}

void tp_put_text(tp_writer *writer, const char *text, size_t limit)
{
    size_t size = 0, at;
    while (size <= limit && text[size] != '\0') {
        tp_require(&writer->ok, printable(text[size]));
        size++;
    }
    if (size > limit) {
        writer->ok = false;
        return;
    }
    tp_put_u8(writer, (uint8_t)size);
    for (at = 0; at < size; at++) {
        tp_put_u8(writer, (uint8_t)text[at]);
    }
}

void tp_put_bytes16(tp_writer *writer, const uint8_t *bytes)
{
    size_t at;
    for (at = 0; at < 16; at++) {
        tp_put_u8(writer, bytes[at]);
    }
}

void tp_put_uid(tp_writer *writer, const tp_uid *uid)
{
    size_t at;
    if (uid->size < TP_MIN_UID || uid->size > TP_MAX_UID) {
        writer->ok = false;
        return;
    }
    tp_put_u8(writer, uid->size);
    for (at = 0; at < uid->size; at++) {
        tp_put_u8(writer, uid->bytes[at]);
    }
}

void tp_put_uids(tp_writer *writer, const tp_uid *uids, size_t count, size_t limit)
{
    size_t at;
    if (count > limit) {
        writer->ok = false;
        return;
    }
    tp_put_u8(writer, (uint8_t)count);
    for (at = 0; at < count; at++) {
        tp_put_uid(writer, &uids[at]);
    }
}

uint8_t tp_get_u8(tp_reader *reader)
{
    if (reader->at >= reader->size) {
        reader->ok = false;
        return 0;
    }
    return reader->data[reader->at++];
}

uint16_t tp_get_u16(tp_reader *reader)
{
    unsigned high = tp_get_u8(reader);
    return (uint16_t)(high << 8 | tp_get_u8(reader));
}

uint32_t tp_get_u32(tp_reader *reader)
{
    uint32_t high = tp_get_u16(reader);
    return high << 16 | tp_get_u16(reader);
}

void tp_get_text(tp_reader *reader, char *text, size_t limit)
{
    size_t size = tp_get_u8(reader), at;
    if (size > limit) {
        reader->ok = false;
        size = 0;
    }
    for (at = 0; at < size; at++) {
        text[at] = (char)tp_get_u8(reader);
        tp_require(&reader->ok, printable(text[at]));
    }
    text[size] = '\0';
}

void tp_get_bytes16(tp_reader *reader, uint8_t *bytes)
{
    size_t at;
    for (at = 0; at < 16; at++) {
        bytes[at] = tp_get_u8(reader);
    }
}

void tp_get_uid(tp_reader *reader, tp_uid *uid)
{
    size_t size = tp_get_u8(reader), at;
    if (size < TP_MIN_UID || size > TP_MAX_UID) {
        reader->ok = false;
        size = 0;
    }
    uid->size = (uint8_t)size;
    for (at = 0; at < size; at++) {
        uid->bytes[at] = tp_get_u8(reader);
    }
}

uint8_t tp_get_uids(tp_reader *reader, tp_uid *uids, size_t limit)
{
    size_t count = tp_get_u8(reader), at;
    if (count > limit) {
        reader->ok = false;
        count = 0;
    }
    for (at = 0; at < count; at++) {
        tp_get_uid(reader, &uids[at]);
    }
    return (uint8_t)count;
}
