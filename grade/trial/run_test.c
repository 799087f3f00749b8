#include "grade/trial/run_test.h"

#include "grade/trial/isolation.h"
#include "grade/trial/last_writer.h"
#include "grade/trial/test_page.h"
#include "grade/trial/trial_report.h"
#include "isa/base/process_watch.h"
#include "sim/check/check.h"
#include "sim/gpu/simulation.h"

#include <signal.h>
#include <string.h>

enum { MOST_WRITERS = 4, MOST_WAITING = 200000 };
enum { WATCHED_TIMES = 3 }; /* the time of a run that is watched */

static const guint64 SPARE_MEMORY = G_GUINT64_CONSTANT(1) << 30;
/* Of the spare memory: what the checks keep notes in. */
static const guint64 SHADOW_BYTES = G_GUINT64_CONSTANT(256) << 20;
static const gsize MOST_REPORT_BYTES = 64 << 20, MOST_PAGE_BYTES = 8 << 20;

typedef struct {
    const WsSubject *subject;
    const WsTest *test;
    const WsTrial *shown; /* or NULL: no page is wanted */
    WsTrial *reference;   /* or NULL */
    const WsJobOptions *options;
    const char *launch;
    WsJob *job;
} Run;

GVariant *ws_outcome_new(WsTrialState state, const char *text, GPtrArray *memory)
{
    GVariantBuilder buffers;
    g_variant_builder_init(&buffers, G_VARIANT_TYPE("aay"));
    for (guint i = 0; memory != NULL && i < memory->len; i++)
        g_variant_builder_add_value(
            &buffers, g_variant_new_from_bytes(G_VARIANT_TYPE("ay"), memory->pdata[i], TRUE));
    return g_variant_new(WS_OUTCOME_TYPE, (guint32)state, text, &buffers);
}

/* ---- in the process of the test ---------------------------------------------------------------
 */

/* What a buffer is compared with: of a file, or of the reference's run. NULL if there is none. */
static GBytes *expected_bytes(const Run *run, const WsComparison *wanted, guint32 buffer)
{
    const GPtrArray *memory = run->reference == NULL ? NULL : run->reference->memory;
    if (wanted->file == NULL)
        return memory == NULL || buffer >= memory->len
                   ? NULL
                   : g_bytes_ref(g_ptr_array_index(memory, buffer));
    g_autofree char *path = ws_assignment_path(run->subject->assignment, wanted->file);
    GBytes *bytes;
    return ws_read_scope_read(NULL, path, run->job->buffers[buffer].bytes, &bytes, NULL) ==
                   WS_READ_DONE
               ? bytes
               : NULL;
}

static gboolean is_compared(const Run *run)
{
    for (guint i = 0; i < run->test->comparisons->len; i++)
        if (g_array_index(run->test->comparisons, WsComparison, i).file != NULL)
            return TRUE;
    return run->reference != NULL && run->test->comparisons->len > 0;
}

/* What `compare` says becomes expectations of the job. NULL, or what does not fit. */
static char *add_comparisons(const Run *run)
{
    WsJob *job = run->job;
    const GArray *comparisons = run->test->comparisons;
    if (!is_compared(run))
        return NULL;
    job->expectations =
        g_renew(WsExpectation, job->expectations, job->expectation_count + comparisons->len);
    for (guint i = 0; i < comparisons->len; i++) {
        const WsComparison *wanted = &g_array_index(comparisons, WsComparison, i);
        guint32 place = 0;
        while (place < job->buffer_count && strcmp(job->buffers[place].name, wanted->buffer) != 0)
            place++;
        g_autoptr(GBytes) bytes =
            place == job->buffer_count ? NULL : expected_bytes(run, wanted, place);
        if (bytes == NULL || g_bytes_get_size(bytes) != job->buffers[place].bytes)
            return g_strdup_printf("compare: there is nothing of this size to compare buffer '%s' "
                                   "with, or no buffer '%s'",
                                   wanted->buffer, wanted->buffer);
        job->expectations[job->expectation_count++] = (WsExpectation){
            .index = place,
            .data = g_memdup2(g_bytes_get_data(bytes, NULL), g_bytes_get_size(bytes)),
            .relative = wanted->relative,
            .absolute = wanted->absolute,
            .equal_nan = wanted->equal_nan,
            .source = g_strdup(wanted->file != NULL ? wanted->file : "reference"),
        };
    }
    return NULL;
}

/*
 * By failed check: who wrote the first wrong element. Not for hidden tests. A run without timing
 * has about as many instructions as the simulated one; where threads wait for each other it may not
 * end.
 */
static char **find_writers(const Run *run, const WsResult *result)
{
    GPtrArray *writers = g_ptr_array_new();
    gboolean wanted = !run->test->hidden && result->status == WS_STATUS_CHECK_FAILED;
    guint64 most_instructions = 4 * result->total.warp_instructions + MOST_WAITING;
    for (guint32 i = 0; wanted && i < result->check_count && writers->len < MOST_WRITERS; i++) {
        const WsCheckResult *check = &result->checks[i];
        if (check->passed)
            continue;
        g_autoptr(WsJob) again = ws_job_load(run->launch, run->options, NULL);
        guint32 buffer = run->job->expectations[check->expectation].index;
        char *writer = again == NULL
                           ? NULL
                           : ws_last_writer(again, buffer, check->first_index, most_instructions);
        if (writer != NULL && *writer == '\0') {
            g_free(writer);
            writer = g_strdup("nobody");
        }
        g_ptr_array_add(writers, writer != NULL ? writer : g_strdup(""));
    }
    g_ptr_array_add(writers, NULL);
    return (char **)g_ptr_array_free(writers, FALSE);
}

/* Where a policy is handed in, the kernel is the assignment's own: nothing is looked for in it. */
gboolean ws_test_is_looked_at(const WsSubject *subject, const WsTest *test)
{
    return subject->is_looked_at && test->looked_for != 0 &&
           !ws_assignment_takes_policy(subject->assignment);
}

/* The findings of a run are told beside how it ended. */
void ws_test_look(WsCheck *check, WsResult *result)
{
    const WsCheckLimits limits = {
        .warp_instructions = ws_check_enough(result->total.warp_instructions),
        .shadow_bytes = SHADOW_BYTES,
    };
    ws_check_run(check, &limits);
    result->findings = ws_check_take_findings(check);
}

static GPtrArray *keep_memory(const WsJob *job)
{
    GPtrArray *memory = g_ptr_array_new_with_free_func((GDestroyNotify)g_bytes_unref);
    for (guint32 i = 0; i < job->buffer_count; i++)
        g_ptr_array_add(memory, g_bytes_new(job->buffers[i].data, job->buffers[i].bytes));
    return memory;
}

GVariant *ws_outcome_of_failure(const GError *error)
{
    return ws_outcome_new(error->code == WS_ERROR_INTERNAL ? WS_TRIAL_BROKEN : WS_TRIAL_MISFIT,
                          error->message, NULL);
}

static GVariant *simulate_page(const Run *run, const WsRunOptions *options)
{
    g_autoptr(GError) error = NULL;
    g_autoptr(GPtrArray) parts =
        ws_test_page_make(run->job, options, run->shown, run->subject->assignment->folder, &error);
    return parts == NULL ? ws_outcome_of_failure(error) : ws_outcome_new(WS_TRIAL_RAN, "", parts);
}

static GVariant *simulate(const Run *run)
{
    g_autofree char *misfit = add_comparisons(run);
    if (misfit != NULL)
        return ws_outcome_new(WS_TRIAL_BROKEN, misfit, NULL);
    WsRunOptions options;
    ws_run_options_init(&options);
    options.max_cycles = run->test->limits.cycles;
    if (run->shown != NULL)
        return simulate_page(run, &options);
    g_autoptr(GError) error = NULL;
    g_autoptr(WsCheck) check = ws_test_is_looked_at(run->subject, run->test)
                                   ? ws_check_new(run->job, run->test->looked_for, NULL)
                                   : NULL;
    g_autoptr(WsResult) result = ws_simulation_run(run->job, &options, &error);
    if (result != NULL && check != NULL)
        ws_test_look(check, result);
    if (result == NULL)
        return ws_outcome_of_failure(error);
    g_autoptr(GPtrArray) memory = run->subject->keeps_memory ? keep_memory(run->job) : NULL;
    g_auto(GStrv) writers = find_writers(run, result);
    g_autofree char *report =
        ws_trial_report_write(run->job, result, writers, run->subject->assignment->folder);
    return ws_outcome_new(WS_TRIAL_RAN, report, memory);
}

static void be_test(gpointer data, int pipe)
{
    g_autoptr(GVariant) done = g_variant_ref_sink(simulate(data));
    ws_write_fully(pipe, g_variant_get_data(done), g_variant_get_size(done));
}

/* ---- in the process that has compiled ---------------------------------------------------------
 */

/* How often the time of the assignment a run gets: one that is watched does more. */
static guint times_of(const WsSubject *subject, const WsTest *test)
{
    return subject->shown != NULL ? WATCHED_TIMES : ws_test_is_looked_at(subject, test) ? 2 : 1;
}

GVariant *ws_outcome_of_ending(const WsSubject *subject, const WsTest *test, WsEnding ending,
                               int signal_number, GBytes *bytes)
{
    g_autofree char *text = NULL;
    switch (ending) {
    case WS_ENDED_WELL:
        return g_variant_new_from_bytes(G_VARIANT_TYPE(WS_OUTCOME_TYPE), bytes, FALSE);
    case WS_ENDED_CPU:
        text = g_strdup_printf("the run took more than %g seconds of processor time; `seconds` "
                               "of the assignment's limits sets another limit",
                               times_of(subject, test) * test->limits.seconds);
        return ws_outcome_new(WS_TRIAL_STOPPED, text, NULL);
    case WS_ENDED_CRASHED:
        text = ws_crash_text("the simulator", signal_number);
        return ws_outcome_new(WS_TRIAL_BROKEN, text, NULL);
    case WS_ENDED_STUCK:
        text = g_strdup_printf("the simulator is stuck: in %d seconds it used no processor time",
                               WS_STUCK_SECONDS);
        return ws_outcome_new(WS_TRIAL_BROKEN, text, NULL);
    case WS_ENDED_OUTPUT:
        return ws_outcome_new(WS_TRIAL_BROKEN, "the report of the run is too large", NULL);
    default:
        return ws_outcome_new(WS_TRIAL_BROKEN, "no process could be started", NULL);
    }
}

/*
 * Errors of the user's files without the place where the assignment lies. What the compiler says
 * can tell the values of macros, which are inputs.
 */
static GVariant *load_failure(const WsSubject *subject, const WsTest *test,
                              const WsProgramCache *cache, const GError *error)
{
    if (test->hidden && ws_program_cache_failed(cache) && ws_program_cache_defines(cache))
        return ws_outcome_new(WS_TRIAL_REFUSED,
                              "with what a hidden test defines, whose messages are not shown",
                              NULL);
    g_autoptr(GString) text = g_string_new(error->message);
    g_autofree char *prefix = g_strconcat(subject->assignment->folder, "/", NULL);
    g_string_replace(text, prefix, "", 0);
    if (error->code == WS_ERROR_INTERNAL || !ws_program_cache_asked(cache))
        return ws_outcome_new(WS_TRIAL_BROKEN, text->str, NULL);
    return ws_outcome_new(ws_program_cache_failed(cache) ? WS_TRIAL_REFUSED : WS_TRIAL_MISFIT,
                          text->str, NULL);
}

WsIsolationLimits ws_test_isolation_limits(const WsSubject *subject, const WsTest *test)
{
    gsize report = subject->shown != NULL ? MOST_PAGE_BYTES : MOST_REPORT_BYTES;
    return (WsIsolationLimits){
        .cpu_seconds = test->limits.seconds * times_of(subject, test),
        .stuck_seconds = WS_STUCK_SECONDS,
        .memory = test->limits.memory + SPARE_MEMORY,
        .file_bytes = 0,
        .output_bytes = report + (subject->keeps_memory ? test->limits.memory : 0),
    };
}

GVariant *ws_run_test(const WsSubject *subject, guint test_index, WsProgramCache *cache)
{
    const WsTest *test = ws_assignment_test(subject->assignment, test_index);
    g_autofree char *launch = ws_assignment_path(subject->assignment, test->launch);
    g_autoptr(GPtrArray) values = g_ptr_array_new_with_free_func(g_free);
    for (guint i = 0; test->values[i] != NULL; i++)
        g_ptr_array_add(values, g_strdup(test->values[i]));
    g_auto(GStrv) drawn = ws_assignment_draw(subject->assignment, test, subject->student);
    for (guint i = 0; drawn[i] != NULL; i++)
        g_ptr_array_add(values, g_strdup(drawn[i]));
    g_ptr_array_add(values, NULL);
    WsJobOptions options = {.launch_values = (const char *const *)values->pdata,
                            .max_memory = test->limits.memory,
                            .bounds = {.clang_seconds = (guint)test->limits.compile_seconds,
                                       .clang_seconds_name = "compile_seconds",
                                       .header_cache = subject->kernel_cache,
                                       .carried = subject->carried,
                                       .carried_root = subject->assignment->folder,
                                       .carries = subject->carries}};
    g_autofree char *policy = g_strconcat("policy=", test->policy, NULL);
    const char *const settings[] = {policy, NULL};
    if (!ws_assignment_takes_policy(subject->assignment)) {
        options.program = ws_program_cache_source(cache);
    } else {
        options.bounds.cache = subject->kernel_cache;
        options.programs = ws_program_cache_kernels(cache);
        options.policy = test->policy == NULL ? ws_program_cache_source(cache) : NULL;
        options.settings = test->policy == NULL ? NULL : settings;
    }
    ws_program_cache_set_path(cache, subject->program != NULL ? subject->program : test->program);
    g_autoptr(GError) error = NULL;
    g_autoptr(WsJob) job = ws_job_load(launch, &options, &error);
    if (job == NULL)
        return load_failure(subject, test, cache, error);
    Run run = {.subject = subject,
               .test = test,
               .shown = subject->shown == NULL ? NULL : subject->shown[test_index],
               .reference = subject->references == NULL ? NULL : subject->references[test_index],
               .options = &options,
               .launch = launch,
               .job = job};
    const WsIsolationLimits limits = ws_test_isolation_limits(subject, test);
    g_autoptr(GBytes) bytes = NULL;
    int signal_number;
    WsEnding ending = ws_isolate(&limits, be_test, &run, &bytes, &signal_number);
    return ws_outcome_of_ending(subject, test, ending, signal_number, bytes);
}
