#include "grade/trial/isolation.h"

#include "isa/base/process_watch.h"
#include "isa/base/sanitized.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

enum { CHUNK = 65536 };

/* ---- in the child -----------------------------------------------------------------------------
 */

/* The hard limit stays: processes made later may need more, and none here asks for more. */
static void limit(__rlimit_resource_t resource, guint64 most)
{
    struct rlimit values;
    if (getrlimit(resource, &values) != 0)
        return;
    values.rlim_cur = MIN(most, values.rlim_max);
    setrlimit(resource, &values);
}

static void set_limits(const WsIsolationLimits *limits)
{
    limit(RLIMIT_CPU, (guint64)ceil(limits->cpu_seconds));
    limit(RLIMIT_CORE, 0);
    limit(RLIMIT_FSIZE, limits->file_bytes);
    if (limits->memory != 0 && !WS_ADDRESS_SANITIZED)
        limit(RLIMIT_AS, limits->memory);
}

static void default_signals(void)
{
    static const int signals[] = {SIGHUP, SIGINT, SIGTERM, SIGXCPU, SIGXFSZ, SIGPROF, SIGPIPE};
    sigset_t none;
    for (guint i = 0; i < G_N_ELEMENTS(signals); i++)
        signal(signals[i], SIG_DFL);
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
}

static _Noreturn void be_child(const WsIsolationLimits *limits, pid_t parent, int pipe,
                               void (*work)(gpointer data, int pipe), gpointer data)
{
    prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0);
    int nothing = open("/dev/null", O_RDWR);
    if (getppid() != parent || nothing < 0)
        _exit(127); /* it ended before the line above */
    for (int standard = 0; standard <= 2; standard++)
        dup2(nothing, standard);
    if (nothing > 2)
        close(nothing);
    default_signals();
    set_limits(limits);
    work(data, pipe);
    _exit(0);
}

/* ---- in the parent ----------------------------------------------------------------------------
 */

gboolean ws_write_fully(int descriptor, gconstpointer bytes, gsize length)
{
    const guint8 *at = bytes;
    while (length > 0) {
        gssize written = write(descriptor, at, length);
        if (written < 0 && errno == EINTR)
            continue;
        if (written <= 0)
            return FALSE;
        at += written;
        length -= (gsize)written;
    }
    return TRUE;
}

/* Reads up to the end of the pipe or the number of bytes, or until the child is stuck. */
static WsEnding collect(pid_t child, int pipe, const WsIsolationLimits *limits, GByteArray *bytes)
{
    WsProcessWatch watch;
    guint8 chunk[CHUNK];
    ws_process_watch_init(&watch, child, limits->stuck_seconds);
    for (;;) {
        struct pollfd wait = {.fd = pipe, .events = POLLIN};
        gint64 step = ws_process_watch_step(&watch) / 1000;
        int ready = poll(&wait, 1, (int)MIN(step + 1, G_MAXINT));
        if (ready <= 0 && ws_process_watch_is_stuck(&watch))
            return WS_ENDED_STUCK;
        if (ready <= 0)
            continue;
        gssize got = read(pipe, chunk, sizeof chunk);
        if (got < 0 && (errno == EINTR || errno == EAGAIN))
            continue;
        if (got <= 0)
            return WS_ENDED_WELL;
        if (bytes->len + (gsize)got > limits->output_bytes)
            return WS_ENDED_OUTPUT;
        g_byte_array_append(bytes, chunk, (guint)got);
    }
}

static int wait_for(pid_t child)
{
    int status;
    while (waitpid(child, &status, 0) < 0)
        if (errno != EINTR)
            return -1;
    return status;
}

WsEnding ws_isolate(const WsIsolationLimits *limits, void (*work)(gpointer data, int pipe),
                    gpointer data, GBytes **ret, int *ret_signal)
{
    int ends[2];
    pid_t parent = getpid();
    *ret = NULL;
    *ret_signal = 0;
    if (pipe2(ends, O_CLOEXEC) != 0)
        return WS_ENDED_NEVER_RAN;
    pid_t child = fork();
    if (child == 0) {
        close(ends[0]);
        be_child(limits, parent, ends[1], work, data);
    }
    close(ends[1]);
    if (child < 0) {
        close(ends[0]);
        return WS_ENDED_NEVER_RAN;
    }
    GByteArray *bytes = g_byte_array_new();
    WsEnding ending = collect(child, ends[0], limits, bytes);
    close(ends[0]);
    if (ending != WS_ENDED_WELL)
        kill(child, SIGKILL);
    int status = wait_for(child);
    *ret = g_byte_array_free_to_bytes(bytes);
    if (ending != WS_ENDED_WELL)
        return ending;
    if (status >= 0 && WIFSIGNALED(status)) {
        *ret_signal = WTERMSIG(status);
        return *ret_signal == SIGXCPU ? WS_ENDED_CPU : WS_ENDED_CRASHED;
    }
    return status == 0 ? WS_ENDED_WELL : WS_ENDED_CRASHED;
}

char *ws_crash_text(const char *what, int signal_number)
{
    return signal_number > 0 ? g_strdup_printf("%s ended by signal %d (%s)", what, signal_number,
                                               g_strsignal(signal_number))
                             : g_strdup_printf("%s ended without a result", what);
}
