#include "sim/gpu/early_end.h"

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
    if (ws_time_limit_is_over(&machine->time_limit)) {
        g_autofree char *limit = ws_time_limit_text(&machine->time_limit);

        stop(machine, *end,
             g_strdup_printf("%s was reached at cycle %" G_GUINT64_FORMAT ", in kernel '%s'", limit,
                             *end, kernel));
        return WS_STATUS_LIMIT;
    }
    return WS_STATUS_OK;
}
