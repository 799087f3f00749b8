#include "inspect/highlights/highlights.h"

#include <string.h>

/* What is kept of the warp in a slot. */
typedef struct {
    gboolean there;
    WsHighlight who;      /* launch, sm, slot, block, warp_in_block */
    guint64 began;        /* cycle at which the warp came */
    guint8 reason;        /* why it does not issue, or SELECTED */
    guint64 since;        /* cycle from which on */
    guint32 waits;        /* the instruction that waits */
    gboolean split;       /* some of its lanes wait for others since */
    WsHighlight division; /* the same, with what it costs so far */
} Watched;

struct WsHighlights {
    guint32 slots, launch;
    gsize warp_count;
    Watched *warps; /* [sm * slots + slot] */
    WsHighlight best[WS_HIGHLIGHT_COUNT];
    WsObserver observer;
};

static const struct {
    const char *name, *title, *help;
} kinds[] = {
#define HIGHLIGHT(enum_name, name, title, help) {name, title, help},
#include "inspect/highlights/highlights.def"
#undef HIGHLIGHT
};

const char *ws_highlight_name(WsHighlightKind kind)
{
    return kinds[kind].name;
}

const char *ws_highlight_title(WsHighlightKind kind)
{
    return kinds[kind].title;
}

const char *ws_highlight_help(WsHighlightKind kind)
{
    return kinds[kind].help;
}

WsHighlightKind ws_highlight_by_name(const char *name)
{
    guint i = 0;

    while (i < WS_HIGHLIGHT_COUNT && strcmp(kinds[i].name, name) != 0)
        i++;
    return (WsHighlightKind)i;
}

/* ---- which is best ------------------------------------------------------------------------------
 */

static gint compare(guint64 a, guint64 b)
{
    return a < b ? -1 : a > b;
}

/* Negative: `a` is the first of the two by block, warp and time, whatever SM is told of first. */
static gint compare_places(const WsHighlight *a, const WsHighlight *b)
{
    const gint orders[] = {compare(a->launch, b->launch), compare(a->block, b->block),
                           compare(a->warp_in_block, b->warp_in_block),
                           compare(a->cycle, b->cycle)};

    for (guint i = 0; i < G_N_ELEMENTS(orders); i++)
        if (orders[i] != 0)
            return orders[i];
    return 0;
}

static void offer(WsHighlights *highlights, WsHighlightKind kind, const WsHighlight *highlight)
{
    WsHighlight *best = &highlights->best[kind];
    gint order = 0;

    if (kind == WS_HIGHLIGHT_FIRST_SPLIT)
        order = compare(highlight->cycle, best->cycle);
    else if (kind == WS_HIGHLIGHT_WORST_DIVERGENCE)
        order = compare(best->lost, highlight->lost);
    else if (kind == WS_HIGHLIGHT_LAST_WARP)
        order = compare(best->end, highlight->end);
    else
        order = compare(best->end - best->cycle, highlight->end - highlight->cycle);
    if (order == 0)
        order = compare_places(highlight, best);
    if (best->there && order >= 0)
        return;
    *best = *highlight;
    best->there = TRUE;
}

/* ---- what warps do ------------------------------------------------------------------------------
 */

static void end_wait(WsHighlights *highlights, Watched *warp, guint64 cycle)
{
    WsHighlight highlight = warp->who;

    highlight.cycle = warp->since;
    highlight.end = cycle;
    highlight.instruction = warp->waits;
    if (warp->reason == WS_STALL_BARRIER && cycle > warp->since)
        offer(highlights, WS_HIGHLIGHT_LONGEST_BARRIER_WAIT, &highlight);
    else if (warp->reason == WS_STALL_LONG_SCOREBOARD && cycle > warp->since)
        offer(highlights, WS_HIGHLIGHT_LONGEST_MEMORY_WAIT, &highlight);
    warp->reason = WS_STALL_SELECTED;
}

/* A split that no instruction followed with lanes waiting is none: the other lanes have exited. */
static void end_split(WsHighlights *highlights, Watched *warp, guint64 cycle)
{
    if (warp->split && warp->division.lost > 0) {
        warp->division.end = cycle;
        offer(highlights, WS_HIGHLIGHT_FIRST_SPLIT, &warp->division);
        offer(highlights, WS_HIGHLIGHT_WORST_DIVERGENCE, &warp->division);
    }
    warp->split = FALSE;
}

static void note_issue(WsHighlights *highlights, Watched *warp, const WsTraceEvent *event)
{
    guint64 waiting = event->issue.alive & ~event->issue.active;

    end_wait(highlights, warp, event->cycle);
    if (!warp->split)
        return;
    if (waiting == 0) {
        end_split(highlights, warp, event->cycle);
        return;
    }
    warp->division.instructions++;
    warp->division.lanes += (guint64)__builtin_popcountll(event->issue.active);
    warp->division.lost += (guint64)__builtin_popcountll(waiting);
}

static void begin_split(Watched *warp, const WsTraceEvent *event)
{
    if (warp->split)
        return;
    warp->split = TRUE;
    warp->division = warp->who;
    warp->division.cycle = event->cycle;
    warp->division.instruction = event->instruction;
}

static void begin_warp(WsHighlights *highlights, Watched *warp, const WsTraceEvent *event)
{
    *warp = (Watched){.there = TRUE, .began = event->cycle, .reason = WS_STALL_SELECTED};
    warp->who = (WsHighlight){.launch = highlights->launch,
                              .sm = event->sm,
                              .slot = event->warp,
                              .block = event->block,
                              .warp_in_block = event->warp_in_block,
                              .instruction = WS_NO_INSTRUCTION};
}

static void end_warp(WsHighlights *highlights, Watched *warp, guint64 cycle)
{
    WsHighlight highlight = warp->who;

    end_wait(highlights, warp, cycle);
    end_split(highlights, warp, cycle);
    highlight.cycle = warp->began;
    highlight.end = cycle;
    offer(highlights, WS_HIGHLIGHT_LAST_WARP, &highlight);
    warp->there = FALSE;
}

static void note(void *data, const WsTraceEvent *event)
{
    WsHighlights *highlights = data;
    Watched *warp = &highlights->warps[event->sm * highlights->slots + event->warp];

    if (event->kind == WS_TRACE_WARP_BEGIN) {
        begin_warp(highlights, warp, event);
        return;
    }
    if (!warp->there)
        return;
    switch (event->kind) {
    case WS_TRACE_ISSUE:
        note_issue(highlights, warp, event);
        break;
    case WS_TRACE_STALL:
        end_wait(highlights, warp, event->cycle);
        warp->reason = event->stall.reason;
        warp->since = event->cycle;
        warp->waits = event->instruction;
        break;
    case WS_TRACE_DIVERGE:
        begin_split(warp, event);
        break;
    case WS_TRACE_WARP_END:
        end_warp(highlights, warp, event->cycle);
        break;
    default:
        break;
    }
}

static void launch_begin(void *data, const WsTraceLaunch *launch)
{
    ((WsHighlights *)data)->launch = launch->number;
}

/* ---- life ---------------------------------------------------------------------------------------
 */

WsHighlights *ws_highlights_new(guint32 sms, guint32 slots)
{
    WsHighlights *highlights = g_new0(WsHighlights, 1);

    highlights->slots = slots;
    highlights->warp_count = (gsize)sms * slots;
    highlights->warps = g_new0(Watched, highlights->warp_count);
    highlights->observer =
        (WsObserver){.data = highlights,
                     .kinds = WS_TRACE_BIT(WARP_BEGIN) | WS_TRACE_BIT(WARP_END) |
                              WS_TRACE_BIT(ISSUE) | WS_TRACE_BIT(STALL) | WS_TRACE_BIT(DIVERGE),
                     .launch_begin = launch_begin,
                     .event = note};
    return highlights;
}

void ws_highlights_free(WsHighlights *highlights)
{
    if (highlights == NULL)
        return;
    g_free(highlights->warps);
    g_free(highlights);
}

const WsObserver *ws_highlights_observer(WsHighlights *highlights)
{
    return &highlights->observer;
}

/* ---- the end ------------------------------------------------------------------------------------
 */

/* Where a run ended that no one warp has stopped: the warp that waits longest. */
static const Watched *longest_waiting(const WsHighlights *highlights)
{
    const Watched *found = NULL;

    for (gsize i = 0; i < highlights->warp_count; i++) {
        const Watched *warp = &highlights->warps[i];

        if (warp->there && warp->reason != WS_STALL_SELECTED &&
            (found == NULL || warp->since < found->since ||
             (warp->since == found->since && compare_places(&warp->who, &found->who) < 0)))
            found = warp;
    }
    return found;
}

static gboolean has_failed(const WsStop *stop, WsStatus status)
{
    return stop != NULL && stop->message != NULL && status != WS_STATUS_OK &&
           status != WS_STATUS_LIMIT && status != WS_STATUS_INTERRUPTED;
}

static void find_failure(WsHighlights *highlights, const WsStop *stop)
{
    WsHighlight failure = {.there = TRUE, .cycle = stop->cycle, .end = stop->cycle + 1};
    const Watched *warp = NULL;

    if (stop->sm >= 0 && stop->slot >= 0)
        warp = &highlights->warps[(guint32)stop->sm * highlights->slots + (guint32)stop->slot];
    if (warp == NULL || !warp->there)
        warp = longest_waiting(highlights);
    if (warp == NULL)
        return;
    failure.launch = warp->who.launch;
    failure.sm = warp->who.sm;
    failure.slot = warp->who.slot;
    failure.block = warp->who.block;
    failure.warp_in_block = warp->who.warp_in_block;
    failure.instruction = stop->instruction >= 0 ? (guint32)stop->instruction : warp->waits;
    highlights->best[WS_HIGHLIGHT_FAILURE] = failure;
}

void ws_highlights_finish(WsHighlights *highlights, guint64 end, WsStatus status,
                          const WsStop *stop)
{
    if (has_failed(stop, status))
        find_failure(highlights, stop);
    for (gsize i = 0; i < highlights->warp_count; i++)
        if (highlights->warps[i].there)
            end_warp(highlights, &highlights->warps[i], end);
}

const WsHighlight *ws_highlights_at(const WsHighlights *highlights, WsHighlightKind kind)
{
    return &highlights->best[kind];
}

WsHighlightKind ws_highlights_lead(const WsHighlights *highlights)
{
    guint i = 0;

    while (i < WS_HIGHLIGHT_COUNT && !highlights->best[i].there)
        i++;
    return (WsHighlightKind)i;
}

char *ws_highlight_text(const WsHighlights *highlights, WsHighlightKind kind)
{
    const WsHighlight *highlight = &highlights->best[kind];
    GString *out = g_string_new(NULL);
    guint64 cycles = highlight->end - highlight->cycle;

    g_string_printf(out, "block %u warp %u on SM %u", highlight->block, highlight->warp_in_block,
                    highlight->sm);
    if (cycles == 1)
        g_string_append_printf(out, ", cycle %" G_GUINT64_FORMAT, highlight->cycle);
    else
        g_string_append_printf(
            out, ", %" G_GUINT64_FORMAT " cycles, %" G_GUINT64_FORMAT " to %" G_GUINT64_FORMAT,
            cycles, highlight->cycle, highlight->end - 1);
    if (highlight->instructions != 0)
        g_string_append_printf(out,
                               ": %" G_GUINT64_FORMAT " instruction%s with %.1f lanes on average,"
                               " while %.1f wait",
                               highlight->instructions, highlight->instructions == 1 ? "" : "s",
                               (double)highlight->lanes / (double)highlight->instructions,
                               (double)highlight->lost / (double)highlight->instructions);
    return g_string_free(out, FALSE);
}
