/* The runs of a program's launches, each a job of its own, as one run. Inside the room only. */
#ifndef WS_GRADE_TRIAL_LAUNCH_SUM_H
#define WS_GRADE_TRIAL_LAUNCH_SUM_H

#include "grade/trial/captured.h"
#include "sim/report/result.h"

typedef struct {
    WsJob *job;       /* all launches; its buffers are those that are compared */
    WsResult *result; /* of all of them */
    GArray *memory;   /* of WsLaunchMemory, by launch */
} WsLaunchSum;

/* What a launch finds in the memory of the device. */
typedef struct {
    guint32 buffers;
    guint64 bytes;
} WsLaunchMemory;

WsLaunchSum *ws_launch_sum_new(const WsCaptured *captured);
void ws_launch_sum_free(WsLaunchSum *sum);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(WsLaunchSum, ws_launch_sum_free)

/* Adds a job that has run, and takes its launch; of `result` what it tells. */
void ws_launch_sum_add(WsLaunchSum *sum, WsJob *job, WsResult *result);

/*
 * The report, as ws_trial_report_write() has it; of its `run`,
 *   launches           is their number
 *   kernels            has by kernel the figures of its launches together, their number as
 *                      `launches`, and by itself each: launch_1, launch_2 ...
 * Names of kernels have _ for what no name has. `program` (a string of JSON) becomes the member
 * `program`. Free with g_free.
 */
char *ws_launch_sum_report(const WsLaunchSum *sum, const char *program, const char *folder);

#endif
