#include "sim/gpu/early_end.h"

gint64 ws_deadline(double seconds)
{
    double microseconds = seconds * G_USEC_PER_SEC;
    gint64 now = g_get_monotonic_time();

    if (seconds <= 0 || microseconds >= (double)(G_MAXINT64 - now))
        return G_MAXINT64;
    return now + (gint64)microseconds;
}

static void stop(WsMachine *machine, guint64 cycle, char *message)
{
    machine->result->stop = (WsStop){.message = message,
                                     .cycle = cycle,
                                     .sm = -1,
                                     .warp = -1,
                                     .lane = -1,
                                     .slot = -1,
                                     .instruction = -1};
}

WsStatus ws_early_end(WsMachine *machine, const WsLaunchContext *context, guint64 next,
                      guint64 *end)
{
    const WsRunOptions *options = machine->options;
    const char *kernel = context->kernel->display_name;

    if (next >= machine->max_cycles) {
        *end = machine->max_cycles;
        stop(machine, *end,
             g_strdup_printf("the limit of %" G_GUINT64_FORMAT " cycles was reached, in kernel "
                             "'%s'",
                             machine->max_cycles, kernel));
        return WS_STATUS_LIMIT;
    }
    if (options->interrupt != NULL && g_atomic_int_get(options->interrupt) != 0) {
        stop(machine, *end,
             g_strdup_printf("the run was interrupted at cycle %" G_GUINT64_FORMAT ", in kernel "
                             "'%s'",
                             *end, kernel));
        return WS_STATUS_INTERRUPTED;
    }
    if (machine->deadline != G_MAXINT64 && g_get_monotonic_time() >= machine->deadline) {
        stop(machine, *end,
             g_strdup_printf("the limit of %g seconds was reached at cycle %" G_GUINT64_FORMAT
                             ", in kernel '%s'",
                             options->max_seconds, *end, kernel));
        return WS_STATUS_LIMIT;
    }
    return WS_STATUS_OK;
}
