/*
 * A scheduling policy that a user wrote in C (isa/cuda/include/warpstep/policy.h): its program made
 * ready to be called, and the calls. The program is bytecode of the simulated machine and is
 * evaluated here in one lane (lane_code.h), in memory of its own: its variables, a stack, and what
 * it is shown. Every access is checked, and a call takes a bounded number of instructions.
 *
 * The state of a policy, one for each SM, is flat and without pointers: a copy of it is a snapshot.
 */
#ifndef WS_SIM_POLICIES_POLICY_CODE_H
#define WS_SIM_POLICIES_POLICY_CODE_H

#include "isa/bytecode/program.h"
#include "sim/base/status.h"
#include "sim/policies/policy_sight.h"

typedef struct WsPolicyCode WsPolicyCode;

/*
 * `program` was loaded from a policy's file, and has the parameters that `device` gives
 * (policy_parameters.h). Both must outlive the result. Errors: WS_ERROR_INPUT: a function is
 * missing, or uses what a policy cannot.
 */
WsPolicyCode *ws_policy_code_new(const WsProgram *program, const WsDevice *device, GError **error);
void ws_policy_code_free(WsPolicyCode *code);

gsize ws_policy_code_state_bytes(const WsPolicyCode *code);
/* `state` is zeroed. */
void ws_policy_code_begin(const WsPolicyCode *code, void *state);

/* An SM's policy: all is constant during a launch but what `state` points to. */
typedef struct {
    const WsPolicyCode *code;
    void *state;
    const WsPolicySight *sight;
    const void *sm; /* for `sight` */
    gint32 sm_number;
} WsPolicyCaller;

/* A warp has come to the sub-core, or leaves it. */
void ws_policy_code_warp_begin(const WsPolicyCaller *caller, guint64 cycle, guint32 sub_core,
                               guint warp);
void ws_policy_code_warp_end(const WsPolicyCaller *caller, guint64 cycle, guint32 sub_core,
                             guint warp);

/*
 * The eligible warps, which are not none, that may issue. Of these the policy has picked the one in
 * `ret_chosen`, which is left alone if there are none. `view` is the sub-core's. After a failure
 * nothing is called any more.
 */
guint64 ws_policy_code_admit(const WsPolicyCaller *caller, const WsPolicyView *view, guint64 cycle,
                             guint32 sub_core, guint64 eligible, guint8 *ret_chosen);

/* Functions of the file that L1 calls, with a WsPolicyCaller as their data; none may be there. */
const WsL1Listener *ws_policy_code_listener(const WsPolicyCode *code);

/* Whether the SM takes a block; TRUE for a policy that has no such function, or has failed. */
gboolean ws_policy_code_take_block(const WsPolicyCaller *caller, const ws_blocks *blocks);

/* WS_STATUS_OK unless a call has failed: FAULT, or LIMIT if it took too long. */
WsStatus ws_policy_code_status(const WsPolicyCode *code, const void *state);
/* What failed, in few words; constant text. */
const char *ws_policy_code_failure(const WsPolicyCode *code, const void *state);
/* The same in one line with the place: "mine.c:12: pick() accessed ...". g_free. */
char *ws_policy_code_failure_text(const WsPolicyCode *code, const void *state);

#endif
