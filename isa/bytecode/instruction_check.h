/*
 * What makes one instruction valid by itself: kinds and ranges of operands, modifiers that go
 * together, alignment of pairs and quads. What concerns the program around it (targets, registers
 * of the kernel) is the verifier's (isa/container/verifier.h).
 */
#ifndef WS_ISA_BYTECODE_INSTRUCTION_CHECK_H
#define WS_ISA_BYTECODE_INSTRUCTION_CHECK_H

#include "isa/bytecode/instruction.h"

/*
 * Range of the signed offset of an address operand (24 bits), and of a 16-bit immediate where an
 * instruction takes two (SHFL, BAR).
 */
enum {
    WS_ADDRESS_OFFSET_MIN = -(1 << 23),
    WS_ADDRESS_OFFSET_MAX = (1 << 23) - 1,
    WS_SHORT_IMMEDIATE_MAX = 0xffff
};

/* NULL if the packed form can hold the instruction, else the reason, to be freed. */
char *ws_instruction_unencodable(const WsInstruction *instruction);

/* NULL if the instruction means something: encodable, aligned, modifiers that exist together. */
char *ws_instruction_problem(const WsInstruction *instruction);

/* The WS_OPERAND_* flags that operand `n` may carry, by its slot and kind. */
guint ws_operand_allowed_flags(const WsInstruction *instruction, guint n);

/* TRUE for rows of which Sb and Sc may both be immediates of 16 bits. */
gboolean ws_opcode_takes_two_immediates(WsOpcode opcode);

/* TRUE if source registers hold packed halves, which R.H0_H0 and R.H1_H1 choose from. */
gboolean ws_opcode_takes_halves(WsOpcode opcode);

/* Bytes that operand `n`, a constant c[bank][offset], reads. */
guint ws_constant_bytes(const WsInstruction *instruction, guint n);

/* Number of values of a modifier group. */
guint ws_modifier_count(WsModifier group);

#endif
