/*
 * The parts of an issue that must be fast, and those that need not be: used by the two forms of the
 * issue loop (issue_loop.h) and by the rest of the SM. Inside the library only.
 */
#ifndef WS_SIM_SM_SUB_CORE_H
#define WS_SIM_SM_SUB_CORE_H

#include "sim/sm/sm.h"

/* ws_prepare() for a warp that may have something to wait for. */
void ws_prepare_waiting(WsSm *sm, WsSubCore *sub_core, WsWarp *warp, const WsIssueInfo *issue);

/*
 * The same behind an instruction that issues now. Most often all that goes on is the reading of
 * registers by an access to memory, which does not matter to the next instruction.
 */
void ws_prepare_held(WsSm *sm, WsSubCore *sub_core, WsWarp *warp, const WsIssueInfo *issue);

/* ---- dependences = control (sim/sm/control_fields.c)
 * ---------------------------------------------
 */

/* A result that is not known yet is waited for, whatever the control fields say. */
void ws_control_find_values(WsSm *sm, guint32 slot, const WsIssueInfo *issue,
                            guint64 until[WS_WAIT_COUNT]);
/* Notes operands that are not ready at issue. */
void ws_control_check(WsSm *sm, guint32 slot, guint32 pc, guint64 now);
/* Then notes for which lanes the instruction writes. */
void ws_control_note_writer(WsSm *sm, guint32 slot, const WsIssueInfo *issue, guint64 now);
/* The instruction's result is there at `ready` (WS_NEVER: a response will say), and it has read its
 * registers at `source`. */
void ws_control_set_barriers(WsSm *sm, guint32 slot, const WsIssueInfo *issue, guint64 ready,
                             guint64 source);
/* Of these two only the latter. */
void ws_control_set_read_barrier(WsSm *sm, guint32 slot, const WsIssueInfo *issue, guint64 source);
void ws_control_response(WsSm *sm, guint32 slot, const WsIssueInfo *issue, guint64 ready);

/* ---- the issue ---------------------------------------------------------------------------------
 */

/* Everything that is not a plain lane operation. Sets the path, and the state if the warp waits. */
void ws_issue_special(WsSm *sm, guint32 slot, guint32 pc, guint64 mask, guint64 now);
/* The path came to its stop. */
void ws_warp_reach_stop(WsSm *sm, guint32 slot, guint32 pc, guint64 now);
/*
 * Accounts for the cycles before the warp was ready, up to `end`, and returns how far it came. They
 * fall into stretches in the order of the reasons' precedence, because each reason ends at a known
 * cycle and a higher one hides the lower. What is left is split by counting the cycles for which
 * the warp's resource was busy (ws_charge_ready()).
 */
guint64 ws_charge_until_ready(WsWarp *warp, WsInstructionCounters *counters, guint64 end);
/* Warps beyond the wheel that are due. */
guint64 ws_wake_far(WsSm *sm, WsSubCore *sub_core, guint32 number, guint64 now);
/* Asks a policy that may hold warps back (sim/sm/admission.c). */
guint64 ws_admit(WsSm *sm, guint32 number, guint64 eligible, guint64 now);
/* The same file's: the policy's state, and what it is told of warps, at sm->state->now. */
gsize ws_policy_state_bytes(const WsLaunchContext *context);
void ws_policy_begin(WsSm *sm);
void ws_policy_warp_begin(WsSm *sm, guint32 slot);
void ws_policy_warp_end(WsSm *sm, guint32 slot);
/* FALSE while the dispatcher switches to the warp that was chosen; `warp` is the one to issue. */
gboolean ws_switch_is_done(WsSubCore *sub_core, guint *warp, guint64 cost, guint64 now);

static inline guint ws_count_lanes(guint64 mask)
{
    mask -= mask >> 1 & G_GUINT64_CONSTANT(0x5555555555555555);
    mask = (mask & G_GUINT64_CONSTANT(0x3333333333333333)) +
           (mask >> 2 & G_GUINT64_CONSTANT(0x3333333333333333));
    mask = (mask + (mask >> 4)) & G_GUINT64_CONSTANT(0x0f0f0f0f0f0f0f0f);
    return (guint)(mask * G_GUINT64_CONSTANT(0x0101010101010101) >> 56);
}

/* ---- waking -----------------------------------------------------------------------------------
 */

/* Warps that became ready at `now` and do not issue: what they waited for is counted from here. */
static inline void ws_start_counting(WsSm *sm, const WsSubCore *sub_core, guint32 number,
                                     guint64 warps, guint64 now)
{
    for (; warps != 0; warps &= warps - 1) {
        WsWarp *warp = &sm->state->warps[ws_slot_of(sm, number, (guint)__builtin_ctzll(warps))];
        guint64 cycle = MIN(now, warp->ready);
        warp->busy = ws_resource_blocked(sub_core, warp->resource, cycle);
        warp->dispatch = ws_dispatch_blocked(sub_core, cycle);
    }
}

/*
 * Of warps that wake: those that have indeed waited long enough, the rest wake later. While reads
 * hold up the issue stage, no warp of the sub-core counts down what it has to wait for fixed
 * latencies: their stall counts stand still (measured on an H200: chains of FFMAs in two warps that
 * want the ports at the same time both take 5 cycles a step, for as long as they last).
 */
guint64 ws_wake_counted(WsSm *sm, WsSubCore *sub_core, guint32 number, guint64 woken, guint64 now);

/* Wakes that were left for later (ws_next_look()). Nothing has been blocked since. */
static inline guint64 ws_wake_passed(WsSubCore *sub_core, guint64 now)
{
    guint64 warps = 0, count = MIN(now, sub_core->passed_end) - sub_core->passed;
    guint turn = sub_core->passed % WS_WHEEL;
    guint64 used = sub_core->wheel_used;

    used = turn ? used >> turn | used << (WS_WHEEL - turn) : used; /* from `passed` on */
    for (used &= ((guint64)1 << count) - 1; used != 0; used &= used - 1) {
        guint place = (turn + (guint)__builtin_ctzll(used)) % WS_WHEEL;

        warps |= sub_core->wheel[place];
        sub_core->wheel_used &= ~((guint64)1 << place);
        sub_core->wheel[place] = 0;
    }
    sub_core->passed = 0;
    return warps;
}

/* Wakes the warps that are due and returns which. */
static inline guint64 ws_wake_due(WsSm *sm, WsSubCore *sub_core, guint32 number, guint64 now)
{
    guint place = now % WS_WHEEL;
    guint64 warps = sub_core->soon;

    sub_core->soon = 0;
    if (sub_core->passed != 0)
        warps |= ws_wake_passed(sub_core, now);
    if (sub_core->wheel_used >> place & 1) {
        warps |= sub_core->wheel[place];
        sub_core->wheel[place] = 0;
        sub_core->wheel_used &= ~((guint64)1 << place);
    }
    if (G_UNLIKELY(sub_core->far_next <= now))
        warps |= ws_wake_far(sm, sub_core, number, now);
    sub_core->ready |= warps;
    return warps;
}

/* Next cycle after `now` at which a warp wakes. */
static inline guint64 ws_next_wake(const WsSubCore *sub_core, guint64 now)
{
    guint64 used = sub_core->wheel_used, next = sub_core->far_next;
    guint turn = (now + 1) % WS_WHEEL;

    if (used != 0) {
        used = turn ? used >> turn | used << (WS_WHEEL - turn) : used;
        next = MIN(next, now + 1 + (guint64)__builtin_ctzll(used));
    }
    return next;
}

/* Puts the warp where it is found at `cycle`. The caller sees to sub_core->next. */
static inline void ws_wake_later(WsSubCore *sub_core, guint number, guint64 cycle, guint64 now)
{
    guint64 bit = (guint64)1 << number;
    guint64 first = sub_core->passed != 0 ? sub_core->passed : now; /* place of the wheel in use */

    if (G_LIKELY(cycle - first < WS_WHEEL)) {
        sub_core->wheel[cycle % WS_WHEEL] |= bit;
        sub_core->wheel_used |= (guint64)1 << cycle % WS_WHEEL;
    } else {
        sub_core->far |= bit;
        sub_core->far_next = MIN(sub_core->far_next, cycle);
    }
}

/* ---- eligibility ------------------------------------------------------------------------------
 */

/* Warps that cannot issue in `cycle`, ready or not: their resource or the dispatcher is busy. */
static inline guint64 ws_find_blocked(WsSubCore *sub_core, guint64 cycle)
{
    guint64 blocked = 0;

    if (sub_core->dispatch_free > cycle)
        return ~(guint64)0;
    for (guint32 busy = sub_core->busy; busy != 0; busy &= busy - 1) {
        guint resource = (guint)__builtin_ctz(busy);
        guint64 held = sub_core->free[resource] > cycle; /* no branch: hosts guess it badly */

        sub_core->busy &= ~((guint32)!held << resource);
        blocked |= sub_core->want[resource] & -held;
    }
    return blocked;
}

/* Warps that can issue now: operands there, resource and dispatcher free. */
static inline guint64 ws_eligible(WsSubCore *sub_core, guint64 now)
{
    if (sub_core->look != now)
        return sub_core->ready & ~ws_find_blocked(sub_core, now);
    return sub_core->ready & ~sub_core->look_blocked;
}

/* ws_next_look() when no warp may be eligible in the next cycle. */
guint64 ws_next_look_if_blocked(WsSubCore *sub_core, guint64 now, guint64 blocked);

/*
 * Next cycle after `now` at which a warp may be eligible. Warps that wake before that and find
 * their resource or the dispatcher busy can wake when it is free.
 */
static inline guint64 ws_next_look(WsSubCore *sub_core, guint64 now)
{
    guint64 blocked = ws_find_blocked(sub_core, now + 1);

    sub_core->look = now + 1;
    sub_core->look_blocked = blocked;
    if (((sub_core->ready | sub_core->soon) & ~blocked) != 0)
        return now + 1;
    return ws_next_look_if_blocked(sub_core, now, blocked);
}

/* ---- what keeps the dispatcher ------------------------------------------------------------------
 */

/*
 * Nothing issues from cycle `from` to before `until`: these cycles are the dispatcher's, so they no
 * longer count for resources that are busy at the same time.
 */
static inline void ws_dispatch_block(WsSubCore *sub_core, guint64 from, guint64 until)
{
    for (guint32 busy = sub_core->busy; busy != 0; busy &= busy - 1) {
        guint r = (guint)__builtin_ctz(busy);

        if (sub_core->free[r] > from)
            sub_core->blocked[r] -= MIN(sub_core->free[r], until) - from;
    }
    sub_core->dispatch_blocked += until - from;
    sub_core->dispatch_free = until;
    sub_core->look = WS_NEVER;
}

/*
 * Cycle from which the instruction, which issues at `now` and reads several registers of a bank,
 * can do so: of what the register file does not have yet, each bank takes one straight from the
 * pipes.
 */
guint64 ws_first_read(const WsSm *sm, const WsWarp *warp, guint32 pc, guint64 now);

/*
 * The instruction at `pc` issues at `now` and takes its turn at the register ports. Returns the
 * cycles by which its reads hold up the issue stage; `result` is by how many its result comes
 * later, because of reads before its own (its own are part of its latency).
 */
static inline guint ws_read_registers(const WsSm *sm, WsSubCore *sub_core, const WsWarp *warp,
                                      guint32 pc, guint64 now, guint *result)
{
    enum { MASK = (1 << WS_READ_BITS) - 1, LAST_RUN = WS_READ_RUNS - 1 };
    guint64 place = (guint64)pc << 8 | warp->number;
    guint run = sub_core->run_place == place ? MIN(sub_core->run + 1, LAST_RUN) : 0;
    guint reads = (guint)(sm->reads[pc] >> 2 * WS_READ_BITS * run);
    guint even = reads & MASK, odd = reads >> WS_READ_BITS & MASK, most, late;
    guint passes = sm->passes;
    guint64 first = now, until_even, until_odd, until;

    sub_core->run_place = place + (1 << 8);
    sub_core->run = run;
    if ((even | odd) <= 1 && (sub_core->ports[0] <= now) & (sub_core->ports[1] <= now)) {
        sub_core->ports[0] = now + even * passes;
        sub_core->ports[1] = now + odd * passes;
        return 0;
    }
    if ((even | odd) > 1)
        first = ws_first_read(sm, warp, pc, now);
    until_even = MAX(sub_core->ports[0], first + (even == 2 ? sm->two_later : 0)) + even * passes;
    until_odd = MAX(sub_core->ports[1], first + (odd == 2 ? sm->two_later : 0)) + odd * passes;
    until = MAX(until_even, until_odd);
    sub_core->ports[0] = until_even;
    sub_core->ports[1] = until_odd;
    if (G_LIKELY(until <= now + sm->read_cycles))
        return 0;
    late = (guint)(until - now - sm->read_cycles);
    most = MAX(even, odd) * passes;
    *result = most > sm->read_cycles ? late - MIN(late, most - sm->read_cycles) : late;
    return late;
}

/*
 * A register bank takes one result a cycle, and one of the XU pipe has its cycle from its issue on.
 * Returns the cycles for which the instruction, which issues at `now`, waits so that it does not
 * write with one; notes when it writes itself if it is one of the XU pipe.
 */
guint ws_wait_to_write(const WsSm *sm, WsSubCore *sub_core, const WsIssueInfo *issue, guint64 now);

/* TRUE if results of the XU pipe may still have to be written. */
static inline gboolean ws_xu_writes(const WsSubCore *sub_core, const WsIssueInfo *issue,
                                    guint64 now)
{
    return (sub_core->xu_writes[0] >> 1) > now || issue->resource == WS_RESOURCE_XU;
}

/*
 * A 64-bit product issues at `now`: its second half keeps others from issuing, and so do factors
 * that the register file does not have yet. Returns the cycles of both; `late` becomes what its
 * result is late.
 */
guint ws_hold_issue(WsSm *sm, const WsWarp *warp, guint32 pc, guint64 now, guint *late);
/* Its high word and carry, whose cycle is that of the low word so far. */
void ws_delay_high_outputs(WsSm *sm, const WsWarp *warp, const WsIssueInfo *issue);

/* ---- stall accounting -------------------------------------------------------------------------
 */

/* What is left of the cycles since the warp became ready: its resource, the dispatcher, or choice.
 */
static inline void ws_charge_ready(WsWarp *warp, WsInstructionCounters *counters, guint64 cycles,
                                   guint64 busy, guint64 dispatch)
{
    if (busy != 0)
        counters->stalls[ws_resource_stall(warp->resource)] += busy;
    if (dispatch != 0)
        counters->stalls[WS_STALL_DISPATCH_STALL] += dispatch;
    counters->stalls[WS_STALL_NOT_SELECTED] += cycles - busy - dispatch;
}

/* Accounts for the issue at `now` and for the cycles since the last one. */
static inline void ws_charge_issue(const WsSubCore *sub_core, WsWarp *warp,
                                   WsInstructionCounters *counters, guint64 now)
{
    guint64 cursor = warp->cursor;

    if (cursor != now) {
        if (warp->ready > cursor)
            cursor = ws_charge_until_ready(warp, counters, now);
        /* It issues, so neither is busy now. */
        if (now > cursor)
            ws_charge_ready(warp, counters, now - cursor,
                            sub_core->blocked[warp->resource] - warp->busy,
                            sub_core->dispatch_blocked - warp->dispatch);
    }
    warp->cursor = now + 1;
}

/* ---- dependences ------------------------------------------------------------------------------
 */

static inline void ws_set_outputs(WsSm *sm, guint32 slot, const WsIssueInfo *issue, guint64 entry)
{
    const WsDependence *output = &sm->dependences[issue->first + issue->inputs];
    guint64 *entries = ws_sm_entries(sm, &sm->state->warps[slot]);

    for (guint i = 0; i < issue->outputs; i++)
        entries[output[i].entry] = entry;
}

/*
 * TRUE if nothing holds the operands back at `cycle`; FALSE may mean that this is not known. Most
 * entries are so old that their class does not matter.
 */
static inline gboolean ws_operands_are_ready(const WsSm *sm, const guint64 *entries,
                                             const WsIssueInfo *issue, guint64 cycle)
{
    const WsDependence *input = issue->quick_input, *end = input + issue->quick_inputs;
    guint64 old = cycle < sm->latest ? 0 : ws_entry(cycle - sm->latest + 1, 0);

    if (G_UNLIKELY(issue->quick_inputs == WS_NOT_QUICK))
        return FALSE;
    for (; input != end; input++) {
        guint64 entry = entries[input->entry];
        if (entry >= old &&
            ws_entry_cycle(entry) +
                    (guint64)(gint64)sm->later[ws_entry_kind(entry)][input->relation] >
                cycle)
            return FALSE;
    }
    return TRUE;
}

/* Cycles at which the operands of `issue` are there, by kind of wait: until[] is raised to them. */
void ws_find_waits(const WsSm *sm, guint32 slot, const WsIssueInfo *issue,
                   guint64 until[WS_WAIT_COUNT]);
void ws_find_war_waits(const WsSm *sm, guint32 slot, const WsIssueInfo *issue,
                       guint64 until[WS_WAIT_COUNT]);

/*
 * The warp has come to another line, or is so close to the end of its line that it asks for the
 * next one: sets fetch_until.
 */
void ws_find_instruction(WsSm *sm, WsWarp *warp);

/* Sets constant_until. Once an issue: the warp may wait longer, for something else. */
static inline void ws_find_constant(WsSm *sm, WsWarp *warp, const WsIssueInfo *issue)
{
    guint64 cycle =
        MAX(MAX(sm->state->now, warp->earliest), MAX(warp->front_until, warp->fetch_until));

    warp->constant_issue = warp->last_issue;
    warp->constant_until =
        ws_constant_cache_operand(sm->constants, warp->sub_core, issue->constant - 1, cycle);
    warp->held_until = MAX(warp->held_until, warp->constant_until);
}

/* What the next instruction needs before its operands: the instruction, a constant, a resource. */
static inline void ws_find_front(WsSm *sm, WsSubCore *sub_core, WsWarp *warp,
                                 const WsIssueInfo *issue)
{
    guint64 bit = (guint64)1 << warp->number;

    if (G_UNLIKELY((warp->path.pc - sm->first + sm->buffer) >> sm->line_shift != warp->line))
        ws_find_instruction(sm, warp);
    if (issue->constant != 0 && warp->constant_issue != warp->last_issue)
        ws_find_constant(sm, warp, issue);
    sub_core->want[warp->resource] &= ~bit;
    sub_core->want[issue->resource] |= bit;
    warp->resource = issue->resource;
    sub_core->look = WS_NEVER;
}

/*
 * Works out when the warp's next instruction is ready, and has the warp wake then. The caller sees
 * to sub_core->next. `issuing` says that it is the one that issues now: then the sub-core is run
 * again in the next cycle if the warp is ready by then.
 */
void ws_prepare(WsSm *sm, WsSubCore *sub_core, WsWarp *warp, gboolean issuing);

/* The same behind a quick instruction that issues now: nothing else has happened to the warp. */
static inline void ws_prepare_quick(WsSm *sm, WsSubCore *sub_core, WsWarp *warp, guint64 *entries,
                                    guint64 now)
{
    const WsIssueInfo *issue = &sm->issues[warp->path.pc];
    guint64 earliest = warp->earliest;

    ws_find_front(sm, sub_core, warp, issue);
    if (G_UNLIKELY(warp->held_until > now)) {
        ws_prepare_held(sm, sub_core, warp, issue);
        return;
    }
    if (!ws_operands_are_ready(sm, entries, issue, earliest)) {
        ws_prepare_waiting(sm, sub_core, warp, issue);
        return;
    }
    /* Times in until[] that are not set here are past: they belong to earlier instructions. */
    warp->until[WS_WAIT_FIXED] = warp->ready = earliest;
    if (earliest == now + 1)
        sub_core->soon |= (guint64)1 << warp->number;
    else
        ws_wake_later(sub_core, warp->number, earliest, now);
}

#endif
