/* What submissions of an assignment get, in all formats: files in tests/golden/rooms/. */
#include <string.h>

#include "grade/export/grade_format.h"
#include "grade/trial/printed_text.h"
#include "tests/grade/lab.h"

static const char *const students[] = {"ann",     "border", "slow", "red",   "faults",
                                       "answers", "race",   "racy", "blank", "empty"};

static WsGrade *grade(WsGrader *grader, const char *student, const WsGradeOptions *options)
{
    g_autofree char *name = g_build_filename("handed_in", student, NULL);
    g_autofree char *path = lab_path(name);
    GError *error = NULL;

    if (g_strcmp0(student, "empty") == 0) { /* git keeps no folder without a file */
        g_free(path);
        path = lab_scratch();
    }
    WsGrade *of = ws_grader_grade(grader, path, options, &error);
    ck_assert_msg(of != NULL, "%s", error ? error->message : "");
    if (g_strcmp0(student, "empty") == 0)
        g_rmdir(path);
    of->protection = WS_PROTECTION_ALL; /* what this machine has is not asked here */
    return of;
}

static void check_grades(const char *format, const WsGradeOptions *options, const char *name)
{
    g_autoptr(WsAssignment) assignment = lab_load();
    WsGrader *grader = ws_grader_new(assignment, NULL);
    g_autoptr(GString) out = g_string_new(NULL);
    GError *error = NULL;

    ck_assert_msg(ws_grader_prepare(grader, "ann", &error), "%s", error ? error->message : "");
    for (guint i = 0; i < G_N_ELEMENTS(students); i++) {
        WsGradeOptions own = *options;
        own.student = students[i];
        g_autoptr(WsGrade) of = grade(grader, students[i], &own);
        g_autofree char *text = ws_grade_format_find(format)->write(of);
        g_string_append_printf(out, "%s\n", text);
        ck_assert_int_eq(ws_grade_all_passed(of), i == 0 && own.check == NULL);
    }
    lab_check(name, out->str, NULL);
    ws_grader_free(grader);
}

START_TEST(submissions)
{
    const WsGradeOptions options = {.submitted = G_MININT64};
    check_grades("text", &options, "grades.txt");
}
END_TEST

/* Hidden tests shown, half of the points for being late. */
START_TEST(revealed_and_late)
{
    const WsGradeOptions options = {.submitted = 1790892000 + 7200, .reveal = TRUE};
    check_grades("text", &options, "grades_revealed.txt");
}
END_TEST

START_TEST(one_check)
{
    const WsGradeOptions options = {.submitted = G_MININT64, .check = "fast"};
    g_autoptr(WsAssignment) assignment = lab_load();
    WsGrader *grader = ws_grader_new(assignment, NULL);
    g_autoptr(WsGrade) of = grade(grader, "slow", &options);
    g_autofree char *text = ws_grade_format_find("text")->write(of);

    lab_check("grade_one.txt", text, NULL);
    ws_grader_free(grader);
}
END_TEST

/* A grade of two compilers, whose grader has failed. */
static void spoil(WsGrade *grade)
{
    g_free(grade->compiler);
    g_free(grade->own_compiler);
    grade->compiler = g_strdup("clang <14>");
    grade->own_compiler = g_strdup("clang 19");
    grade->error = g_strdup("no memory & no time");
}

/* All formats of three of them. */
START_TEST(formats)
{
    static const WsGradeOptions options[] = {{.submitted = G_MININT64},
                                             {.submitted = 1790892000 + 90000}};
    g_autoptr(WsAssignment) assignment = lab_load();
    WsGrader *grader = ws_grader_new(assignment, NULL);
    g_autoptr(WsGrade) good = grade(grader, "ann", &options[0]);
    g_autoptr(WsGrade) bad = grade(grader, "border", &options[1]);
    g_autoptr(WsGrade) spoilt = grade(grader, "red", &options[0]);

    spoil(spoilt);
    for (guint i = 0; ws_grade_formats[i] != NULL; i++) {
        const WsGradeFormat *format = ws_grade_formats[i];
        g_autofree char *first = format->write(good), *second = format->write(bad);
        g_autofree char *third = format->write(spoilt);
        g_autofree char *all = g_strconcat(first, "\n", second, "\n", third, NULL);
        g_autofree char *name = g_strdup_printf("grade_%s.txt", format->name);

        ck_assert_ptr_eq(ws_grade_format_find(format->name), format);
        lab_check(name, all, NULL);
    }
    ck_assert_ptr_null(ws_grade_format_find("nothing"));
    ws_grader_free(grader);
}
END_TEST

/* Pages of the tests of checks that failed: what is to be seen of their runs, or why there is none.
 */
START_TEST(pages)
{
    static const char *const handed_in[] = {"slow", "faults", "ann", "empty"};
    const WsGradeOptions options = {.submitted = G_MININT64, .pages = TRUE};
    g_autoptr(WsAssignment) assignment = lab_load();
    WsGrader *grader = ws_grader_new(assignment, NULL);
    g_autoptr(GString) out = g_string_new(NULL);

    for (guint i = 0; i < G_N_ELEMENTS(handed_in); i++) {
        g_autoptr(WsGrade) of = grade(grader, handed_in[i], &options);
        for (guint p = 0; p < of->pages->len; p++) {
            const WsTestPage *at = &g_array_index(of->pages, WsTestPage, p);
            g_string_append_printf(out, "%s, test %u: %s, %s, %zu bytes of its timeline\n",
                                   handed_in[i], at->test, at->missing ? at->missing : "a page",
                                   at->page ? at->page->title : "-",
                                   at->page ? g_bytes_get_size(at->page->timeline) : 0);
            ck_assert_ptr_eq(ws_grade_page(of, (gint)at->test), at);
        }
    }
    lab_check("grade_pages.txt", out->str, NULL);
    ws_grader_free(grader);
}
END_TEST

/* A page of HTML has them in it, and says why one is missing. */
START_TEST(pages_in_html)
{
    static const char timelines[] = "<h2>Timelines of failed tests</h2>";
    static const char missing[] =
        "<p class=\"run-page-missing\" id=\"run-1\">Test &apos;open&apos; has none: ";
    static const char *const why[] = {"too <large>", NULL};
    static const char *const shown[] = {"too &lt;large&gt;</p>", "it is damaged</p>"};
    WsGradeOptions options = {.submitted = G_MININT64, .pages = TRUE};
    g_autoptr(WsAssignment) assignment = lab_load();
    WsGrader *grader = ws_grader_new(assignment, NULL);
    g_autoptr(WsGrade) of = grade(grader, "slow", &options);
    WsTestPage *page = &g_array_index(of->pages, WsTestPage, 0);

    g_autofree char *text = ws_grade_format_find("html")->write(of);
    ck_assert(strstr(text, timelines) != NULL && strstr(text, "run-page-missing\"") == NULL);
    ck_assert(strstr(text, "id=\"run-1\"") != NULL && strstr(text, page->page->title) != NULL);
    g_clear_pointer(&page->page, ws_run_page_free);
    for (guint i = 0; i < G_N_ELEMENTS(why); i++) {
        g_free(page->missing);
        page->missing = g_strdup(why[i]);
        g_autofree char *without = ws_grade_format_find("html")->write(of);
        const char *at = strstr(without, missing);
        ck_assert_msg(at != NULL && g_str_has_prefix(at + strlen(missing), shown[i]), "%s",
                      strstr(without, "run-page-missing"));
    }
    options.pages = FALSE;
    g_autoptr(WsGrade) plain = grade(grader, "slow", &options);
    g_autofree char *none = ws_grade_format_find("html")->write(plain);
    ck_assert(strstr(none, timelines) == NULL &&
              strstr(none, "default-src 'none'; style-src") != NULL);
    ws_grader_free(grader);
}
END_TEST

static const struct {
    const char *expected, *actual;
    gboolean numbers;
    guint line; /* that is wrong; 0: none */
} prints[] = {
    {"a\nb\n", "a\nb\n", FALSE, 0},    {"a\nb", "a \nb\n\n\n", FALSE, 0},
    {"a\nb\n", "a\nc\n", FALSE, 2},    {"a\nb\n", "a\n", FALSE, 2},
    {"a\n", "a\nb\n", FALSE, 2},       {"a\n\nb\n", "a\nb\n", FALSE, 2},
    {" a\n", "a\n", FALSE, 1},         {"x 1.0\n", "x  1.05\n", TRUE, 0},
    {"x 1.0\n", "x 1.2\n", TRUE, 1},   {"x 1.0\n", "y 1.0\n", TRUE, 1},
    {"x 1.0\n", "x 1.0 2\n", TRUE, 1}, {"0\n", "0.009\n", TRUE, 0},
    {"0\n", "0.011\n", TRUE, 1},       {"", "", FALSE, 0},
};

START_TEST(printed)
{
    WsProgramRun run = {.relative = 0.1, .absolute = 0.01};

    for (guint i = 0; i < G_N_ELEMENTS(prints); i++) {
        WsPrintedDifference at = {0};
        g_autoptr(GBytes) expected =
            g_bytes_new_static(prints[i].expected, strlen(prints[i].expected));
        g_autoptr(GBytes) actual = g_bytes_new_static(prints[i].actual, strlen(prints[i].actual));
        run.numbers = prints[i].numbers;
        gboolean same = ws_printed_text_agrees(&run, expected, actual, &at);

        ck_assert_msg(same == (prints[i].line == 0), "row %u", i);
        ck_assert_msg(at.line == prints[i].line, "row %u: line %u", i, at.line);
        g_free(at.expected);
        g_free(at.actual);
    }
    g_autoptr(GBytes) long_text = g_bytes_new_static("1\n2\n3\n\n4\n\n", 10);
    g_autoptr(GPtrArray) end = ws_printed_text_end(long_text, 3);
    ck_assert_uint_eq(end->len, 3);
    ck_assert_str_eq(end->pdata[0], "3");
    ck_assert_str_eq(end->pdata[2], "4");
}
END_TEST

static void add_tests(TCase *cases)
{
    tcase_add_test(cases, submissions);
    tcase_add_test(cases, revealed_and_late);
    tcase_add_test(cases, one_check);
    tcase_add_test(cases, formats);
    tcase_add_test(cases, pages);
    tcase_add_test(cases, pages_in_html);
    tcase_add_test(cases, printed);
}

int main(void)
{
    return run_suite("grading", add_tests);
}
