#include "sim/sm/issue_class.h"

#include "sim/device/target.h"

gboolean ws_class_takes_half(const WsClassTiming *timing, guint execution_class)
{
    return ws_class_pipe(execution_class) == WS_PIPE_FMA &&
           timing->half_interval > timing->interval;
}

WsResource ws_class_resource(const WsClassTiming *timing, guint execution_class)
{
    static const guint8 of_pipe[WS_PIPE_COUNT] = {
        [WS_PIPE_FMA] = WS_RESOURCE_FMA,         [WS_PIPE_ALU] = WS_RESOURCE_ALU,
        [WS_PIPE_FP16] = WS_RESOURCE_FP16,       [WS_PIPE_FP16_MMA] = WS_RESOURCE_FP16_MMA,
        [WS_PIPE_FP64] = WS_RESOURCE_FP64,       [WS_PIPE_XU] = WS_RESOURCE_XU,
        [WS_PIPE_LSU] = WS_RESOURCE_MIO,         [WS_PIPE_UNIFORM] = WS_RESOURCE_UNIFORM,
        [WS_PIPE_CONTROL] = WS_RESOURCE_CONTROL, [WS_PIPE_TENSOR] = WS_RESOURCE_TENSOR,
    };

    if (ws_class_memory(execution_class) == WS_CLASS_MEMORY_LINES)
        return WS_RESOURCE_LG;
    if (ws_class_takes_half(timing, execution_class))
        return WS_RESOURCE_EITHER;
    return of_pipe[ws_class_pipe(execution_class)];
}

/* Which wait a consumer of the class's results is in: the name Nsight Compute gives it. */
static guint8 class_wait(guint execution_class)
{
    WsPipe pipe = ws_class_pipe(execution_class);

    if (ws_class_memory(execution_class) == WS_CLASS_MEMORY_LINES)
        return WS_WAIT_LONG;
    if (execution_class == WS_CLASS_BARRIER) /* the result of a reduction comes back to the warp */
        return WS_WAIT_SHORT;
    return pipe == WS_PIPE_LSU || pipe == WS_PIPE_XU ? WS_WAIT_SHORT : WS_WAIT_FIXED;
}

void ws_issue_classes_fill(const WsDevice *device, WsIssueTable *table)
{
    WsCodeTarget target;

    ws_code_target_of_device(device, &target);
    for (guint k = 0; k < WS_CLASS_COUNT; k++) {
        const WsClassTiming *t = &device->timing[k];

        for (guint r = 0; r < WS_RELATION_COUNT; r++)
            table->later[k][r] = (gint16)(target.use[k][r] - target.latency[k]);
        table->written[k] =
            t->written_latency > t->latency ? (guint16)(t->written_latency - t->latency) : 0;
        table->hold[k] = (guint8)t->hold;
        table->high_later[k] = (guint8)t->high_later;
        table->complete[k] = (guint16)(t->latency + t->high_later);
        for (guint r = 0; r < WS_RELATION_COUNT; r++) {
            guint later = (guint)MAX(table->later[k][r], 0);
            table->latest = MAX(table->latest, later);
            if (r != WS_RELATION_JOIN) /* no use of the result */
                table->complete[k] =
                    (guint16)MAX(table->complete[k], t->latency + t->high_later + later);
        }
        table->wait[k] = table->wait[k + WS_VARIABLE] = class_wait(k);
    }
}
