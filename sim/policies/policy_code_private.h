/* Inside policy_code.c, policy_call.c and policy_failure.c. */
#ifndef WS_SIM_POLICIES_POLICY_CODE_PRIVATE_H
#define WS_SIM_POLICIES_POLICY_CODE_PRIVATE_H

#include "sim/policies/lane_code.h"
#include "sim/policies/policy_code.h"

enum { WS_POLICY_MOST_HELD = 1000000 };

typedef enum {
#define FUNCTION(NAME, name) WS_CALL_##NAME,
#include "sim/policies/policy_functions.def"
#undef FUNCTION
    WS_CALL_COUNT
} WsPolicyFunction;

/* Beyond WsLaneEnd: of what a function returned. */
typedef enum {
    WS_POLICY_BAD_CHOICE = WS_LANE_INSTRUCTIONS + 1,
    WS_POLICY_HELD,
    WS_POLICY_BAD_WAY,
    WS_POLICY_FAILURES
} WsPolicyFailure;

/* Begins the state; then come the variables, the stack, and the cells of the lane. */
typedef struct {
    guint32 failure; /* 0, WsLaneEnd or WsPolicyFailure */
    guint32 function;
    guint32 pc;
    guint32 sub_core;
    guint64 cycle;
    guint64 value;                  /* address, or what was chosen */
    guint64 held[WS_MAX_SUB_CORES]; /* calls in a row after which no warp was admitted */
} WsPolicyState;

struct WsPolicyCode {
    const WsProgram *program;
    WsLaneCode *lane;
    const WsKernel *functions[WS_CALL_COUNT]; /* NULL: not there */
    gboolean pure_pick;                       /* a pick among one warp need not be made */
    guint8 *constants[WS_CONSTANT_BANKS];
    guint8 *image; /* of the variables */
    gsize variables_at, stack_at, cells_at, state_bytes;
    gsize variable_bytes, stack_bytes;
    guint64 most_instructions;
    gint32 warps, sub_cores;
    WsL1Listener listener;
};

#endif
