/*
 * The instructions by name, WS_OP_FADD and so on: one for each row of instructions.def. For files
 * that make single instructions or tell them apart. They are compiled anew for each new row, so no
 * header that many files include may include this one, and what the table knows is asked of the
 * table (isa/bytecode/instruction.h). .ci/rows.py counts.
 */
#ifndef WS_ISA_BYTECODE_OPCODE_H
#define WS_ISA_BYTECODE_OPCODE_H

enum {
#define INSTRUCTION(name, ...) WS_OP_##name,
#include "isa/bytecode/instructions.def"
#undef INSTRUCTION
    WS_OP_COUNT
};

#endif
