/* Columns that are computed from others. */
#include "study/results/derived.h"
#include "tests/support/suite.h"
#include "tests/support/table_of_text.h"

#include <string.h>

#define TABLE                                                                                      \
    "policy,memory.l1.ways,status,cycles,issued\n"                                                 \
    "lrr,4,ok,100,50\ngto,8,ok,120,\nlrr,16,ok,7,0\n"

/* All cells of a derived column, with blanks between them. */
static char *derive(const char *const *texts)
{
    g_autoptr(WsTable) table = table_of_text(TABLE);
    GError *error = NULL;
    GString *out = g_string_new(NULL);
    ck_assert_msg(ws_table_derive(table, (char *const *)texts, &error), "%s",
                  error ? error->message : "");
    ck_assert_uint_eq(g_strv_length(table->columns), table->width);
    for (guint row = 0; row < table->rows->len; row++) {
        char **cells = table->rows->pdata[row];
        ck_assert_uint_eq(g_strv_length(cells), table->width);
        g_string_append_printf(out, "%s%s", row == 0 ? "" : " ", cells[table->width - 1]);
    }
    return g_string_free(out, FALSE);
}

static const struct {
    const char *texts[3], *cells;
} columns[] = {
    {{"cpi=cycles / issued"}, "2  "}, /* an empty cell has no value, nor has a division by 0 */
    {{"a=cycles * 1.5"}, "150 180 10.5"},
    {{"a=max(cycles, 110)"}, "110 120 110"},
    {{"a=memory.l1.ways * 2"}, "8 16 32"},
    {{"a=cycles / 10", "b=a + 1"}, "11 13 1.7"},
    {{"a=cycles > 50 ? 1 : 0"}, "1 1 0"},
    {{"a=policy + 1"}, "  "},
    {{" a =3"}, "3 3 3"},
};

START_TEST(values)
{
    g_autofree char *cells = derive(columns[_i].texts);
    ck_assert_str_eq(cells, columns[_i].cells);
}
END_TEST

static const struct {
    const char *text, *message;
} wrong[] = {
    {"a", "the column 'a': NAME=EXPRESSION is expected"},
    {"=1", "the column '=1': a name has letters"},
    {"a b=1", "a name has letters, digits and _"},
    {"a.b=1", "a name has letters, digits and _"},
    {"cycles=1", "there is a column of this name"},
    {"a=cycels", "no column is called 'cycels'; did you mean 'cycles'? (at byte 3)"},
    {"a=cycles.x", "no column is called 'cycles.x'"},
    {"a=1 + at('x').cycles", "names of columns are expected (at byte 7)"},
    {"a=cycles +", "(at byte 11)"},
    {"a=a", "no column is called 'a'"},
};

START_TEST(errors)
{
    g_autoptr(WsTable) table = table_of_text(TABLE);
    g_autoptr(GError) error = NULL;
    char *texts[] = {(char *)wrong[_i].text, NULL};
    ck_assert(!ws_table_derive(table, texts, &error));
    ck_assert_msg(strstr(error->message, wrong[_i].message) != NULL, "%s", error->message);
    ck_assert_uint_eq(table->width, 5);
}
END_TEST

START_TEST(nothing)
{
    g_autoptr(WsTable) table = table_of_text(TABLE);
    ck_assert(ws_table_derive(table, NULL, NULL));
    ck_assert_uint_eq(table->width, 5);
}
END_TEST

static void add_tests(TCase *cases)
{
    tcase_add_loop_test(cases, values, 0, G_N_ELEMENTS(columns));
    tcase_add_loop_test(cases, errors, 0, G_N_ELEMENTS(wrong));
    tcase_add_test(cases, nothing);
}

int main(void)
{
    return run_suite("derived", add_tests);
}
