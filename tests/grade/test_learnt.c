/* What a program that knows the public results by heart gets, and how it is written. */
#include <string.h>

#include "grade/verify/table_program.h"
#include "grade/verify/verify.h"
#include "tests/grade/lab.h"

/* The assignment with one text of a file changed; in `scratch`. */
static WsAssignment *load_changed(const char *scratch, const char *file, const char *from,
                                  const char *to)
{
    g_autofree char *lab = lab_path("sums"), *text = NULL;
    g_autofree char *path = g_build_filename(scratch, file, NULL);
    GError *error = NULL;

    lab_copy(lab, scratch);
    ck_assert(g_file_get_contents(path, &text, NULL, NULL));
    ck_assert_msg(strstr(text, from) != NULL, "%s", from);
    g_autofree char *changed = golden_text_replace(text, from, to);
    ck_assert(g_file_set_contents(path, changed, -1, NULL));
    WsAssignment *assignment = ws_assignment_load(scratch, &error);
    ck_assert_msg(assignment != NULL, "%s", error ? error->message : "");
    return assignment;
}

static const struct {
    const char *from, *to; /* of the assignment */
    const char *wanted;    /* in the report */
    const char *besides;   /* likewise, or NULL */
    gboolean good;
} cases[] = {
    {"title: Sums", "title: Sums",
     "  wrong  table of the public results: gains 2 of 2 points of fast, ", " in board\n", FALSE},
    {"title: Sums", "title: Sums\nfixed_inputs: true",
     "  note   table of the public results: gains 2 of 2 points of fast, ", " in board\n", TRUE},
    /* Measured where nobody knows the numbers, a table gains nothing. */
    {"test: open, gates: {cycles <= 1.2 * reference: 2}}\nleaderboard:\n"
     "  - {name: board, test: open, figure: cycles, needs: [right]}\n",
     "test: secret, gates: {cycles <= 1.2 * reference: 2}}\n",
     "  good   table of the public results: gains nothing\n", NULL, TRUE},
    /* A starter that is right is what answers the rest, at its own speed. */
    {"starter: starter", "starter: reference", "  wrong  table of the public results: gains ",
     " in board\n", FALSE},
    {"  - {name: right, test: open}\n", "  - {name: right, test: secret}\n",
     "  note   table of the public results: not tried: no result of a public test is checked\n",
     NULL, FALSE},
};

START_TEST(tables)
{
    g_autofree char *cache = lab_scratch();

    for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autofree char *scratch = lab_scratch();
        g_autoptr(WsAssignment) assignment =
            load_changed(scratch, "assignment.yaml", cases[i].from, cases[i].to);
        g_autoptr(GString) report = g_string_new(NULL);
        gboolean good = !cases[i].good;
        GError *error = NULL;

        ck_assert_msg(ws_assignment_verify(assignment, cache, report, &good, &error), "%s",
                      error ? error->message : "");
        const char *at = strstr(report->str, cases[i].wanted);
        ck_assert_msg(at != NULL, "case %u:\n%s", i, report->str);
        ck_assert_msg(cases[i].besides == NULL || strstr(at, cases[i].besides) != NULL,
                      "case %u:\n%s", i, report->str);
        ck_assert_msg(good == cases[i].good, "case %u:\n%s", i, report->str);
        lab_remove(scratch);
    }
    lab_remove(cache);
}
END_TEST

/* Each launch of a public test is known once, each buffer that is compared has a table. */
START_TEST(table_programs)
{
    g_autofree char *scratch = lab_scratch();
    g_autoptr(WsAssignment) assignment = load_changed(scratch, "assignment.yaml", "title", "title");
    g_autoptr(WsGrader) grader = ws_grader_new(assignment, NULL);
    WsTablePlan plan = {.source = "/* what is handed in */", .waiting_cycles = 200};
    g_autofree char *slow = ws_table_program(assignment, grader, "ann", &plan);
    plan.has_tables = TRUE;
    plan.waiting_cycles = 0;
    g_autofree char *table = ws_table_program(assignment, grader, "ann", &plan);
    g_autofree char *both = g_strconcat(slow, "\n", table, NULL);

    lab_check("learnt_programs.txt", both, scratch);
    lab_remove(scratch);
}
END_TEST

/* Both launches have a table of `out`: whole words, and 1 Mi of them in all. */
static const struct {
    const char *out;
    gboolean possible;
} sizes[] = {
    {"type: s32, count: 524288", TRUE},
    {"type: s32, count: 524289", FALSE},
    {"type: u8, count: 4 * n", TRUE},
    {"type: u8, count: 4 * n + 1", FALSE},
};

START_TEST(sizes_of_tables)
{
    g_autofree char *scratch = lab_scratch();
    g_autofree char *to = g_strdup_printf("out: {%s}", sizes[_i].out);
    g_autoptr(WsAssignment) assignment =
        load_changed(scratch, "launch.yaml", "out: {type: s32, count: n}", to);
    g_autoptr(WsGrader) grader = ws_grader_new(assignment, NULL);
    const WsTablePlan plan = {.source = "", .has_tables = TRUE};
    g_autofree char *table = ws_table_program(assignment, grader, "ann", &plan);

    ck_assert_msg((table != NULL) == sizes[_i].possible, "%s", sizes[_i].out);
    lab_remove(scratch);
}
END_TEST

static void add_tests(TCase *tests)
{
    tcase_add_test(tests, tables);
    tcase_add_test(tests, table_programs);
    tcase_add_loop_test(tests, sizes_of_tables, 0, G_N_ELEMENTS(sizes));
}

int main(void)
{
    return run_suite("learnt", add_tests);
}
