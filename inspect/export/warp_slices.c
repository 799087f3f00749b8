#include "inspect/export/warp_slices.h"

void ws_warp_slices_begin(WsWarpSlices *slices, const WsExport *export)
{
    if (slices->warps != NULL)
        return;
    slices->warps = g_new0(WsWarpWait, (gsize) export->launch.sms * WS_EXPORT_WARPS);
    slices->sms_named = g_new0(gboolean, export->launch.sms);
}

void ws_warp_slices_clear(WsWarpSlices *slices)
{
    g_free(slices->warps);
    g_free(slices->sms_named);
}

static void put_names(WsWarpSlices *slices, const WsSliceFormat *format, WsExport *export,
                      const WsTraceEvent *event)
{
    g_autofree char *sm = g_strdup_printf("SM %u", event->sm);
    g_autofree char *issues = g_strdup_printf("warp %u", event->warp);
    g_autofree char *waits = g_strdup_printf("warp %u waits", event->warp);

    if (!slices->sms_named[event->sm])
        format->name_sm(export, event, sm);
    slices->sms_named[event->sm] = TRUE;
    format->name_warp(export, event, issues, waits);
}

static void end_wait(WsWarpWait *wait, const WsSliceFormat *format, WsExport *export,
                     const WsTraceEvent *event, guint64 cycle)
{
    if (wait->open)
        format->end_wait(export, event, wait, cycle);
    wait->open = FALSE;
}

void ws_warp_slices_event(WsWarpSlices *slices, const WsSliceFormat *format, WsExport *export,
                          const WsTraceEvent *event)
{
    WsWarpWait *wait = &slices->warps[event->sm * WS_EXPORT_WARPS + event->warp];

    if (G_UNLIKELY(!wait->named))
        put_names(slices, format, export, event);
    wait->named = TRUE;
    switch ((WsTraceKind)event->kind) {
    case WS_TRACE_STALL:
        end_wait(wait, format, export, event, event->cycle);
        if (format->begin_wait != NULL)
            format->begin_wait(export, event);
        wait->since = event->cycle;
        wait->instruction = event->instruction;
        wait->reason = event->stall.reason;
        wait->open = TRUE;
        break;
    case WS_TRACE_ISSUE:
        end_wait(wait, format, export, event, event->cycle);
        format->issue(export, event);
        break;
    case WS_TRACE_RESPONSE:
        format->access(export, event);
        break;
    case WS_TRACE_WARP_END:
        end_wait(wait, format, export, event, event->cycle);
        break;
    default:
        format->instant(export, event);
        break;
    }
}

void ws_warp_slices_end(WsWarpSlices *slices, const WsSliceFormat *format, WsExport *export,
                        guint64 cycle)
{
    for (guint32 i = 0; i < export->launch.sms * WS_EXPORT_WARPS; i++) {
        const WsTraceEvent of = {.sm = i / WS_EXPORT_WARPS, .warp = i % WS_EXPORT_WARPS};

        end_wait(&slices->warps[i], format, export, &of, cycle);
    }
}
