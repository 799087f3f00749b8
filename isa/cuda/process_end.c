#include "isa/cuda/process_end.h"

#include "isa/base/process_watch.h"

#include <errno.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>

typedef struct {
    int status; /* as waitpid() gives it */
    struct rusage used;
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

static gint64 processor_microseconds(const struct rusage *used)
{
    return (used->ru_utime.tv_sec + used->ru_stime.tv_sec) * (gint64)G_USEC_PER_SEC +
           used->ru_utime.tv_usec + used->ru_stime.tv_usec;
}

/*
 * The kernel kills what is over its limit, and others may kill it too: the time used tells,
 * roughly, for the limit counts ticks of the kernel's clock.
 */
static gboolean was_ended_by_limit(const Wait *wait, guint cpu_seconds)
{
    gint64 limit = cpu_seconds * (gint64)G_USEC_PER_SEC;
    return WIFSIGNALED(wait->status) && WTERMSIG(wait->status) == SIGKILL &&
           processor_microseconds(&wait->used) >= limit / 2;
}

WsProcessEnd ws_process_wait(pid_t process, const WsProcessBounds *bounds)
{
    enum { LONGEST_NAP = 2000 };
    gulong nap = 100; /* microseconds */
    Wait wait = {0};
    WsProcessReason reason = WS_PROCESS_ENDED;
    WsProcessWatch watch;
    clockid_t clock;
    const gboolean has_clock = clock_getcpuclockid(process, &clock) == 0;
    g_autofree char *tasks = g_strdup_printf("/proc/%d/task", (int)process);
    ws_process_watch_init(&watch, process, bounds->stuck_seconds);
    while (!has_ended(process, WNOHANG, &wait)) {
        if (ws_process_watch_is_stuck(&watch))
            reason = WS_PROCESS_STUCK;
        else if (count_threads(tasks) > bounds->threads)
            reason = WS_PROCESS_THREADS;
        else if (has_clock && has_used(clock, bounds->cpu_seconds))
            reason = WS_PROCESS_CPU;
        else if (bounds->exceeds != NULL && bounds->exceeds(bounds->data))
            reason = WS_PROCESS_EXCEEDED;
        if (reason != WS_PROCESS_ENDED) {
            kill(process, SIGKILL);
            has_ended(process, 0, &wait);
            break;
        }
        g_usleep(nap);
        nap = MIN(2 * nap, LONGEST_NAP);
    }
    if (reason == WS_PROCESS_ENDED && was_ended_by_limit(&wait, bounds->cpu_seconds))
        reason = WS_PROCESS_CPU;
    return (WsProcessEnd){reason, wait.status, processor_microseconds(&wait.used)};
}
