#include "grade/trial/program_run.h"

#include "isa/base/process_watch.h"
#include "isa/base/temporary_folder.h"
#include "isa/base/write_all.h"
#include "isa/cuda/find_runtime.h"
#include "isa/cuda/memory_file.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gstdio.h>
#include <math.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
    MOST_THREADS = 64,
    MOST_OUTPUT_BYTES = 1 << 20,
    MOST_INPUT_BYTES = 64 << 20,
    LOOK_EVERY = 10000, /* microseconds: at what the program has captured */
    FOLDER_MODE = 0700,
    FILE_MODE = 0400
};

/* Two views of the range for device memory (runtime/memory.c), and libraries, which are shared. */
static const guint64 RESERVED = (G_GUINT64_CONSTANT(2) << 40) + (G_GUINT64_CONSTANT(1) << 30);
/* Of the runtime and the interpreter of launches. */
static const guint64 SPARE_MEMORY = G_GUINT64_CONSTANT(256) << 20;

void ws_program_outcome_clear(WsProgramOutcome *outcome)
{
    if (outcome->folder != NULL)
        ws_temporary_folder_delete(outcome->folder);
    g_clear_pointer(&outcome->folder, g_free);
    g_clear_pointer(&outcome->capture, g_free);
    ws_confined_result_clear(&outcome->result);
}

static gboolean fail(const char *what, int number, GError **error)
{
    ws_set_error(error, WS_ERROR_INPUT, "%s: %s", what, g_strerror(number));
    return FALSE;
}

/* ---- its folder -------------------------------------------------------------------------------
 */

static gboolean copy_file(const WsAssignment *assignment, const char *name, const char *folder,
                          GError **error)
{
    g_autofree char *path = ws_assignment_path(assignment, name);
    g_autofree char *base = g_path_get_basename(name);
    g_autofree char *copy = g_build_filename(folder, base, NULL);
    g_autoptr(GBytes) bytes = NULL;
    if (ws_read_scope_read(NULL, path, MOST_INPUT_BYTES, &bytes, NULL) != WS_READ_DONE)
        return fail(name, errno, error);
    gsize length;
    const void *data = g_bytes_get_data(bytes, &length);
    return ws_write_renamed(copy, FILE_MODE, data, length) || fail(name, errno, error);
}

/* FOLDER/files, in which it runs, and FOLDER/capture/data, in which it writes. */
static gboolean make_folders(const WsAssignment *assignment, const WsProgramRun *run,
                             const char *folder, WsProgramOutcome *ret, GError **error)
{
    ret->folder = g_build_filename(folder, "run", NULL);
    ret->capture = g_build_filename(ret->folder, "capture", NULL);
    g_autofree char *data = g_build_filename(ret->capture, "data", NULL);
    g_autofree char *files = g_build_filename(ret->folder, "files", NULL);
    ws_temporary_folder_delete(ret->folder); /* of a process that was ended */
    if (g_mkdir_with_parents(data, FOLDER_MODE) != 0 || g_mkdir(files, FOLDER_MODE) != 0)
        return fail(ret->folder, errno, error);
    for (char **name = run->files; *name != NULL; name++)
        if (!copy_file(assignment, *name, files, error))
            return FALSE;
    return TRUE;
}

static GBytes *input_of(const WsAssignment *assignment, const WsProgramRun *run,
                        char *const *values, GError **error)
{
    GBytes *bytes = NULL;
    if (run->input_file != NULL) {
        g_autofree char *path = ws_assignment_path(assignment, run->input_file);
        if (ws_read_scope_read(NULL, path, MOST_INPUT_BYTES, &bytes, NULL) != WS_READ_DONE)
            fail(run->input_file, errno, error);
        return bytes;
    }
    char *text = ws_values_fill(run->input != NULL ? run->input : "", values);
    return g_bytes_new_take(text, strlen(text));
}

/* Of the pages of device memory: it has its size and keeps it. */
static int memory_file_new(guint64 bytes, GError **error)
{
    int file = memfd_create("device memory", MFD_CLOEXEC | MFD_ALLOW_SEALING);
    if (file >= 0 && ftruncate(file, (off_t)bytes) == 0 &&
        fcntl(file, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL) == 0)
        return file;
    fail("device memory", errno, error);
    if (file >= 0)
        close(file);
    return -1;
}

/* ---- what it captures -------------------------------------------------------------------------
 */

typedef struct {
    char *folders[2]; /* all that it can write to: it makes no folder itself */
    guint64 most_bytes;
    gint64 looked;
} CaptureWatch;

/* Sizes as files say them: what is sparse counts in full. */
static gboolean is_too_much(gpointer data)
{
    CaptureWatch *watch = data;
    const gint64 now = g_get_monotonic_time();
    guint64 bytes = 0, files = 0;
    if (now - watch->looked < LOOK_EVERY)
        return FALSE;
    watch->looked = now;
    for (guint i = 0; i < G_N_ELEMENTS(watch->folders); i++) {
        g_autoptr(GDir) folder = g_dir_open(watch->folders[i], 0, NULL);
        for (const char *name; folder != NULL && (name = g_dir_read_name(folder)) != NULL;) {
            g_autofree char *path = g_build_filename(watch->folders[i], name, NULL);
            struct stat status;
            files++;
            if (lstat(path, &status) == 0 && !S_ISDIR(status.st_mode))
                bytes += (guint64)status.st_size;
        }
    }
    return bytes > watch->most_bytes || files > 4 * WS_MOST_CAPTURED;
}

/* ---- the run ----------------------------------------------------------------------------------
 */

static char **environment_of(const WsProgramRun *run, const char *capture, int memory)
{
    g_autoptr(GStrvBuilder) environment = g_strv_builder_new();
    g_autofree char *settings = g_strjoinv(",", run->settings);
    const char *const parts[][2] = {{"LC_ALL=", "C"},
                                    {"WARPSTEP_MODE=", "functional"},
                                    {"WARPSTEP_DEVICE=", run->device},
                                    {"WARPSTEP_CAPTURE=", capture}};
    for (guint i = 0; i < G_N_ELEMENTS(parts); i++) {
        g_autofree char *text = g_strconcat(parts[i][0], parts[i][1], NULL);
        g_strv_builder_add(environment, text);
    }
    g_autofree char *set = g_strconcat("WARPSTEP_SET=", settings, NULL);
    g_autofree char *file = g_strdup_printf("WARPSTEP_MEMORY_FILE=%d", memory);
    if (*settings != '\0')
        g_strv_builder_add(environment, set);
    g_strv_builder_add(environment, file);
    return g_strv_builder_end(environment);
}

static char **arguments_of(const WsProgramRun *run, const char *program, char *const *values)
{
    g_autoptr(GStrvBuilder) arguments = g_strv_builder_new();
    g_strv_builder_add(arguments, program);
    for (char **argument = run->arguments; *argument != NULL; argument++) {
        g_autofree char *text = ws_values_fill(*argument, values);
        g_strv_builder_add(arguments, text);
    }
    return g_strv_builder_end(arguments);
}

static gboolean start(const WsTest *test, const WsBuiltProgram *built, char *const *values,
                      GBytes *input, int memory, WsProgramOutcome *ret, GError **error)
{
    g_auto(GStrv) arguments = arguments_of(test->run, built->program, values);
    g_auto(GStrv) environment = environment_of(test->run, ret->capture, memory);
    g_auto(GStrv) reads = ws_runtime_folders(built->parts.runtime);
    g_autofree char *files = g_build_filename(ret->folder, "files", NULL);
    g_autofree char *data = g_build_filename(ret->capture, "data", NULL);
    CaptureWatch watch = {.folders = {ret->capture, data}, .most_bytes = test->limits.memory};
    const WsConfinedRun run = {.arguments = (const char *const *)arguments,
                               .environment = (const char *const *)environment,
                               .folder = files,
                               .reads = (const char *const *)reads,
                               .writes = ret->capture,
                               .input = input,
                               .memory_file = memory,
                               .cpu_seconds = (guint)ceil(test->limits.seconds),
                               .stuck_seconds = WS_STUCK_SECONDS,
                               .threads = MOST_THREADS,
                               .address_bytes = RESERVED + test->limits.memory + SPARE_MEMORY,
                               .memory_bytes = test->limits.memory + SPARE_MEMORY,
                               .file_bytes = test->limits.memory,
                               .output_bytes = MOST_OUTPUT_BYTES,
                               .exceeds = is_too_much,
                               .data = &watch};
    if (!ws_confined_run(&run, &ret->result, error))
        return FALSE;
    watch.looked = 0;
    if (ret->result.reason == WS_PROCESS_ENDED && is_too_much(&watch))
        ret->result.reason = WS_PROCESS_EXCEEDED;
    return TRUE;
}

gboolean ws_program_run(const WsSubject *subject, const WsTest *test, const WsBuiltProgram *built,
                        char *const *values, const char *folder, WsProgramOutcome *ret,
                        GError **error)
{
    *ret = (WsProgramOutcome){0};
    if (!make_folders(subject->assignment, test->run, folder, ret, error))
        return FALSE;
    g_autoptr(GBytes) input = input_of(subject->assignment, test->run, values, error);
    int memory = input == NULL ? -1 : memory_file_new(test->limits.memory, error);
    if (memory < 0)
        return FALSE;
    const gboolean ran = start(test, built, values, input, memory, ret, error);
    close(memory);
    return ran;
}

char *ws_program_end_text(const WsTest *test, const WsConfinedResult *result,
                          const char **ret_words)
{
    switch (result->reason) {
    case WS_PROCESS_CPU:
        *ret_words = "the program took more processor time than the test allows";
        return g_strdup_printf("the program took more than %g seconds of processor time",
                               test->limits.seconds);
    case WS_PROCESS_STUCK:
        *ret_words = "the program hangs";
        return g_strdup_printf("%s: in %d seconds it used no processor time", *ret_words,
                               WS_STUCK_SECONDS);
    case WS_PROCESS_THREADS:
        *ret_words = "the program has too many threads";
        return g_strdup_printf("the program has more than %d threads", MOST_THREADS);
    case WS_PROCESS_EXCEEDED:
        *ret_words = "the program printed too much, or its launches are too many or too large";
        return result->output_exceeds
                   ? g_strdup_printf("the program printed more than %d bytes", MOST_OUTPUT_BYTES)
                   : g_strdup_printf("the launches of the program take more than %" G_GUINT64_FORMAT
                                     " bytes, or are more than %d",
                                     test->limits.memory, WS_MOST_CAPTURED);
    default:
        break;
    }
    if (result->signal == 0)
        return NULL;
    *ret_words = "the program was ended by a signal";
    if (result->signal == SIGXFSZ)
        return g_strdup_printf("the program wrote a file of more than %" G_GUINT64_FORMAT " bytes",
                               test->limits.memory);
    return g_strdup_printf("the program was ended by signal %d (%s)", result->signal,
                           g_strsignal(result->signal));
}
