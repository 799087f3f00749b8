/* What each typed form of PTX computes, against C. */
#include <math.h>
#include <string.h>

#include "tests/ptx_runner.h"
#include "tests/suite.h"

#define M32    G_GUINT64_CONSTANT(0xffffffff)
#define M16    G_GUINT64_CONSTANT(0xffff)
#define S32(x) ((gint64)(gint32)(x))
#define S16(x) ((gint64)(gint16)(x))
#define S8(x)  ((gint64)(gint8)(x))

static guint64 dot(guint64 a, guint64 b, gboolean a_signed, gboolean b_signed)
{
    gint64 sum = 0;
    for (int i = 0; i < 32; i += 8)
        sum += (a_signed ? S8(a >> i) : (gint64)((a >> i) & 255)) *
               (b_signed ? S8(b >> i) : (gint64)((b >> i) & 255));
    return (guint64)sum;
}

static guint64 logic(guint64 a, guint64 b, guint64 c, guint table)
{
    guint64 d = 0;
    for (int i = 0; i < 64; i++)
        d |= (guint64)((table >> (((a >> i) & 1) << 2 | ((b >> i) & 1) << 1 | ((c >> i) & 1))) & 1)
             << i;
    return d;
}

static guint64 permute(guint64 a, guint64 b, guint64 selector)
{
    guint64 bytes = (a & M32) | b << 32;
    guint64 d = 0;
    for (int i = 0; i < 4; i++) {
        guint s = (selector >> (4 * i)) & 15;
        guint64 byte = (bytes >> (8 * (s & 7))) & 255;
        if (s & 8)
            byte = byte & 128 ? 255 : 0;
        d |= byte << (8 * i);
    }
    return d;
}

static guint64 leading_zeros(guint64 a)
{
    return a == 0 ? 64 : (guint64)__builtin_clzll(a);
}

static guint64 reversed(guint64 a)
{
    guint64 d = 0;
    for (int i = 0; i < 64; i++)
        d |= ((a >> i) & 1) << (63 - i);
    return d;
}

static guint64 ones(guint64 count)
{
    return count > 63 ? G_MAXUINT64 : (G_GUINT64_CONSTANT(1) << count) - 1;
}

static guint64 field_mask(guint64 position, guint64 length)
{
    return position > 31 ? 0 : ones(MIN(length, 32)) << position;
}

static guint64 sign_extended(guint64 a, guint64 length)
{
    if (length == 0)
        return 0;
    return length > 31 ? a : (guint64)((gint64)(a << (64 - length)) >> (64 - length));
}

static guint64 extract(guint64 a, guint64 position, guint64 length, guint bits, gboolean sign)
{
    if (length == 0)
        return 0;
    guint64 shifted = position >= bits ? (sign && (gint64)a < 0 ? G_MAXUINT64 : 0)
                      : sign           ? (guint64)((gint64)a >> position)
                                       : a >> position;
    if (length >= bits)
        return shifted;
    if (!sign)
        return shifted & ones(length);
    return (guint64)((gint64)(shifted << (64 - length)) >> (64 - length));
}

static guint64 insert(guint64 a, guint64 b, guint64 position, guint64 length, guint bits)
{
    guint64 mask = position >= bits ? 0 : (ones(length) << position) & ones(bits);
    guint64 field = position >= bits ? 0 : a << position;
    return (field & mask) | (b & ~mask);
}

#define CASE(name, statement, result, operands, ...)                                               \
    static guint64 integer_##name(guint64 a, guint64 b, guint64 c)                                 \
    {                                                                                              \
        (void)a, (void)b, (void)c;                                                                 \
        return (guint64)(__VA_ARGS__);                                                             \
    }
#include "tests/ptx_cases_integer.def"
#undef CASE

START_TEST(test_integers)
{
    static const PtxCase cases[] = {
#define CASE(name, statement, result, operands, ...)                                               \
    {statement, result, OPERANDS_##operands, integer_##name, 0},
#include "tests/ptx_cases_integer.def"
#undef CASE
    };
    run_ptx_cases(cases, G_N_ELEMENTS(cases));
}
END_TEST

static void add_tests(TCase *cases)
{
    tcase_add_test(cases, test_integers);
}

int main(void)
{
    return run_suite("ptx_semantics", add_tests);
}
