/*
 * Floating-point operations of a run, counted as vendors count those of a peak: an addition and a
 * multiplication are one each, a fused multiply-add two, packed halves twice as much, and a matrix
 * instruction two for each product. Only lanes with a true guard count. Conversions, comparisons,
 * special functions (MUFU) and integers do not.
 */
#ifndef WS_SIM_REPORT_FLOAT_OPERATIONS_H
#define WS_SIM_REPORT_FLOAT_OPERATIONS_H

#include "sim/report/result.h"

/* Of so many issues of the instruction, by warps, which had a true guard in `lanes` lanes. */
guint64 ws_float_operations_of(const WsInstruction *instruction, guint64 issued, guint64 lanes);

/* Of one launch, or of all that began. */
guint64 ws_launch_float_operations(const WsProgram *program, const WsLaunchResult *launch);
guint64 ws_float_operations(const WsProgram *program, const WsResult *result);

/* 10^12 of them a second over the elapsed cycles, at the device's clock; NaN without cycles. */
double ws_tflops(guint64 operations, guint64 elapsed_cycles, const WsDevice *device);

#endif
