/* Branches, exits and convergence: where the path of a warp goes next. */
#include "sim/sm/divergence_unit.h"
#include "isa/bytecode/opcode.h"
#include "sim/lanes/exchange.h"

#include "sim/sm/block_barriers.h"
#include "sim/sm/issue_special.h"
#include "sim/sm/operand_value.h"
#include "sim/sm/watch.h"

void ws_warp_path_changed(WsWarp *warp)
{
    ws_front_end_lose(&warp->front_end);
    warp->lanes = (guint8)ws_count_lanes(warp->path.active);
}

static void after_switch(WsSm *sm, guint32 slot, guint32 pc, WsConvergence how);

static void note_divergence(WsSm *sm, guint32 slot, guint32 pc, guint64 taken, guint64 rest)
{
    WsWarp *warp = &sm->state->warps[slot];

    sm->counters[pc].divergent++;
    if (!warp->diverged) {
        warp->diverged = TRUE;
        sm->state->warps_diverged++;
    }
    ws_emit_split(sm, slot, pc, taken, rest);
}

void ws_warp_reach_stop(WsSm *sm, guint32 slot, guint32 pc, guint64 now)
{
    const WsLaunchContext *context = sm->context;
    WsWarp *warp = &sm->state->warps[slot];
    guint32 at = warp->path.pc;

    while (warp->path.active != 0 && warp->path.pc == warp->path.stop)
        if (context->divergence->stop(ws_sm_path_state(sm, slot), &warp->path) ==
            WS_CONVERGED_JOINED)
            ws_emit_join(sm, slot, at, warp->path.active);
    ws_warp_path_changed(warp);
    ws_emit_paths(sm, slot, pc);
}

/* Lanes of the warp that have not exited and are not those of its path. */
static guint64 lanes_apart(WsSm *sm, guint32 slot)
{
    WsLanesAt apart[WS_MAX_PATHS];
    guint count = sm->context->divergence->waiting(ws_sm_path_state(sm, slot),
                                                   &sm->state->warps[slot].path, apart);
    guint64 lanes = 0;

    for (guint i = 0; i < count; i++)
        lanes |= apart[i].lanes;
    return lanes;
}

/* Lanes where the guard and condition operand Pp hold. */
static guint64 condition(const WsDecoded *decoded, const WsWarpRegisters *registers, guint64 mask)
{
    return mask & ws_predicate_operand(decoded, registers);
}

/* Lanes that take a BRA; a BRA.DIV is taken by all or by none. */
static guint64 takers(WsSm *sm, guint32 slot, const WsDecoded *decoded, guint64 mask)
{
    const WsWarpRegisters *registers = &sm->state->registers[slot];

    if (decoded->opcode != WS_OP_BRA_DIV)
        return condition(decoded, registers, mask);
    guint32 meant = ws_row_value(sm->context->decoded, registers, decoded->a, 0);
    return meant & lanes_apart(sm, slot) ? mask : 0;
}

/* `taken` lanes of the path go to `target`, the others to `next`. */
static void go(WsSm *sm, guint32 slot, guint32 pc, guint64 taken, guint32 target, guint32 next,
               guint64 now)
{
    const WsLaunchContext *context = sm->context;
    WsWarp *warp = &sm->state->warps[slot];
    guint64 rest = warp->path.active & ~taken, cost = context->device->branch_cost;

    sm->state->branches++;
    if (taken == 0) {
        warp->path.pc = next;
        cost = context->device->branch_fall_through_cost;
    } else if (rest == 0) {
        warp->path.pc = target;
    } else {
        sm->state->divergent_branches++;
        note_divergence(sm, slot, pc, taken, rest);
        context->divergence->split(ws_sm_path_state(sm, slot), &warp->path, taken, target, next,
                                   sm->issues[pc].reconvergence, context->device->first_side);
        ws_warp_path_changed(warp);
        if (warp->path.pc == next)
            cost = MAX(context->device->branch_fall_through_cost,
                       context->device->branch_divergent_cost);
    }
    if (taken != 0)
        ws_front_end_lose(&warp->front_end);
    ws_hold(warp, WS_STALL_BRANCH_RESOLVING, now + MAX(cost, 1));
    if (target <= pc && taken != 0 && context->divergence->turn != NULL &&
        context->device->progress_after != 0 &&
        context->divergence->turn(ws_sm_path_state(sm, slot), context->device->progress_after)) {
        WsConvergence how = context->divergence->yield(ws_sm_path_state(sm, slot), &warp->path);
        if (how != WS_CONVERGED_NOTHING)
            after_switch(sm, slot, pc, how);
    }
}

/*
 * BRX and RET: lanes may have many targets. Those with the lowest lane's go there; the rest stay
 * and issue the branch again, one more time for each target.
 */
static void go_indirect(WsSm *sm, guint32 slot, guint32 pc, guint64 mask, guint64 now)
{
    const WsLaunchContext *context = sm->context;
    WsWarp *warp = &sm->state->warps[slot];
    guint32 targets[WS_MAX_WARP_SIZE], target;
    guint64 taken = 0;
    guint lane;

    if (mask == 0) {
        go(sm, slot, pc, 0, pc + 1, pc + 1, now);
        return;
    }
    ws_lane_targets(context->decoded, &context->decoded->instructions[pc],
                    &sm->state->registers[slot], mask, targets);
    lane = (guint)__builtin_ctzll(mask);
    target = targets[lane];
    if (target < context->kernel->first ||
        target - context->kernel->first >= context->kernel->count) {
        ws_sm_stop_at(sm, WS_STATUS_FAULT, slot, pc, lane, "jump to an address outside the kernel");
        return;
    }
    for (guint64 m = mask; m != 0; m &= m - 1)
        if (targets[__builtin_ctzll(m)] == target)
            taken |= m & -m;
    go(sm, slot, pc, taken, target, mask & ~taken ? pc : pc + 1, now);
    guint64 cost = context->device->branch_indirect_cost;
    if (ws_is_kind(&context->program->instructions[pc], WS_KIND_RET))
        cost = MAX(cost, context->device->branch_return_cost);
    if (warp->hold.until < now + cost)
        ws_hold(warp, WS_STALL_BRANCH_RESOLVING, now + cost);
}

/* The register that CALL leaves its return address in. */
static void set_return_address(WsSm *sm, guint32 slot, guint32 pc, guint64 mask)
{
    const WsLaunchContext *context = sm->context;
    const WsInstruction *instruction = &context->program->instructions[pc];
    guint32 size = context->decoded->warp_size, *row;

    if (instruction->operand[0].index >= context->kernel->registers)
        return;
    row = sm->state->registers[slot].registers + (gsize)instruction->operand[0].index * size;
    for (guint64 m = mask; m != 0; m &= m - 1)
        row[__builtin_ctzll(m)] = (pc + 1) * WS_INSTRUCTION_BYTES;
}

void ws_issue_branch(WsSm *sm, guint32 slot, guint32 pc, guint64 mask, guint64 now)
{
    const WsLaunchContext *context = sm->context;
    const WsDecoded *decoded = &context->decoded->instructions[pc];
    const WsIssueInfo *issue = &sm->issues[pc];

    switch (decoded->kind) {
    case WS_KIND_BRA:
        mask = takers(sm, slot, decoded, mask);
        go(sm, slot, pc, mask, issue->target, pc + 1, now);
        break;
    case WS_KIND_CALL:
        set_return_address(sm, slot, pc, mask);
        ws_issue_result(sm, slot, issue, ws_entry(now + issue->latency, issue->execution_class));
        /* Without a return address of its own it is that of a division, which splits no lanes. */
        if (context->divergence->call != NULL && mask == sm->state->warps[slot].path.active &&
            context->program->instructions[pc].operand[0].index != WS_RZ)
            context->divergence->call(ws_sm_path_state(sm, slot), &sm->state->warps[slot].path,
                                      pc + 1);
        go(sm, slot, pc, mask, issue->target, pc + 1, now);
        break;
    default:
        go_indirect(sm, slot, pc, mask, now);
        break;
    }
}

/* Lanes that go on from one WARPSYNC at several places carry out their operations together. */
static void note_met(WsSm *sm, guint32 slot)
{
    const WsLaunchContext *context = sm->context;
    guint32 pc[WS_MAX_WARP_SIZE];
    guint64 lanes;

    if (context->divergence->met == NULL)
        return;
    while ((lanes = context->divergence->met(ws_sm_path_state(sm, slot),
                                             &sm->state->warps[slot].path, pc)) != 0)
        ws_exchange_meet(context->decoded, &sm->state->registers[slot], lanes, pc);
}

void ws_issue_exit(WsSm *sm, guint32 slot, guint32 pc, guint64 mask, guint64 now)
{
    const WsLaunchContext *context = sm->context;
    WsWarp *warp = &sm->state->warps[slot];
    guint64 lanes =
        condition(&context->decoded->instructions[pc], &sm->state->registers[slot], mask);

    if (lanes == 0)
        return;
    if (lanes != warp->path.active)
        note_divergence(sm, slot, pc, lanes, warp->path.active & ~lanes);
    warp->wait_pc = pc;
    if (context->divergence->exit(ws_sm_path_state(sm, slot), &warp->path, lanes)) {
        ws_warp_exited(sm, slot, now);
        return;
    }
    note_met(sm, slot);
    ws_warp_path_changed(warp);
    if (context->divergence->wait != NULL)
        ws_barrier_lanes_left(sm, slot, now);
}

/* BMOV: a convergence barrier register is written or read. */
static void move_barrier(WsSm *sm, guint32 slot, guint32 pc, guint64 mask, guint64 now)
{
    const WsLaunchContext *context = sm->context;
    const WsInstruction *instruction = &context->program->instructions[pc];
    const WsDivergenceModel *model = context->divergence;
    const WsIssueInfo *issue = &sm->issues[pc];
    const WsPath *path = &sm->state->warps[slot].path;
    void *state = ws_sm_path_state(sm, slot);
    guint32 size = context->decoded->warp_size;

    if (ws_is_kind(instruction, WS_KIND_BMOV_TO)) {
        guint lane = (guint)__builtin_ctzll(mask);
        if (model->set != NULL)
            model->set(state, path, instruction->operand[0].index & 15,
                       ws_operand_value(sm, slot, &instruction->operand[1], lane));
    } else if (instruction->operand[0].index < context->kernel->registers) {
        guint barrier = instruction->operand[1].index & 15;
        guint64 lanes = model->get != NULL ? model->get(state, path, barrier) : 0;
        guint32 *row =
            sm->state->registers[slot].registers + (gsize)instruction->operand[0].index * size;
        for (guint64 m = mask; m != 0; m &= m - 1)
            row[__builtin_ctzll(m)] = (guint32)lanes;
    }
    ws_issue_result(sm, slot, issue, ws_entry(now + issue->latency, issue->execution_class));
}

/* What a convergence instruction does to the path; NOTHING where it only takes its slot. */
static WsConvergence converge(WsSm *sm, guint32 slot, guint32 pc, guint64 mask)
{
    const WsInstruction *instruction = &sm->context->program->instructions[pc];
    const WsDivergenceModel *model = sm->context->divergence;
    const WsDecoded *decoded = &sm->context->decoded->instructions[pc];
    WsPath *path = &sm->state->warps[slot].path;
    void *state = ws_sm_path_state(sm, slot);
    guint barrier = instruction->operand[0].index & 15;

    switch (ws_instruction_kind(instruction)) {
    case WS_KIND_BSSY:
        if (model->enter != NULL)
            model->enter(state, path, barrier);
        break;
    case WS_KIND_BSYNC:
        return model->sync != NULL ? model->sync(state, path, barrier) : WS_CONVERGED_NOTHING;
    case WS_KIND_BREAK:
        if (model->leave != NULL)
            model->leave(state, path, instruction->operand[1].index & 15,
                         condition(decoded, &sm->state->registers[slot], mask));
        break;
    case WS_KIND_WARPSYNC:
        if (model->meet != NULL)
            return model->meet(state, path, ws_warp_operand(sm, slot, pc, 0));
        break;
    case WS_KIND_WARPSYNC_ALL:
        if (model->meet_here != NULL)
            return model->meet_here(state, path);
        break;
    case WS_KIND_YIELD:
        return model->yield != NULL ? model->yield(state, path) : WS_CONVERGED_NOTHING;
    default:
        break;
    }
    return WS_CONVERGED_NOTHING;
}

static guint64 convergence_cost(const WsDevice *device, WsConvergence how)
{
    switch (how) {
    case WS_CONVERGED_SWITCHED:
        return device->path_switch_cost;
    case WS_CONVERGED_RECALLED:
        return MAX(device->path_switch_cost, device->path_recall_cost);
    default:
        return device->convergence_cost;
    }
}

/* The path has changed hands, or ends here until a block barrier opens. */
static void after_switch(WsSm *sm, guint32 slot, guint32 pc, WsConvergence how)
{
    WsWarp *warp = &sm->state->warps[slot];
    guint64 cost = convergence_cost(sm->context->device, how);

    ws_warp_path_changed(warp);
    if (warp->path.active == 0) {
        warp->wait_pc = pc;
        ws_barrier_nothing_runs(sm, slot);
        return;
    }
    if (how == WS_CONVERGED_JOINED)
        ws_emit_join(sm, slot, pc, warp->path.active);
    ws_hold(warp, WS_STALL_BRANCH_RESOLVING, MAX(warp->hold.until, sm->state->now + cost));
}

void ws_issue_convergence(WsSm *sm, guint32 slot, guint32 pc, guint64 mask, guint64 now)
{
    guint kind = sm->context->decoded->instructions[pc].kind;
    const WsDivergenceModel *model = sm->context->divergence;
    WsWarp *warp = &sm->state->warps[slot];
    WsConvergence how;

    if (mask == 0)
        return;
    if (kind == WS_KIND_BMOV_TO || kind == WS_KIND_BMOV_FROM) {
        move_barrier(sm, slot, pc, mask, now);
        return;
    }
    if (kind == WS_KIND_WARPSYNC || kind == WS_KIND_WARPSYNC_ALL)
        ws_exchange_leave(&sm->state->registers[slot], mask);
    how = converge(sm, slot, pc, mask);
    note_met(sm, slot);
    if (how != WS_CONVERGED_NOTHING)
        after_switch(sm, slot, pc, how);
    else if (kind == WS_KIND_BSYNC && model->sync != NULL)
        ws_hold(warp, WS_STALL_BRANCH_RESOLVING, now + sm->context->device->convergence_cost);
}
