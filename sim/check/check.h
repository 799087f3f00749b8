/*
 * The checks of `run --check`: looks for races, reads of what nobody wrote, accesses to the wrong
 * array and barriers that part a block. They run on a copy of what the launches begin with, in the
 * functional interpreter: what they find depends neither on the device's timing nor on its policy,
 * and a run without them pays nothing. A program in CUDA C is then run once more as clang makes it
 * without optimising, which still has the source's variables, rows and barriers. docs/use/checks.md
 * says what is found and what is not.
 */
#ifndef WS_SIM_CHECK_CHECK_H
#define WS_SIM_CHECK_CHECK_H

#include "sim/base/time_limit.h"
#include "sim/check/findings.h"
#include "sim/launch/launch.h"

typedef struct WsCheck WsCheck;

typedef struct {
    guint64 warp_instructions; /* that each launch may take; 0 = 10^9 */
    guint64 shadow_bytes;      /* of memory for notes; 0 = 1 GiB, enough for 64 MiB of words */
    WsTimeLimit time_limit;
    const gint *interrupt; /* ends when this becomes other than 0, or NULL */
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
 * Runs the launches, once, and keeps what was found. A launch that ends early (a fault, lanes that
 * wait for ever, a limit) ends the checks; the findings up to there count, and `incomplete` says
 * why.
 */
void ws_check_run(WsCheck *check, const WsCheckLimits *limits);

/* Whether more is found in the unoptimised program: it is CUDA C, and what was wanted tells. */
gboolean ws_check_wants_plain(const WsCheck *check);
/*
 * After ws_check_run(): the same for `plain`, the job with its program compiled `for_checks`
 * (WsJobOptions), which has not run; its buffers are changed. It must live as long as the call. The
 * limits may be the same: the program takes more instructions, and is given more.
 */
void ws_check_run_plain(WsCheck *check, WsJob *plain, const WsCheckLimits *limits);
/* Says in `incomplete` that there is no such job, and why. */
void ws_check_miss_plain(WsCheck *check, const GError *error);

/* What was found, once; the caller's. */
WsFindings *ws_check_take_findings(WsCheck *check);

#endif
