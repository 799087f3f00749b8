#include "grade/trial/trial.h"

#include "grade/assignment/instruction_names.h"
#include "grade/trial/isolation.h"
#include "grade/trial/program_test.h"
#include "grade/trial/run_test.h"
#include "grade/trial/test_page.h"
#include "isa/base/process_watch.h"
#include "isa/base/temporary_folder.h"

#include <math.h>
#include <string.h>
#include <unistd.h>

/* clang's output lies in memory files. */
static const guint64 MOST_FILE_BYTES = 256 << 20;
static const guint64 COMPILE_MEMORY = G_GUINT64_CONSTANT(3) << 30;

void ws_trial_free(WsTrial *trial)
{
    if (trial == NULL)
        return;
    g_free(trial->message);
    g_clear_pointer(&trial->report, json_node_unref);
    g_clear_pointer(&trial->memory, g_ptr_array_unref);
    g_clear_pointer(&trial->page, ws_run_page_free);
    g_free(trial);
}

static WsTrial *trial_new(WsTrialState state, const char *message)
{
    WsTrial *trial = g_new0(WsTrial, 1);
    trial->state = state;
    trial->message = g_strdup(message);
    return trial;
}

/* ---- in the process that compiles -------------------------------------------------------------
 */

/* In front of what it gives back for each test; a test begins with a head without length. */
typedef struct {
    guint32 test;
    guint32 begins;
    guint64 length;
} Head;

typedef struct {
    const WsSubject *subject;
    const GArray *tests; /* of guint */
    WsTrial **done;      /* what there is already */
    const char *folder;  /* for whole programs, or NULL */
} Work;

static void be_compiler(gpointer data, int pipe)
{
    const Work *work = data;
    const WsSubject *subject = work->subject;
    if (chdir(subject->folder) != 0)
        return;
    g_autoptr(WsProgramCache) cache =
        ws_program_cache_new((const char *const *)subject->assignment->includes, subject->cache);
    g_autoptr(WsBuiltPrograms) programs = ws_built_programs_new(subject->assignment, work->folder);
    for (guint i = 0; i < work->tests->len; i++) {
        guint test = g_array_index(work->tests, guint, i);
        if (work->done[test] != NULL)
            continue;
        const Head begin = {.test = test, .begins = TRUE};
        ws_write_fully(pipe, &begin, sizeof begin);
        g_autoptr(GVariant) outcome =
            g_variant_ref_sink(ws_assignment_test(subject->assignment, test)->run != NULL
                                   ? ws_run_program_test(subject, test, programs)
                                   : ws_run_test(subject, test, cache));
        const Head end = {.test = test, .length = g_variant_get_size(outcome)};
        ws_write_fully(pipe, &end, sizeof end);
        ws_write_fully(pipe, g_variant_get_data(outcome), end.length);
    }
}

/* ---- in the caller ----------------------------------------------------------------------------
 */

static WsTrial *read_outcome(GBytes *bytes, const WsSubject *subject)
{
    g_autoptr(GVariant) outcome =
        g_variant_ref_sink(g_variant_new_from_bytes(G_VARIANT_TYPE(WS_OUTCOME_TYPE), bytes, FALSE));
    guint32 state;
    const char *text;
    g_autoptr(GVariant) buffers = NULL;
    g_variant_get(outcome, "(u&s@aay)", &state, &text, &buffers);
    if (state > WS_TRIAL_BROKEN)
        return trial_new(WS_TRIAL_BROKEN, "the report of the run cannot be read");
    if (state != WS_TRIAL_RAN)
        return trial_new((WsTrialState)state, text);
    WsTrial *trial = trial_new(WS_TRIAL_RAN, NULL);
    if (subject->shown != NULL) {
        trial->page = ws_test_page_read(buffers);
        return trial;
    }
    trial->report = json_from_string(text, NULL);
    if (trial->report == NULL || ws_trial_run_object(trial) == NULL) {
        ws_trial_free(trial);
        return trial_new(WS_TRIAL_BROKEN, "the report of the run cannot be read");
    }
    if (subject->keeps_memory) {
        trial->memory = g_ptr_array_new_with_free_func((GDestroyNotify)g_bytes_unref);
        for (gsize i = 0; i < g_variant_n_children(buffers); i++) {
            g_autoptr(GVariant) buffer = g_variant_get_child_value(buffers, i);
            g_ptr_array_add(trial->memory,
                            g_bytes_new(g_variant_get_data(buffer), g_variant_get_size(buffer)));
        }
    }
    return trial;
}

/* Takes the outcomes that are whole. Returns the test that had begun and has none, or -1. */
static gint take_outcomes(const WsSubject *subject, GBytes *bytes, WsTrial **ret)
{
    gsize length, at = 0;
    const guint8 *data = g_bytes_get_data(bytes, &length);
    gint pending = -1;
    while (length - at >= sizeof(Head)) {
        Head head;
        memcpy(&head, data + at, sizeof head);
        at += sizeof head;
        if (head.test >= subject->assignment->tests->len || head.length > length - at)
            break;
        pending = head.begins ? (gint)head.test : -1;
        if (head.begins)
            continue;
        g_autoptr(GBytes) part = g_bytes_new(data + at, head.length);
        if (ret[head.test] == NULL)
            ret[head.test] = read_outcome(part, subject);
        at += head.length;
    }
    return pending;
}

static WsTrial *compiler_failure(WsEnding ending, int signal_number, guint64 seconds)
{
    g_autofree char *text = NULL;
    switch (ending) {
    case WS_ENDED_CPU:
        text = g_strdup_printf("loading and compiling took more than %" G_GUINT64_FORMAT
                               " seconds of processor time; compile_seconds sets another limit",
                               seconds);
        return trial_new(WS_TRIAL_REFUSED, text);
    case WS_ENDED_CRASHED:
        text = ws_crash_text("loading and compiling", signal_number);
        return trial_new(WS_TRIAL_BROKEN, text);
    case WS_ENDED_STUCK:
        text = g_strdup_printf("loading and compiling is stuck: in %d seconds it used no processor "
                               "time",
                               2 * WS_STUCK_SECONDS);
        return trial_new(WS_TRIAL_BROKEN, text);
    case WS_ENDED_OUTPUT:
        return trial_new(WS_TRIAL_BROKEN, "the reports of the runs are too large");
    default:
        return trial_new(WS_TRIAL_BROKEN, "no process could be started for the run");
    }
}

static WsIsolationLimits compiler_limits(const WsSubject *subject, const GArray *tests,
                                         guint64 *ret_seconds)
{
    WsIsolationLimits limits = {.memory = COMPILE_MEMORY,
                                .file_bytes = MOST_FILE_BYTES,
                                .stuck_seconds =
                                    2 * WS_STUCK_SECONDS, /* what it waits for has one */
                                .output_bytes = 1 << 30};
    *ret_seconds = 1;
    for (guint i = 0; i < tests->len; i++) {
        const WsTest *test =
            ws_assignment_test(subject->assignment, g_array_index(tests, guint, i));
        *ret_seconds = MAX(*ret_seconds, test->limits.compile_seconds);
        limits.memory = MAX(limits.memory, test->limits.memory + COMPILE_MEMORY);
        if (subject->keeps_memory)
            limits.output_bytes += test->limits.memory;
        if (test->run != NULL) /* memory of the device is a file */
            limits.file_bytes = MAX(limits.file_bytes, test->limits.memory);
    }
    limits.cpu_seconds = (double)*ret_seconds;
    return limits;
}

/*
 * For whole programs: it outlives the process that compiles, whatever ends that. NULL: there are
 * none, or the folder cannot be made, and then nothing can be written to it.
 */
static WsTemporaryFolder *work_folder(const WsSubject *subject, const GArray *tests)
{
    for (guint i = 0; i < tests->len; i++)
        if (ws_assignment_test(subject->assignment, g_array_index(tests, guint, i))->run != NULL)
            return ws_temporary_folder_new(NULL);
    return NULL;
}

void ws_trials_run(const WsSubject *subject, const GArray *tests, WsTrial **ret)
{
    guint64 seconds;
    const WsIsolationLimits limits = compiler_limits(subject, tests, &seconds);
    g_autoptr(WsTemporaryFolder) folder = work_folder(subject, tests);
    Work work = {subject, tests, ret,
                 folder != NULL ? ws_temporary_folder_path(folder) : "/nonexistent"};
    for (guint round = 0; round < tests->len; round++) {
        guint left = 0;
        for (guint i = 0; i < tests->len; i++)
            left += ret[g_array_index(tests, guint, i)] == NULL;
        if (left == 0)
            return;
        g_autoptr(GBytes) bytes = NULL;
        int signal_number;
        WsEnding ending = ws_isolate(&limits, be_compiler, &work, &bytes, &signal_number);
        gint pending = bytes == NULL ? -1 : take_outcomes(subject, bytes, ret);
        /* What one test does to the process is not the others' fault: these are run again. */
        gboolean one = ending == WS_ENDED_CRASHED && pending >= 0;
        for (guint i = 0; i < tests->len; i++) {
            guint test = g_array_index(tests, guint, i);
            if (ret[test] == NULL && (!one || test == (guint)pending))
                ret[test] = compiler_failure(ending, signal_number, seconds);
        }
    }
}

/* ---- figures ----------------------------------------------------------------------------------
 */

JsonObject *ws_trial_run_object(const WsTrial *trial)
{
    if (trial == NULL || trial->report == NULL || !JSON_NODE_HOLDS_OBJECT(trial->report))
        return NULL;
    JsonObject *report = json_node_get_object(trial->report);
    JsonNode *run = json_object_get_member(report, "run");
    return run != NULL && JSON_NODE_HOLDS_OBJECT(run) ? json_node_get_object(run) : NULL;
}

const char *ws_trial_status(const WsTrial *trial)
{
    JsonObject *run = ws_trial_run_object(trial);
    return run == NULL ? NULL : json_object_get_string_member_with_default(run, "status", NULL);
}

const char *ws_trial_compiler(const WsTrial *trial)
{
    JsonObject *run = ws_trial_run_object(trial);
    return run == NULL ? NULL : json_object_get_string_member_with_default(run, "compiler", NULL);
}

/* Figures of a kernel of a whole program, which a submission may not launch. */
static const char kernels_prefix[] = "kernels.", launches_suffix[] = ".launches";

/* The part of the report that a path is in: counts of instructions are beside the run. */
static JsonObject *part_of(const WsTrial *trial, const char *path)
{
    gboolean counts = g_str_has_prefix(path, "executed.") || g_str_has_prefix(path, "code.");
    return counts ? json_node_get_object(trial->report) : ws_trial_run_object(trial);
}

static double number_of(JsonNode *node)
{
    if (node == NULL || !JSON_NODE_HOLDS_VALUE(node))
        return (double)NAN;
    GType type = json_node_get_value_type(node);
    return type == G_TYPE_INT64 || type == G_TYPE_DOUBLE ? json_node_get_double(node) : (double)NAN;
}

/*
 * The node at the path, or NULL with the name that is not there in `ret_name` and the names there
 * are in `ret_names`; both may be NULL.
 */
static JsonNode *follow(JsonObject *object, const char *path, char **ret_name, GList **ret_names)
{
    g_auto(GStrv) parts = g_strsplit(path, ".", -1);
    JsonNode *node = NULL;
    for (guint i = 0; parts[i] != NULL; i++) {
        if (object == NULL)
            return NULL;
        node = json_object_get_member(object, parts[i]);
        if (node == NULL) {
            if (ret_names != NULL) {
                *ret_names = json_object_get_members(object);
                *ret_name = g_strdup(parts[i]);
            }
            return NULL;
        }
        object = JSON_NODE_HOLDS_OBJECT(node) ? json_node_get_object(node) : NULL;
    }
    return node;
}

/* The sum over the source lines that hold the marker. */
static double marked_figure(const WsTrial *trial, const WsFigure *figure)
{
    JsonObject *report = json_node_get_object(trial->report);
    JsonArray *lines = json_object_get_array_member(ws_trial_run_object(trial), "lines");
    JsonArray *texts = json_object_get_array_member(report, "line_texts");
    double sum = (double)NAN;
    for (guint i = 0; i < json_array_get_length(lines); i++) {
        const char *text =
            json_array_get_null_element(texts, i) ? NULL : json_array_get_string_element(texts, i);
        if (text == NULL || strstr(text, figure->marker) == NULL)
            continue;
        double value =
            number_of(follow(json_array_get_object_element(lines, i), figure->path, NULL, NULL));
        sum = (isnan(sum) ? 0 : sum) + (isnan(value) ? 0 : value);
    }
    return sum;
}

double ws_trial_figure(const WsTrial *trial, const WsFigure *figure)
{
    if (ws_trial_run_object(trial) == NULL)
        return (double)NAN;
    if (figure->marker != NULL)
        return marked_figure(trial, figure);
    /* An instruction that the program does not have is one that it has 0 times; so is a launch. */
    JsonNode *node = follow(part_of(trial, figure->path), figure->path, NULL, NULL);
    gboolean counted = part_of(trial, figure->path) != ws_trial_run_object(trial) ||
                       (g_str_has_prefix(figure->path, kernels_prefix) &&
                        g_str_has_suffix(figure->path, launches_suffix));
    return node == NULL && counted ? 0 : number_of(node);
}

static char *nearest_of(const char *name, GList *names)
{
    g_autoptr(GPtrArray) list = g_ptr_array_new();
    for (GList *at = names; at != NULL; at = at->next)
        g_ptr_array_add(list, at->data);
    g_ptr_array_add(list, NULL);
    return name == NULL ? NULL : g_strdup(ws_nearest_name(name, (const char *const *)list->pdata));
}

gboolean ws_trial_may_lack(const WsFigure *figure)
{
    return figure->marker == NULL && g_str_has_prefix(figure->path, kernels_prefix);
}

gboolean ws_trial_has_figure(const WsTrial *trial, const WsFigure *figure, char **ret_nearest)
{
    JsonObject *run = ws_trial_run_object(trial), *part = part_of(trial, figure->path);
    *ret_nearest = NULL;
    if (figure->marker != NULL) { /* a figure of a line: all lines have the same */
        JsonArray *lines = json_object_get_array_member(run, "lines");
        if (json_array_get_length(lines) == 0)
            return TRUE;
        part = json_array_get_object_element(lines, 0);
    } else if (part != run) {
        return ws_is_base_mnemonic(strchr(figure->path, '.') + 1, ret_nearest);
    }
    g_autoptr(GList) names = NULL;
    g_autofree char *missing = NULL;
    JsonNode *node = follow(part, figure->path, &missing, &names);
    if (node == NULL) {
        *ret_nearest = nearest_of(missing, names);
        return FALSE;
    }
    gboolean text = JSON_NODE_HOLDS_VALUE(node) && json_node_get_value_type(node) == G_TYPE_STRING;
    return !text && (JSON_NODE_HOLDS_VALUE(node) || JSON_NODE_HOLDS_NULL(node));
}
