/*
 * __syncthreads() on both sides of a branch that parts the block: the threads meet all the same, on
 * today's machines, and what CUDA says is that the behaviour is undefined. Named barriers are none:
 * those that produce and those that consume come to one from different places. Nor are barriers
 * that are not aligned (barrier.sync).
 */
#include "sim/base/instruction_place.h"
#include "sim/check/private.h"

static WsTouch touch_of(const WsCheck *check, guint32 slot, guint32 thread, guint32 instruction)
{
    return ws_check_touch(check, ws_order_serial(check->order, slot), thread, instruction,
                          WS_TOUCH_WAIT);
}

void ws_check_barriers_arrive(WsCheck *check, guint32 slot, guint32 thread, guint32 instruction)
{
    WsCheckArrival *first = &ws_check_block(check, slot)->whole;
    gboolean is_new;

    if (check->loose != NULL && check->loose[ws_check_ptx_line(check, instruction)])
        return;
    if (first->instruction == WS_CHECK_NO_INSTRUCTION)
        *first = (WsCheckArrival){instruction, thread};
    if (first->instruction == instruction)
        return;
    WsCheckFinding *finding =
        ws_check_find(check, WS_CHECK_BARRIERS, first->instruction, instruction, &is_new);
    if (!is_new)
        return;
    g_autofree char *a = ws_check_line_text(check, first->instruction);
    g_autofree char *b = ws_check_line_text(check, instruction);
    finding->touches = 2;
    finding->touch[0] = touch_of(check, slot, first->thread, first->instruction);
    finding->touch[1] = touch_of(check, slot, thread, instruction);
    finding->place = g_strdup("__syncthreads()");
    finding->missing = g_strdup_printf(
        "all threads of a block must reach the same __syncthreads(): here some reach the one at %s "
        "and others the one at %s, which is undefined behaviour",
        a, b);
}

void ws_check_barriers_release(WsCheck *check, guint32 slot)
{
    ws_check_block(check, slot)->whole.instruction = WS_CHECK_NO_INSTRUCTION;
}

/*
 * Lanes of one warp do not meet from two places at all, as on Volta and later; where clang has put
 * the two barriers together, only this run shows it. __syncthreads() asks all lanes to be there
 * (WARPSYNC.ALL) before it comes to the barrier.
 */
void ws_check_barriers_stuck(WsCheck *check, guint32 slot, guint32 thread, guint32 instruction)
{
    const WsProgram *program = check->job->program;
    guint32 end = check->kernel->first + check->kernel->count, at = instruction;

    if (ws_is_kind(&program->instructions[at], WS_KIND_WARPSYNC_ALL) &&
        ws_meets_for_barrier(program, at))
        while (at + 1 < end && !ws_is_kind(&program->instructions[at], WS_KIND_BARRIER))
            at++;
    if (ws_is_kind(&program->instructions[at], WS_KIND_BARRIER))
        ws_check_barriers_arrive(check, slot, thread, at);
}
