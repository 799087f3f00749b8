/*
 * Rules of the text of an instruction that the assembler and the disassembler share: which operands
 * may be left out, and how immediates are written.
 */
#ifndef WS_ISA_BYTECODE_TEXT_FORM_H
#define WS_ISA_BYTECODE_TEXT_FORM_H

#include "isa/bytecode/instruction.h"

/*
 * TRUE if the operand may be left out of the text and then has its default. These are
 *   - carries in (Np, Nq);
 *   - destination predicates that stand beside a destination register, and Pe of comparisons;
 *   - the predicate that comparisons combine with (Pp, Pq, Uq), and the condition of BRA, EXIT and
 *     BREAK;
 *   - the mask of VOTE, and of BAR the results, the thread count and the condition;
 *   - the third source of IADD3, UIADD3, SHF and LEA.
 * The reader takes the first reading that fits all operands, filling optional ones from the left.
 */
gboolean ws_operand_is_optional(WsOpcode opcode, guint n);

/* TRUE if the canonical text leaves the operand out: optional, at its default, and not needed to
 * tell a later one apart. */
gboolean ws_operand_is_omitted(const WsInstruction *instruction, guint n);

/* TRUE if the group must be named in the text (comparison, atomic operation, shuffle mode ...). */
gboolean ws_modifier_is_required(WsModifier group);

/* How a decimal literal becomes the 32 bits of an immediate. Hexadecimal always means the bits. */
typedef enum {
    WS_LITERAL_INTEGER,
    WS_LITERAL_FLOAT,      /* 32-bit float */
    WS_LITERAL_DOUBLE_HIGH /* high word of a 64-bit float whose low word is zero */
} WsLiteral;

WsLiteral ws_operand_literal(const WsInstruction *instruction, guint n);

#endif
