#include "sim/lanes/exchange.h"

enum { LANES = 32 }; /* decoding refuses warp-wide operations at other warp sizes */

/* The operation that WARPSYNC in front of instruction `pc` is for, or NULL. */
static const WsDecoded *operation_behind(const WsDecodedProgram *program, guint32 pc)
{
    for (guint32 at = pc; at < program->program->instruction_count; at++) {
        const WsDecoded *instruction = &program->instructions[at];
        const WsInstruction *written = &program->program->instructions[at];
        if (ws_is_meeting(written, at > 0 ? written - 1 : NULL))
            return instruction;
        if (ws_opcode_has(instruction->opcode, WS_FLAG_PARTS_LANES) ||
            ws_kind_is_branch(instruction->kind) || instruction->kind == WS_KIND_EXIT ||
            instruction->kind == WS_KIND_BARRIER)
            break;
    }
    return NULL;
}

static const WsInstruction *written_of(const WsDecodedProgram *program, const WsDecoded *decoded)
{
    return &program->program->instructions[decoded - program->instructions];
}

/* What a lane brings: the register, the pair of a wide match, or whether a vote's predicate holds.
 */
static guint64 brought(const WsDecodedProgram *program, const WsWarpRegisters *warp,
                       const WsDecoded *operation, guint lane)
{
    gint row = operation->a;
    if (ws_opcode_has_modifier(operation->opcode, WS_MOD_VOTE))
        return ws_predicate_mask(warp, operation->predicate_in & 15) >> lane & 1;
    guint64 low = ws_row_value(program, warp, row, lane);
    if (!ws_opcode_has_modifier(operation->opcode, WS_MOD_MATCH_WIDTH) ||
        !ws_decoded_modifier(operation, MATCH_WIDTH))
        return low;
    return low | (guint64)ws_row_value(program, warp, row < 0 ? row - 1 : row + 1, lane) << 32;
}

static gboolean is_one_place(guint64 lanes, const guint32 pc[])
{
    guint32 first = pc[__builtin_ctzll(lanes)];
    for (guint64 rest = lanes; rest; rest &= rest - 1)
        if (pc[__builtin_ctzll(rest)] != first)
            return FALSE;
    return TRUE;
}

void ws_exchange_meet(const WsDecodedProgram *program, WsWarpRegisters *warp, guint64 lanes,
                      const guint32 pc[WS_MAX_WARP_SIZE])
{
    const WsInstruction *operation[LANES] = {NULL};
    WsExchange *exchange = &warp->exchange;

    ws_exchange_leave(warp, lanes);
    if (lanes == 0 || program->warp_size != LANES || is_one_place(lanes, pc))
        return;
    for (guint64 rest = lanes; rest; rest &= rest - 1) {
        guint lane = (guint)__builtin_ctzll(rest);
        const WsDecoded *found = operation_behind(program, pc[lane]);
        if (found == NULL || ws_guard_mask(found, warp, (guint64)1 << lane) == 0)
            continue;
        operation[lane] = written_of(program, found);
        exchange->value[lane] = brought(program, warp, found, lane);
    }
    for (guint64 rest = lanes; rest; rest &= rest - 1) {
        guint lane = (guint)__builtin_ctzll(rest);
        exchange->with[lane] = 0;
        if (operation[lane] == NULL)
            continue;
        for (guint other = 0; other < LANES; other++)
            if (operation[other] != NULL &&
                ws_meeting_kind(operation[lane]) == ws_meeting_kind(operation[other]))
                exchange->with[lane] |= 1u << other;
        exchange->open |= 1u << lane;
        exchange->certain |= (guint32)!ws_is_meeting(operation[lane], NULL) << lane;
    }
}

static gboolean meets_elsewhere(const WsDecodedProgram *program, guint32 pc, guint opcode)
{
    const WsKernel *kernel = program->kernel;

    for (guint32 at = kernel->first; at < kernel->first + kernel->count; at++) {
        const WsDecoded *other = NULL;
        if (at != pc && program->instructions[at].kind == WS_KIND_WARPSYNC)
            other = operation_behind(program, at + 1);
        if (other != NULL && other->opcode == opcode)
            return TRUE;
    }
    return FALSE;
}

gint ws_exchange_loaded_row(const WsDecodedProgram *program, guint32 pc)
{
    const WsDecoded *operation = operation_behind(program, pc + 1);

    if (operation == NULL || operation->a < 0 || operation->a >= WS_ROW_UNIFORM)
        return -1;
    for (guint32 at = pc; at-- > program->kernel->first;) {
        const WsDecoded *before = &program->instructions[at];
        gint words = ws_kind_is_memory(before->kind) ? 4 : 1;

        if (ws_kind_is_branch(before->kind))
            break;
        if (before->d < 0 || operation->a < before->d || operation->a >= before->d + words)
            continue;
        return words > 1 && meets_elsewhere(program, pc, operation->opcode) ? operation->a : -1;
    }
    return -1;
}
