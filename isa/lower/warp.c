/* What the lanes of a warp do together, and barriers. */
#include "isa/lower/lower.h"

#include "isa/bytecode/opcode.h"

#include <string.h>

#define B32      WS_PTX_BIT(B32)
#define ANY_WORD (B32 | WS_PTX_BIT(U32) | WS_PTX_BIT(S32) | WS_PTX_BIT(F32))

/*
 * All lanes of the mask in operand `n` meet first. Full warps are left out later where they are
 * sure to be together. What the lanes bring is there before they meet: see sim/lanes/exchange.h.
 */
static void meet(WsLowerStatement *lower, guint n)
{
    lower->kernel->ir->kernel.names_lanes = TRUE;
    EMIT(lower, WARPSYNC, ws_lower_operand_word(lower, &lower->operands[n], WS_PTX_B32, 0));
}

/* shfl.sync.bfly.b32 d|p, a, b, c, mask; without .sync no mask. */
static void lower_shfl(WsLowerStatement *lower)
{
    static const char *const modes[] = {"idx", "up", "down", "bfly", NULL};
    gboolean sync = ws_lower_has(lower, "sync");
    int mode = ws_lower_which(lower, modes);
    if (mode < 0 || lower->statement->operand_count != (sync ? 5u : 4u)) {
        ws_lower_refuse(lower);
        return;
    }
    lower->kernel->ir->kernel.names_lanes = TRUE;
    WsOperand a = ws_lower_in_register(lower, ws_lower_source(lower, 1));
    WsOperand b = ws_lower_source(lower, 2), c = ws_lower_source(lower, 3);
    if (sync)
        meet(lower, 4);
    EMIT(lower, SHFL, ws_lower_second_predicate(lower, 0), ws_lower_destination(lower, 0), a, b, c)
        ->mod[WS_MOD_SHUFFLE] = (guint8)mode;
}

/* vote.sync.any.pred p, a, mask; vote.sync.ballot.b32 d, a, mask */
static void lower_vote(WsLowerStatement *lower)
{
    static const char *const modes[] = {"all", "any", "uni", "ballot", NULL};
    gboolean sync = ws_lower_has(lower, "sync");
    int mode = ws_lower_which(lower, modes);
    gboolean ballot = mode == 3;
    if (mode < 0 || ballot != (lower->types[0] == WS_PTX_B32) ||
        lower->statement->operand_count != (sync ? 3u : 2u)) {
        ws_lower_refuse(lower);
        return;
    }
    lower->kernel->ir->kernel.names_lanes |= ballot;
    WsOperand a = ws_lower_source_predicate(lower, 1);
    if (sync)
        meet(lower, 2);
    if (ballot)
        EMIT(lower, VOTE, ws_lower_destination(lower, 0), ws_operand_none(), a)->mod[WS_MOD_VOTE] =
            WS_VOTE_ANY;
    else
        EMIT(lower, VOTE, ws_operand_none(), ws_lower_destination_predicate(lower, 0), a)
            ->mod[WS_MOD_VOTE] = (guint8)mode;
}

static void lower_activemask(WsLowerStatement *lower)
{
    lower->kernel->ir->kernel.names_lanes = TRUE;
    EMIT(lower, VOTE, ws_lower_destination(lower, 0), ws_operand_none(),
         ws_operand_predicate(WS_PT))
        ->mod[WS_MOD_VOTE] = WS_VOTE_ANY;
}

/* match.any.sync.b32 d, a, mask; match.all.sync.b64 d|p, a, mask */
static void lower_match(WsLowerStatement *lower)
{
    gboolean wide = lower->types[0] == WS_PTX_B64;
    WsOperand a = wide ? ws_lower_source_pair(lower, 1)
                       : ws_lower_in_register(lower, ws_lower_source(lower, 1));
    meet(lower, 2);
    lower->types[0] = WS_PTX_B32;
    WsInstruction *match =
        EMIT(lower, MATCH, ws_lower_destination(lower, 0), ws_lower_second_predicate(lower, 0), a);
    match->mod[WS_MOD_MATCH] = ws_lower_has(lower, "all") ? WS_MATCH_ALL : WS_MATCH_ANY;
    match->mod[WS_MOD_MATCH_WIDTH] = (guint8)wide;
}

/* The result comes in a uniform register and is copied to all lanes. */
static void lower_redux(WsLowerStatement *lower)
{
    enum { UNIFORM_RESULT = 4 };
    static const char *const operations[] = {"add", "min", "max", "and", "or", "xor", NULL};
    int operation = ws_lower_which(lower, operations);
    if (operation < 0) {
        ws_lower_refuse(lower);
        return;
    }
    WsOperand a = ws_lower_in_register(lower, ws_lower_source(lower, 1));
    meet(lower, 2);
    WsOperand uniform = {
        .kind = WS_OPERAND_UNIFORM_REGISTER, .index = UNIFORM_RESULT, .uniform = WS_URZ};
    WsInstruction *redux = EMIT(lower, REDUX, uniform, a);
    redux->mod[WS_MOD_REDUX] = (guint8)operation;
    redux->mod[WS_MOD_REDUX_TYPE] = lower->types[0] == WS_PTX_S32;
    EMIT(lower, MOV, ws_lower_destination(lower, 0), uniform);
}

/* ---- barriers of the block ---- */

static void count_barrier(WsLowerStatement *lower, const WsPtxOperand *number)
{
    guint32 used = 16;
    if (number->kind == WS_PTX_INTEGER) {
        if (number->value > 15)
            ws_lower_fail(lower->kernel, &number->position, "barriers are numbered 0 to 15");
        else
            used = (guint32)number->value + 1;
    }
    WsKernel *kernel = &lower->kernel->ir->kernel;
    kernel->barriers = MAX(kernel->barriers, used);
}

/* An aligned barrier is for all lanes of the warp together (see barrier_meetings.c). */
static WsInstruction *emit_barrier(WsLowerStatement *lower, guint number, gboolean with_count,
                                   WsOperand d, WsOperand p, WsOperand source)
{
    count_barrier(lower, &lower->operands[number]);
    WsOperand count =
        with_count ? ws_lower_operand_word(lower, &lower->operands[number + 1], WS_PTX_U32, 0)
                   : ws_operand_none();
    if (strcmp(lower->statement->opcode, "bar") == 0 || ws_lower_has(lower, "aligned"))
        ws_lower_emit(lower, WS_OP_WARPSYNC_ALL, NULL, 0);
    return EMIT(lower, BAR, d, p,
                ws_lower_operand_word(lower, &lower->operands[number], WS_PTX_U32, 0), count,
                source);
}

/* bar.red.and.pred p, a{, b}, q; bar.red.popc.u32 d, a{, b}, q */
static void lower_barrier_reduction(WsLowerStatement *lower)
{
    static const char *const operations[] = {"popc", "and", "or", NULL};
    int operation = ws_lower_which(lower, operations);
    guint count = lower->statement->operand_count;
    gboolean popc = operation == 0;
    if (operation < 0 || count < 3 || popc != (lower->types[0] == WS_PTX_U32)) {
        ws_lower_refuse(lower);
        return;
    }
    WsOperand source = ws_lower_source_predicate(lower, count - 1);
    WsOperand d = popc ? ws_lower_destination(lower, 0) : ws_operand_none();
    WsOperand p = popc ? ws_operand_none() : ws_lower_destination_predicate(lower, 0);
    emit_barrier(lower, 1, count == 4, d, p, source)->mod[WS_MOD_BARRIER] =
        (guint8)(WS_BAR_RED_POPC + operation);
}

static void lower_barrier(WsLowerStatement *lower)
{
    guint count = lower->statement->operand_count;
    if (ws_lower_has(lower, "red")) {
        lower_barrier_reduction(lower);
        return;
    }
    gboolean arrive = ws_lower_has(lower, "arrive");
    if (lower->type_count != 0 || count > 2 || (arrive && count != 2)) {
        ws_lower_refuse(lower);
        return;
    }
    emit_barrier(lower, 0, count == 2, ws_operand_none(), ws_operand_none(), ws_operand_none())
        ->mod[WS_MOD_BARRIER] = arrive ? WS_BAR_ARRIVE : WS_BAR_SYNC;
}

static void lower_bar(WsLowerStatement *lower)
{
    if (!ws_lower_has(lower, "warp"))
        lower_barrier(lower);
    else if (lower->statement->operand_count == 1)
        meet(lower, 0);
    else
        ws_lower_refuse(lower);
}

static void lower_nanosleep(WsLowerStatement *lower)
{
    EMIT(lower, NANOSLEEP, ws_lower_source(lower, 0));
}

#define OPTIONAL (WS_PTX_BIT(NONE) | WS_PTX_BIT(PRED) | WS_PTX_BIT(U32))

const WsPtxRow ws_ptx_warp_rows[] = {
    {"shfl", "sync idx up down bfly", ANY_WORD, 0, 4, 5, 0, lower_shfl},
    {"vote", "sync all any uni ballot", B32 | WS_PTX_BIT(PRED), 0, 2, 3, 0, lower_vote},
    {"match", "sync any all", B32 | WS_PTX_BIT(B64), 0, 3, 3, 0, lower_match},
    {"activemask", "", B32, 0, 1, 1, 0, lower_activemask},
    {"redux", "sync add min max and or xor", B32 | WS_PTX_BIT(U32) | WS_PTX_BIT(S32), 0, 3, 3, 0,
     lower_redux},
    {"bar", "sync arrive red warp cta aligned and or popc", OPTIONAL, 0, 1, 4, 0, lower_bar},
    {"barrier", "sync arrive red cta aligned and or popc", OPTIONAL, 0, 1, 4, 0, lower_barrier},
    {"nanosleep", "", WS_PTX_BIT(U32), 0, 1, 1, 0, lower_nanosleep},
    {0}};
