/* Bits of IEEE 754 numbers and back, without a conversion. NaN payloads stay. */
#ifndef WS_ISA_BASE_FLOAT_BITS_H
#define WS_ISA_BASE_FLOAT_BITS_H

#include <glib.h>
#include <string.h>

static inline float ws_float(guint32 bits)
{
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static inline guint32 ws_float_bits(float value)
{
    guint32 bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

static inline double ws_double(guint64 bits)
{
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static inline guint64 ws_double_bits(double value)
{
    guint64 bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

#endif
