#include "sim/base/contents.h"

#include "tests/support/suite.h"

#include <string.h>

static gboolean fill(const char *text, WsType type, guint64 count, guint8 *data, GError **error)
{
    g_autoptr(WsYamlTree) tree = ws_yaml_parse("t.yaml", text, strlen(text), error);
    ck_assert_ptr_nonnull(tree);
    memset(data, 0, count * ws_type_size(type));
    return ws_contents_read(tree, tree->root, ".", type, count, data, error);
}

static void expect(const char *text, WsType type, guint64 count, const char *values)
{
    guint8 data[64];
    GError *error = NULL;
    ck_assert_msg(fill(text, type, count, data, &error), "%s", error ? error->message : "");
    g_autoptr(GString) seen = g_string_new(NULL);
    for (guint64 i = 0; i < count; i++) {
        g_autofree char *value = ws_element_text(type, data + i * ws_type_size(type));
        g_string_append_printf(seen, "%s%s", i == 0 ? "" : " ", value);
    }
    ck_assert_str_eq(seen->str, values);
}

static void refuse(const char *text, WsType type, const char *message)
{
    guint8 data[64];
    g_autoptr(GError) error = NULL;
    ck_assert(!fill(text, type, 3, data, &error));
    ck_assert_str_eq(error->message, message);
}

START_TEST(test_plain)
{
    expect("zero", WS_TYPE_F32, 2, "0 0");
    expect("fill: -2", WS_TYPE_S8, 3, "-2 -2 -2");
    expect("values: [1, 0x10, 65535]", WS_TYPE_U16, 3, "1 16 65535");
    expect("values: [0.1, inf, nan]", WS_TYPE_F32, 3, "0.1 inf nan");
    expect("values: [1.001, 3.0e38]", WS_TYPE_BF16, 2, "1 3e+38");
}
END_TEST

START_TEST(test_linear)
{
    expect("linear: {}", WS_TYPE_S32, 3, "0 1 2");
    expect("linear: {start: 5, step: -3}", WS_TYPE_S32, 4, "5 2 -1 -4");
    expect("linear: {start: 254}", WS_TYPE_U8, 4, "254 255 0 1");
    expect("linear: {start: 0.5, step: 0.1}", WS_TYPE_F64, 3, "0.5 0.6 0.7");
    /* Rounded once: 3 * 0.1 is not 3 * f32(0.1). */
    expect("linear: {step: 1.0e-9, start: 1}", WS_TYPE_F32, 2, "1 1");
}
END_TEST

/* First outputs of SplitMix64 with seed 0, as published with the algorithm. */
START_TEST(test_split_mix)
{
    ck_assert_uint_eq(ws_split_mix(0, 0), G_GUINT64_CONSTANT(0xe220a8397b1dcdaf));
    ck_assert_uint_eq(ws_split_mix(0, 1), G_GUINT64_CONSTANT(0x6e789e6aa1b965f4));
    ck_assert_uint_eq(ws_split_mix(0, 2), G_GUINT64_CONSTANT(0x06c45d188009454f));
}
END_TEST

START_TEST(test_random)
{
    enum { COUNT = 4096 };
    g_autofree guint8 *data = g_malloc(COUNT);
    ck_assert(fill("random: {seed: 7, min: -3, max: 3}", WS_TYPE_S8, COUNT, data, NULL));
    guint seen[7] = {0};
    for (guint i = 0; i < COUNT; i++) {
        int value = (gint8)data[i];
        ck_assert(value >= -3 && value <= 3);
        seen[value + 3]++;
    }
    for (guint i = 0; i < 7; i++)
        ck_assert(seen[i] > COUNT / 7 - 100 && seen[i] < COUNT / 7 + 100);

    g_autofree double *floats = g_new(double, COUNT);
    ck_assert(
        fill("random: {seed: 7, min: 10, max: 12}", WS_TYPE_F64, COUNT, (guint8 *)floats, NULL));
    double sum = 0;
    for (guint i = 0; i < COUNT; i++) {
        ck_assert(floats[i] >= 10 && floats[i] < 12);
        sum += floats[i];
    }
    ck_assert(sum / COUNT > 10.95 && sum / COUNT < 11.05);
    expect("random: {seed: 0, min: 0, max: 18446744073709551615}", WS_TYPE_U64, 1,
           "16294208416658607535");
    expect("random: {seed: 9, min: 4, max: 4}", WS_TYPE_S32, 2, "4 4");
}
END_TEST

START_TEST(test_refused)
{
    refuse("fill: 256", WS_TYPE_U8, "t.yaml:1:7: error: fill: 256 is out of range, 0 to 255");
    refuse("values: [1]", WS_TYPE_U8, "t.yaml:1:9: error: 1 values are given for 3 elements");
    refuse("random: {seed: 1, min: 2, max: 1}", WS_TYPE_S32,
           "t.yaml:1:9: error: random: min and max must be finite and in order");
    refuse("random: {min: 2}", WS_TYPE_S32, "t.yaml:1:9: error: random lacks the key 'seed'");
    refuse("random: {seed: 1, max: inf}", WS_TYPE_F32,
           "t.yaml:1:9: error: random: min and max must be finite and in order");
    refuse("{fill: 1, values: [1]}", WS_TYPE_S32,
           "t.yaml:1:1: error: the contents need exactly one of fill, values, linear, random, file "
           "(or the word zero)");
    refuse("file: /nonexistent", WS_TYPE_S32,
           "t.yaml:1:7: error: file '/nonexistent': cannot open: No such file or directory");
    refuse(
        "linaer: {}", WS_TYPE_S32,
        "t.yaml:1:1: error: a description of contents has no key 'linaer'; did you mean 'linear'?");
}
END_TEST

static void add_tests(TCase *cases)
{
    tcase_add_test(cases, test_plain);
    tcase_add_test(cases, test_linear);
    tcase_add_test(cases, test_split_mix);
    tcase_add_test(cases, test_random);
    tcase_add_test(cases, test_refused);
}

int main(void)
{
    return run_suite("contents", add_tests);
}
