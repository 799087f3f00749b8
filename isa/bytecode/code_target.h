/*
 * The machine that code is made for: what the passes that order code and set its control fields
 * count on, and what the scoreboard of the simulator holds it to. The simulator fills it from a
 * device (sim/device/target.h).
 */
#ifndef WS_ISA_BYTECODE_CODE_TARGET_H
#define WS_ISA_BYTECODE_CODE_TARGET_H

#include "isa/bytecode/instruction.h"

/* How a consumer uses an operand: the pipe it runs on, or one of the special uses. */
enum {
    WS_RELATION_PREDICATE = WS_PIPE_COUNT,
    WS_RELATION_BRANCH,
    WS_RELATION_ADDRESS,
    WS_RELATION_ADDEND, /* of an integer product */
    WS_RELATION_FACTOR, /* of a 64-bit product */
    WS_RELATION_APART,  /* XU pipe, where compiled code waits longer (sim/sm/stall_counts.h) */
    WS_RELATION_JOIN,   /* BSYNC, CALL */
    WS_RELATION_DONE,   /* no more than the cycle itself */
    WS_RELATION_COUNT
};

typedef struct {
    guint16 latency[WS_CLASS_COUNT]; /* cycles from issue to dependent issue on the same pipe */
    guint16 use[WS_CLASS_COUNT][WS_RELATION_COUNT]; /* the same by use */
    guint16 high_later[WS_CLASS_COUNT]; /* the high word of a 64-bit product, and its carry */
    guint16 late[WS_CLASS_COUNT]; /* cycles from issue until its stall count begins to be counted */
    guint16 xu_spacing;           /* stall counts between two instructions of the XU pipe */
    guint16 xu_overwrite;         /* to one of the XU pipe that overwrites the result it reads */
    guint16 join_behind;          /* from a result to BSYNC or CALL, beyond its latency */
} WsCodeTarget;

/* TRUE if operand `n` is what an integer product is added to: Sc, the third source. */
gboolean ws_is_addend(const WsInstruction *instruction, guint n);

/* WS_RELATION_*, or the pipe: how an instruction reads a predicate that is not its guard. */
guint ws_predicate_relation(const WsInstruction *instruction);

/*
 * Stall counts that must lie between `producer` and a use of what it writes. `is_low`: the low word
 * of a 64-bit product, or a result that comes at once.
 */
guint ws_code_target_distance(const WsCodeTarget *target, const WsInstruction *producer,
                              gboolean is_low, guint relation);

/* The most of any use of a register or predicate that another block may make, factors aside. */
guint ws_code_target_longest(const WsCodeTarget *target, const WsInstruction *producer,
                             gboolean is_low, gboolean is_predicate);

#endif
