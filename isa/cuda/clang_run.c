#include "isa/cuda/clang_run.h"

#include "isa/cuda/clang_sandbox.h"
#include "isa/cuda/memory_file.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
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
    int status; /* as waitpid() gives it */
    gboolean timed_out;
} Wait;

/* As waitpid(), which a signal may interrupt. */
static gboolean has_ended(pid_t process, int options, int *ret_status)
{
    pid_t ended;
    do
        ended = waitpid(process, ret_status, options);
    while (ended < 0 && errno == EINTR);
    return ended != 0;
}

/* TRUE if it has ended before `end`, by g_get_monotonic_time(). */
static gboolean wait_until(pid_t process, gint64 end, int *ret_status)
{
    enum { LONGEST_NAP = 2000 };
    gulong nap = 100; /* microseconds */
    while (!has_ended(process, WNOHANG, ret_status)) {
        if (g_get_monotonic_time() >= end)
            return FALSE;
        g_usleep(nap);
        nap = MIN(2 * nap, LONGEST_NAP);
    }
    return TRUE;
}

static Wait wait_for_end(pid_t process, guint seconds)
{
    Wait wait = {0};
    gint64 end = g_get_monotonic_time() + (gint64)seconds * G_USEC_PER_SEC;
    if (!wait_until(process, end, &wait.status)) {
        wait.timed_out = TRUE;
        kill(process, SIGKILL);
        has_ended(process, 0, &wait.status);
    }
    return wait;
}

/*
 * Without GSubprocess, which leaves a thread behind: grading makes a process for each test once it
 * has compiled, and a process that is copied while another thread holds a lock waits for ever. -1
 * and `error` if it cannot be started.
 */
static pid_t start(const Child *child, const char *const *arguments, int output, int messages,
                   GError **error)
{
    /* clang starts no other program when it crashes. */
    static const char *const environment[] = {"LC_ALL=C", "PATH=/usr/bin:/bin",
                                              "LLVM_DISABLE_SYMBOLIZATION=1", NULL};
    GPid process;
    g_autoptr(GError) failure = NULL;
    if (g_spawn_async_with_fds(NULL, (char **)arguments, (char **)environment,
                               G_SPAWN_DO_NOT_REAP_CHILD, prepare_child, (gpointer)child, &process,
                               -1, output, messages, &failure))
        return process;
    ws_set_error(error, WS_ERROR_INPUT, "cannot start %s: %s", arguments[0],
                 ws_file_error_text(failure));
    return -1;
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
    pid_t process = messages < 0 ? -1 : start(&child, arguments, output, messages, error);
    if (process >= 0) {
        gsize length = 0;
        Wait wait = wait_for_end(process, limits->wall_seconds);
        ret->timed_out = wait.timed_out;
        ret->signal = WIFSIGNALED(wait.status) ? WTERMSIG(wait.status) : 0;
        ret->ended_well =
            !wait.timed_out && WIFEXITED(wait.status) && WEXITSTATUS(wait.status) == 0;
        ret->output = ws_memory_file_read(output, limits->output_bytes, &ret->output_length);
        ret->messages = ws_memory_file_read(messages, MAX_MESSAGES, &length);
    }
    const int used[] = {output, messages, child.rules};
    for (guint i = 0; i < G_N_ELEMENTS(used); i++)
        if (used[i] >= 0)
            close(used[i]);
    return process >= 0;
}
