/* Running a launch: the time that launches may take, and what a terminal shows meanwhile. */
#include "runtime/runtime.h"

#include <stdio.h>
#include <time.h>
#include <unistd.h>

enum { SILENT_MICROSECONDS = 2000000 };

static double processor_seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* Once the program has run for a while; what it prints itself comes between launches. */
static gboolean show(WsRuntime *runtime, const char *kernel)
{
    const gint64 now = g_get_monotonic_time();
    if (runtime->started == 0)
        runtime->started = now;
    if (now - runtime->started < SILENT_MICROSECONDS || !isatty(STDERR_FILENO))
        return FALSE;
    fprintf(stderr, "\r  launch %u, %.30s; %" G_GUINT64_FORMAT " cycles before it ",
            runtime->launch_number, kernel, runtime->cycles);
    fflush(stderr);
    return TRUE;
}

warpstep_code ws_run_launch(WsRuntime *runtime, const char *kernel)
{
    const gboolean shown = show(runtime, kernel);
    const double before = runtime->max_seconds > 0 ? processor_seconds() : 0;
    if (runtime->max_seconds > 0)
        ws_runtime_set_limits(runtime);
    const warpstep_code code = warpstep_run(runtime->gpu, runtime->mode);
    if (runtime->max_seconds > 0) /* a launch that ends has a moment left, and so has the next */
        runtime->seconds_left = MAX(runtime->seconds_left - (processor_seconds() - before), 1e-6);
    if (shown)
        fprintf(stderr, "\r%*s\r", 79, "");
    runtime->cycles += warpstep_estimated_cycles(runtime->gpu, 0);
    return code;
}
