/* Formulas on figures, and the names in a source text. */
#include "grade/formula/formula.h"
#include "grade/judge/source_words.h"
#include "tests/support/suite.h"

#include <math.h>
#include <string.h>

/* The value where figure number i is 10 * (i + 1). */
static double value_of(const char *text)
{
    char *problem = NULL;
    gsize offset;
    g_autoptr(WsFormula) formula = ws_formula_parse(text, &problem, &offset);
    ck_assert_msg(formula != NULL, "%s: %s", text, problem);
    double values[8];
    for (guint i = 0; i < G_N_ELEMENTS(values); i++)
        values[i] = 10 * (i + 1);
    return ws_formula_value(formula, values);
}

START_TEST(arithmetic)
{
    static const struct {
        const char *text;
        double value;
    } cases[] = {
        {"1 + 2 * 3", 7},
        {"(1 + 2) * 3", 9},
        {"7 - 2 - 1", 4},
        {"12 / 3 / 2", 2},
        {"-2 * -3", 6},
        {"1.5e2", 150},
        {".5 * 4", 2},
        {"min(3, 2) + max(3, 2)", 5},
        {"cycles", 10},
        {"cycles + cycles + ipc", 40},
        {"cycles <= 10", 1},
        {"cycles < 10", 0},
        {"cycles >= 10.5", 0},
        {"cycles != 10", 0},
        {"cycles == 10 and ipc == 20", 1},
        {"cycles == 1 or ipc == 20", 1},
        {"cycles == 1 or ipc == 20 and 0 == 1", 0},
        {"cycles <= 0.6 * reference", 1},
        {"cycles <= 0.4 * reference", 0},
        {"(cycles == 10) + 1", 2},
        {"andy + orange", 30},
        {"cycles == 10 && ipc == 20", 1},
        {"cycles == 1 || ipc == 20 && 0 == 1", 0},
        {"not cycles == 1", 1},
        {"!(cycles == 10)", 0},
        {"cycles > 5 ? ipc : 7", 20},
        {"7 % 4 + ceil_div(7, 2)", 7},
        {"0x10 + 2.", 18},
        {"+cycles", 10},
        {"cycles > 5 ? 1 : 1 / 0", 1},
    };
    for (guint i = 0; i < G_N_ELEMENTS(cases); i++)
        ck_assert_msg(value_of(cases[i].text) == cases[i].value, "%s gives %g", cases[i].text,
                      value_of(cases[i].text));
    ck_assert(isnan(value_of("1 / 0")));
    ck_assert(isnan(value_of("1 / 0 <= 5 or 1 == 1")));
    ck_assert(isnan(value_of("1 == 1 || 1 % 0")));
    ck_assert(isnan(value_of("1 / 0 > 1 ? 1 : 2")));
    ck_assert(isnan(value_of("ceil_div(1, 0)")));
}
END_TEST

START_TEST(figures)
{
    char *problem = NULL;
    gsize offset;
    g_autoptr(WsFormula) formula = ws_formula_parse(
        "memory.l1_hit_rate > reference + reference.cycles - tests.big.ipc * at('a b').lanes "
        "+ memory.l1_hit_rate",
        &problem, &offset);
    static const WsFigure expected[] = {
        {.of = WS_FIGURE_OWN, .path = (char *)"memory.l1_hit_rate"},
        {.of = WS_FIGURE_REFERENCE, .path = (char *)"memory.l1_hit_rate"},
        {.of = WS_FIGURE_REFERENCE, .path = (char *)"cycles"},
        {.of = WS_FIGURE_TEST, .test = (char *)"big", .path = (char *)"ipc"},
        {.of = WS_FIGURE_OWN, .marker = (char *)"a b", .path = (char *)"lanes"},
    };
    ck_assert_ptr_nonnull(formula);
    ck_assert_uint_eq(ws_formula_figure_count(formula), G_N_ELEMENTS(expected));
    ck_assert(ws_formula_is_condition(formula));
    for (guint i = 0; i < G_N_ELEMENTS(expected); i++) {
        const WsFigure *figure = ws_formula_figure(formula, i);
        ck_assert_int_eq(figure->of, expected[i].of);
        ck_assert_str_eq(figure->path, expected[i].path);
        ck_assert_pstr_eq(figure->test, expected[i].test);
        ck_assert_pstr_eq(figure->marker, expected[i].marker);
    }
}
END_TEST

START_TEST(conditions)
{
    static const struct {
        const char *text;
        gboolean condition;
    } cases[] = {
        {"cycles < 3", TRUE},     {"cycles + 1", FALSE},           {"not cycles", TRUE},
        {"(cycles < 3)", TRUE},   {"(cycles < 3) + 1", FALSE},     {"cycles < 3 and ipc", TRUE},
        {"1 ? ipc : 2", FALSE},   {"1 ? ipc < 2 : ipc > 3", TRUE}, {"1 ? ipc < 2 : 3", FALSE},
        {"min(1 < 2, 1)", FALSE}, {"-(cycles < 3)", FALSE},        {"ipc == 1 || ipc", TRUE},
    };
    for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
        char *problem = NULL;
        gsize offset;
        g_autoptr(WsFormula) formula = ws_formula_parse(cases[i].text, &problem, &offset);
        ck_assert_msg(ws_formula_is_condition(formula) == cases[i].condition, "%s", cases[i].text);
    }
}
END_TEST

START_TEST(without_reference)
{
    char *problem = NULL;
    gsize offset;
    const double values[] = {1, 800, 3.5};
    g_autoptr(WsFormula) formula =
        ws_formula_parse("cycles <= 1.2 * reference + reference.ipc", &problem, &offset);
    g_autofree char *text = ws_formula_without_reference(formula, values, NULL);
    ck_assert_str_eq(text, "cycles <= 1.2 * 800 + 3.5");
}
END_TEST

START_TEST(errors)
{
    static const struct {
        const char *text;
        gsize offset;
        const char *problem;
    } cases[] = {
        {"", 0, "a value is missing"},
        {"cycles <=", 9, "a value is missing"},
        {"cycles <= 3 5", 12, "an operator"},
        {"(cycles", 0, "the ) is missing"},
        {"min(1)", 5, "takes two values"},
        {"1.1 * reference", 6, "needs a figure"},
        {"tests.cycles", 0, "tests.NAME.FIGURE"},
        {"at(x).lanes", 3, "in quotes"},
        {"at('x')", 7, "figure of the line"},
        {"1 = 1", 2, "an operator"},
        {"1e999", 0, "a number"},
        {"cycles < 2 < 3", 11, "no comparison"},
        {"cycles | 1", 7, "have no meaning here"},
        {"~cycles", 0, "have no meaning here"},
        {"cycles[3]", 6, "an operator"},
        {"(cycles).x", 10, "in front of the point"},
        {"at('x') + 1", 7, "figure of the line"},
    };
    for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autofree char *problem = NULL;
        gsize offset = 0;
        ck_assert_ptr_null(ws_formula_parse(cases[i].text, &problem, &offset));
        ck_assert_msg(strstr(problem, cases[i].problem) != NULL, "%s: %s", cases[i].text, problem);
        ck_assert_msg(offset == cases[i].offset, "%s: %u", cases[i].text, (guint)offset);
    }
}
END_TEST

START_TEST(bounds)
{
    g_autofree char *problem = NULL, *longer = NULL;
    gsize offset;
    GString *deep = g_string_new(NULL);
    for (guint i = 0; i < 70; i++)
        g_string_append_c(deep, '(');
    ck_assert_ptr_null(ws_formula_parse(deep->str, &problem, &offset));
    ck_assert_ptr_nonnull(strstr(problem, "64"));
    g_string_truncate(deep, 0);
    for (guint i = 0; i < 600; i++)
        g_string_append(deep, i == 0 ? "1" : "+1");
    ck_assert_ptr_null(ws_formula_parse(deep->str, &longer, &offset));
    ck_assert_ptr_nonnull(strstr(longer, "1000"));
    g_string_truncate(deep, 999);
    ck_assert_double_eq(value_of(deep->str), 500);
    g_string_free(deep, TRUE);
}
END_TEST

START_TEST(names_of_a_source)
{
    static const char text[] =
        "a//b\n/*c*/d \"e\\\"f\"'g'h __sync\\\nthreads(); i_1/**/j // k \\\nl\n"
        "m /* n";
    g_autoptr(GHashTable) words = ws_source_words(text, strlen(text));
    static const char *const there[] = {"a", "d", "h", "__syncthreads", "i_1", "j", "m"};
    static const char *const absent[] = {"b", "c", "e", "f", "g", "k", "l", "n", "__sync"};
    for (guint i = 0; i < G_N_ELEMENTS(there); i++)
        ck_assert_msg(g_hash_table_contains(words, there[i]), "%s", there[i]);
    for (guint i = 0; i < G_N_ELEMENTS(absent); i++)
        ck_assert_msg(!g_hash_table_contains(words, absent[i]), "%s", absent[i]);
    ck_assert_uint_eq(g_hash_table_size(words), G_N_ELEMENTS(there));
}
END_TEST

static void add_tests(TCase *cases)
{
    tcase_add_test(cases, arithmetic);
    tcase_add_test(cases, figures);
    tcase_add_test(cases, conditions);
    tcase_add_test(cases, without_reference);
    tcase_add_test(cases, errors);
    tcase_add_test(cases, bounds);
    tcase_add_test(cases, names_of_a_source);
}

int main(void)
{
    return run_suite("formula", add_tests);
}
