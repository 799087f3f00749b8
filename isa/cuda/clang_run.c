#include "isa/cuda/clang_run.h"

#include "isa/base/process_watch.h"
#include "isa/cuda/clang_start.h"
#include "isa/cuda/memory_file.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum { MAX_MESSAGES = 1 << 20 };

void ws_clang_result_clear(WsClangResult *result)
{
    g_clear_pointer(&result->output, g_free);
    g_clear_pointer(&result->messages, g_free);
}

/* In the child, between fork and exec. */
static void set_limits(gconstpointer data)
{
    const WsClangLimits *limits = data;
    const struct rlimit cpu = {limits->cpu_seconds, limits->cpu_seconds};
    const struct rlimit memory = {limits->memory_bytes, limits->memory_bytes};
    const struct rlimit file = {limits->output_bytes, limits->output_bytes};
    const struct rlimit core = {0, 0};
    setrlimit(RLIMIT_CPU, &cpu);
    setrlimit(RLIMIT_AS, &memory);
    setrlimit(RLIMIT_FSIZE, &file);
    setrlimit(RLIMIT_CORE, &core);
}

/* ---- waiting ----------------------------------------------------------------------------------
 */

typedef struct {
    int status; /* as waitpid() gives it */
    struct rusage used;
    gboolean stuck, crowded, expired;
} Wait;

/* As wait4(), which a signal may interrupt. */
static gboolean has_ended(pid_t process, int options, Wait *wait)
{
    pid_t ended;
    do
        ended = wait4(process, &wait->status, options, &wait->used);
    while (ended < 0 && errno == EINTR);
    return ended != 0;
}

/*
 * RLIMIT_NPROC is not for root, and counts what else the user runs. 0 if there is no /proc. Looking
 * every few milliseconds is enough: what starts threads without end is ended before they fill the
 * table of processes.
 */
static guint count_threads(const char *tasks)
{
    struct stat status;
    return stat(tasks, &status) == 0 && status.st_nlink > 2 ? (guint)status.st_nlink - 2 : 0;
}

/*
 * RLIMIT_CPU counts ticks of the kernel's clock, of which a virtual machine on a busy host loses up
 * to a third (seen at a load of 14): it bounds what outlives us, this clock the rest.
 */
static gboolean has_used(clockid_t clock, guint seconds)
{
    struct timespec used;
    return clock_gettime(clock, &used) == 0 && used.tv_sec >= (time_t)seconds;
}

static Wait wait_for_end(pid_t process, const WsClangLimits *limits)
{
    enum { LONGEST_NAP = 2000 };
    gulong nap = 100; /* microseconds */
    Wait wait = {0};
    WsProcessWatch watch;
    clockid_t clock;
    const gboolean has_clock = clock_getcpuclockid(process, &clock) == 0;
    g_autofree char *tasks = g_strdup_printf("/proc/%d/task", (int)process);
    ws_process_watch_init(&watch, process, limits->stuck_seconds);
    while (!has_ended(process, WNOHANG, &wait)) {
        wait.crowded = count_threads(tasks) > limits->threads;
        wait.stuck = ws_process_watch_is_stuck(&watch);
        wait.expired = has_clock && has_used(clock, limits->cpu_seconds);
        if (wait.stuck || wait.crowded || wait.expired) {
            kill(process, SIGKILL);
            has_ended(process, 0, &wait);
            break;
        }
        g_usleep(nap);
        nap = MIN(2 * nap, LONGEST_NAP);
    }
    return wait;
}

static gint64 processor_microseconds(const struct rusage *used)
{
    return (used->ru_utime.tv_sec + used->ru_stime.tv_sec) * (gint64)G_USEC_PER_SEC +
           used->ru_utime.tv_usec + used->ru_stime.tv_usec;
}

/*
 * The kernel kills what is over its limit, and others may kill it too: the time used tells,
 * roughly, for the limit counts ticks of the kernel's clock.
 */
static WsClangEnd end_of(const Wait *wait, const WsClangLimits *limits)
{
    gint64 limit = limits->cpu_seconds * (gint64)G_USEC_PER_SEC;
    if (wait->stuck)
        return WS_CLANG_STUCK;
    if (wait->crowded)
        return WS_CLANG_THREADS;
    if (wait->expired)
        return WS_CLANG_CPU;
    return WIFSIGNALED(wait->status) && WTERMSIG(wait->status) == SIGKILL &&
                   processor_microseconds(&wait->used) >= limit / 2
               ? WS_CLANG_CPU
               : WS_CLANG_ENDED;
}

gboolean ws_clang_run(const WsClangLimits *limits, const WsClangView *view, const GArray *others,
                      const char *const *arguments, WsClangResult *ret, GError **error)
{
    /* clang starts no other program when it crashes. */
    static const char *const environment[] = {"LC_ALL=C", "PATH=/usr/bin:/bin",
                                              "LLVM_DISABLE_SYMBOLIZATION=1", NULL};
    const GArray *const inherited[] = {view->contents, others, NULL};
    g_auto(WsClangSandbox) sandbox = {.files = -1};
    WsClangStarted started;
    *ret = (WsClangResult){0};
    int nothing = open("/dev/null", O_RDONLY | O_CLOEXEC);
    int output = ws_memory_file_new("", 0, error);
    int messages = output < 0 ? -1 : ws_memory_file_new("", 0, error);
    if (limits->sandboxed)
        ws_clang_sandbox_init(&sandbox, limits->clang);
    const WsClangStart start = {.arguments = arguments,
                                .environment = environment,
                                .input = nothing,
                                .output = output,
                                .messages = messages,
                                .inherited = inherited,
                                .prepare = set_limits,
                                .data = limits,
                                .sandbox = limits->sandboxed ? &sandbox : NULL,
                                .required = limits->required};
    gboolean good = messages >= 0 && ws_clang_start(&start, &started, error);
    if (good) {
        gsize length = 0;
        Wait wait = wait_for_end(started.process, limits);
        ret->end = end_of(&wait, limits);
        ret->cpu_microseconds = processor_microseconds(&wait.used);
        ret->signal = WIFSIGNALED(wait.status) ? WTERMSIG(wait.status) : 0;
        ret->ended_well = !wait.stuck && !wait.crowded && !wait.expired && WIFEXITED(wait.status) &&
                          WEXITSTATUS(wait.status) == 0;
        ret->output = ws_memory_file_read(output, limits->output_bytes, &ret->output_length);
        ret->messages = ws_memory_file_read(
            messages, limits->message_bytes != 0 ? limits->message_bytes : MAX_MESSAGES, &length);
    }
    const int used[] = {nothing, output, messages};
    for (guint i = 0; i < G_N_ELEMENTS(used); i++)
        if (used[i] >= 0)
            close(used[i]);
    return good;
}
