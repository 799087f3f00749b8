#include "sim/base/yaml_tree.h"

#include "tests/support/suite.h"

#include <math.h>
#include <string.h>

static WsYamlTree *parse(const char *text)
{
    GError *error = NULL;
    WsYamlTree *tree = ws_yaml_parse("t.yaml", text, strlen(text), &error);
    ck_assert_msg(tree != NULL, "%s", error != NULL ? error->message : "");
    return tree;
}

static void refuse(const char *text, gsize length, const char *message)
{
    g_autoptr(GError) error = NULL;
    WsYamlTree *tree = ws_yaml_parse("t.yaml", text, length, &error);
    ck_assert_ptr_null(tree);
    ck_assert(g_error_matches(error, WS_ERROR, WS_ERROR_INPUT));
    ck_assert_str_eq(error->message, message);
}

START_TEST(test_positions)
{
    g_autoptr(WsYamlTree) tree = parse("a: 1\nb:\n  - x\n  - {c: é, d: y}\n");
    const WsYamlNode *b = ws_yaml_get(tree->root, "b");
    ck_assert_uint_eq(ws_yaml_count(b), 2);
    const WsYamlNode *d = ws_yaml_get(ws_yaml_item(b, 1), "d");
    ck_assert_uint_eq(d->line, 4);
    ck_assert_uint_eq(d->column, 15); /* characters, not bytes */
    ck_assert_str_eq(d->text, "y");
    ck_assert_ptr_null(ws_yaml_get(tree->root, "c"));
}
END_TEST

START_TEST(test_empty)
{
    g_autoptr(WsYamlTree) tree = parse("# nothing\n");
    ck_assert_int_eq(tree->root->kind, WS_YAML_MAPPING);
    ck_assert_uint_eq(ws_yaml_count(tree->root), 0);
}
END_TEST

static const struct {
    const char *text, *message;
} refused[] = {
    {"a: 1\na: 2\n", "t.yaml:2:1: error: duplicate key 'a'"},
    {"a: &x 1\nb: *x\n", "t.yaml:1:4: error: anchors (&) and tags (!) are not supported"},
    {"b: *x\n", "t.yaml:1:4: error: aliases (*) are not supported"},
    {"a: !!int 1\n", "t.yaml:1:4: error: anchors (&) and tags (!) are not supported"},
    {"a:\n  <<: {b: 1}\n", "t.yaml:2:3: error: merge keys (<<) are not supported"},
    {"a: 1\n---\nb: 2\n", "t.yaml:2:1: error: more than one document in the file"},
    {"? [a, b]\n: 1\n", "t.yaml:1:3: error: a key must be a plain word"},
    {"a: \"x\\0y\"\n", "t.yaml:1:4: error: a text may not hold the character NUL"},
    {"a: [1, 2\n", "t.yaml:2:1: error: not valid YAML: did not find expected ',' or ']'"},
    {"a: b: c\n",
     "t.yaml:1:5: error: not valid YAML: mapping values are not allowed in this context"},
    {"a: \xff\n", "t.yaml:1: error: not valid UTF-8 text"},
};

START_TEST(test_refused)
{
    refuse(refused[_i].text, strlen(refused[_i].text), refused[_i].message);
}
END_TEST

START_TEST(test_nul_byte)
{
    refuse("a: 1\nb: \0x\n", 11, "t.yaml:2: error: not valid UTF-8 text");
}
END_TEST

START_TEST(test_depth)
{
    g_autofree char *deep = g_strnfill(32, '[');
    g_autofree char *close = g_strnfill(32, ']');
    g_autofree char *text = g_strconcat(deep, close, NULL);
    g_autoptr(WsYamlTree) tree = parse(text);
    ck_assert_ptr_nonnull(tree);
    g_autofree char *deeper = g_strconcat("[", text, "]", NULL);
    refuse(deeper, strlen(deeper), "t.yaml:1:33: error: nested more than 32 levels deep");
}
END_TEST

START_TEST(test_size)
{
    gsize size = (16 << 20) + 1;
    g_autofree char *text = g_strnfill(size, '\n');
    refuse(text, size, "t.yaml: error: more than 16 MiB of YAML");
}
END_TEST

START_TEST(test_unreadable)
{
    const char *paths[] = {"/", "/dev/zero", "/nonexistent/x.yaml"};
    for (gsize i = 0; i < G_N_ELEMENTS(paths); i++) {
        g_autoptr(GError) error = NULL;
        ck_assert_ptr_null(ws_yaml_read(paths[i], &error));
        ck_assert(g_error_matches(error, WS_ERROR, WS_ERROR_INPUT));
    }
}
END_TEST

static const struct {
    const char *text;
    gboolean valid;
    gint64 value;
} integers[] = {
    {"0", TRUE, 0},
    {"42", TRUE, 42},
    {"-1", TRUE, -1},
    {"0x1F", TRUE, 31},
    {"-9223372036854775808", TRUE, G_MININT64},
    {"9223372036854775807", TRUE, G_MAXINT64},
    {"9223372036854775808", FALSE, 0},
    {"99999999999999999999999", FALSE, 0},
    {"010", FALSE, 0},
    {"+1", FALSE, 0},
    {"1e3", FALSE, 0},
    {"1_000", FALSE, 0},
    {"0b11", FALSE, 0},
    {"0x", FALSE, 0},
    {"-x", FALSE, 0},
    {"1.0", FALSE, 0},
    {"\"1\"", FALSE, 0},
    {"true", FALSE, 0},
    {"[1]", FALSE, 0},
};

START_TEST(test_integers)
{
    g_autofree char *text = g_strdup_printf("a: %s\n", integers[_i].text);
    g_autoptr(WsYamlTree) tree = parse(text);
    g_autoptr(GError) error = NULL;
    gint64 value = 7;
    gboolean ok = ws_yaml_signed(tree, ws_yaml_get(tree->root, "a"), "a", G_MININT64, G_MAXINT64,
                                 &value, &error);
    ck_assert_int_eq(ok, integers[_i].valid);
    ck_assert_int_eq(value, ok ? integers[_i].value : 7);
    ck_assert_int_eq(error == NULL, ok);
}
END_TEST

static const struct {
    const char *text;
    gboolean valid;
    double value;
} numbers[] = {
    {"1", TRUE, 1},       {"-2.5", TRUE, -2.5},    {"1.0e-5", TRUE, 1e-5},
    {"1E+3", TRUE, 1000}, {"inf", TRUE, INFINITY}, {"-.inf", TRUE, -INFINITY},
    {"0x10", TRUE, 16},   {".5", FALSE, 0},        {"1.", FALSE, 0},
    {"01", FALSE, 0},     {"1e", FALSE, 0},        {"1.5f", FALSE, 0},
    {"0x1p3", FALSE, 0},  {"infinity", FALSE, 0},  {"-nan", FALSE, 0},
    {"no", FALSE, 0},     {"'1'", FALSE, 0},
};

START_TEST(test_numbers)
{
    g_autofree char *text = g_strdup_printf("a: %s\n", numbers[_i].text);
    g_autoptr(WsYamlTree) tree = parse(text);
    g_autoptr(GError) error = NULL;
    double value = 7;
    gboolean ok = ws_yaml_number(tree, ws_yaml_get(tree->root, "a"), "a", &value, &error);
    ck_assert_msg(ok == numbers[_i].valid, "%s", numbers[_i].text);
    ck_assert(value == (ok ? numbers[_i].value : 7));
}
END_TEST

START_TEST(test_booleans)
{
    g_autoptr(WsYamlTree) tree = parse("a: true\nb: yes\n");
    g_autoptr(GError) error = NULL;
    gboolean value = FALSE;
    ck_assert(ws_yaml_boolean(tree, ws_yaml_get(tree->root, "a"), "a", &value, &error));
    ck_assert(value);
    ck_assert(!ws_yaml_boolean(tree, ws_yaml_get(tree->root, "b"), "b", &value, &error));
    ck_assert_str_eq(error->message, "t.yaml:2:4: error: b: 'yes' is not one of false, true");
}
END_TEST

START_TEST(test_keys)
{
    static const char *const keys[] = {"type", "count", NULL};
    g_autoptr(WsYamlTree) tree = parse("type: f32\n  \ncuont: 4\n");
    g_autoptr(GError) error = NULL;
    ck_assert(!ws_yaml_expect_mapping(tree, tree->root, "a buffer", keys, &error));
    ck_assert_str_eq(error->message,
                     "t.yaml:3:1: error: a buffer has no key 'cuont'; did you mean 'count'?");
}
END_TEST

static void add_tests(TCase *cases)
{
    tcase_add_test(cases, test_positions);
    tcase_add_test(cases, test_empty);
    tcase_add_loop_test(cases, test_refused, 0, G_N_ELEMENTS(refused));
    tcase_add_test(cases, test_nul_byte);
    tcase_add_test(cases, test_depth);
    tcase_add_test(cases, test_size);
    tcase_add_test(cases, test_unreadable);
    tcase_add_loop_test(cases, test_integers, 0, G_N_ELEMENTS(integers));
    tcase_add_loop_test(cases, test_numbers, 0, G_N_ELEMENTS(numbers));
    tcase_add_test(cases, test_booleans);
    tcase_add_test(cases, test_keys);
}

int main(void)
{
    return run_suite("yaml_tree", add_tests);
}
