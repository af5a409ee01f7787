/* Numbers that wrap: sequence numbers and times. For the sources of this folder. */
#ifndef TP_NUMBERS_H
#define TP_NUMBERS_H

#include <stdbool.h>
#include <stdint.h>

/* A sequence number up to this much ahead is newer, any other is older. */
#define TP_SEQ_HALF 0x8000u

static inline uint16_t tp_u16(unsigned value)
{
    return (uint16_t)(value & 0xFFFFu);
}

/* How far `newer` is ahead of `older`. */
static inline uint16_t tp_ahead(unsigned newer, unsigned older)
{
    return tp_u16(newer - older);
}

static inline bool tp_reached(uint32_t now_ms, uint32_t due_ms)
{
    return (uint32_t)(now_ms - due_ms) < 0x80000000u;
}

static inline uint32_t tp_until_ms(uint32_t now_ms, uint32_t due_ms)
{
    return tp_reached(now_ms, due_ms) ? 0 : due_ms - now_ms;
}

#endif
