/* Which lines of a text assign a variable, and where that is a number. */
#include "isa/debug/assigned_names.h"
#include "tests/support/suite.h"

/* A line of a function, and what is said of variable i in it. */
static const struct {
    const char *line;
    gboolean assigns, number;
} rows[] = {
    {"int i = 0;", TRUE, TRUE},
    {"for (unsigned i = 0; i < n; i++) {", TRUE, TRUE},
    {"for (int j = n; j > 0; j--, ++i)", TRUE, TRUE},
    {"i += 2;", TRUE, TRUE},
    {"const float i = -(1.5e-3f + .5f);", TRUE, TRUE},
    {"auto i = (unsigned long long)0x7full << 33;", TRUE, TRUE},
    {"i = i * 3 % 7;", TRUE, TRUE},
    {"float i[4] = {};", FALSE, TRUE},
    {"i[2] = {1, 2};", FALSE, FALSE}, /* through a pointer, as far as the text tells */
    {"int i[2] = {1, n};", FALSE, FALSE},
    {"unsigned long long i = (unsigned long long)tid << 33;", TRUE, FALSE},
    {"int i = N;", TRUE, FALSE},
    {"i = 0, i = n;", TRUE, FALSE},
    {"read(&i);", TRUE, FALSE},
    {"int i(0);", TRUE, FALSE},
    {"if (i == 0 && i <= 3) x = i;", FALSE, FALSE},
    {"pi = 0; i2 = 0;", FALSE, FALSE},
    {"int i = 0", TRUE, FALSE}, /* goes on in the next line */
};

START_TEST(lines_that_assign)
{
    g_autofree char *text = g_strdup_printf("void f(int n)\n{\n  %s\n}\n", rows[_i].line);
    g_autoptr(GArray) lines = g_array_new(FALSE, FALSE, sizeof(guint32));
    ws_name_assigned_lines(text, 1, "i", lines);
    ck_assert_msg((lines->len > 0) == rows[_i].assigns, "%s", rows[_i].line);
    ck_assert_int_eq(ws_name_is_assigned(text, 1, "i"), rows[_i].assigns);
    for (guint n = 0; n < lines->len; n++)
        ck_assert_uint_eq(g_array_index(lines, guint32, n), 3);
    ck_assert_msg(ws_name_gets_number(text, 3, "i") == rows[_i].number, "%s", rows[_i].line);
    ck_assert(!ws_name_gets_number(text, 2, "i"));
    ck_assert(!ws_name_gets_number(text, 9, "i"));
}
END_TEST

static void add_tests(TCase *cases)
{
    tcase_add_loop_test(cases, lines_that_assign, 0, G_N_ELEMENTS(rows));
}

int main(void)
{
    return run_suite("assigned_names", add_tests);
}
