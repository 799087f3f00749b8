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

/* What an SM has for the warps of a kernel. */
typedef struct {
    guint32 registers;            /* of the SM */
    guint32 registers_per_thread; /* the most of a thread */
    guint32 register_unit;        /* registers of a thread are allocated by so many */
    guint32 warp_unit;            /* those of a block by so many warps */
    guint32 warp_size;            /* lanes */
    guint32 warps, blocks;        /* that the SM holds */
    guint32 block_threads;        /* the most of a block */
    guint32 shared_bytes;         /* of the SM */
    guint32 shared_reserved;      /* of a block, besides what it asks for */
    guint32 shared_unit;          /* shared memory of a block is allocated by so many bytes */
} WsCodeLimits;

/*
 * What the order of instructions counts on where that is not what results take, cycles: in compiled
 * code the latency of global memory is that of its cache, but most loads miss it; a 64-bit product
 * keeps its warp from the FMA pipe for longer than its stall count says. 0 = what it takes.
 */
typedef struct {
    guint16 miss;            /* behind a load of global memory */
    guint16 wide_to_factor;  /* from a 64-bit product to another one of it */
    guint16 wide_to_address; /* to an address; 0 where the factor has 0 */
    guint16 wide_interval;   /* to the next product of the FMA pipe */
} WsCodeOrder;

typedef struct {
    WsCodeLimits limits;
    WsCodeOrder order;
    guint16 latency[WS_CLASS_COUNT]; /* cycles from issue to dependent issue on the same pipe */
    guint16 use[WS_CLASS_COUNT][WS_RELATION_COUNT]; /* the same by use */
    guint16 high_later[WS_CLASS_COUNT]; /* the high word of a 64-bit product, and its carry */
    guint16 late[WS_CLASS_COUNT]; /* cycles from issue until its stall count begins to be counted */
    guint16 xu_spacing;           /* stall counts between two instructions of the XU pipe */
    guint16 xu_overwrite;         /* to one of the XU pipe that overwrites the result it reads */
    guint16 join_behind;          /* from a result to BSYNC or CALL, beyond its latency */
} WsCodeTarget;

/* Those of an H200, for code without a target. */
extern const WsCodeLimits ws_code_limits_plain;
extern const WsCodeOrder ws_code_order_plain;

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
