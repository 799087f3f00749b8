#include "inspect/session/why.h"

#include "inspect/session/focus.h"
#include "sim/sm/eligibility.h"

/* So far ahead is looked for the end of a wait, in cycles. */
enum { HORIZON = 1 << 20 };

/* ---- looking for events of a warp ---------------------------------------------------------------
 */

typedef struct {
    guint32 sm, slot;
    guint32 sub_core;    /* of all its warps; G_MAXUINT32 = of the slot alone */
    guint32 instruction; /* of this one alone, or WS_NO_INSTRUCTION */
    guint32 entry;       /* that sets this entry of the scoreboard, or G_MAXUINT32 */
    guint resource;      /* that uses this resource, or WS_RESOURCE_COUNT */
} Wanted;

static gboolean covers(const WsIssueTable *table, const WsRegisterSet *set, guint32 entry)
{
    if (entry < table->first_predicate)
        return entry >= set->first && entry < (guint32)set->first + set->count;
    if (entry < table->first_uniform)
        return set->predicates >> (entry - table->first_predicate) & 1;
    if (entry < table->first_uniform_predicate)
        return entry - table->first_uniform >= set->uniform_first &&
               entry - table->first_uniform < (guint32)set->uniform_first + set->uniform_count;
    return entry < table->first_barrier &&
           (set->uniform_predicates >> (entry - table->first_uniform_predicate) & 1);
}

static guint64 find_wanted(void *data, const WsSm *sm, const WsTraceEvent *event)
{
    const Wanted *wanted = data;

    if (event->sm != wanted->sm ||
        (wanted->sub_core != G_MAXUINT32 ? event->sub_core != wanted->sub_core
                                         : event->warp != wanted->slot) ||
        (wanted->instruction != WS_NO_INSTRUCTION && event->instruction != wanted->instruction) ||
        (wanted->resource != WS_RESOURCE_COUNT &&
         sm->issues[event->instruction].resource != wanted->resource) ||
        (wanted->entry != G_MAXUINT32 &&
         !covers(sm->context->issue_table, &event->scoreboard.registers, wanted->entry)))
        return WS_NEVER;
    return event->cycle;
}

static Wanted of_warp(const WsWhy *why)
{
    return (Wanted){.sm = why->sm,
                    .slot = why->slot,
                    .sub_core = G_MAXUINT32,
                    .instruction = WS_NO_INSTRUCTION,
                    .entry = G_MAXUINT32,
                    .resource = WS_RESOURCE_COUNT};
}

static gboolean look(WsSession *session, guint64 kinds, Wanted wanted, gboolean ahead,
                     WsFinding *ret, GError **error)
{
    WsQuery query = {.kinds = kinds, .find = find_wanted, .data = &wanted};

    return ahead ? ws_timeline_look_ahead(ws_session_timeline(session), &query, HORIZON, ret, error)
                 : ws_timeline_look_back(ws_session_timeline(session), &query, ret, error);
}

/* ---- when ---------------------------------------------------------------------------------------
 */

static void no_event(void *data)
{
}

/* Since when: the last change of the reason, or the last issue, is before the cycle. */
static gboolean find_since(WsSession *session, WsWhy *why, GError **error)
{
    Wanted wanted = of_warp(why);
    WsQuery query = {.kinds = WS_TRACE_BIT(STALL) | WS_TRACE_BIT(ISSUE) | WS_TRACE_BIT(WARP_BEGIN),
                     .find = find_wanted,
                     .data = &wanted,
                     .begin = no_event};
    WsFinding finding;

    if (!ws_timeline_look_back(ws_session_timeline(session), &query, &finding, error))
        return FALSE;
    why->since = why->cycle;
    if (!finding.found)
        why->since = 0;
    else if (finding.event.kind != WS_TRACE_STALL)
        why->since = MIN(finding.event.cycle + 1, why->cycle);
    else if (finding.event.stall.reason == why->reason)
        why->since = finding.event.cycle;
    return TRUE;
}

static gboolean find_until(WsSession *session, WsWhy *why, GError **error)
{
    guint64 ends = WS_TRACE_BIT(WARP_END);
    WsFinding finding;

    if (!look(session, WS_TRACE_BIT(STALL) | WS_TRACE_BIT(ISSUE) | ends, of_warp(why), TRUE,
              &finding, error))
        return FALSE;
    if (finding.found) {
        why->until = finding.event.cycle;
        why->leaves = finding.event.kind == WS_TRACE_WARP_END;
    }
    if (finding.found && finding.event.kind == WS_TRACE_ISSUE) {
        why->issues = finding.event.cycle;
        return TRUE;
    }
    if (why->reason == WS_STALL_DRAIN)
        return TRUE;
    if (!look(session, WS_TRACE_BIT(ISSUE), of_warp(why), TRUE, &finding, error))
        return FALSE;
    if (finding.found)
        why->issues = finding.event.cycle;
    return TRUE;
}

/* Who issues in this very cycle on the warp's sub-core. */
typedef struct {
    WsWhy *why;
    guint32 sub_core;
} Choice;

static guint64 note_choice(void *data, const WsSm *sm, const WsTraceEvent *event)
{
    Choice *choice = data;
    WsWhy *why = choice->why;

    if (event->cycle != why->cycle || event->sm != why->sm || event->sub_core != choice->sub_core)
        return WS_NEVER;
    if (event->warp == why->slot) {
        why->reason = WS_STALL_SELECTED;
        why->issues = why->cycle;
        return WS_NEVER;
    }
    why->has_other = TRUE;
    why->other_slot = event->warp;
    why->other_instruction = event->instruction;
    why->other_cycle = event->cycle;
    return WS_NEVER;
}

static gboolean find_choice(WsSession *session, const WsSm *sm, WsWhy *why, GError **error)
{
    Choice choice = {why, sm->state->warps[why->slot].sub_core};
    WsQuery query = {.kinds = WS_TRACE_BIT(ISSUE), .find = note_choice, .data = &choice};
    WsFinding finding;

    return ws_timeline_look_ahead(ws_session_timeline(session), &query, 1, &finding, error);
}

/* ---- who ----------------------------------------------------------------------------------------
 */

/* The entry of the scoreboard that the next instruction waits for longest, or G_MAXUINT32. */
static guint32 latest_entry(const WsSm *sm, guint32 slot, guint32 pc, guint64 cycle)
{
    const WsIssueTable *table = sm->context->issue_table;
    const WsIssueInfo *issue = &table->issues[pc];
    const WsDependence *dependences = &table->dependences[issue->first];
    const guint64 *entries = ws_sm_entries(sm, &sm->state->warps[slot]);
    guint32 latest = G_MAXUINT32;
    guint64 most = cycle;

    for (guint i = 0; i < (guint)issue->inputs + issue->ordered; i++) {
        guint64 entry = entries[dependences[i].entry];
        guint64 ready = ws_entry_cycle(entry);

        if (i < issue->inputs && ready < WS_NEVER)
            ready += (guint64)(gint64)table->later[ws_entry_kind(entry)][dependences[i].relation];
        if (ready > most) {
            most = ready;
            latest = dependences[i].entry;
        }
    }
    return latest;
}

/* An access that has not been answered: where it is, once it has. */
static gboolean find_answer(WsSession *session, WsWhy *why, GError **error)
{
    Wanted wanted = of_warp(why);
    WsFinding finding;

    wanted.instruction = why->producer;
    if (!look(session, WS_TRACE_BIT(RESPONSE), wanted, TRUE, &finding, error))
        return FALSE;
    if (finding.found) {
        why->answered = finding.event.cycle;
        why->level = (WsMemoryLevel)finding.event.response.level;
    }
    return TRUE;
}

static gboolean find_last_issue(WsSession *session, WsWhy *why, GError **error)
{
    WsFinding finding;

    if (!look(session, WS_TRACE_BIT(ISSUE), of_warp(why), FALSE, &finding, error))
        return FALSE;
    if (finding.found) {
        why->producer = finding.event.instruction;
        why->produced = finding.event.cycle;
    }
    return TRUE;
}

static gboolean find_producer(WsSession *session, const WsSm *sm, WsWhy *why, GError **error)
{
    guint32 entry = latest_entry(sm, why->slot, why->instruction, why->cycle);
    Wanted wanted = of_warp(why);
    WsFinding finding;

    if (entry != G_MAXUINT32)
        ws_scoreboard_entry_name(sm->context->issue_table, entry, why->operand,
                                 sizeof why->operand);
    if (why->operand[0] == '\0') /* as on a machine that waits for each instruction */
        return find_last_issue(session, why, error);
    wanted.entry = entry;
    if (!look(session, WS_TRACE_BIT(SCOREBOARD_SET), wanted, FALSE, &finding, error))
        return FALSE;
    if (!finding.found)
        return TRUE;
    why->producer = finding.event.instruction;
    why->produced = finding.event.cycle;
    return why->reason != WS_STALL_LONG_SCOREBOARD || find_answer(session, why, error);
}

/* The last one of the sub-core that has taken the pipe or queue. */
static gboolean find_user(WsSession *session, const WsSm *sm, WsWhy *why, GError **error)
{
    Wanted wanted = of_warp(why);
    WsFinding finding;

    wanted.sub_core = sm->state->warps[why->slot].sub_core;
    if (why->reason != WS_STALL_DISPATCH_STALL)
        wanted.resource = sm->issues[why->instruction].resource;
    if (!look(session, WS_TRACE_BIT(ISSUE), wanted, FALSE, &finding, error))
        return FALSE;
    why->has_other = finding.found;
    why->other_slot = finding.event.warp;
    why->other_instruction = finding.event.instruction;
    why->other_cycle = finding.event.cycle;
    return TRUE;
}

static void find_missing(const WsSm *sm, WsWhy *why)
{
    const WsWarp *warp = &sm->state->warps[why->slot];
    const WsBlockState *block = &sm->state->blocks[warp->block_slot];

    why->barrier = warp->barrier.number;
    why->missing = block->alive & ~block->barriers[warp->barrier.number].arrived;
}

static gboolean find_cause(WsSession *session, const WsSm *sm, WsWhy *why, GError **error)
{
    switch (why->reason) {
    case WS_STALL_LONG_SCOREBOARD:
    case WS_STALL_SHORT_SCOREBOARD:
    case WS_STALL_WAIT:
        return find_producer(session, sm, why, error);
    case WS_STALL_BRANCH_RESOLVING:
    case WS_STALL_MEMBAR:
    case WS_STALL_SLEEPING:
    case WS_STALL_DRAIN:
        return find_last_issue(session, why, error);
    case WS_STALL_BARRIER:
        find_missing(sm, why);
        return find_last_issue(session, why, error);
    case WS_STALL_DISPATCH_STALL:
    case WS_STALL_LG_THROTTLE:
    case WS_STALL_MIO_THROTTLE:
    case WS_STALL_MATH_PIPE_THROTTLE:
        return find_user(session, sm, why, error);
    default:
        return TRUE;
    }
}

gboolean ws_session_why(WsSession *session, WsWarpPlace place, WsWhy *ret, GError **error)
{
    WsTimeline *timeline = ws_session_timeline(session);
    const WsWarp *warp = &place.sm->state->warps[place.slot];
    guint32 number = place.sm->number;

    *ret = (WsWhy){.cycle = ws_timeline_cycle(timeline),
                   .sm = number,
                   .slot = place.slot,
                   .instruction = warp->state == WS_WARP_DRAIN ? warp->wait_pc : warp->path.pc,
                   .until = WS_NEVER,
                   .issues = WS_NEVER,
                   .producer = WS_NO_INSTRUCTION,
                   .answered = WS_NEVER};
    ret->reason = ws_warp_stall(place.sm, place.slot, ret->cycle);
    /* The SM is found anew after each look: it may lie elsewhere once another launch has run. */
    if (!find_since(session, ret, error))
        return FALSE;
    if (ret->reason == WS_STALL_NOT_SELECTED)
        return find_choice(session, ws_timeline_sm(timeline, number), ret, error) &&
               (ret->reason == WS_STALL_SELECTED || find_until(session, ret, error));
    return find_until(session, ret, error) &&
           find_cause(session, ws_timeline_sm(timeline, number), ret, error);
}
