/*
 * The checks of `run --check`: looks for races, reads of what nobody wrote and accesses to the
 * wrong array. They run on a copy of what the launches begin with, in the functional interpreter:
 * what they find depends neither on the device's timing nor on its policy, and a run without them
 * pays nothing. docs/checks.md says what is found and what is not.
 */
#ifndef WS_SIM_CHECK_CHECK_H
#define WS_SIM_CHECK_CHECK_H

#include "sim/check/findings.h"
#include "sim/launch/launch.h"

typedef struct WsCheck WsCheck;

typedef struct {
    guint64 warp_instructions; /* that each launch may take; 0 = 10^9 */
    guint64 shadow_bytes;      /* of memory for notes; 0 = 1 GiB, enough for 64 MiB of words */
    gint64 deadline;           /* by g_get_monotonic_time(); 0 = none */
    const gint *interrupt;     /* ends when this becomes other than 0, or NULL */
} WsCheckLimits;

/* Warp instructions that are enough for a launch of a job whose run took so many. */
guint64 ws_check_enough(guint64 warp_instructions);

/*
 * Keeps what the launches of a job begin with, before it runs. `kinds`: WS_CHECK_BIT()s, at least
 * one. The job must live longer. Errors: WS_ERROR_INPUT if the copy of its buffers is more than the
 * job may take.
 */
WsCheck *ws_check_new(const WsJob *job, guint kinds, GError **error);
void ws_check_free(WsCheck *check);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(WsCheck, ws_check_free)

/*
 * Runs the launches, once, and says what was found. A launch that ends early (a fault, lanes that
 * wait for ever, a limit) ends the checks; the findings up to there count, and `incomplete` says
 * why.
 */
WsFindings *ws_check_run(WsCheck *check, const WsCheckLimits *limits);

#endif
