/* Why a run stopped, in words: faults, barriers that cannot complete, limits. */
#ifndef WS_SIM_REPORT_REPORT_H
#define WS_SIM_REPORT_REPORT_H

#include "sim/report/result.h"
#include "sim/sm/sm.h"

/* A fault or a barrier that cannot complete on one SM. */
void ws_report_stop(WsStop *ret, const WsSm *sm, const WsGlobalMemory *contents);
/*
 * Stops of the whole launch say where all warps are. `not_started` blocks of the grid have had no
 * place on an SM yet: those that run may be waiting for them.
 */
/* Nothing can ever happen again. */
void ws_report_nothing_happens(WsStop *ret, WsSm *const *sms, guint32 sm_count,
                               guint64 not_started);
/* Warps repeat themselves for ever. */
void ws_report_livelock(WsStop *ret, WsSm *const *sms, guint32 sm_count, guint64 not_started);
/* Warning: operands of instruction `pc` were read up to `cycles` too early. g_free. */
char *ws_report_hazard(const WsProgram *program, guint32 pc, guint32 cycles);
/* Warning: lanes met at a block barrier from two different instructions. g_free. */
char *ws_report_mixed_barrier(const WsProgram *program, guint32 a, guint32 b);

#endif
