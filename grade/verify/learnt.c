#include "grade/verify/learnt.h"

#include "grade/verify/mutants.h"
#include "grade/verify/table_program.h"
#include "isa/base/input_file.h"
#include "isa/base/temporary_folder.h"

#include <math.h>
#include <string.h>

enum { MAX_BYTES = 16 << 20 };
enum { WAITING_PART = 100 }; /* of the cycles that a test may take: slower than any solution */
/* Of a value on the board: two programs with the same loop may differ by where its code lies. */
static const double LEAD = 0.05;

/* ---- by what the file says --------------------------------------------------------------------
 */

/* The test, among those that a formula looks at, whose inputs students know; NULL if there is none.
 */
static const WsTest *known_test(const WsAssignment *assignment, const WsFormula *formula,
                                guint test)
{
    const WsTest *looked_at = ws_assignment_test(assignment, test);
    if (!ws_test_is_drawn(looked_at))
        return looked_at;
    for (guint i = 0; i < ws_formula_figure_count(formula); i++) {
        const WsFigure *figure = ws_formula_figure(formula, i);
        if (figure->of != WS_FIGURE_TEST)
            continue;
        looked_at = ws_assignment_test(assignment,
                                       (guint)ws_assignment_find_test(assignment, figure->test));
        if (!ws_test_is_own(looked_at) && !ws_test_is_drawn(looked_at))
            return looked_at;
    }
    return NULL;
}

static void report_known(const WsAssignment *assignment, const char *what, const char *name,
                         const WsTest *test, GString *report, gboolean *good)
{
    if (test == NULL)
        return;
    g_string_append_printf(report,
                           "  %-6s %s %s: the inputs of test '%s' are known or the same for all: "
                           "make it hidden, and draw them\n",
                           assignment->accepts_fixed ? "note" : "wrong", what, name, test->name);
    *good = *good && assignment->accepts_fixed;
}

void ws_verify_inputs(const WsAssignment *assignment, GString *report, gboolean *ret_good)
{
    for (guint i = 0; i < assignment->rules->len; i++) {
        const WsRule *rule = ws_assignment_rule(assignment, i);
        const WsTest *known = NULL;
        for (guint k = 0; k < rule->gates->len && known == NULL; k++) {
            const WsGate *gate = &g_array_index(rule->gates, WsGate, k);
            if (gate->points > 0)
                known = known_test(assignment, gate->formula, (guint)rule->test);
        }
        report_known(assignment, "gates of", rule->name, known, report, ret_good);
    }
    for (guint i = 0; i < assignment->rankings->len; i++) {
        const WsRanking *ranking = g_ptr_array_index(assignment->rankings, i);
        report_known(assignment, "leaderboard", ranking->name,
                     known_test(assignment, ranking->figure, ranking->test), report, ret_good);
    }
}

/* ---- by trying --------------------------------------------------------------------------------
 */

static gboolean is_right(const WsGrade *grade)
{
    for (guint i = 0; grade != NULL && i < grade->verdicts->len; i++) {
        const WsVerdict *verdict = ws_grade_verdict(grade, i);
        if (verdict->rule->kind == WS_RULE_RESULT && verdict->kind != WS_VERDICT_PASSED)
            return FALSE;
    }
    return grade != NULL;
}

static char *read_program(const WsAssignment *assignment, const char *folder, GError **error)
{
    g_autofree char *path = g_build_filename(assignment->folder, folder, assignment->program, NULL);
    g_autoptr(GBytes) bytes = ws_read_input_file_in(NULL, path, MAX_BYTES, NULL, error);
    return bytes == NULL ? NULL : g_strndup(g_bytes_get_data(bytes, NULL), g_bytes_get_size(bytes));
}

/* The grade of a program with the reference's answers. */
static WsGrade *grade_program(const WsAssignment *assignment, WsGrader *grader, const char *student,
                              const char *source, GError **error)
{
    g_autoptr(WsTemporaryFolder) folder = ws_temporary_folder_new(error);
    if (folder == NULL)
        return NULL;
    g_autoptr(GBytes) contents = g_bytes_new_static(source, strlen(source));
    const WsMutant mutant = {.replaces = assignment->program, .contents = contents};
    const WsGradeOptions options = {
        .student = student, .submitted = G_MININT64, .reveal = TRUE, .is_own = TRUE};
    const char *path = ws_temporary_folder_path(folder);
    return ws_mutant_write(assignment, &mutant, path, error)
               ? ws_grader_grade(grader, path, &options, error)
               : NULL;
}

/* What `with` has that `without` has not: points for gates, and places. Empty if nothing. */
static GString *gains(const WsGrade *with, const WsGrade *without)
{
    GString *text = g_string_new(NULL);
    for (guint i = 0; i < with->verdicts->len; i++) {
        const WsVerdict *a = ws_grade_verdict(with, i), *b = ws_grade_verdict(without, i);
        if (a->rule->kind == WS_RULE_GATES && a->points > b->points)
            g_string_append_printf(text, "%s%g of %g points of %s", text->len > 0 ? ", " : "",
                                   a->points - b->points, a->rule->points, a->rule->name);
    }
    for (guint i = 0; i < with->standings->len; i++) {
        const WsStanding *a = &g_array_index(with->standings, WsStanding, i);
        const WsStanding *b = &g_array_index(without->standings, WsStanding, i);
        double sign = a->ranking->ascending ? 1 : -1;
        if (!isnan(a->value) && !isnan(b->value) &&
            sign * (b->value - a->value) > LEAD * fabs(b->value))
            g_string_append_printf(text, "%s%g instead of %g in %s", text->len > 0 ? ", " : "",
                                   a->value, b->value, a->ranking->name);
    }
    return text;
}

/* Whether the program was run at all; else no gain would say nothing. */
static const char *why_not_tried(const WsGrade *grade)
{
    for (guint i = 0; i < grade->verdicts->len; i++) {
        const WsVerdict *verdict = ws_grade_verdict(grade, i);
        if (verdict->rule->kind == WS_RULE_RESULT && !verdict->hidden)
            return verdict->kind == WS_VERDICT_PASSED ? NULL : verdict->rationale;
    }
    return "no result of a public test is checked";
}

gboolean ws_verify_table(const WsAssignment *assignment, WsGrader *grader, const char *student,
                         const WsGrade *starter, GString *report, gboolean *ret_good,
                         GError **error)
{
    gboolean by_starter = is_right(starter);
    const char *folder = by_starter ? assignment->starter : assignment->reference;
    g_autofree char *source = read_program(assignment, folder, error);
    if (source == NULL)
        return FALSE;
    guint64 cycles = G_MAXUINT64;
    for (guint i = 0; i < assignment->tests->len; i++)
        cycles = MIN(cycles, ws_assignment_test(assignment, i)->limits.cycles);
    WsTablePlan plan = {.source = source, .waiting_cycles = by_starter ? 0 : cycles / WAITING_PART};
    g_autofree char *slow = ws_table_program(assignment, grader, student, &plan);
    plan.has_tables = TRUE;
    g_autofree char *table = ws_table_program(assignment, grader, student, &plan);
    if (table == NULL)
        return TRUE; /* no CUDA C: there is no such program, and the file is all that can be seen */
    g_autoptr(WsGrade) without = grade_program(assignment, grader, student, slow, error);
    g_autoptr(WsGrade) with =
        without == NULL ? NULL : grade_program(assignment, grader, student, table, error);
    if (with == NULL)
        return FALSE;
    g_autoptr(GString) gained = gains(with, without);
    const char *not_tried =
        is_right(without) ? why_not_tried(with) : "what answers the rest is too slow for the tests";
    if (not_tried != NULL) {
        g_string_append_printf(report, "  note   table of the public results: not tried: %s\n",
                               not_tried);
        return TRUE;
    }
    gboolean bad = gained->len > 0;
    g_string_append_printf(report, "  %-6s table of the public results: gains %s\n",
                           !bad                        ? "good"
                           : assignment->accepts_fixed ? "note"
                                                       : "wrong",
                           bad ? gained->str : "nothing");
    *ret_good = *ret_good && (!bad || assignment->accepts_fixed);
    return TRUE;
}
