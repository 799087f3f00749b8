/*
 * Shuffles, votes, matches and reductions of lanes that met in one WARPSYNC from several places of
 * the program. On the machine such lanes carry out the operation together, each with its own
 * operands (WARPSYNC.COLLECTIVE, [M]). Here each path comes to its own instruction; what the lanes
 * of the others bring is read when they meet, since nothing that computes operands stands between
 * WARPSYNC and its operation.
 */
#ifndef WS_SIM_LANES_EXCHANGE_H
#define WS_SIM_LANES_EXCHANGE_H

#include "sim/lanes/lanes.h"

/*
 * The register that a lane at the WARPSYNC brings, if a load may still be on its way to it and
 * lanes may be at another WARPSYNC for such an operation; else -1.
 */
gint ws_exchange_loaded_row(const WsDecodedProgram *program, guint32 pc);

/* `lanes` have met and go on at `pc`, one a lane. Those at operations of one kind take part in it
 * together; lanes that go on at one place need nothing. */
void ws_exchange_meet(const WsDecodedProgram *program, WsWarpRegisters *warp, guint64 lanes,
                      const guint32 pc[WS_MAX_WARP_SIZE]);

/* The lanes come to WARPSYNC: what they have not taken part in is over. */
static inline void ws_exchange_leave(WsWarpRegisters *warp, guint64 lanes)
{
    warp->exchange.open &= ~(guint32)lanes;
    warp->exchange.certain &= ~(guint32)lanes;
}

#endif
