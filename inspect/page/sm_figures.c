#include "inspect/page/sm_figures.h"

/* Why the warp in a slot does not issue, and since when. */
typedef struct {
    gboolean there, stalled;
    guint8 reason;
    guint64 since;
} Slot;

struct WsSmTable {
    guint32 sms, slots;
    WsSmFigures *figures; /* [sms] */
    Slot *open;           /* [sm * slots + slot] */
};

WsSmTable *ws_sm_table_new(guint32 sms, guint32 slots)
{
    WsSmTable *table = g_new0(WsSmTable, 1);

    table->sms = sms;
    table->slots = slots;
    table->figures = g_new0(WsSmFigures, sms);
    table->open = g_new0(Slot, (gsize)sms * slots);
    return table;
}

void ws_sm_table_free(WsSmTable *table)
{
    if (table == NULL)
        return;
    g_free(table->figures);
    g_free(table->open);
    g_free(table);
}

static void end_stall(WsSmFigures *figures, Slot *slot, guint64 cycle)
{
    if (slot->stalled)
        figures->stalls[slot->reason] += cycle - MIN(slot->since, cycle);
    slot->stalled = FALSE;
}

static void end_warp(WsSmFigures *figures, Slot *slot, guint64 cycle)
{
    end_stall(figures, slot, cycle);
    ws_usage_curve_warps(&figures->usage, cycle, -1);
    figures->end = MAX(figures->end, cycle);
    slot->there = FALSE;
}

static void begin_warp(WsSmFigures *figures, Slot *slot, const WsTraceEvent *event)
{
    /* Its first instruction may come long before a stall is told. */
    *slot = (Slot){TRUE, TRUE, WS_STALL_NO_INSTRUCTION, event->cycle};
    if (figures->warps == 0)
        figures->first = event->cycle;
    figures->warps++;
}

/* The slots of its warps were taken before they are there: they wait for their first instruction.
 */
static void begin_block(WsSmFigures *figures, const WsTraceEvent *event)
{
    guint64 since = MIN(event->block_begin.since, event->cycle);

    figures->blocks++;
    figures->stalls[WS_STALL_NO_INSTRUCTION] += (event->cycle - since) * event->block_begin.warps;
    ws_usage_curve_warps(&figures->usage, since, event->block_begin.warps);
}

void ws_sm_table_note(WsSmTable *table, const WsTraceEvent *event)
{
    WsSmFigures *figures = &table->figures[event->sm];
    Slot *slot = &table->open[event->sm * table->slots + event->warp];

    switch (event->kind) {
    case WS_TRACE_BLOCK_BEGIN:
        begin_block(figures, event);
        break;
    case WS_TRACE_WARP_BEGIN:
        begin_warp(figures, slot, event);
        break;
    case WS_TRACE_WARP_END:
        end_warp(figures, slot, event->cycle);
        break;
    case WS_TRACE_ISSUE:
        end_stall(figures, slot, event->cycle);
        figures->stalls[WS_STALL_SELECTED]++;
        figures->waiting +=
            (guint64)__builtin_popcountll(event->issue.alive & ~event->issue.active);
        ws_usage_curve_issue(&figures->usage, event->cycle,
                             (guint)__builtin_popcountll(event->issue.active));
        break;
    case WS_TRACE_STALL:
        end_stall(figures, slot, event->cycle);
        slot->stalled = TRUE;
        slot->reason = event->stall.reason;
        slot->since = event->cycle;
        break;
    case WS_TRACE_DIVERGE:
        figures->splits++;
        break;
    default:
        break;
    }
}

void ws_sm_table_finish(WsSmTable *table, guint64 end)
{
    for (guint32 sm = 0; sm < table->sms; sm++) {
        WsSmFigures *figures = &table->figures[sm];

        for (guint32 i = 0; i < table->slots; i++)
            if (table->open[sm * table->slots + i].there)
                end_warp(figures, &table->open[sm * table->slots + i], end);
        if (figures->warps != 0)
            ws_usage_curve_finish(&figures->usage, end);
    }
}

const WsSmFigures *ws_sm_table_at(const WsSmTable *table, guint32 sm)
{
    return &table->figures[sm];
}
