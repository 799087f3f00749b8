/* Limits of processes that are waited for: what is stuck ends, what works does not. */
#include "isa/base/process_watch.h"
#include "isa/cuda/clang_run.h"
#include "tests/support/suite.h"

#include <errno.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

/* ---- the watch --------------------------------------------------------------------------------
 */

static void burn(double seconds)
{
    for (clock_t end = clock() + (clock_t)(seconds * CLOCKS_PER_SEC); clock() < end;)
        ;
}

static void wait_for_ever(void)
{
    pause();
}

static void work_now_and_then(void)
{
    for (;;) {
        burn(0.02);
        g_usleep(50000);
    }
}

/* A child that only waits for one that works. */
static void have_it_done(void)
{
    if (fork() == 0)
        work_now_and_then();
    pause();
}

/* Whether a process that does `work` is found stuck, in three times the limit. */
static gboolean gets_stuck(void (*work)(void), double seconds)
{
    WsProcessWatch watch;
    gboolean stuck = FALSE;
    pid_t process = fork();
    if (process == 0) {
        setpgid(0, 0);
        work();
        _exit(0);
    }
    setpgid(process, process);
    ws_process_watch_init(&watch, process, seconds);
    gint64 end = g_get_monotonic_time() + 3 * watch.limit;
    while (!stuck && g_get_monotonic_time() < end) {
        stuck = ws_process_watch_is_stuck(&watch);
        g_usleep((gulong)ws_process_watch_step(&watch));
    }
    kill(-process, SIGKILL);
    waitpid(process, NULL, 0);
    return stuck;
}

START_TEST(watching)
{
    ck_assert(gets_stuck(wait_for_ever, 0.3));
    ck_assert(!gets_stuck(work_now_and_then, 1.5));
    ck_assert(!gets_stuck(have_it_done, 1.5));
}
END_TEST

/* While the caller does not run either, nothing is said of the child. */
START_TEST(nobody_runs)
{
    WsProcessWatch watch;
    pid_t process = fork();
    if (process == 0)
        wait_for_ever();
    ws_process_watch_init(&watch, process, 0.3);
    g_usleep(600000);
    ck_assert(!ws_process_watch_is_stuck(&watch));
    kill(process, SIGKILL);
    waitpid(process, NULL, 0);
}
END_TEST

/* ---- clang ------------------------------------------------------------------------------------
 */

/* Runs a script in place of clang. */
static WsClangResult run(const char *script, guint cpu_seconds, guint stuck_seconds)
{
    g_autoptr(GPtrArray) paths = g_ptr_array_new();
    g_autoptr(GArray) none = g_array_new(FALSE, FALSE, sizeof(int));
    const WsClangView view = {.paths = paths, .contents = none};
    const char *const arguments[] = {"/bin/sh", "-c", script, NULL};
    const WsClangLimits limits = {.clang = arguments[0],
                                  .cpu_seconds = cpu_seconds,
                                  .stuck_seconds = stuck_seconds,
                                  .threads = 64,
                                  .memory_bytes = G_GUINT64_CONSTANT(1) << 40,
                                  .output_bytes = 1000};
    WsClangResult result;
    g_autoptr(GError) error = NULL;
    ck_assert_msg(ws_clang_run(&limits, &view, none, arguments, &result, &error), "%s",
                  error != NULL ? error->message : "");
    return result;
}

START_TEST(ends)
{
    static const struct {
        const char *script;
        guint cpu_seconds, stuck_seconds;
        WsClangEnd end;
        int signal;
        gboolean ended_well;
    } cases[] = {
        {"while :; do :; done", 1, 20, WS_CLANG_CPU, SIGKILL, FALSE},
        {"trap : XCPU; while :; do :; done", 1, 20, WS_CLANG_CPU, SIGKILL, FALSE},
        {"exec sleep 100", 20, 1, WS_CLANG_STUCK, SIGKILL, FALSE},
        {"kill -9 $$", 20, 20, WS_CLANG_ENDED, SIGKILL, FALSE},
        {"exit 1", 20, 20, WS_CLANG_ENDED, 0, FALSE},
        /* Over 2 seconds of the clock, with two of the processor and one of doing nothing. */
        {"for i in 1 2 3 4 5; do j=0; while [ $j -lt 20000 ]; do j=$((j+1)); done; sleep 0.4; done",
         2, 1, WS_CLANG_ENDED, 0, TRUE},
    };
    for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_auto(WsClangResult) result =
            run(cases[i].script, cases[i].cpu_seconds, cases[i].stuck_seconds);
        ck_assert_msg(result.end == cases[i].end, "%s: end %d", cases[i].script, result.end);
        ck_assert_int_eq(result.signal, cases[i].signal);
        ck_assert_int_eq(result.ended_well, cases[i].ended_well);
    }
}
END_TEST

static void add_tests(TCase *cases)
{
    tcase_set_timeout(cases, 300);
    tcase_add_test(cases, watching);
    tcase_add_test(cases, nobody_runs);
    tcase_add_test(cases, ends);
}

int main(void)
{
    return run_suite("clang_run", add_tests);
}
