#include "sim/lanes/exchange.h"

enum { LANES = 32 }; /* decoding refuses warp-wide operations at other warp sizes */

static gboolean is_operation(const WsDecoded *instruction)
{
    switch (instruction->opcode) {
    case WS_OP_SHFL:
    case WS_OP_MATCH:
    case WS_OP_REDUX:
        return TRUE;
    case WS_OP_VOTE:
        return (instruction->predicate_in & 15) != WS_PT;
    default:
        return FALSE;
    }
}

/* __ballot_sync(mask, true): as __activemask(), but right behind its WARPSYNC. */
static gboolean is_own_vote(const WsDecodedProgram *program, guint32 pc)
{
    const WsInstruction *vote = &program->program->instructions[pc];
    return vote->opcode == WS_OP_VOTE && pc > 0 && vote[-1].opcode == WS_OP_WARPSYNC &&
           vote[-1].location == vote->location;
}

const WsDecoded *ws_exchange_operation(const WsDecodedProgram *program, guint32 pc)
{
    for (guint32 at = pc; at < program->program->instruction_count; at++) {
        const WsDecoded *instruction = &program->instructions[at];
        if (is_operation(instruction) || is_own_vote(program, at))
            return instruction;
        if (ws_opcode_has(instruction->opcode, WS_FLAG_PARTS_LANES) ||
            instruction->kind == WS_KIND_BRANCH || instruction->kind == WS_KIND_EXIT ||
            instruction->kind == WS_KIND_BARRIER)
            break;
    }
    return NULL;
}

/* VOTE: a ballot does not meet a vote. */
static gboolean are_alike(const WsDecoded *a, const WsDecoded *b)
{
    if (a == NULL || b == NULL || a->opcode != b->opcode)
        return FALSE;
    switch (a->opcode) {
    case WS_OP_SHFL:
        return ws_decoded_modifier(a, SHUFFLE) == ws_decoded_modifier(b, SHUFFLE);
    case WS_OP_VOTE:
        return ws_decoded_modifier(a, VOTE) == ws_decoded_modifier(b, VOTE) &&
               (a->d < 0) == (b->d < 0);
    case WS_OP_MATCH:
        return ws_decoded_modifier(a, MATCH) == ws_decoded_modifier(b, MATCH) &&
               ws_decoded_modifier(a, MATCH_WIDTH) == ws_decoded_modifier(b, MATCH_WIDTH);
    default:
        return ws_decoded_modifier(a, REDUX) == ws_decoded_modifier(b, REDUX) &&
               ws_decoded_modifier(a, REDUX_TYPE) == ws_decoded_modifier(b, REDUX_TYPE);
    }
}

/* What a lane brings: the register, the pair of a wide match, or whether a vote's predicate holds.
 */
static guint64 brought(const WsDecodedProgram *program, const WsWarpRegisters *warp,
                       const WsDecoded *operation, guint lane)
{
    gint row = operation->a;
    if (operation->opcode == WS_OP_VOTE)
        return ws_predicate_mask(warp, operation->predicate_in & 15) >> lane & 1;
    guint64 low = ws_row_value(program, warp, row, lane);
    if (operation->opcode != WS_OP_MATCH || !ws_decoded_modifier(operation, MATCH_WIDTH))
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
    const WsDecoded *operation[LANES] = {NULL};
    WsExchange *exchange = &warp->exchange;

    ws_exchange_leave(warp, lanes);
    if (lanes == 0 || program->warp_size != LANES || is_one_place(lanes, pc))
        return;
    for (guint64 rest = lanes; rest; rest &= rest - 1) {
        guint lane = (guint)__builtin_ctzll(rest);
        const WsDecoded *found = ws_exchange_operation(program, pc[lane]);
        if (found == NULL || ws_guard_mask(found, warp, (guint64)1 << lane) == 0)
            continue;
        operation[lane] = found;
        exchange->value[lane] = brought(program, warp, found, lane);
    }
    for (guint64 rest = lanes; rest; rest &= rest - 1) {
        guint lane = (guint)__builtin_ctzll(rest);
        exchange->with[lane] = 0;
        for (guint other = 0; other < LANES; other++)
            if (are_alike(operation[lane], operation[other]))
                exchange->with[lane] |= 1u << other;
        exchange->open |= (guint32)(operation[lane] != NULL) << lane;
        exchange->certain |= (guint32)(operation[lane] != NULL && !is_operation(operation[lane]))
                             << lane;
    }
}

static gboolean meets_elsewhere(const WsDecodedProgram *program, guint32 pc, guint opcode)
{
    const WsKernel *kernel = program->kernel;

    for (guint32 at = kernel->first; at < kernel->first + kernel->count; at++) {
        const WsDecoded *other = NULL;
        if (at != pc && program->instructions[at].opcode == WS_OP_WARPSYNC)
            other = ws_exchange_operation(program, at + 1);
        if (other != NULL && other->opcode == opcode)
            return TRUE;
    }
    return FALSE;
}

gint ws_exchange_loaded_row(const WsDecodedProgram *program, guint32 pc)
{
    const WsDecoded *operation = ws_exchange_operation(program, pc + 1);

    if (operation == NULL || operation->a < 0 || operation->a >= WS_ROW_UNIFORM)
        return -1;
    for (guint32 at = pc; at-- > program->kernel->first;) {
        const WsDecoded *before = &program->instructions[at];
        gint words = ws_kind_is_memory(before->kind) ? 4 : 1;

        if (before->kind == WS_KIND_BRANCH)
            break;
        if (before->d < 0 || operation->a < before->d || operation->a >= before->d + words)
            continue;
        return words > 1 && meets_elsewhere(program, pc, operation->opcode) ? operation->a : -1;
    }
    return -1;
}
