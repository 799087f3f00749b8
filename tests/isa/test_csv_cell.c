/* Cells of CSV that no spreadsheet takes for formulas, and tables that read back as they were. */
#include "isa/base/csv_cell.h"
#include "isa/base/csv_record.h"
#include "study/results/csv.h"
#include "tests/support/suite.h"

static const char *const formulas[] = {
    "=1+1", "+cmd|' /C calc'!A0", "-x",      "@SUM(A1)", "\t=1", "\r=1", "\n=1", "  =1", "=",
    "-",    "\uff1d1+1",          "\uff0b1", "-1-x",     "+1;2"};
static const char *const plain[] = {"ann", "-1", "+2.5e3", "-0x", "",
                                    "a=b", "'",  "1-2",    "x@y", "'=1"};

START_TEST(formulas_get_a_quote_mark)
{
    for (gsize i = 0; i < G_N_ELEMENTS(formulas); i++) {
        g_autoptr(GString) csv = g_string_new(NULL);
        ws_csv_append_cell(csv, formulas[i]);
        ck_assert_msg(g_str_has_prefix(csv->str, "\"'"), "%s -> %s", formulas[i], csv->str);
    }
    for (gsize i = 0; i < G_N_ELEMENTS(plain); i++) {
        g_autoptr(GString) csv = g_string_new(NULL);
        ws_csv_append_cell(csv, plain[i]);
        if (plain[i][0] != '-' || plain[i][1] == '1')
            ck_assert_str_eq(csv->str, plain[i]);
    }
}
END_TEST

/* Another country's spreadsheet has semicolons between its cells. */
START_TEST(separators_are_quoted)
{
    static const char *const cells[] = {"a;=1", "a,=1", "a\t=1", "a\"=1", "a\r\n=1"};
    static const char *const written[] = {"\"a;=1\"", "\"a,=1\"", "\"a\t=1\"", "\"a\"\"=1\"",
                                          "\"a\r\n=1\""};
    for (gsize i = 0; i < G_N_ELEMENTS(cells); i++) {
        g_autoptr(GString) csv = g_string_new(NULL);
        ws_csv_append_cell(csv, cells[i]);
        ck_assert_str_eq(csv->str, written[i]);
    }
}
END_TEST

START_TEST(tables_read_back)
{
    g_autoptr(GPtrArray) cells = g_ptr_array_new();
    for (gsize i = 0; i < G_N_ELEMENTS(formulas); i++)
        g_ptr_array_add(cells, (gpointer)formulas[i]);
    for (gsize i = 0; i < G_N_ELEMENTS(plain); i++)
        if (g_strcmp0(plain[i], "'=1") != 0) /* which is how =1 is written */
            g_ptr_array_add(cells, (gpointer)plain[i]);
    g_ptr_array_add(cells, NULL);
    g_autoptr(GString) csv = g_string_new(NULL);
    ws_csv_append(csv, (char *const *)cells->pdata);
    const char *at = csv->str;
    g_auto(GStrv) read = ws_csv_next(&at);
    ck_assert_ptr_nonnull(read);
    ck_assert_uint_eq(g_strv_length(read), cells->len - 1);
    for (guint i = 0; i + 1 < cells->len; i++)
        ck_assert_str_eq(read[i], cells->pdata[i]);
}
END_TEST

/* Cells of a text, "|" between them, "/" behind each record, and how it ends. */
static const struct {
    const char *text, *cells;
    WsCsvStatus end;
    guint32 line; /* of the last record, or of what is wrong */
} texts[] = {
    {"", "", WS_CSV_END, 1},
    {"a,b\nc,\n", "a|b/c|/", WS_CSV_END, 3},
    {"a\r\n\"b\r\nc\",d\r\n", "a/b\r\nc|d/", WS_CSV_END, 4},
    {"\"a\"\"b\",\"\"\n,", "a\"b|/|/", WS_CSV_END, 2},
    {"a\n\"b\nc", "a/", WS_CSV_OPEN_QUOTE, 2},
    {"a\n\"b\"c\n", "a/", WS_CSV_BEHIND_QUOTE, 2},
};

START_TEST(records_have_lines)
{
    WsCsvReader reader = {.at = texts[_i].text, .line = 1};
    g_autoptr(GString) cells = g_string_new(NULL);
    WsCsvStatus status;
    WsCsvRecord record;

    while ((status = ws_csv_read_record(&reader, &record)) == WS_CSV_RECORD) {
        g_autofree char *joined = g_strjoinv("|", record.cells);
        g_string_append_printf(cells, "%s/", joined);
        ws_csv_record_clear(&record);
    }
    ck_assert_str_eq(cells->str, texts[_i].cells);
    ck_assert_int_eq(status, texts[_i].end);
    ck_assert_uint_eq(record.line, texts[_i].line);
    ck_assert_ptr_null(record.cells);
}
END_TEST

static void add_tests(TCase *cases)
{
    tcase_add_test(cases, formulas_get_a_quote_mark);
    tcase_add_test(cases, separators_are_quoted);
    tcase_add_test(cases, tables_read_back);
    tcase_add_loop_test(cases, records_have_lines, 0, G_N_ELEMENTS(texts));
}

int main(void)
{
    return run_suite("csv_cell", add_tests);
}
