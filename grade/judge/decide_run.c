/* How the run of a test ended. */
#include "grade/judge/decide.h"

#include <string.h>

static const char *text_of(JsonObject *object, const char *name)
{
    return json_object_get_string_member_with_default(object, name, NULL);
}

/* What was expected, what is there, and who wrote it. */
static void report_mismatch(const WsTrial *trial, WsVerdict *verdict)
{
    JsonArray *checks = json_object_get_array_member(ws_trial_run_object(trial), "checks");
    JsonArray *writers =
        json_object_get_array_member(json_node_get_object(trial->report), "writers");
    guint failed = 0;
    for (guint i = 0; i < json_array_get_length(checks); i++) {
        JsonObject *check = json_array_get_object_element(checks, i);
        if (json_object_get_boolean_member(check, "passed"))
            continue;
        const char *buffer = text_of(check, "buffer");
        gint64 index = json_object_get_int_member(check, "first_index");
        g_autofree char *line =
            g_strdup_printf("%s: %" G_GINT64_FORMAT " of %" G_GINT64_FORMAT " elements are wrong",
                            buffer, json_object_get_int_member(check, "mismatches"),
                            json_object_get_int_member(check, "elements"));
        if (failed == 0) {
            ws_verdict_fail(verdict, "%s", line);
            verdict->expected = g_strdup_printf("%s[%" G_GINT64_FORMAT "] = %s", buffer, index,
                                                text_of(check, "expected"));
            verdict->actual = g_strdup_printf("%s[%" G_GINT64_FORMAT "] = %s", buffer, index,
                                              text_of(check, "actual"));
        } else {
            ws_verdict_log(verdict, line);
        }
        if (failed < json_array_get_length(writers) &&
            !json_array_get_null_element(writers, failed)) {
            g_autofree char *writer =
                g_strdup_printf("%s[%" G_GINT64_FORMAT "] was written last by %s", buffer, index,
                                json_array_get_string_element(writers, failed));
            ws_verdict_log(verdict, writer);
        }
        failed++;
    }
}

static void report_stop(const WsTrial *trial, WsVerdict *verdict)
{
    JsonObject *run = ws_trial_run_object(trial);
    if (json_object_get_null_member(run, "error"))
        return;
    JsonObject *stop = json_object_get_object_member(run, "error");
    g_autofree char *place = ws_place_of(stop);
    g_autofree char *text = ws_with_place(text_of(stop, "message"), place);
    ws_verdict_fail(verdict, "%s", text);
    const char *details = text_of(stop, "details");
    g_auto(GStrv) lines = g_strsplit(details != NULL ? details : "", "\n", -1);
    for (char **line = lines; *line != NULL; line++)
        if (**line != '\0')
            ws_verdict_log(verdict, *line);
}

/* In words that say nothing of the inputs. */
static const char *outcome_words(const char *status)
{
    static const struct {
        const char *status, *words;
    } outcomes[] = {
        {"check_failed", "the results are wrong"},
        {"fault", "the kernel made an invalid access or executed an invalid instruction, such as "
                  "an access out of bounds"},
        {"deadlock", "threads wait for others that never arrive"},
        {"livelock", "threads spin for ever"},
        {"limit", "the run took more cycles than the test allows"},
    };
    for (guint i = 0; i < G_N_ELEMENTS(outcomes); i++)
        if (g_strcmp0(status, outcomes[i].status) == 0)
            return outcomes[i].words;
    return "the run failed";
}

/* Why the results of a whole program are wrong where no launch of it says so; or NULL. */
static JsonObject *program_failure(const WsTrial *trial)
{
    JsonObject *report = json_node_get_object(trial->report);
    if (!json_object_has_member(report, "program"))
        return NULL;
    JsonObject *program = json_object_get_object_member(report, "program");
    return json_object_get_null_member(program, "failure")
               ? NULL
               : json_object_get_object_member(program, "failure");
}

static void report_program(JsonObject *failure, gboolean hides, WsVerdict *verdict)
{
    ws_verdict_fail(verdict, "%s", text_of(failure, hides ? "words" : "text"));
    if (hides)
        return;
    verdict->expected = g_strdup(text_of(failure, "expected"));
    verdict->actual = g_strdup(text_of(failure, "actual"));
    JsonArray *log = json_object_get_array_member(failure, "log");
    for (guint i = 0; i < json_array_get_length(log); i++) {
        g_autofree char *line =
            g_strdup_printf("it said: %s", json_array_get_string_element(log, i));
        ws_verdict_log(verdict, line);
    }
}

static void report_outcome(const WsCase *of, const WsTest *test, const WsTrial *trial,
                           WsVerdict *verdict)
{
    const char *status = ws_trial_status(trial);
    JsonObject *failure = g_strcmp0(status, "check_failed") == 0 ? program_failure(trial) : NULL;
    if (failure != NULL) {
        report_program(failure, ws_case_hides(of, test), verdict);
        return;
    }
    ws_verdict_fail(verdict, "%s", outcome_words(status));
    if (ws_case_hides(of, test))
        return;
    if (g_strcmp0(status, "check_failed") == 0)
        report_mismatch(trial, verdict);
    else
        report_stop(trial, verdict);
}

/* ---- findings -----------------------------------------------------------------------------------
 */

/* In words that say nothing of the inputs. */
static const char *finding_words(const char *check)
{
    if (g_strcmp0(check, "races") == 0)
        return "a race: two unordered accesses to one location";
    if (g_strcmp0(check, "uninitialised") == 0)
        return "uninitialised memory is read";
    if (g_strcmp0(check, "barriers") == 0)
        return "threads of a block wait for each other at different barriers";
    return "an access outside of its array";
}

static void log_access(JsonObject *access, WsVerdict *verdict)
{
    static const char *const names[] = {"block", "thread"};
    g_autofree char *place = ws_place_of(access);
    g_autoptr(GString) line = g_string_new(NULL);
    for (guint i = 0; i < G_N_ELEMENTS(names); i++) {
        JsonArray *at = json_object_get_array_member(access, names[i]);
        g_string_append_printf(
            line, "%s%s (%" G_GINT64_FORMAT ",%" G_GINT64_FORMAT ",%" G_GINT64_FORMAT ")",
            i > 0 ? ", " : "", names[i], json_array_get_int_element(at, 0),
            json_array_get_int_element(at, 1), json_array_get_int_element(at, 2));
    }
    g_string_append_printf(line, ": %s", text_of(access, "action"));
    if (place != NULL)
        g_string_append_printf(line, " at %s", place);
    ws_verdict_log(verdict, line->str);
}

/* Of the first one: which memory, which threads and lines, and what is missing between them. */
static void explain_finding(JsonArray *findings, WsVerdict *verdict)
{
    JsonObject *first = json_array_get_object_element(findings, 0);
    JsonArray *accesses = json_object_get_array_member(first, "accesses");
    guint others = json_array_get_length(findings) - 1;
    for (guint i = 0; i < json_array_get_length(accesses); i++)
        log_access(json_array_get_object_element(accesses, i), verdict);
    if (others > 0) {
        g_autofree char *line =
            g_strdup_printf("and at %u other location%s of the program: run --check all lists them",
                            others, others == 1 ? "" : "s");
        ws_verdict_log(verdict, line);
    }
    g_free(verdict->hint);
    verdict->hint = g_strdup_printf("%s: %s", text_of(first, "place"), text_of(first, "missing"));
}

static JsonArray *findings_of(const WsTrial *trial)
{
    JsonObject *run = ws_trial_run_object(trial);
    JsonNode *node = json_object_get_member(run, "findings");
    JsonArray *findings =
        node != NULL && JSON_NODE_HOLDS_ARRAY(node) ? json_node_get_array(node) : NULL;
    return findings != NULL && json_array_get_length(findings) > 0 ? findings : NULL;
}

/* Whether nothing was found; else the verdict says what. */
static gboolean is_clean(const WsCase *of, const WsTest *test, const WsTrial *trial,
                         WsVerdict *verdict)
{
    JsonArray *findings = findings_of(trial);
    if (findings == NULL)
        return TRUE;
    JsonObject *first = json_array_get_object_element(findings, 0);
    ws_verdict_fail(verdict, "%s", finding_words(text_of(first, "check")));
    if (!ws_case_hides(of, test))
        explain_finding(findings, verdict);
    return FALSE;
}

/* The reference shows whether the program or the assignment is wrong. */
static gboolean is_assignments_fault(const WsCase *of, guint test, WsVerdict *verdict)
{
    if (of->assignment->reference == NULL)
        return FALSE;
    const WsTrial *reference = ws_own_runs_reference(of->runs, test, of->student);
    if (reference->state == WS_TRIAL_RAN)
        return FALSE;
    const WsTest *asked = ws_assignment_test(of->assignment, test);
    ws_verdict_break(
        verdict, "test '%s' of the assignment cannot be run, not even with its reference: %s",
        asked->name, ws_case_hides(of, asked) ? "--reveal says why" : reference->message);
    return TRUE;
}

static void report_not_run(const WsCase *of, guint test_index, const WsTrial *trial,
                           WsVerdict *verdict)
{
    const WsTest *test = ws_assignment_test(of->assignment, test_index);
    gboolean hides = ws_case_hides(of, test);
    if (trial->state == WS_TRIAL_BROKEN || ws_test_is_own(test)) {
        ws_verdict_break(verdict, "test '%s': %s", test->name, trial->message);
        return;
    }
    if (is_assignments_fault(of, test_index, verdict))
        return;
    if (trial->state == WS_TRIAL_REFUSED) {
        ws_verdict_fail(verdict, "%s does not compile", of->assignment->program);
        g_auto(GStrv) lines = g_strsplit(trial->message, "\n", -1);
        for (char **line = lines; *line != NULL; line++)
            if (**line != '\0')
                ws_verdict_log(verdict, *line);
    } else if (trial->state == WS_TRIAL_MISFIT) {
        if (ws_assignment_takes_policy(of->assignment))
            ws_verdict_fail(verdict, "the policy cannot be run");
        else
            ws_verdict_fail(verdict,
                            "the kernel cannot be launched as the test does: its name, its "
                            "parameters or what it needs differ from the starter's");
        if (!hides)
            ws_verdict_log(verdict, trial->message);
    } else {
        ws_verdict_fail(verdict, "%s", trial->message);
    }
}

gboolean ws_decide_run(const WsCase *of, guint test_index, gboolean right, WsVerdict *verdict)
{
    const WsTest *test = ws_assignment_test(of->assignment, test_index);
    if (!ws_test_is_own(test) && of->submission->missing != NULL) {
        ws_verdict_fail(verdict, "%s", of->submission->missing);
        return FALSE;
    }
    const WsTrial *trial = ws_case_trial(of, test_index);
    if (trial == NULL) {
        ws_verdict_break(verdict, "test '%s' was not run", test->name);
        return FALSE;
    }
    if (trial->state != WS_TRIAL_RAN) {
        report_not_run(of, test_index, trial, verdict);
        return FALSE;
    }
    if (!right)
        return TRUE;
    if (g_strcmp0(ws_trial_status(trial), "ok") == 0)
        return is_clean(of, test, trial, verdict);
    report_outcome(of, test, trial, verdict);
    JsonArray *findings = findings_of(trial); /* what may be why */
    if (findings != NULL && !ws_case_hides(of, test))
        explain_finding(findings, verdict);
    return FALSE;
}

void ws_decide_result(const WsCase *of, const WsRule *rule, WsVerdict *verdict)
{
    ws_decide_run(of, (guint)rule->test, TRUE, verdict);
    const WsTrial *trial = ws_case_trial(of, (guint)rule->test);
    gboolean ran =
        trial != NULL && (trial->state == WS_TRIAL_RAN || trial->state == WS_TRIAL_STOPPED);
    if (verdict->kind == WS_VERDICT_FAILED && ran)
        verdict->help = rule->help;
}
