/*
 * A scheduling policy that a user wrote in C (isa/cuda/include/warpstep/policy.h): its program made
 * ready to be called, and the calls. The program is bytecode of the simulated machine and is
 * evaluated here in one lane, in memory of its own: its variables, a stack, and what it is shown.
 * Every access is checked, and a call takes a bounded number of instructions.
 *
 * The state of a policy, one for each SM, is flat and without pointers: a copy of it is a snapshot.
 */
#ifndef WS_SIM_POLICIES_POLICY_CODE_H
#define WS_SIM_POLICIES_POLICY_CODE_H

#include "isa/bytecode/program.h"
#include "sim/base/status.h"
#include "sim/policies/policy.h"

typedef struct WsPolicyCode WsPolicyCode;

/*
 * `program` was loaded from a policy's file. It and `device` must outlive the result. Errors:
 * WS_ERROR_INPUT: a function is missing, or uses what a policy cannot.
 */
WsPolicyCode *ws_policy_code_new(const WsProgram *program, const WsDevice *device, GError **error);
void ws_policy_code_free(WsPolicyCode *code);

gsize ws_policy_code_state_bytes(const WsPolicyCode *code);
/* `state` is zeroed. */
void ws_policy_code_begin(const WsPolicyCode *code, void *state);

/* A warp has come to the sub-core of the view, or leaves it. */
void ws_policy_code_warp_begin(const WsPolicyCode *code, void *state, const WsPolicyView *view,
                               guint32 sub_core, guint warp);
void ws_policy_code_warp_end(const WsPolicyCode *code, void *state, const WsPolicyView *view,
                             guint32 sub_core, guint warp);

/*
 * As WsPolicy.admit. Of the warps that it returns the policy has picked the one in `ret_chosen`,
 * which is left alone if there are none. After a failure nothing is called any more.
 */
guint64 ws_policy_code_admit(const WsPolicyCode *code, void *state, const WsPolicyView *view,
                             const WsPolicyWarps *warps, guint8 *ret_chosen);

/* WS_STATUS_OK unless a call has failed: FAULT, or LIMIT if it took too long. */
WsStatus ws_policy_code_status(const WsPolicyCode *code, const void *state);
/* What failed, in few words; constant text. */
const char *ws_policy_code_failure(const WsPolicyCode *code, const void *state);
/* The same in one line with the place: "mine.c:12: pick() accessed ...". g_free. */
char *ws_policy_code_failure_text(const WsPolicyCode *code, const void *state);

#endif
