/*
 * A plain reference for the instructions that compute in the lanes alone: one lane at a time,
 * straight from WsInstruction, slow and simple, with the host's own arithmetic and rounding modes.
 * Written apart from sim/lanes*.c, which it checks.
 */
#ifndef WS_TESTS_SCALAR_REFERENCE_H
#define WS_TESTS_SCALAR_REFERENCE_H

#include "sim/lanes/lanes.h"

typedef struct {
    guint32 registers[256]; /* [255] is zero */
    gboolean predicates[8]; /* [7] is TRUE */
} ScalarLane;

typedef struct {
    guint lanes;
    ScalarLane lane[WS_MAX_WARP_SIZE];
    guint32 uniform[64]; /* [63] is zero */
    gboolean uniform_predicates[8];
    const guint8 *const *constants; /* [WS_CONSTANT_BANKS] */
    WsLaneContext context;
    guint32 block[3];
    guint64 clock_khz;
    guint32 slots, sms, dynamic_shared_bytes, total_shared_bytes;
} ScalarWarp;

/*
 * TRUE for rows that scalar_execute() knows and that compute in the lanes of one warp alone: no
 * memory but constant banks, no control flow. MUFU is not among them: only nearness is asked of it.
 */
gboolean scalar_covers(WsOpcode opcode);

/* Executes one instruction of kind LANES for the lanes of `mask`. */
void scalar_execute(const WsInstruction *instruction, ScalarWarp *warp, guint64 mask);

/*
 * The same in one lane, which is taken to be the only one of the mask. `before` holds the state
 * that sources are read from, `after` takes the results; they may not be the same.
 */
void scalar_execute_lane(const WsInstruction *instruction, const ScalarWarp *before,
                         ScalarWarp *after, guint lane);

/*
 * What MUFU should come near: the function's value, in double, of an input that is already flushed
 * (a double for the two 64H functions).
 */
double scalar_mufu(guint function, double x);

#endif
