#include "grade/trial/program_test.h"

#include "grade/trial/captured.h"
#include "grade/trial/launch_sum.h"
#include "grade/trial/printed_text.h"
#include "grade/trial/program_run.h"
#include "grade/trial/run_test.h"
#include "sim/base/json_members.h"
#include "sim/gpu/simulation.h"
#include "sim/report/expect.h"

#include <json-glib/json-glib.h>
#include <string.h>

enum { MOST_LOG_LINES = 5, MOST_PRINTED = 64 << 20 };

typedef struct {
    const WsSubject *subject;
    const WsTest *test;
    WsTrial *reference;    /* or NULL */
    gboolean is_reference; /* it is run for what others are compared with */
    const WsBuiltProgram *built;
    const WsProgramOutcome *ran;
    GPtrArray *compared;  /* of GBytes or NULL: of `compare`, what is there */
    gboolean has_failure; /* the first one counts: */
    const char *words;    /* without numbers */
    char *text, *expected, *actual;
    GPtrArray *log; /* of char*, or NULL */
} Trial;

static void fail(Trial *trial, const char *words, char *text)
{
    if (trial->has_failure) {
        g_free(text);
        return;
    }
    trial->has_failure = TRUE;
    trial->words = words;
    trial->text = text;
}

/* ---- what the program did ---------------------------------------------------------------------
 */

/* What it said last. */
static GPtrArray *last_words(const Trial *trial)
{
    const WsConfinedResult *result = &trial->ran->result;
    return ws_printed_text_end(
        g_bytes_get_size(result->messages) > 0 ? result->messages : result->output, MOST_LOG_LINES);
}

static void judge_end(Trial *trial)
{
    const WsConfinedResult *result = &trial->ran->result;
    const char *words = NULL;
    char *text = ws_program_end_text(trial->test, result, &words);
    if (text != NULL) {
        fail(trial, words, text);
    } else if (result->exit_code != (int)trial->test->run->exit_code) {
        fail(trial, "the program ended with the wrong exit code",
             g_strdup_printf("the program ended with code %d", result->exit_code));
        trial->expected = g_strdup_printf("code %u", trial->test->run->exit_code);
        trial->actual = g_strdup_printf("code %d", result->exit_code);
    } else {
        return;
    }
    trial->log = last_words(trial);
}

/* What it should print; NULL if nothing says so. */
static GBytes *wanted_output(const Trial *trial)
{
    const WsProgramRun *run = trial->test->run;
    if (run->output != NULL)
        return g_bytes_new(run->output, strlen(run->output));
    if (run->output_file != NULL) {
        g_autofree char *path = ws_assignment_path(trial->subject->assignment, run->output_file);
        GBytes *bytes = NULL;
        ws_read_scope_read(NULL, path, MOST_PRINTED, &bytes, NULL);
        return bytes;
    }
    return trial->reference == NULL ? NULL : g_bytes_ref(trial->reference->memory->pdata[0]);
}

/* FALSE: there is nothing to compare with, which is the assignment's fault. */
static gboolean judge_output(Trial *trial)
{
    const WsProgramRun *run = trial->test->run;
    const gboolean is_given = run->output != NULL || run->output_file != NULL;
    WsPrintedDifference difference;
    if (!run->compares || (trial->is_reference && !is_given))
        return TRUE;
    g_autoptr(GBytes) wanted = wanted_output(trial);
    if (wanted == NULL)
        return FALSE;
    if (trial->has_failure ||
        ws_printed_text_agrees(run, wanted, trial->ran->result.output, &difference))
        return TRUE;
    fail(trial, "the output of the program is wrong",
         g_strdup_printf("line %u of what the program prints is wrong", difference.line));
    trial->expected = difference.expected != NULL ? difference.expected : g_strdup("no such line");
    trial->actual = difference.actual != NULL ? difference.actual : g_strdup("no such line");
    g_autoptr(GPtrArray) said =
        g_bytes_get_size(trial->ran->result.messages) > 0 ? last_words(trial) : NULL;
    trial->log = g_steal_pointer(&said);
    return TRUE;
}

static void judge_launches(Trial *trial, const WsLaunchSum *sum)
{
    const GArray *counts = trial->test->run->launches;
    for (guint i = 0; i < counts->len; i++) {
        const WsLaunchCount *count = &g_array_index(counts, WsLaunchCount, i);
        guint64 made = 0;
        for (guint k = 0; k < sum->job->launch_count; k++)
            made += ws_is_kernel_name(sum->job->launches[k].kernel, count->kernel);
        if (made >= count->least || trial->has_failure)
            continue;
        fail(trial, "a kernel is not launched as often as it should",
             g_strdup_printf("the kernel %s is launched %" G_GUINT64_FORMAT " time%s",
                             count->kernel, made, made == 1 ? "" : "s"));
        trial->expected = g_strdup_printf("at least %" G_GUINT64_FORMAT, count->least);
        trial->actual = g_strdup_printf("%" G_GUINT64_FORMAT, made);
    }
}

/* ---- its launches -----------------------------------------------------------------------------
 */

/* Takes the memory that comparisons are of, if this is the launch. `nth` of its kernel, from 1. */
static void take_compared(Trial *trial, const WsJob *job, guint nth, gboolean before)
{
    const GArray *comparisons = trial->test->comparisons;
    for (guint i = 0; i < comparisons->len; i++) {
        const WsComparison *wanted = &g_array_index(comparisons, WsComparison, i);
        const guint8 *data;
        guint64 bytes;
        if (wanted->before != before || wanted->launch != nth ||
            !ws_is_kernel_name(job->launches[0].kernel, wanted->kernel) ||
            !ws_launch_memory(job, wanted->parameter, &data, &bytes))
            continue;
        g_clear_pointer((GBytes **)&trial->compared->pdata[i], g_bytes_unref);
        trial->compared->pdata[i] = g_bytes_new(data, bytes);
    }
}

static guint number_of(const WsLaunchSum *sum, const WsJob *job)
{
    guint number = 1;
    for (guint i = 0; i < sum->job->launch_count; i++)
        number += sum->job->launches[i].kernel == job->launches[0].kernel;
    return number;
}

/* A launch of the sum. FALSE with an error if the simulator does not make it. */
static gboolean simulate_launch(Trial *trial, WsLaunchSum *sum, WsJob *job, GError **error)
{
    const WsTest *test = trial->test;
    const guint nth = number_of(sum, job);
    const guint64 taken = MIN(sum->result->total.cycles, test->limits.cycles - 1);
    WsRunOptions options;
    ws_run_options_init(&options);
    options.max_cycles = test->limits.cycles - taken;
    g_autoptr(WsCheck) check = ws_test_is_looked_at(trial->subject, test)
                                   ? ws_check_new(job, test->looked_for, NULL)
                                   : NULL;
    take_compared(trial, job, nth, TRUE);
    g_autoptr(WsResult) result = ws_simulation_run(job, &options, error);
    if (result == NULL)
        return FALSE;
    if (check != NULL)
        ws_test_look(check, result);
    if (result->status == WS_STATUS_OK)
        take_compared(trial, job, nth, FALSE);
    ws_launch_sum_add(sum, job, result);
    return TRUE;
}

/* All launches, up to one that stops. NULL, or what ends the trial. */
static GVariant *simulate_launches(Trial *trial, WsCaptured *captured, WsLaunchSum *sum)
{
    gboolean was_ended = trial->ran->result.reason != WS_PROCESS_ENDED;
    for (guint i = 0; i < captured->files->len && sum->result->status == WS_STATUS_OK; i++) {
        g_autoptr(GError) error = NULL;
        g_autoptr(WsJob) job = ws_captured_load(captured, i, &error);
        if (job == NULL && was_ended && i + 1 == captured->files->len)
            break; /* it was being written */
        if (job != NULL && simulate_launch(trial, sum, job, &error))
            continue;
        if (error->code == WS_ERROR_INTERNAL)
            return ws_outcome_of_failure(error);
        g_autofree char *prefix = g_strconcat(captured->capture, "/", NULL);
        g_autoptr(GString) text = g_string_new(error->message);
        g_string_replace(text, prefix, "", 0);
        fail(trial, "a launch of the program cannot be run again",
             g_strdup_printf("launch %u of the program cannot be run again: %s", i + 1, text->str));
        break;
    }
    return NULL;
}

/* ---- buffers that are compared ----------------------------------------------------------------
 */

static char *compared_name(const WsComparison *wanted)
{
    return g_strdup_printf("%s launch %u, parameter %u%s", wanted->kernel, wanted->launch,
                           wanted->parameter, wanted->before ? " before it" : "");
}

static GBytes *expected_bytes(const Trial *trial, guint index)
{
    const WsComparison *wanted = &g_array_index(trial->test->comparisons, WsComparison, index);
    GBytes *bytes = NULL;
    if (wanted->file == NULL) {
        const GPtrArray *memory = trial->reference == NULL ? NULL : trial->reference->memory;
        return memory == NULL || index + 1 >= memory->len ? NULL
                                                          : g_bytes_ref(memory->pdata[index + 1]);
    }
    g_autofree char *path = ws_assignment_path(trial->subject->assignment, wanted->file);
    ws_read_scope_read(NULL, path, trial->test->limits.memory, &bytes, NULL);
    return bytes;
}

/* Adds the buffer and its expectation to the job. */
static void compare(Trial *trial, WsJob *job, guint index, GBytes *expected, GBytes *actual)
{
    const WsComparison *wanted = &g_array_index(trial->test->comparisons, WsComparison, index);
    g_autofree char *name = compared_name(wanted);
    const gsize size = ws_type_size(wanted->type), bytes = g_bytes_get_size(expected);
    if (actual == NULL || g_bytes_get_size(actual) < bytes) {
        fail(trial, "a launch whose memory is compared is missing, or has other parameters",
             actual == NULL
                 ? g_strdup_printf("%s: there is no such launch, or no such address", name)
                 : g_strdup_printf("%s: points to %" G_GSIZE_FORMAT
                                   " bytes of memory, not %" G_GSIZE_FORMAT,
                                   name, g_bytes_get_size(actual), bytes));
        return;
    }
    job->buffers = g_renew(WsBuffer, job->buffers, job->buffer_count + 1);
    job->buffers[job->buffer_count] =
        (WsBuffer){.name = g_steal_pointer(&name),
                   .type = wanted->type,
                   .count = bytes / size,
                   .bytes = bytes,
                   .data = g_memdup2(g_bytes_get_data(actual, NULL), bytes)};
    job->expectations = g_renew(WsExpectation, job->expectations, job->expectation_count + 1);
    job->expectations[job->expectation_count++] = (WsExpectation){
        .index = job->buffer_count++,
        .data = g_memdup2(g_bytes_get_data(expected, NULL), bytes),
        .relative = wanted->relative,
        .absolute = wanted->absolute,
        .equal_nan = wanted->equal_nan,
        .source = g_strdup(wanted->file != NULL ? wanted->file : "the reference"),
    };
}

/* NULL, or what there is not to compare with, which is the assignment's fault. */
static char *add_comparisons(Trial *trial, WsLaunchSum *sum)
{
    for (guint i = 0; i < trial->compared->len; i++) {
        const WsComparison *wanted = &g_array_index(trial->test->comparisons, WsComparison, i);
        if (trial->is_reference && wanted->file == NULL)
            continue;
        g_autoptr(GBytes) expected = expected_bytes(trial, i);
        if (expected == NULL || g_bytes_get_size(expected) < ws_type_size(wanted->type)) {
            g_autofree char *name = compared_name(wanted);
            return g_strdup_printf("compare: there is nothing to compare with: %s", name);
        }
        compare(trial, sum->job, i, expected, trial->compared->pdata[i]);
    }
    return NULL;
}

/* ---- in the process of the test ---------------------------------------------------------------
 */

static void add_failure(JsonBuilder *json, const Trial *trial)
{
    ws_json_open_object(json, "failure");
    ws_json_add_text(json, "words", trial->words);
    ws_json_add_text(json, "text", trial->text);
    ws_json_add_text(json, "expected", trial->expected);
    ws_json_add_text(json, "actual", trial->actual);
    ws_json_open_list(json, "log");
    for (guint i = 0; trial->log != NULL && i < trial->log->len; i++)
        json_builder_add_string_value(json, trial->log->pdata[i]);
    json_builder_end_array(json);
    json_builder_end_object(json);
}

static char *program_json(const Trial *trial)
{
    g_autoptr(JsonBuilder) json = json_builder_new();
    json_builder_begin_object(json);
    if (trial->has_failure)
        add_failure(json, trial);
    else
        ws_json_add_text(json, "failure", NULL);
    json_builder_end_object(json);
    g_autoptr(JsonNode) root = json_builder_get_root(json);
    return json_to_string(root, FALSE);
}

/* What the program printed, and the compared memory: for those who are compared with it. */
static GPtrArray *keep_memory(const Trial *trial)
{
    GPtrArray *memory = g_ptr_array_new_with_free_func((GDestroyNotify)g_bytes_unref);
    g_ptr_array_add(memory, g_bytes_ref(trial->ran->result.output));
    for (guint i = 0; i < trial->compared->len; i++) {
        GBytes *bytes = trial->compared->pdata[i];
        g_ptr_array_add(memory, bytes != NULL ? g_bytes_ref(bytes) : g_bytes_new(NULL, 0));
    }
    return memory;
}

static GVariant *judge(Trial *trial, WsLaunchSum *sum)
{
    judge_end(trial);
    if (!judge_output(trial))
        return ws_outcome_new(WS_TRIAL_BROKEN, "output: there is nothing to compare with", NULL);
    judge_launches(trial, sum);
    g_autofree char *missing = add_comparisons(trial, sum);
    if (missing != NULL)
        return ws_outcome_new(WS_TRIAL_BROKEN, missing, NULL);
    if (sum->result->status == WS_STATUS_OK) {
        ws_expectations_check(sum->job, sum->result);
        if (trial->has_failure)
            sum->result->status = WS_STATUS_CHECK_FAILED;
    }
    g_autofree char *program = program_json(trial);
    g_autofree char *report =
        ws_launch_sum_report(sum, program, trial->subject->assignment->folder);
    g_autoptr(GPtrArray) memory = trial->subject->keeps_memory ? keep_memory(trial) : NULL;
    return ws_outcome_new(WS_TRIAL_RAN, report, memory);
}

static GVariant *simulate(Trial *trial)
{
    g_autoptr(GError) error = NULL;
    g_autoptr(WsCaptured) captured =
        ws_captured_open(trial->test, trial->built, trial->ran->capture, &error);
    if (captured == NULL)
        return ws_outcome_new(error->code == WS_ERROR_INTERNAL ? WS_TRIAL_BROKEN : WS_TRIAL_REFUSED,
                              error->message, NULL);
    g_autoptr(WsLaunchSum) sum = ws_launch_sum_new(captured);
    GVariant *ended = simulate_launches(trial, captured, sum);
    return ended != NULL ? ended : judge(trial, sum);
}

static void be_test(gpointer data, int pipe)
{
    g_autoptr(GVariant) done = g_variant_ref_sink(simulate(data));
    ws_write_fully(pipe, g_variant_get_data(done), g_variant_get_size(done));
}

/* ---- in the process that has compiled ---------------------------------------------------------
 */

static GVariant *build_failure(const WsSubject *subject, const WsBuiltProgram *built)
{
    g_autoptr(GString) text = g_string_new(built->error->message);
    g_autofree char *prefix = g_strconcat(subject->assignment->folder, "/", NULL);
    g_string_replace(text, prefix, "", 0);
    return ws_outcome_new(built->at_fault ? WS_TRIAL_REFUSED : WS_TRIAL_BROKEN, text->str, NULL);
}

static char **values_of(const WsSubject *subject, const WsTest *test)
{
    g_autoptr(GStrvBuilder) values = g_strv_builder_new();
    g_auto(GStrv) drawn = ws_assignment_draw(subject->assignment, test, subject->student);
    g_strv_builder_addv(values, (const char **)drawn);
    g_strv_builder_addv(values, (const char **)test->values);
    return g_strv_builder_end(values);
}

GVariant *ws_run_program_test(const WsSubject *subject, guint test_index, WsBuiltPrograms *programs)
{
    const WsTest *test = ws_assignment_test(subject->assignment, test_index);
    const char *source = subject->program != NULL ? subject->program : test->program;
    const WsBuiltProgram *built =
        ws_built_programs_get(programs, source, (guint)test->limits.compile_seconds);
    if (built->program == NULL)
        return build_failure(subject, built);
    g_autoptr(GError) error = NULL;
    g_auto(GStrv) values = values_of(subject, test);
    g_auto(WsProgramOutcome) ran = {0};
    if (!ws_program_run(subject, test, built, values, ws_built_programs_folder(programs), &ran,
                        &error))
        return ws_outcome_new(WS_TRIAL_BROKEN, error->message, NULL);
    Trial trial = {.subject = subject,
                   .test = test,
                   .reference =
                       subject->references == NULL ? NULL : subject->references[test_index],
                   .is_reference = subject->references == NULL,
                   .built = built,
                   .ran = &ran,
                   .compared = g_ptr_array_new()};
    if (trial.reference != NULL && trial.reference->memory == NULL)
        trial.reference = NULL;
    g_ptr_array_set_size(trial.compared, (gint)test->comparisons->len);
    const WsIsolationLimits limits = ws_test_isolation_limits(subject, test);
    g_autoptr(GBytes) bytes = NULL;
    int signal_number;
    WsEnding ending = ws_isolate(&limits, be_test, &trial, &bytes, &signal_number);
    g_ptr_array_unref(trial.compared);
    return ws_outcome_of_ending(subject, test, ending, signal_number, bytes);
}
