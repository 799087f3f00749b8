#include "inspect/compare/part_reason.h"

static const char *const names[WS_SIDES] = {"A", "B"};

guint ws_parting_first(const WsFirstDifference *parting)
{
    const WsTraceEvent *a = &parting->event[WS_SIDE_A], *b = &parting->event[WS_SIDE_B];

    if (!parting->has[WS_SIDE_A] || !parting->has[WS_SIDE_B])
        return parting->has[WS_SIDE_A] ? WS_SIDE_A : WS_SIDE_B;
    if (a->cycle != b->cycle)
        return a->cycle < b->cycle ? WS_SIDE_A : WS_SIDE_B;
    return b->sm < a->sm ? WS_SIDE_B : WS_SIDE_A;
}

/* Both tell of the same thing at the same place, though not the same of it. */
static gboolean match(const WsFirstDifference *parting)
{
    const WsTraceEvent *a = &parting->event[WS_SIDE_A], *b = &parting->event[WS_SIDE_B];

    return parting->has[WS_SIDE_A] && parting->has[WS_SIDE_B] && a->kind == b->kind &&
           a->cycle == b->cycle && a->sm == b->sm && a->sub_core == b->sub_core;
}

static char *list_slots(guint64 slots)
{
    GString *text = g_string_new(NULL);

    for (; slots != 0; slots &= slots - 1)
        g_string_append_printf(text, "%s%d", text->len != 0 ? ", " : "", __builtin_ctzll(slots));
    return g_string_free(text, FALSE);
}

static char *other_instruction(const WsTraceEvent *event)
{
    return g_strdup_printf("warp %u is at another instruction", event->warp);
}

static char *choice_reason(const WsTraceEvent *a, const WsTraceEvent *b)
{
    g_autofree char *first = list_slots(a->choice.admitted);
    g_autofree char *second = list_slots(b->choice.admitted);

    if (a->choice.admitted == b->choice.admitted && a->warp == b->warp)
        return other_instruction(a);
    if (a->choice.admitted == b->choice.admitted)
        return g_strdup_printf("the schedulers choose different warps: of the eligible warps %s, A "
                               "selects %u and B %u",
                               first, a->warp, b->warp);
    return g_strdup_printf("different warps are eligible: in A %s, in B %s", first, second);
}

static char *response_reason(const WsTraceEvent *a, const WsTraceEvent *b)
{
    return g_strdup_printf(
        "an access of warp %u took %u cycles in A (%s) and %u in B (%s)", a->warp,
        a->response.latency, ws_memory_level_name((WsMemoryLevel)a->response.level),
        b->response.latency, ws_memory_level_name((WsMemoryLevel)b->response.level));
}

static char *set_reason(const WsTraceEvent *a, const WsTraceEvent *b)
{
    return g_strdup_printf("a result of warp %u is available at cycle %" G_GUINT64_FORMAT
                           " in A and %" G_GUINT64_FORMAT " in B",
                           a->warp, a->scoreboard.until, b->scoreboard.until);
}

static char *matching_reason(const WsTraceEvent *a, const WsTraceEvent *b)
{
    switch ((WsTraceKind)a->kind) {
    case WS_TRACE_CHOICE:
        return choice_reason(a, b);
    case WS_TRACE_STALL:
        if (a->warp == b->warp && a->stall.reason == b->stall.reason)
            return other_instruction(a);
        if (a->warp == b->warp)
            return g_strdup_printf("warp %u waits for %s in A and for %s in B", a->warp,
                                   ws_stall_name((WsStall)a->stall.reason),
                                   ws_stall_name((WsStall)b->stall.reason));
        break;
    case WS_TRACE_RESPONSE:
        if (a->warp == b->warp)
            return response_reason(a, b);
        break;
    case WS_TRACE_SCOREBOARD_SET:
        if (a->warp == b->warp && a->scoreboard.until != WS_UNKNOWN_CYCLE &&
            b->scoreboard.until != WS_UNKNOWN_CYCLE)
            return set_reason(a, b);
        break;
    case WS_TRACE_ISSUE:
        return g_strdup_printf("warp %u issues another instruction, or with other lanes", a->warp);
    default:
        break;
    }
    return g_strdup_printf("both have an event '%s', with different contents",
                           ws_trace_event_name(a->kind));
}

/* One run has the event, the other has not. */
static char *missing_reason(const WsFirstDifference *parting, guint first)
{
    const WsTraceEvent *event = &parting->event[first], *wait = &parting->wait[first];
    const char *here = names[first], *there = names[!first];

    if (!parting->has[!first])
        return g_strdup_printf("%s continues, %s has ended", here, there);
    if ((event->kind == WS_TRACE_CHOICE || event->kind == WS_TRACE_ISSUE ||
         event->kind == WS_TRACE_STALL) &&
        parting->has_wait[first])
        return g_strdup_printf("in %s warp %u continues; in %s it still waits for %s, since cycle "
                               "%" G_GUINT64_FORMAT,
                               here, event->warp, there, ws_stall_name((WsStall)wait->stall.reason),
                               wait->cycle);
    if (event->kind == WS_TRACE_RESPONSE)
        return g_strdup_printf(
            "an access of warp %u took %u cycles in %s (%s) and is still in flight in %s",
            event->warp, event->response.latency, here,
            ws_memory_level_name((WsMemoryLevel)event->response.level), there);
    return g_strdup_printf("the event '%s' of warp %u is in %s alone, or comes later in %s",
                           ws_trace_event_name(event->kind), event->warp, here, there);
}

char *ws_parting_reason(const WsFirstDifference *parting)
{
    if (match(parting))
        return matching_reason(&parting->event[WS_SIDE_A], &parting->event[WS_SIDE_B]);
    return missing_reason(parting, ws_parting_first(parting));
}
