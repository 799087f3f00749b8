/*
 * Which registers and predicates one instruction reads and writes. Every pass of the back end, the
 * hazard rules and the tests take this list rather than looking at operands themselves.
 */
#ifndef WS_ISA_BYTECODE_ACCESSES_H
#define WS_ISA_BYTECODE_ACCESSES_H

#include "isa/bytecode/instruction.h"

typedef enum {
    WS_FILE_REGISTER,
    WS_FILE_PREDICATE,
    WS_FILE_UNIFORM,
    WS_FILE_UNIFORM_PREDICATE,
    WS_FILE_BARRIER
} WsRegisterFile;

enum {
    WS_ACCESS_GUARD = WS_MAX_OPERANDS, /* `operand` of the guard */
    WS_ACCESS_MASK, /* `operand` of predicates named by the mask of P2R and R2P */
    WS_MAX_ACCESSES = 2 * WS_MAX_OPERANDS + 8
};

typedef struct {
    guint8 file;    /* WsRegisterFile */
    guint8 operand; /* number of the operand, or WS_ACCESS_* */
    guint8 word;    /* of a virtual register: the first word meant; 0 otherwise */
    guint8 words;   /* 32-bit words; 1 for predicates and barriers */
    guint8 write;
    guint32 index; /* register number, physical or virtual */
} WsRegisterAccess;

/*
 * Fills in `ret` and returns the number of accesses. The zero registers and the true predicates
 * (RZ, URZ, PT, UPT) are left out. A guarded instruction may leave what it writes as it was.
 */
guint ws_instruction_accesses(const WsInstruction *instruction,
                              WsRegisterAccess ret[WS_MAX_ACCESSES]);

#endif
