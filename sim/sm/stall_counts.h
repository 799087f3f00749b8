/*
 * What stall counts of compiled code add to the latencies of the machine. A machine that looks at
 * dependences alone (dependences = scoreboard) stands for one that runs compiled code, so it waits
 * where that code does.
 */
#ifndef WS_SIM_SM_STALL_COUNTS_H
#define WS_SIM_SM_STALL_COUNTS_H

#include "sim/device/device.h"

/* TRUE if compiled code waits for its result with a stall count, not with a barrier. */
gboolean ws_is_fixed_latency(const WsDevice *device, const WsInstruction *instruction);

/*
 * For each instruction of a kernel: TRUE for one of the XU pipe that is kept xu.overwrite cycles
 * from the fixed-latency result that it reads: because it overwrites an operand, or because at most
 * one instruction of its basic block stands between it and the last one of the XU pipe, so that
 * their stall counts would come to less than xu.spacing. Otherwise xu_latency of the result's class
 * holds. NULL if xu.spacing is 0.
 */
guint8 *ws_xu_apart(const WsDevice *device, const WsInstruction *instructions, guint32 first,
                    guint32 count);

#endif
