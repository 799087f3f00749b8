/*
 * The packed form of an instruction: 16 bytes, little-endian, a field for each operand slot.
 *
 *   bits      field
 *   0..8      opcode number (column OPCODE of instructions.def)
 *   9..11     form: what Sb or Sc, Ub or Uc is (WsForm)
 *   12..15    guard: predicate number, and 1 bit for @!P
 *   16..23    Rd, Ud; Ic where the row has no destination register
 *   24..31    Ra, Ua, base of Ma, index of Cm; Pr, Us (3 bits and a sign, and 1 bit if Pr is a
 *             uniform predicate)
 *   32..39    Rb, Sb and Ub as registers, Sr
 *   32..63    immediate of Sb, Sc, Ub or Ib; Tg. Two short immediates: 32..47 Sb, 48..63 Sc
 *   38..53    offset of a constant, 54..58 its bank
 *   40..63    signed offset of Ma
 *   64..71    Rc, Sc as a register, Uc, Rp, Bd; Sb where Sc holds 32..63
 *   72..77    minus and |x| of the first, second and third source; uniform register of Ma, and of
 *             Cm (so that URZ is 0)
 *   78..80    Pd, Ue, Uf
 *   81..84    Pp, Np, Uq, Um and its sign
 *   85..87    Pe, Ug
 *   88..91    Pq, Nq, Ur, Un and its sign
 *   86..91    packed halves: R.H0_H0 and R.H1_H1 of the third, first and second source
 *   85..92    Ic
 *   93..104   modifiers, in the order of the row
 *   105..108  stall count, 109 yield, 110..112 write barrier, 113..115 read barrier,
 *   116..121  wait mask
 *   122..125  reuse of the first, second and third source (as SASS places the control fields)
 *   126       1 if the guard is a uniform predicate
 *   127       zero
 *
 * Numbers and signs of Uf, Ug, Ur, Us, Um, Un are stored as what differs from their defaults: words
 * of before the rows had them stay valid.
 *
 * Fields that a row does not use are zero; a word with anything there is refused.
 */
#ifndef WS_ISA_BYTECODE_ENCODING_H
#define WS_ISA_BYTECODE_ENCODING_H

#include "isa/bytecode/instruction.h"

typedef enum {
    WS_FORM_REGISTERS, /* Sb and Sc are registers (Ub a uniform register) */
    WS_FORM_B_IMMEDIATE,
    WS_FORM_B_CONSTANT,
    WS_FORM_B_UNIFORM,
    WS_FORM_C_IMMEDIATE,
    WS_FORM_C_CONSTANT,
    WS_FORM_C_UNIFORM,
    WS_FORM_TWO_IMMEDIATES
} WsForm;

/*
 * Packs one instruction. Its location is not part of it. Errors: WS_ERROR_INPUT if something does
 * not fit (virtual registers, wrong kinds; see ws_instruction_unencodable()).
 */
gboolean ws_encode(const WsInstruction *instruction, guint8 ret[WS_INSTRUCTION_BYTES],
                   GError **error);

/*
 * Unpacks one. Fields that do not matter are as ws_instruction_init() leaves them, so that equal
 * words give equal structures. Errors: WS_ERROR_INPUT for words that ws_encode() never makes.
 */
gboolean ws_decode_word(const guint8 word[WS_INSTRUCTION_BYTES], WsInstruction *ret,
                        GError **error);

/* The opcode with this mnemonic, ASCII case ignored, or WS_NO_OPCODE. */
WsOpcode ws_opcode_by_mnemonic(const char *mnemonic);
/* The opcode with this 9-bit number, or WS_NO_OPCODE. */
WsOpcode ws_opcode_by_number(guint number);

#endif
