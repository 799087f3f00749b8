/* Why a run stopped, in words: faults, barriers that cannot complete, limits. */
#ifndef WS_SIM_REPORT_REPORT_H
#define WS_SIM_REPORT_REPORT_H

#include "sim/report/result.h"
#include "sim/sm/sm.h"

/* A launch that stops. */
typedef struct {
    WsSm *const *sms;
    guint32 sm_count;
    const WsMemorySystem *system;
    guint64 not_started; /* blocks that have had no place on an SM yet: others may wait for them */
} WsLaunchState;

/* A fault or a barrier that cannot complete on one SM. */
void ws_report_stop(WsStop *ret, const WsSm *sm, const WsLaunchState *launch);
/* Stops of the whole launch say where all warps are. Nothing can ever happen again. */
void ws_report_nothing_happens(WsStop *ret, const WsLaunchState *launch);
/* Warps repeat themselves for ever. The place is that of the first one that waits for a value. */
void ws_report_livelock(WsStop *ret, const WsLaunchState *launch);
/* A limit has ended it, as `ret` says: adds who waits for whom if some wait for values. */
void ws_report_cut_off(WsStop *ret, const WsLaunchState *launch);
/* Warning: operands of instruction `pc` were read up to `cycles` too early. g_free. */
char *ws_report_hazard(const WsProgram *program, guint32 pc, guint32 cycles);
/* Warning: lanes met at a block barrier from two different instructions. g_free. */
char *ws_report_mixed_barrier(const WsProgram *program, guint32 a, guint32 b);

#endif
