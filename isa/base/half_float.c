#include "isa/base/half_float.h"

#include <math.h>

/* A format of one sign bit, `exponent` bits and `fraction` bits, 16 in all. */
typedef struct {
    int exponent, fraction;
} Format;

static const Format half = {5, 10}, bfloat = {8, 7};

static guint16 encode(double value, Format format)
{
    int bias = (1 << (format.exponent - 1)) - 1;
    guint16 infinity = (guint16)(((1 << format.exponent) - 1) << format.fraction);
    if (isnan(value))
        return 0x7fff;
    guint16 sign = signbit(value) ? 0x8000 : 0;
    double magnitude = fabs(value);
    if (isinf(magnitude))
        return sign | infinity;
    if (magnitude == 0)
        return sign;
    int exponent;
    frexp(magnitude, &exponent);
    exponent = MAX(exponent - 1, 1 - bias); /* subnormals share the smallest exponent */
    /* Exact: a division by a power of two, then one rounding to an integer. */
    double units = nearbyint(ldexp(magnitude, format.fraction - exponent));
    double bits = units + ldexp(exponent + bias - 1, format.fraction);
    return bits >= infinity ? sign | infinity : sign | (guint16)bits;
}

static double decode(guint16 bits, Format format)
{
    int bias = (1 << (format.exponent - 1)) - 1;
    int exponent = bits >> format.fraction & ((1 << format.exponent) - 1);
    int fraction = bits & ((1 << format.fraction) - 1);
    double magnitude;
    if (exponent == (1 << format.exponent) - 1)
        magnitude = fraction != 0 ? (double)NAN : (double)INFINITY;
    else if (exponent == 0)
        magnitude = ldexp(fraction, 1 - bias - format.fraction);
    else
        magnitude = ldexp(fraction + (1 << format.fraction), exponent - bias - format.fraction);
    return bits & 0x8000 ? -magnitude : magnitude;
}

guint16 ws_half_from_double(double value)
{
    return encode(value, half);
}

guint16 ws_bfloat_from_double(double value)
{
    return encode(value, bfloat);
}

double ws_half_to_double(guint16 bits)
{
    return decode(bits, half);
}

double ws_bfloat_to_double(guint16 bits)
{
    return decode(bits, bfloat);
}
