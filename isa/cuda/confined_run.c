#include "isa/cuda/confined_run.h"

#include "isa/cuda/clang_start.h"
#include "isa/cuda/landlock_rules.h"
#include "isa/cuda/memory_file.h"

#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum { MOST_FILES = 256, STACK_BYTES = 8 << 20 };

void ws_confined_result_clear(WsConfinedResult *result)
{
    g_clear_pointer(&result->output, g_bytes_unref);
    g_clear_pointer(&result->messages, g_bytes_unref);
}

/* In the child, between fork and exec; what fails here ends it. */
static void prepare(gconstpointer data)
{
    const WsConfinedRun *run = data;
    const struct {
        __rlimit_resource_t resource;
        guint64 most;
    } limits[] = {
        {RLIMIT_CPU, run->cpu_seconds + 1}, /* the clock of the one who waits comes first */
        {RLIMIT_AS, run->address_bytes},    {RLIMIT_DATA, run->memory_bytes},
        {RLIMIT_STACK, STACK_BYTES},        {RLIMIT_FSIZE, run->file_bytes},
        {RLIMIT_NOFILE, MOST_FILES},        {RLIMIT_CORE, 0}};
    gboolean good = chdir(run->folder) == 0 && ws_call_filter_bind_signals();
    signal(SIGXFSZ, SIG_DFL);
    umask(S_IRWXG | S_IRWXO);
    for (guint i = 0; i < G_N_ELEMENTS(limits); i++) {
        const struct rlimit values = {limits[i].most, limits[i].most};
        good = good && setrlimit(limits[i].resource, &values) == 0;
    }
    if (!good)
        _exit(1);
}

/* ---- while it runs ----------------------------------------------------------------------------
 */

typedef struct {
    const WsConfinedRun *run;
    int output, messages;
    gboolean output_exceeds;
} Watch;

static guint64 size_of(int file)
{
    struct stat status;
    return fstat(file, &status) == 0 ? (guint64)status.st_size : 0;
}

static gboolean exceeds(gpointer data)
{
    Watch *watch = data;
    const guint64 most = watch->run->output_bytes;
    watch->output_exceeds = size_of(watch->output) > most || size_of(watch->messages) > most;
    return watch->output_exceeds ||
           (watch->run->exceeds != NULL && watch->run->exceeds(watch->run->data));
}

static GBytes *take(int file, gsize most)
{
    gsize length = 0;
    char *text = ws_memory_file_read(file, most, &length);
    return g_bytes_new_take(text, text == NULL ? 0 : length);
}

static void follow(const WsConfinedRun *run, pid_t process, Watch *watch, WsConfinedResult *ret)
{
    const WsProcessBounds bounds = {.cpu_seconds = run->cpu_seconds,
                                    .stuck_seconds = run->stuck_seconds,
                                    .threads = run->threads,
                                    .exceeds = exceeds,
                                    .data = watch};
    const WsProcessEnd end = ws_process_wait(process, &bounds);
    ret->reason = end.reason;
    if (ret->reason == WS_PROCESS_ENDED && exceeds(watch)) /* in its last moment */
        ret->reason = WS_PROCESS_EXCEEDED;
    ret->output_exceeds = watch->output_exceeds;
    ret->exit_code = WIFEXITED(end.status) ? WEXITSTATUS(end.status) : -1;
    ret->signal = WIFSIGNALED(end.status) ? WTERMSIG(end.status) : 0;
    ret->output = take(watch->output, run->output_bytes);
    ret->messages = take(watch->messages, run->output_bytes);
}

static gboolean start(const WsConfinedRun *run, int input, Watch *watch, WsConfinedResult *ret,
                      GError **error)
{
    g_autoptr(GArray) more = g_array_new(FALSE, FALSE, sizeof(int));
    const GArray *const inherited[] = {more, NULL};
    g_autoptr(GPtrArray) reads = g_ptr_array_new();
    WsClangStarted started;
    for (const char *const *path = run->reads; path != NULL && *path != NULL; path++)
        g_ptr_array_add(reads, (gpointer)*path);
    g_ptr_array_add(reads, (gpointer)run->folder);
    g_ptr_array_add(reads, NULL);
    if (run->memory_file >= 0)
        g_array_append_val(more, run->memory_file);
    g_auto(WsClangSandbox)
        sandbox = {.files = ws_landlock_rules_new_for_program(
                       run->arguments[0], (const char *const *)reads->pdata, run->writes),
                   .calls = ws_call_filter_new_for_program(),
                   .exec = ws_call_filter_new_for_exec()};
    const WsClangStart how = {.arguments = run->arguments,
                              .environment = run->environment,
                              .input = input,
                              .output = watch->output,
                              .messages = watch->messages,
                              .inherited = inherited,
                              .prepare = prepare,
                              .data = run,
                              .sandbox = &sandbox,
                              .required = WS_PROTECTION_ALL};
    if (!ws_clang_start(&how, &started, error))
        return FALSE;
    follow(run, started.process, watch, ret);
    return TRUE;
}

gboolean ws_confined_run(const WsConfinedRun *run, WsConfinedResult *ret, GError **error)
{
    gsize length;
    const void *text = g_bytes_get_data(run->input, &length);
    int input = ws_memory_file_new(text, length, error);
    Watch watch = {.run = run, .output = -1, .messages = -1};
    *ret = (WsConfinedResult){.exit_code = -1};
    if (input >= 0)
        watch.output = ws_memory_file_new("", 0, error);
    if (watch.output >= 0)
        watch.messages = ws_memory_file_new("", 0, error);
    const gboolean started = watch.messages >= 0 && start(run, input, &watch, ret, error);
    const int used[] = {input, watch.output, watch.messages};
    for (guint i = 0; i < G_N_ELEMENTS(used); i++)
        if (used[i] >= 0)
            close(used[i]);
    return started;
}
