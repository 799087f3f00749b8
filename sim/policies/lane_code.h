/*
 * Bytecode made ready for one lane: every instruction becomes a step on single values, or none. An
 * interpreter of steps (lane_run.c) takes a fraction of the time of the bodies that compute whole
 * warps; what has no step of its own is done by such a body (sim/lanes), so all instructions of
 * lanes give the same results here as in a kernel.
 *
 * Values lie in cells, 32 bits each: registers, the uniform registers, and the literals of the
 * program. One lane meets nobody, so barriers of convergence do nothing and have no steps.
 */
#ifndef WS_SIM_POLICIES_LANE_CODE_H
#define WS_SIM_POLICIES_LANE_CODE_H

#include "sim/lanes/lanes.h"

/* What a step does: one for each row of lane_steps.def. */
typedef enum {
#define STEP(NAME, ...) WS_STEP_##NAME,
#include "sim/policies/lane_steps.def"
#undef STEP
    WS_STEP_COUNT
} WsStepKind;

/* Cells d, a, b, c; predicates p and q with 8 added if negated; k by kind. */
typedef struct {
    guint8 kind, p, q, spare;
    guint16 d, a, b, c;
    guint32 k;
} WsStep;

typedef struct {
    const WsProgram *program;
    WsDecodedProgram *decoded; /* for warps of 32 lanes; owned */
    WsStep *steps;
    guint32 step_count;
    guint32 *step_of;  /* by instruction */
    guint32 *pc_of;    /* by step */
    WsDecoded *bodies; /* by instruction: with the rows of the scratch registers (lane_run.c) */
    guint32 cells, registers, uniforms; /* in all; at the beginning; the first uniform register */
    gboolean uses_uniforms, uses_bodies;
} WsLaneCode;

/* Takes `decoded`, of which all instructions can run in one lane (ws_lane_can_run()). */
WsLaneCode *ws_lane_code_new(WsDecodedProgram *decoded);
void ws_lane_code_free(WsLaneCode *code);

/* FALSE: it needs a block or a warp. */
gboolean ws_lane_can_run(const WsDecoded *instruction);

/*
 * Whether the kernel stores nothing but to the constant addresses, as far as that can be seen: a
 * call of it changes nothing else.
 */
gboolean ws_lane_code_is_pure(const WsLaneCode *code, const WsKernel *kernel,
                              const guint32 *addresses, guint count);

/* ---- running ------------------------------------------------------------------------------------
 */

enum { WS_LANE_WINDOWS = 12 };

/* Memory of a lane: 16 MiB of addresses, of which the first bytes are there. */
typedef struct {
    guint8 *at;
    guint32 readable, writable; /* bytes */
} WsLaneWindow;

typedef enum {
    WS_LANE_DONE,
    WS_LANE_BOUNDS,
    WS_LANE_READ_ONLY,
    WS_LANE_ALIGNMENT,
    WS_LANE_TRAP,
    WS_LANE_JUMP,
    WS_LANE_INSTRUCTIONS
} WsLaneEnd;

typedef struct WsLaneRun WsLaneRun;
struct WsLaneRun {
    const WsLaneCode *code;
    guint32 *cells;          /* of ws_lane_cells_init() */
    const guint8 *window_of; /* [256]: by bits 24 to 31 of an address; 0 = none */
    guint8 local, constants; /* windows of local memory and of bank 3 */
    guint64 most;            /* instructions */
    guint64 cycle;           /* for clock registers */
    /*
     * Of a read of what a window does not have yet, inside 16 MiB: the host's address of `bytes`
     * bytes, or NULL if there are none. `data` is for this function.
     */
    const guint8 *(*show)(WsLaneRun *run, guint32 window, guint32 offset, guint32 bytes);
    void *data;
    WsLaneWindow windows[WS_LANE_WINDOWS]; /* [0] has nothing */
    /* of a run that failed */
    WsLaneEnd end;
    guint32 pc;
    guint64 address;
    /* inside */
    const WsKernel *kernel;
    guint8 predicates[16]; /* [n + 8]: the opposite of [n] */
    guint32 from;          /* instruction to which the last branch went */
    WsWarpRegisters *scratch;
};

/* Bytes of the cells and of what lane_run.c has behind them. */
gsize ws_lane_cells_bytes(const WsLaneCode *code);
void ws_lane_cells_init(const WsLaneCode *code, guint32 *cells);

/* Runs the kernel to its end; registers are zero at the beginning. FALSE: `end` says why. */
gboolean ws_lane_run(WsLaneRun *run, const WsKernel *kernel);

#endif
