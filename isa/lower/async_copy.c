/*
 * cp.async: a load and a store, one after the other. Values are those of the copy once it has been
 * waited for; a program that reads before that may see other ones on a GPU. Waiting takes an issue
 * slot, as there is nothing left to wait for.
 */
#include "isa/lower/memory.h"

#include "isa/bytecode/opcode.h"

static void set_width(WsInstruction *access, guint bytes)
{
    access->mod[WS_MOD_WIDTH] = bytes == 16  ? WS_WIDTH_128
                                : bytes == 8 ? WS_WIDTH_64
                                : bytes == 4 ? WS_WIDTH_32
                                             : WS_WIDTH_U8;
}

static void store(WsLowerStatement *lower, WsOperand value, guint bytes)
{
    WsOperand to = ws_lower_address(lower, 0, WS_PTX_SPACE_SHARED);
    set_width(EMIT(lower, STS, to, value), bytes);
}

static void copy(WsLowerStatement *lower, guint bytes)
{
    WsOperand value = ws_lower_temporary(lower, MAX(1, bytes / 4));
    WsOperand from = ws_lower_address(lower, 1, WS_PTX_SPACE_GLOBAL);
    WsInstruction *load = EMIT(lower, LDG, value, from);
    load->mod[WS_MOD_ADDRESS] = 1;
    set_width(load, bytes);
    store(lower, value, bytes);
}

static void store_zeros(WsLowerStatement *lower, guint bytes)
{
    WsOperand zeros = ws_lower_temporary(lower, bytes / 4);
    for (guint w = 0; w < bytes / 4; w++)
        ws_lower_move(lower, ws_operand_word(zeros, w), ws_operand_zero());
    store(lower, zeros, bytes);
}

/* Byte `n` where there are more bytes than that in the source. */
static void copy_byte(WsLowerStatement *lower, WsOperand count, guint n)
{
    const WsPtxOperand *operands = lower->operands;
    WsPtxOperand moved[2] = {operands[0], operands[1]};
    WsOperand more = ws_lower_temporary_predicate(lower);
    ws_lower_compare(lower, more, WS_ICMP_GT, TRUE, count, ws_operand_immediate(n));
    moved[0].value += n;
    moved[1].value += n;
    lower->operands = moved;
    lower->guard = more.index;
    copy(lower, 1);
    lower->guard = WS_PT;
    lower->operands = operands;
}

/* The size of the copy, or 0 if it is not one that there is. */
static guint size_of(WsLowerStatement *lower)
{
    const WsPtxOperand *size = &lower->operands[2];
    const gboolean known = size->kind == WS_PTX_INTEGER;
    const guint bytes = known && size->value <= 16 ? (guint)size->value : 0;
    const gboolean any = ws_lower_has(lower, "ca");
    if (bytes == 16 || (any && (bytes == 4 || bytes == 8)))
        return bytes;
    ws_lower_fail(lower->kernel, &size->position, "'%s' copies %s", lower->statement->full,
                  any ? "4, 8 or 16 bytes" : "16 bytes");
    return 0;
}

/* cp.async.ca.shared.global [to], [from], size{, policy}; */
static void lower_copy(WsLowerStatement *lower)
{
    const guint bytes = size_of(lower);
    if (bytes != 0)
        copy(lower, bytes);
}

/* What the fourth operand leaves of the source: a predicate that is true for nothing of it, or
 * bytes. */
static void lower_partial_copy(WsLowerStatement *lower)
{
    const guint bytes = size_of(lower);
    const WsPtxOperand *part = &lower->operands[3];
    const gboolean ignored =
        part->kind == WS_PTX_REGISTER && ws_lower_register_words(lower, part) == 0;
    if (bytes == 0)
        return;
    WsIrFunction *function = lower->kernel->ir;
    const guint32 full = ws_ir_new_block(function), rest = ws_ir_new_block(function);
    const guint32 less = ws_ir_new_block(function), done = ws_ir_new_block(function);
    WsOperand count = ws_operand_zero(), is_less;
    if (ignored) {
        is_less = ws_lower_source_predicate(lower, 3);
    } else {
        count = ws_lower_in_register(lower, ws_lower_operand_word(lower, part, WS_PTX_U32, 0));
        is_less = ws_lower_temporary_predicate(lower);
        ws_lower_compare(lower, is_less, WS_ICMP_LT, TRUE, count, ws_operand_immediate(bytes));
    }
    ws_lower_branch(lower, is_less, rest, full);
    copy(lower, bytes);
    ws_lower_fall_through(lower->kernel, rest);
    ws_lower_branch(lower, ws_operand_negated(is_less), done, less);
    store_zeros(lower, bytes);
    for (guint n = 0; n < bytes && !ignored; n++)
        copy_byte(lower, count, n);
    ws_lower_fall_through(lower->kernel, done);
}

/* cp.async.commit_group; cp.async.wait_group n; cp.async.wait_all; */
static void lower_wait(WsLowerStatement *lower)
{
    ws_lower_emit(lower, WS_OP_NOP, NULL, 0);
}

#define COPY   "async ca cg shared shared::cta global L2::64B L2::128B L2::256B"
#define POLICY COPY " L2::cache_hint"

/* A policy is the last operand of those that have it. */
const WsPtxRow ws_ptx_async_copy_rows[] = {
    {"cp", COPY, 0, 0, 3, 3, 0, lower_copy},
    {"cp", COPY, 0, 0, 4, 4, WS_PTX_ROW_BRANCHES, lower_partial_copy},
    {"cp", POLICY, 0, 0, 4, 4, 0, lower_copy},
    {"cp", POLICY, 0, 0, 5, 5, WS_PTX_ROW_BRANCHES, lower_partial_copy},
    {"cp", "async commit_group wait_all", 0, 0, 0, 0, 0, lower_wait},
    {"cp", "async wait_group", 0, 0, 1, 1, 0, lower_wait},
    {0}};
