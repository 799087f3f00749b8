/*
 * Logic of predicates goes into the comparison: ISETP.LT p, a, b and PLOP3 q = p or r become
 * ISETP.LT.OR q, a, b, r, if nothing else reads p.
 */
#include "isa/bytecode/opcode.h"
#include "isa/ir/variables.h"
#include "isa/optimise/optimise.h"

enum { WINDOW = 64, A_TABLE = 0xf0, B_TABLE = 0xcc };

/* A comparison whose only result is the predicate `p`, nothing combined with it yet. */
static gboolean is_comparison(const WsInstruction *instruction, guint32 p)
{
    return (instruction->opcode == WS_OP_ISETP || instruction->opcode == WS_OP_FSETP) &&
           !ws_is_guarded(instruction) && !instruction->mod[WS_MOD_EXTENDED] &&
           instruction->operand[0].index == p && instruction->operand[1].index == WS_PT &&
           instruction->mod[WS_MOD_BOOLEAN] == WS_BOOLEAN_AND &&
           instruction->operand[4].index == WS_PT && instruction->operand[4].flags == 0;
}

/* TRUE if the instruction writes something that `reader` reads. */
static gboolean writes_source(const WsVariableCounts *counts, const WsInstruction *instruction,
                              const WsInstruction *reader)
{
    WsRegisterAccess written[WS_MAX_ACCESSES];
    WsRegisterAccess read[WS_MAX_ACCESSES];
    guint write_count = ws_instruction_accesses(instruction, written);
    guint read_count = ws_instruction_accesses(reader, read);
    for (guint w = 0; w < write_count; w++) {
        guint32 to = 0;
        guint words = written[w].write ? ws_variables_of(&counts->variables, &written[w], &to) : 0;
        for (guint r = 0; words > 0 && r < read_count; r++) {
            guint32 from = 0;
            guint other = read[r].write ? 0 : ws_variables_of(&counts->variables, &read[r], &from);
            if (other > 0 && to < from + other && from < to + words)
                return TRUE;
        }
    }
    return FALSE;
}

static guint8 complement(guint8 compare)
{
    static const guint8 opposite[] = {WS_ICMP_T,  WS_ICMP_GE, WS_ICMP_NE, WS_ICMP_GT,
                                      WS_ICMP_LE, WS_ICMP_EQ, WS_ICMP_LT, WS_ICMP_F};
    return opposite[compare & 7];
}

/*
 * The comparison that replaces `logic`, whose operand `n` (2 or 3) is the comparison's result.
 * FALSE if the table is not and, or, exclusive or of the two operands.
 */
static gboolean fuse(WsInstruction *comparison, const WsInstruction *logic, guint n)
{
    guint table = logic->operand[5].value & 0xff;
    const WsOperand *own = &logic->operand[n];
    const WsOperand *other = &logic->operand[n == 2 ? 3 : 2];
    if (table == (A_TABLE & B_TABLE))
        comparison->mod[WS_MOD_BOOLEAN] = WS_BOOLEAN_AND;
    else if (table == (A_TABLE | B_TABLE))
        comparison->mod[WS_MOD_BOOLEAN] = WS_BOOLEAN_OR;
    else if (table == (A_TABLE ^ B_TABLE))
        comparison->mod[WS_MOD_BOOLEAN] = WS_BOOLEAN_XOR;
    else
        return FALSE;
    if (own->flags & WS_OPERAND_NEGATE) {
        /* Not less is not greater or equal where a NaN may be. */
        if (comparison->opcode != WS_OP_ISETP)
            return FALSE;
        comparison->mod[WS_MOD_ICMP] = complement(comparison->mod[WS_MOD_ICMP]);
    }
    comparison->operand[0].index = logic->operand[0].index;
    comparison->operand[4] = *other;
    comparison->guard = logic->guard;
    comparison->guard_negated = logic->guard_negated;
    return TRUE;
}

/* Looks for the comparison behind operand `n` of the PLOP3 at `at`. */
static gboolean fuse_operand(const WsVariableCounts *counts, WsIrBlock *block, guint at, guint n)
{
    WsInstruction *logic = ws_ir_instruction(block, at);
    guint32 p = logic->operand[n].index;
    if (p < WS_VIRTUAL_BASE)
        return FALSE;
    guint32 variable = counts->variables.word_count + p - WS_VIRTUAL_BASE;
    if (counts->reads[variable] != 1 || counts->writes[variable] != 1)
        return FALSE;
    for (guint i = at; i-- > 0 && i + WINDOW > at;) {
        const WsInstruction *comparison = ws_ir_instruction(block, i);
        if (!is_comparison(comparison, p))
            continue;
        for (guint k = i + 1; k < at; k++) {
            if (writes_source(counts, ws_ir_instruction(block, k), comparison))
                return FALSE;
        }
        WsInstruction fused = *comparison;
        if (!fuse(&fused, logic, n))
            return FALSE;
        *logic = fused;
        return TRUE;
    }
    return FALSE;
}

void ws_fuse_logic(WsIrFunction *function)
{
    WsVariableCounts counts;
    ws_variable_counts_init(&counts, function);
    for (guint32 b = 0; b < function->blocks->len; b++) {
        WsIrBlock *block = ws_ir_block(function, b);
        for (guint i = 0; i < block->instructions->len; i++) {
            const WsInstruction *logic = ws_ir_instruction(block, i);
            if (logic->opcode != WS_OP_PLOP3 || logic->operand[1].index != WS_PT ||
                logic->operand[4].index != WS_PT || logic->operand[4].flags != 0)
                continue;
            if (!fuse_operand(&counts, block, i, 3))
                fuse_operand(&counts, block, i, 2);
        }
    }
    ws_variable_counts_clear(&counts);
}
