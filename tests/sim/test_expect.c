#include "sim/report/expect.h"

#include "isa/base/half_float.h"
#include "sim/base/element.h"
#include "tests/support/suite.h"

#include <math.h>
#include <string.h>

/* One value of a type against one expected value. */
static WsCheckResult compare(WsType type, const guint8 *actual, const guint8 *expected,
                             const WsExpectation *tolerance)
{
    WsBuffer buffer = {.name = (char *)"x",
                       .type = type,
                       .count = 1,
                       .bytes = ws_type_size(type),
                       .data = (guint8 *)actual};
    WsExpectation expectation = *tolerance;
    expectation.data = (guint8 *)expected;
    WsJob job = {.buffers = &buffer,
                 .buffer_count = 1,
                 .expectations = &expectation,
                 .expectation_count = 1};
    WsResult result = {0};
    ws_expectations_check(&job, &result);
    ck_assert_uint_eq(result.check_count, 1);
    ck_assert_int_eq(result.status,
                     result.checks[0].passed ? WS_STATUS_OK : WS_STATUS_CHECK_FAILED);
    WsCheckResult check = result.checks[0];
    g_free(result.checks);
    return check;
}

static const struct {
    double actual, expected, relative, absolute;
    gboolean equal_nan, passed;
} floats[] = {
    {1, 1, 0, 0, FALSE, TRUE},
    {1, 1.5, 0, 0.5, FALSE, TRUE},
    {1, 1.5, 0, 0.49, FALSE, FALSE},
    {102, 100, 0.02, 0, FALSE, TRUE},
    {100, 102, 0.0196, 0, FALSE, FALSE}, /* relative to the expected value, not to the actual */
    {NAN, NAN, 1, 1, FALSE, FALSE},
    {NAN, NAN, 0, 0, TRUE, TRUE},
    {NAN, 1, 0, 100, TRUE, FALSE},
    {INFINITY, INFINITY, 0, 0, FALSE, TRUE},
    {INFINITY, -INFINITY, 1, 1, FALSE, FALSE},
    {1, INFINITY, 1, 1, FALSE, FALSE},
    {-0.0, 0.0, 0, 0, FALSE, TRUE},
};

START_TEST(test_floats)
{
    static const WsType types[] = {WS_TYPE_F64, WS_TYPE_F32};
    WsExpectation tolerance = {.relative = floats[_i].relative,
                               .absolute = floats[_i].absolute,
                               .equal_nan = floats[_i].equal_nan};
    for (gsize t = 0; t < G_N_ELEMENTS(types); t++) {
        guint8 actual[8], expected[8];
        ws_element_store_double(types[t], floats[_i].actual, actual);
        ws_element_store_double(types[t], floats[_i].expected, expected);
        WsCheckResult check = compare(types[t], actual, expected, &tolerance);
        ck_assert_int_eq(check.passed, floats[_i].passed);
        ck_assert_int_eq(check.expected == NULL, check.passed);
        g_free(check.expected);
        g_free(check.actual);
    }
}
END_TEST

/* 64-bit integers that differ by one although they are the same double. */
START_TEST(test_large_integers)
{
    guint64 actual = G_MAXUINT64, expected = G_MAXUINT64 - 1;
    WsExpectation exact = {0}, one = {.absolute = 1};
    WsCheckResult check = compare(WS_TYPE_U64, (guint8 *)&actual, (guint8 *)&expected, &exact);
    ck_assert(!check.passed);
    ck_assert_str_eq(check.actual, "18446744073709551615");
    ck_assert_str_eq(check.expected, "18446744073709551614");
    ck_assert(check.largest_error == 1);
    g_free(check.expected);
    g_free(check.actual);
    ck_assert(compare(WS_TYPE_U64, (guint8 *)&actual, (guint8 *)&expected, &one).passed);
    gint64 low = G_MININT64, high = G_MAXINT64;
    check = compare(WS_TYPE_S64, (guint8 *)&low, (guint8 *)&high, &one);
    ck_assert(!check.passed);
    g_free(check.expected);
    g_free(check.actual);
}
END_TEST

/* Every f16 and bf16 value survives the way to double and back. */
START_TEST(test_half_round_trip)
{
    for (guint bits = 0; bits < 65536; bits++) {
        double half = ws_half_to_double((guint16)bits), bfloat = ws_bfloat_to_double((guint16)bits);
        ck_assert(isnan(half) || ws_half_from_double(half) == bits);
        ck_assert(isnan(bfloat) || ws_bfloat_from_double(bfloat) == bits);
    }
    ck_assert_uint_eq(ws_half_from_double(NAN), 0x7fff);
}
END_TEST

static const struct {
    double value;
    guint16 half;
} roundings[] = {
    {1, 0x3c00},
    {1.00048828125, 0x3c00}, /* half way, to even */
    {1.00146484375, 0x3c02}, /* half way, to even */
    {65519.99, 0x7bff},
    {65520, 0x7c00},
    {-1e300, 0xfc00},
    {0x1p-25, 0x0000}, /* half way between 0 and the smallest value */
    {0x1.00001p-25, 0x0001},
    {0x1.ff8p-15, 0x03ff},
    {0x1.ffcp-15, 0x0400}, /* half way: rounds up to the smallest normal value */
    {-0.0, 0x8000},
};

START_TEST(test_half_rounding)
{
    ck_assert_uint_eq(ws_half_from_double(roundings[_i].value), roundings[_i].half);
}
END_TEST

static const struct {
    WsType type;
    double value;
    const char *text;
} texts[] = {
    {WS_TYPE_F32, 0.1, "0.1"},
    {WS_TYPE_F64, 0.1, "0.1"},
    {WS_TYPE_F64, 1.0 / 3, "0.3333333333333333"},
    {WS_TYPE_F16, 1.0 / 3, "0.3333"},
    {WS_TYPE_F32, 1e10, "1e+10"},
    {WS_TYPE_F32, INFINITY, "inf"},
    {WS_TYPE_F32, NAN, "nan"},
    {WS_TYPE_F32, -0.0, "-0"},
};

START_TEST(test_texts)
{
    guint8 data[8];
    ws_element_store_double(texts[_i].type, texts[_i].value, data);
    g_autofree char *text = ws_element_text(texts[_i].type, data);
    ck_assert_str_eq(text, texts[_i].text);
}
END_TEST

static void add_tests(TCase *cases)
{
    tcase_add_loop_test(cases, test_floats, 0, G_N_ELEMENTS(floats));
    tcase_add_test(cases, test_large_integers);
    tcase_add_test(cases, test_half_round_trip);
    tcase_add_loop_test(cases, test_half_rounding, 0, G_N_ELEMENTS(roundings));
    tcase_add_loop_test(cases, test_texts, 0, G_N_ELEMENTS(texts));
}

int main(void)
{
    return run_suite("expect", add_tests);
}
