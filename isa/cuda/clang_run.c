#include "isa/cuda/clang_run.h"

#include "isa/cuda/clang_sandbox.h"
#include "isa/cuda/memory_file.h"

#include <fcntl.h>
#include <gio/gio.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>

enum { MAX_MESSAGES = 1 << 20 };

void ws_clang_result_clear(WsClangResult *result)
{
    g_clear_pointer(&result->output, g_free);
    g_clear_pointer(&result->messages, g_free);
}

/* ---- in the child, between fork and exec ------------------------------------------------------
 */

typedef struct {
    const WsClangLimits *limits;
    const GArray *inherited[2]; /* of int */
    int rules;                  /* -1 = none */
    pid_t parent;
} Child;

static void prepare_child(gpointer data)
{
    const Child *child = data;
    const WsClangLimits *limits = child->limits;
    const struct rlimit cpu = {limits->cpu_seconds, limits->cpu_seconds};
    const struct rlimit memory = {limits->memory_bytes, limits->memory_bytes};
    const struct rlimit file = {limits->output_bytes, limits->output_bytes};
    const struct rlimit core = {0, 0};
    prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0);
    if (getppid() != child->parent)
        _exit(127); /* it ended before the line above */
    setrlimit(RLIMIT_CPU, &cpu);
    setrlimit(RLIMIT_AS, &memory);
    setrlimit(RLIMIT_FSIZE, &file);
    setrlimit(RLIMIT_CORE, &core);
    for (guint list = 0; list < G_N_ELEMENTS(child->inherited); list++)
        for (guint i = 0; i < child->inherited[list]->len; i++)
            fcntl(g_array_index(child->inherited[list], int, i), F_SETFD, 0);
    if (child->rules >= 0)
        ws_clang_sandbox_enter(child->rules);
}

/* ---- waiting ----------------------------------------------------------------------------------
 */

typedef struct {
    GSubprocess *process;
    gboolean ended;
    gboolean timed_out;
} Wait;

static void on_end(GObject *source, GAsyncResult *result, gpointer data)
{
    Wait *wait = data;
    g_subprocess_wait_finish(G_SUBPROCESS(source), result, NULL);
    wait->ended = TRUE;
}

static gboolean on_timeout(gpointer data)
{
    Wait *wait = data;
    wait->timed_out = TRUE;
    g_subprocess_force_exit(wait->process);
    return G_SOURCE_REMOVE;
}

static void wait_for_end(Wait *wait, guint seconds)
{
    GMainContext *context = g_main_context_new();
    g_main_context_push_thread_default(context);
    GSource *timer = g_timeout_source_new_seconds(seconds);
    g_source_set_callback(timer, on_timeout, wait, NULL);
    g_source_attach(timer, context);
    g_subprocess_wait_async(wait->process, NULL, on_end, wait);
    while (!wait->ended)
        g_main_context_iteration(context, TRUE);
    g_source_destroy(timer);
    g_source_unref(timer);
    g_main_context_pop_thread_default(context);
    g_main_context_unref(context);
}

static GSubprocess *start(const Child *child, const char *const *arguments, int output,
                          int messages, GError **error)
{
    g_autoptr(GSubprocessLauncher) launcher = g_subprocess_launcher_new(G_SUBPROCESS_FLAGS_NONE);
    /* clang starts no other program when it crashes. */
    char *environment[] = {"LC_ALL=C", "PATH=/usr/bin:/bin", "LLVM_DISABLE_SYMBOLIZATION=1", NULL};
    g_subprocess_launcher_set_environ(launcher, environment);
    g_subprocess_launcher_set_stdin_file_path(launcher, "/dev/null");
    g_subprocess_launcher_take_stdout_fd(launcher, fcntl(output, F_DUPFD_CLOEXEC, 0));
    g_subprocess_launcher_take_stderr_fd(launcher, fcntl(messages, F_DUPFD_CLOEXEC, 0));
    g_subprocess_launcher_set_child_setup(launcher, prepare_child, (gpointer)child, NULL);
    g_autoptr(GError) failure = NULL;
    GSubprocess *process = g_subprocess_launcher_spawnv(launcher, arguments, &failure);
    if (process == NULL)
        ws_set_error(error, WS_ERROR_INPUT, "cannot start %s: %s", arguments[0],
                     ws_file_error_text(failure));
    return process;
}

gboolean ws_clang_run(const WsClangLimits *limits, const WsClangView *view, const GArray *others,
                      const char *const *arguments, WsClangResult *ret, GError **error)
{
    *ret = (WsClangResult){0};
    int output = ws_memory_file_new("", 0, error);
    int messages = output < 0 ? -1 : ws_memory_file_new("", 0, error);
    const Child child = {.limits = limits,
                         .inherited = {view->contents, others},
                         .rules = limits->sandboxed ? ws_clang_sandbox_new(limits->clang) : -1,
                         .parent = getpid()};
    g_autoptr(GSubprocess) process =
        messages < 0 ? NULL : start(&child, arguments, output, messages, error);
    if (process != NULL) {
        Wait wait = {.process = process};
        gsize length = 0;
        wait_for_end(&wait, limits->wall_seconds);
        ret->timed_out = wait.timed_out;
        ret->signal =
            g_subprocess_get_if_signaled(process) ? g_subprocess_get_term_sig(process) : 0;
        ret->ended_well =
            !wait.timed_out && ret->signal == 0 && g_subprocess_get_exit_status(process) == 0;
        ret->output = ws_memory_file_read(output, limits->output_bytes, &ret->output_length);
        ret->messages = ws_memory_file_read(messages, MAX_MESSAGES, &length);
    }
    const int used[] = {output, messages, child.rules};
    for (guint i = 0; i < G_N_ELEMENTS(used); i++)
        if (used[i] >= 0)
            close(used[i]);
    return process != NULL;
}
