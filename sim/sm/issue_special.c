#include "sim/sm/issue_special.h"

#include "sim/base/call_fault.h"
#include "sim/sm/block_barriers.h"
#include "sim/sm/divergence_unit.h"
#include "sim/sm/membar_wait.h"

void ws_issue_special(WsSm *sm, guint32 slot, guint32 pc, guint64 mask, guint64 now)
{
    const WsInstruction *instruction = &sm->context->program->instructions[pc];
    WsWarp *warp = &sm->state->warps[slot];

    switch ((WsKind)sm->context->decoded->instructions[pc].kind) {
    case WS_KIND_LANES:
        ws_issue_unit(sm, slot, pc, mask, now);
        return;
    case WS_KIND_MATRIX:
        ws_issue_matrix(sm, slot, pc, mask, now);
        return;
    case WS_KIND_MEMORY:
    case WS_KIND_MATRIX_LOAD:
    case WS_KIND_TEXTURE:
        ws_issue_memory(sm, slot, pc, mask, now);
        return;
    case WS_KIND_SYSTEM:
        ws_issue_system(sm, slot, pc, mask, now);
        break;
    case WS_KIND_BRA ... WS_KIND_RET:
        ws_issue_branch(sm, slot, pc, mask, now);
        return;
    case WS_KIND_EXIT:
        ws_issue_exit(sm, slot, pc, mask, now);
        return;
    case WS_KIND_BARRIER:
        if (mask != 0)
            ws_barrier_execute(sm, slot, pc, mask, now);
        return;
    case WS_KIND_BPT ... WS_KIND_ASSERTFAIL:
        if (mask != 0)
            ws_sm_stop_at(sm, WS_STATUS_FAULT, slot, pc, (guint32)__builtin_ctzll(mask),
                          ws_trap_text(ws_is_kind(instruction, WS_KIND_ASSERTFAIL)
                                           ? WS_TRAP_ASSERT
                                           : instruction->mod[WS_MOD_TRAP]));
        break;
    case WS_KIND_MEMBAR:
        if (mask != 0) {
            warp->wait_pc = pc;
            warp->membar.scope = instruction->mod[WS_MOD_SCOPE];
            ws_membar_look(sm, slot);
        }
        break;
    case WS_KIND_SLEEP:
        if (mask != 0)
            ws_issue_sleep(sm, slot, pc, now);
        break;
    case WS_KIND_BSSY ... WS_KIND_YIELD:
        ws_issue_convergence(sm, slot, pc, mask, now);
        break;
    case WS_KIND_NOP:
        break;
    }
}
