/*
 * Fusing of instructions in the intermediate form: what the patterns share. A pattern looks at one
 * instruction (the consumer) and at the instruction that alone defines one of its sources (the
 * producer). Internal to combine*.c.
 */
#ifndef WS_ISA_OPTIMISE_COMBINE_PATTERNS_H
#define WS_ISA_OPTIMISE_COMBINE_PATTERNS_H

#include "isa/bytecode/opcode.h"
#include "isa/ir/variables.h"

typedef struct {
    guint32 block;
    guint32 instruction;
} WsPlace;

typedef struct {
    WsIrFunction *function;
    WsVariables variables;
    guint32 *definitions; /* per variable: how many instructions write it */
    guint32 *uses;        /* per variable: how many operands read it */
    WsPlace *places;      /* per variable: one that writes it */
    guint8 **deleted;     /* per block and instruction */
    guint32 spare;        /* next of the registers made for a round */
    guint32 spare_end;
    /* The last factor that was put in a register: where, which, and the register. */
    guint32 factor_block;
    guint32 factor_value;
    guint32 factor_register; /* 0 = none */
    gboolean changed;
} WsCombiner;

/*
 * The instruction that alone, and always, writes the word or predicate `operand`, or NULL.
 * `ret_place` may be NULL.
 */
WsInstruction *ws_combine_producer(const WsCombiner *combiner, const WsOperand *operand,
                                   WsPlace *ret_place);
gboolean ws_combine_is_used_once(const WsCombiner *combiner, const WsOperand *operand);
guint32 ws_combine_uses(const WsCombiner *combiner, const WsOperand *operand);
/* TRUE if the sources of the instruction at `from` still have their values at `to`. */
gboolean ws_combine_intact(const WsCombiner *combiner, WsPlace from, WsPlace to);
WsInstruction *ws_combine_at(const WsCombiner *combiner, WsPlace place);
gboolean ws_combine_is_deleted(const WsCombiner *combiner, WsPlace place);
/* Puts `with` where another instruction was; its location and guard stay. */
void ws_combine_replace(WsCombiner *combiner, WsPlace place, const WsInstruction *with);
/* The same, guard included. */
void ws_combine_replace_all(WsCombiner *combiner, WsPlace place, const WsInstruction *with);
void ws_combine_delete(WsCombiner *combiner, WsPlace place);

/* Patterns: each tries to improve the instruction at `place`. */
void ws_combine_constant(WsCombiner *combiner, WsPlace place);
void ws_combine_add(WsCombiner *combiner, WsPlace place);
void ws_combine_pair(WsCombiner *combiner, WsPlace place);
void ws_combine_multiply(WsCombiner *combiner, WsPlace place);
void ws_combine_extension(WsCombiner *combiner, WsPlace place);
void ws_combine_logic(WsCombiner *combiner, WsPlace place);
void ws_combine_predicates(WsCombiner *combiner, WsPlace place);
void ws_combine_predicate_copies(WsCombiner *combiner, WsPlace place);
void ws_combine_signs(WsCombiner *combiner, WsPlace place);
void ws_combine_contract(WsCombiner *combiner, WsPlace place);
void ws_combine_saturation(WsCombiner *combiner, WsPlace place);
void ws_combine_half(WsCombiner *combiner, WsPlace place);
void ws_combine_limit(WsCombiner *combiner, WsPlace place);
void ws_combine_atomic(WsCombiner *combiner, WsPlace place);

/* After all patterns: combine_convergence.c. */
void ws_remove_redundant_warpsyncs(WsIrFunction *function);

/* ---- what patterns of sums share ---- */

/* Operand numbers of IADD3: Rd Pd Pe Ra Sb Sc Np Nq. */
enum { WS_ADD_D, WS_ADD_P, WS_ADD_Q, WS_ADD_A, WS_ADD_B, WS_ADD_C, WS_ADD_CARRY, WS_ADD_CARRY2 };

/* d = a + b without carries; *ret_x and *ret_y number the two terms. */
static inline gboolean ws_is_plain_sum(const WsInstruction *add)
{
    return add->opcode == WS_OP_IADD3 && ws_is_discarded(&add->operand[WS_ADD_P]) &&
           ws_is_discarded(&add->operand[WS_ADD_Q]) && !add->mod[WS_MOD_EXTENDED] &&
           ws_is_zero(&add->operand[WS_ADD_C]);
}

/* shl by a constant: d = a << n, 32 bits. */
static inline gboolean ws_is_left_shift(const WsInstruction *shift, gboolean high)
{
    guint8 type = shift->mod[WS_MOD_SHIFT_TYPE];
    return shift->opcode == WS_OP_SHF && shift->mod[WS_MOD_DIRECTION] == WS_DIRECTION_LEFT &&
           !shift->mod[WS_MOD_WRAP] && shift->mod[WS_MOD_HIGH] == high &&
           type == (high ? WS_SHIFT_U64 : WS_SHIFT_U32) &&
           shift->operand[2].kind == WS_OPERAND_IMMEDIATE && shift->operand[2].value >= 1 &&
           shift->operand[2].value <= 31 && (high || ws_is_zero(&shift->operand[3]));
}

/* d = (a << shift) + b */
static inline void ws_set_lea(WsInstruction *lea, WsOperand d, WsOperand a, WsOperand b,
                              guint32 shift)
{
    ws_instruction_init(lea, WS_OP_LEA);
    lea->operand[0] = d;
    lea->operand[2] = a;
    lea->operand[3] = b;
    lea->operand[5] = ws_operand_immediate(shift);
}

#endif
