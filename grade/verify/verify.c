#include "grade/verify/verify.h"

#include "grade/export/grade_format.h"
#include "grade/judge/grader.h"
#include "grade/verify/learnt.h"
#include "grade/verify/mutants.h"
#include "isa/base/temporary_folder.h"

#include <glib/gstdio.h>
#include <string.h>

typedef struct {
    const WsAssignment *assignment;
    WsGrader *grader;
    const char *student;
} Bench;

/* ---- submissions ------------------------------------------------------------------------------
 */

static WsGrade *grade_folder(const Bench *bench, const char *folder, GError **error)
{
    const WsGradeOptions options = {
        .student = bench->student, .submitted = G_MININT64, .reveal = TRUE, .is_own = TRUE};
    return ws_grader_grade(bench->grader, folder, &options, error);
}

/* What a check that did not end as it should says of itself. */
static void tell(GString *report, const WsVerdict *verdict)
{
    g_autofree char *details = ws_verdict_details(verdict, "      ");
    g_string_append_printf(report, "    %s %s\n%s", verdict->rule->name,
                           ws_verdict_name(verdict->kind), details);
}

static gboolean verify_reference(const Bench *bench, GString *report, gboolean *good,
                                 GError **error)
{
    g_autofree char *folder = ws_assignment_path(bench->assignment, bench->assignment->reference);
    g_autoptr(WsGrade) grade = grade_folder(bench, folder, error);
    if (grade == NULL)
        return FALSE;
    g_autofree char *sum = ws_grade_sum_text(grade);
    gboolean all = ws_grade_all_passed(grade);
    g_string_append_printf(report, "  %-6s reference: %s\n", all ? "good" : "wrong", sum);
    for (guint i = 0; i < grade->verdicts->len; i++)
        if (ws_grade_verdict(grade, i)->kind != WS_VERDICT_PASSED)
            tell(report, ws_grade_verdict(grade, i));
    *good = *good && all;
    return TRUE;
}

/* It gets what it gets, but it must not break the grader. */
static gboolean verify_starter(const Bench *bench, GString *report, WsGrade **ret, gboolean *good,
                               GError **error)
{
    *ret = NULL;
    if (bench->assignment->starter == NULL)
        return TRUE;
    g_autofree char *folder = ws_assignment_path(bench->assignment, bench->assignment->starter);
    g_autoptr(WsGrade) grade = grade_folder(bench, folder, error);
    if (grade == NULL)
        return FALSE;
    g_autofree char *sum = ws_grade_sum_text(grade);
    g_string_append_printf(report, "  %-6s starter: %s\n", grade->error == NULL ? "good" : "wrong",
                           sum);
    *good = *good && grade->error == NULL;
    *ret = g_steal_pointer(&grade);
    return TRUE;
}

static void report_mutant(const WsMutant *mutant, const WsGrade *grade, GString *report,
                          gboolean *good)
{
    g_autoptr(GString) lost = g_string_new(NULL);
    g_autoptr(GString) wrong = g_string_new(NULL);
    for (guint i = 0; i < grade->verdicts->len; i++) {
        const WsVerdict *verdict = ws_grade_verdict(grade, i);
        gboolean failed = verdict->kind == WS_VERDICT_FAILED;
        if (failed)
            g_string_append_printf(lost, "%s%s", lost->len > 0 ? ", " : "", verdict->rule->name);
        if (failed != mutant->loses[i] || verdict->kind == WS_VERDICT_ERROR)
            tell(wrong, verdict);
    }
    g_string_append_printf(report, "  %-6s mutant %s: loses %s\n",
                           wrong->len == 0 ? "good" : "wrong", mutant->name,
                           lost->len > 0 ? lost->str : "nothing");
    if (wrong->len == 0)
        return;
    g_string_append_printf(report, "    It should lose other checks than it does:\n%s", wrong->str);
    *good = FALSE;
}

static gboolean verify_mutant(const Bench *bench, const WsMutant *mutant, GString *report,
                              gboolean *good, GError **error)
{
    g_autoptr(WsTemporaryFolder) folder = ws_temporary_folder_new(error);
    if (folder == NULL ||
        !ws_mutant_write(bench->assignment, mutant, ws_temporary_folder_path(folder), error))
        return FALSE;
    g_autoptr(WsGrade) grade = grade_folder(bench, ws_temporary_folder_path(folder), error);
    if (grade == NULL)
        return FALSE;
    report_mutant(mutant, grade, report, good);
    return TRUE;
}

gboolean ws_assignment_verify(const WsAssignment *assignment, const char *cache, GString *report,
                              gboolean *ret_good, GError **error)
{
    *ret_good = TRUE;
    g_string_append_printf(report, "%s: %u tests, %u checks, %g points\n", assignment->title,
                           assignment->tests->len, assignment->rules->len, assignment->points);
    if (assignment->reference == NULL)
        return TRUE;
    g_autoptr(WsGrader) grader = ws_grader_new(assignment, cache);
    const Bench bench = {assignment, grader, "reference"};
    g_autoptr(GPtrArray) mutants = ws_mutants_load(assignment, error);
    g_autoptr(WsGrade) starter = NULL;
    ws_verify_inputs(assignment, report, ret_good);
    if (mutants == NULL || !verify_reference(&bench, report, ret_good, error) ||
        !verify_starter(&bench, report, &starter, ret_good, error) ||
        !ws_verify_table(assignment, grader, bench.student, starter, report, ret_good, error))
        return FALSE;
    for (guint i = 0; i < mutants->len; i++)
        if (!verify_mutant(&bench, g_ptr_array_index(mutants, i), report, ret_good, error))
            return FALSE;
    return TRUE;
}
