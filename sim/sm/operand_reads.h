/*
 * The issue's use of the register file: the reads of an instruction, the results that wait for each
 * other, and what a 64-bit product adds. Inside the library only.
 */
#ifndef WS_SIM_SM_OPERAND_READS_H
#define WS_SIM_SM_OPERAND_READS_H

#include "sim/sm/sm.h"

/*
 * Cycle from which the instruction, which issues at `now` and reads several registers of a bank,
 * can do so: of what the register file does not have yet, each bank takes one straight from the
 * pipes.
 */
guint64 ws_first_read(const WsSm *sm, const WsWarp *warp, guint32 pc, guint64 now);

/* The instruction at `pc` issues at `now` and takes its turn at the register ports: see
 * ws_ports_read(). */
static inline guint ws_read_registers(const WsSm *sm, WsRegisterPorts *ports, const WsWarp *warp,
                                      guint32 pc, guint64 now, guint *result)
{
    WsBankReads reads = ws_ports_next(ports, &sm->ports, pc, warp->number);

    if (ws_ports_read_at_once(ports, &sm->ports, reads, now))
        return 0;
    return ws_ports_read(ports, &sm->ports, reads, now,
                         (reads.even | reads.odd) > 1 ? ws_first_read(sm, warp, pc, now) : now,
                         result);
}

/*
 * A register bank takes one result a cycle, and one of the XU pipe has its cycle from its issue on.
 * Returns the cycles for which the instruction, which issues at `now`, waits so that it does not
 * write with one; notes when it writes itself if it is one of the XU pipe.
 */
guint ws_wait_to_write(const WsSm *sm, WsRegisterPorts *ports, const WsIssueInfo *issue,
                       guint64 now);

/*
 * A 64-bit product issues at `now`: its second half keeps others from issuing, and so do factors
 * that the register file does not have yet. Returns the cycles of both; *late becomes what its
 * result is late.
 */
guint ws_hold_for_product(const WsSm *sm, const WsWarp *warp, guint32 pc, guint64 now, guint *late);
/* Its high word and carry, whose cycle is that of the low word so far. */
void ws_delay_high_outputs(const WsSm *sm, const WsWarp *warp, const WsIssueInfo *issue);

#endif
