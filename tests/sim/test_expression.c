#include "sim/expression/syntax.h"
#include "sim/expression/whole.h"

#include "sim/base/yaml_tree.h"
#include "tests/support/suite.h"

#include <string.h>

/* n is 1000, warps 24, block.x 64; `none` is known and has no value. */
static char *find(gpointer data, const char *name, gint64 *ret)
{
    ck_assert_ptr_null(data);
    if (strcmp(name, "none") == 0)
        return g_strdup("'none' has no value");
    *ret = strcmp(name, "n") == 0 ? 1000 : strcmp(name, "warps") == 0 ? 24 : 64;
    return *ret != 64 || strcmp(name, "block.x") == 0 ? NULL : g_strdup("no such name");
}

#define QUOTES " (inside { } and [ ] an expression with a comma needs quotes)"

#define OPERATORS "an operator is expected: + - * / % << >> < == && ? and so on, or a parenthesis"

#define CHAIN "an operator is expected that is no comparison: join two of them with && (and)"

static const WsNames names = {.find = find};

static const struct {
    const char *text;
    gint64 value;
} values[] = {
    {"7", 7},
    {"0x1F", 31},
    {"  n ", 1000},
    {"32 * warps", 768},
    {"32*warps", 768},
    {"1 + 2 * 3", 7},
    {"(1 + 2) * 3", 9},
    {"10 - 4 - 3", 3},
    {"100 / 10 / 5", 2},
    {"7 / 2", 3},
    {"-7 / 2", -3},
    {"7 % 3", 1},
    {"-7 % 3", -1},
    {"7 % -3", 1},
    {"1 << 4 + 1", 32},
    {"1 << 2 << 3", 32},
    {"-9 >> 1", -5},
    {"1 << 62", G_GINT64_CONSTANT(1) << 62},
    {"-1 << 63", G_MININT64},
    {"-n", -1000},
    {"--n", 1000},
    {"2 * -3 + 1", -5},
    {"-2 - -3", 1},
    {"- (n + 1)", -1001},
    {"min(3, 2)", 2},
    {"max(n, warps * 100)", 2400},
    {"ceil_div(n, block.x)", 16},
    {"ceil_div(1024, 64)", 16},
    {"ceil_div(-7, 2)", -3},
    {"ceil_div(7, -2)", -3},
    {"ceil_div(-7, -2)", 4},
    {"min(max(1, 2), ceil_div (9, 4)) * 10", 20},
    {"((((((1))))))", 1},
    {"9223372036854775807", G_MAXINT64},
    {"-9223372036854775807 - 1", G_MININT64},
    {"-9223372036854775807 / -1", G_MAXINT64},
    {"(-9223372036854775807 - 1) % -1", 0},
    {"1 < 2", 1},
    {"(1 < 2) == 1", 1},
    {"2 < 1 or n == 1000 and 1 != 2", 1},
    {"2 < 1 || n == 1000 && 1 != 2", 1},
    {"not n == 1000", 0},
    {"not 0 and 2", 1},
    {"!n + 5", 5},
    {"6 & 3 | 8 ^ 1", 11},
    {"1 | 6 & 3 == 3", 1},
    {"~n", -1001},
    {"n > 500 ? 2 : 3", 2},
    {"n < 500 ? 2 : n == 1000 ? 4 : 5", 4},
    {"n != 0 ? 100 / n : 1 / 0", 0},
    {"n == 0 && 1 / (n - 1000)", 0},
    {"n || 1 / (n - 1000)", 1},
    {"block . x", 64},
    {"+7u", 7},
    {"0x10UL", 16},
    {"min(n > 0 ? 1 : 2, 3)", 1},
};

START_TEST(value)
{
    gint64 result = 0;
    gsize offset;
    g_autofree char *problem =
        ws_expression_evaluate(values[_i].text, &names, WS_DIVIDE_WHOLE, &result, &offset);
    ck_assert_msg(problem == NULL, "%s: %s", values[_i].text, problem);
    ck_assert_int_eq(result, values[_i].value);
}
END_TEST

static const struct {
    const char *text;
    gsize offset;
    const char *problem;
} problems[] = {
    {"", 0, "a value is missing at the end"},
    {"1 +", 3, "a value is missing at the end"},
    {"1 + * 2", 4, "a number, a name or ( is expected"},
    {"1 2", 2, OPERATORS},
    {"n ? 1", 5, "the : of ? : is expected"},
    {"n = 1", 2, "an operator is expected: == compares"},
    {"1 < 2 < 3", 6, CHAIN},
    {"1 < (2 == 3 == 4)", 12, CHAIN},
    {"1 == 2 < 3", 2, CHAIN},
    {"n[3]", 1, OPERATORS},
    {"n->x", 2, "a number, a name or ( is expected"},
    {"2 + *n", 4, "a number, a name or ( is expected"},
    {"1 and", 5, "a value is missing at the end"},
    {"1 and or 2", 6, "a number, a name or ( is expected"},
    {"1 + not 2", 4, "a number, a name or ( is expected"},
    {"n + 3ull1", 4, "a whole number is expected"},
    {"n + at('x')", 4, "at() has no meaning here"},
    {"n + 'x'", 4, "a number, a name or ( is expected"},
    {"n + (n).x", 7, "a name is expected in front of the point"},
    {"~9223372036854775808", 1, "the number does not fit in 64 bits"},
    {"n == 0 ? 1 : n / 0", 15, "division by zero"},
    {"n == 0 || n / 0", 12, "division by zero"},
    {"(1 + 2", 0, "the ) is missing" QUOTES},
    {"min(1, 2", 0, "the ) is missing" QUOTES},
    {"1 + 2)", 5, "this ) has no ("},
    {"()", 1, "a number, a name or ( is expected"},
    {"1, 2", 1, "a comma stands between the values of a function"},
    {"(1, 2)", 2, "a comma stands between the values of a function"},
    {"min(1)", 5, "min takes two values"},
    {"min(1, 2, 3)", 8, "min takes two values"},
    {"min(1, )", 7, "a number, a name or ( is expected"},
    {"2 * min", 4, "'min' is a function: min(a, b)"},
    {"log(2, 3)", 0, "no function is called 'log' (functions: min, max, ceil_div)"},
    {"n + wraps", 4, "no such name"},
    {"none * 2", 0, "'none' has no value"},
    {"2.5 * n", 0, "a whole number is expected"},
    {"n + 1e3", 4, "a whole number is expected"},
    {"n + 012", 4, "a whole number without leading zeros is expected"},
    {"n + 0x", 4, "a whole number is expected"},
    {"n + 0xfg", 4, "a whole number is expected"},
    {"9223372036854775808 + 0", 0, "the number does not fit in 64 bits"},
    {"9223372036854775807 + 1", 20, "the result does not fit in 64 bits"},
    {"-9223372036854775807 - 2", 21, "the result does not fit in 64 bits"},
    {"4294967296 * 2147483648", 11, "the result does not fit in 64 bits"},
    {"(-9223372036854775807 - 1) / -1", 27, "the result does not fit in 64 bits"},
    {"-(-9223372036854775807 - 1)", 0, "the result does not fit in 64 bits"},
    {"ceil_div(-9223372036854775807 - 1, -1)", 0, "the result does not fit in 64 bits"},
    {"1 << 63", 2, "the result does not fit in 64 bits"},
    {"3 << 62", 2, "the result does not fit in 64 bits"},
    {"1 << 64", 2, "a shift is from 0 to 63"},
    {"1 >> -1", 2, "a shift is from 0 to 63"},
    {"n / (warps - 24)", 2, "division by zero"},
    {"n % 0", 2, "division by zero"},
    {"1 + ceil_div(n, 0)", 4, "division by zero"},
    {"n + \xc3\xa9", 4, "a number, a name or ( is expected"},
    {"n . x", 0, "no such name"},
};

START_TEST(refused)
{
    gint64 result;
    gsize offset = 99;
    g_autofree char *problem =
        ws_expression_evaluate(problems[_i].text, &names, WS_DIVIDE_WHOLE, &result, &offset);
    ck_assert_msg(problem != NULL, "%s has a value", problems[_i].text);
    ck_assert_str_eq(problem, problems[_i].problem);
    ck_assert_uint_eq(offset, problems[_i].offset);
}
END_TEST

START_TEST(exact_division)
{
    gint64 result;
    gsize offset;
    g_autofree char *none =
        ws_expression_evaluate("n / 8 + ceil_div(9, 2)", &names, WS_DIVIDE_EXACT, &result, &offset);
    ck_assert_ptr_null(none);
    ck_assert_int_eq(result, 130);
    g_autofree char *problem =
        ws_expression_evaluate("1 + 1 / 2", &names, WS_DIVIDE_EXACT, &result, &offset);
    ck_assert_str_eq(problem,
                     "the division leaves a remainder; only whole numbers can be computed");
    ck_assert_uint_eq(offset, 6);
}
END_TEST

/* `unit` n times, then 1, then `end` n times. */
static char *repeated(const char *unit, guint n, const char *end)
{
    GString *text = g_string_new(NULL);
    for (guint i = 0; i < n; i++)
        g_string_append(text, unit);
    g_string_append_c(text, '1');
    for (guint i = 0; i < n; i++)
        g_string_append(text, end);
    return g_string_free(text, FALSE);
}

static const struct {
    const char *unit, *end;
} nested[] = {{"(", ")"}, {"-", ""}, {"1-(", ")"}, {"min(1,", ")"}, {"-(", ")"}};

START_TEST(depth)
{
    gint64 result;
    gsize offset;
    guint each = nested[_i].unit[1] == '\0' || nested[_i].unit[0] == 'm' ? 1 : 2;
    g_autofree char *most = repeated(nested[_i].unit, 64 / each, nested[_i].end);
    g_autofree char *more = repeated(nested[_i].unit, 64 / each + 1, nested[_i].end);
    g_autofree char *none = ws_expression_evaluate(most, &names, WS_DIVIDE_WHOLE, &result, &offset);
    g_autofree char *problem =
        ws_expression_evaluate(more, &names, WS_DIVIDE_WHOLE, &result, &offset);
    ck_assert_msg(none == NULL, "%s", none);
    ck_assert_str_eq(problem, "more than 64 operations inside each other");
}
END_TEST

/* Chains of operators of one strength wait for nothing. */
START_TEST(length)
{
    gint64 result;
    gsize offset;
    g_autofree char *most = repeated("1+", 499, " ");
    g_autofree char *more = repeated("1+", 400, "  ");
    g_autofree char *problem;
    most[1000] = '\0';
    ck_assert_ptr_null(ws_expression_evaluate(most, &names, WS_DIVIDE_WHOLE, &result, &offset));
    ck_assert_int_eq(result, 500);
    problem = ws_expression_evaluate(more, &names, WS_DIVIDE_WHOLE, &result, &offset);
    ck_assert_str_eq(problem, "an expression has at most 1000 bytes");
    ck_assert_uint_eq(offset, 0); /* all of it is wrong */
}
END_TEST

START_TEST(mentions)
{
    static const char *const wanted[] = {"block.x", "threads", NULL};
    ck_assert(ws_expression_mentions("ceil_div(n, block.x)", wanted));
    ck_assert(ws_expression_mentions("4*threads", wanted));
    ck_assert(!ws_expression_mentions("my_threads + block.xy + threads2", wanted));
    ck_assert(!ws_expression_mentions("", wanted));
    ck_assert(ws_expression_is_name("_n1"));
    ck_assert(!ws_expression_is_name("1n"));
    ck_assert(!ws_expression_is_name("a.b"));
    ck_assert(!ws_expression_is_name("max"));
    ck_assert(!ws_expression_is_name(""));
}
END_TEST

/* The column is that of the byte in the text, however the text is written. */
static const struct {
    const char *text, *message;
} places[] = {
    {"a: 32 * x\n", "t.yaml:1:9: error: a: '32 * x': no such name"},
    {"a: \"32 * x\"\n", "t.yaml:1:10: error: a: '32 * x': no such name"},
    {"a: '32 * x'\n", "t.yaml:1:10: error: a: '32 * x': no such name"},
    {"a: \"32\\x20* x\"\n", "t.yaml:1:4: error: a: '32 * x': no such name"},
    {"a: 32\n  * x\n", "t.yaml:1:4: error: a: '32 * x': no such name"},
    {"a: \"n + \xc3\xa9\"\n",
     "t.yaml:1:9: error: a: 'n + \xc3\xa9': a number, a name or ( is expected"},
    {"a: 010\n", "t.yaml:1:4: error: a: '010': a whole number without leading zeros is expected"},
    {"a: \"10\"\n", "t.yaml:1:4: error: a: '10': a number is written without quotes"},
    {"a: n - 2000\n", "t.yaml:1:4: error: a: n - 2000 = -1000 is out of range, 0 to 5000"},
    {"a: 6 * n\n", "t.yaml:1:4: error: a: 6 * n = 6000 is out of range, 0 to 5000"},
};

START_TEST(place)
{
    g_autoptr(GError) error = NULL;
    const char *text = places[_i].text;
    g_autoptr(WsYamlTree) tree = ws_yaml_parse("t.yaml", text, strlen(text), NULL);
    guint64 ret;
    tree->names = &names;
    ck_assert(!ws_yaml_unsigned(tree, ws_yaml_get(tree->root, "a"), "a", 0, 5000, &ret, &error));
    ck_assert_str_eq(error->message, places[_i].message);
}
END_TEST

static void add_tests(TCase *cases)
{
    tcase_add_loop_test(cases, value, 0, G_N_ELEMENTS(values));
    tcase_add_loop_test(cases, refused, 0, G_N_ELEMENTS(problems));
    tcase_add_test(cases, exact_division);
    tcase_add_loop_test(cases, depth, 0, G_N_ELEMENTS(nested));
    tcase_add_test(cases, length);
    tcase_add_test(cases, mentions);
    tcase_add_loop_test(cases, place, 0, G_N_ELEMENTS(places));
}

int main(void)
{
    return run_suite("expression", add_tests);
}
