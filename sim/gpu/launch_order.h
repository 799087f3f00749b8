/*
 * Where the SMs of a device are, and the order in which the blocks of a grid go to them.
 *
 * SMs are numbered round the GPCs: the first TPC of every GPC, then the second of those that have
 * one, and so on (`gpc.tpcs`, `gpc.sms_per_tpc`). SMs behind those make TPCs outside GPCs. The
 * numbers are those of %smid.
 *
 * Blocks of the first wave, measured on two H200s (order of blocks by %smid, grids of 1 to 4224
 * blocks):
 *   - In a round every SM gets one block. There are as many rounds as the SMs have places, but no
 *     more than the grid has whole rounds.
 *   - The GPCs take turns; in its turn a GPC gets one block for each of its SMs, TPC after TPC.
 *   - TPCs outside GPCs go first, and again after 5, 11, 17 and so on turns of GPCs
 *     (`launch.outside_turns`), so that they run ahead until they have their share.
 *   - What is left of the grid, less than a round: TPCs outside GPCs get theirs first, one a SM.
 *     The rest goes out evenly, one by one over the GPCs, and inside a GPC over its TPCs.
 */
#ifndef WS_SIM_GPU_LAUNCH_ORDER_H
#define WS_SIM_GPU_LAUNCH_ORDER_H

#include "sim/device/device.h"

/* GPC of an SM; one more than there are for an SM outside GPCs. */
guint32 ws_gpc_of(const WsDevice *device, guint32 sm);
/* Whether messages between the block scheduler and the SM take `gpc.far_latency` longer. */
gboolean ws_sm_is_far(const WsDevice *device, guint32 sm);

/*
 * SM numbers (guint32) of the blocks of the first wave, by block: as many as there are, or as there
 * are places, `places` on each SM. Free with g_array_unref.
 */
GArray *ws_launch_order(const WsDevice *device, guint64 blocks, guint32 places);

/*
 * How far each SM is from what the SMs share of code and constants, 0 = nearest, where no launch
 * has more than `blocks` blocks: its place in the order of a grid of one block an SM; where there
 * are fewer blocks than SMs, in the order in which growing grids come to the SMs. Measured on an
 * H200 (driver 580.159.04), caches flushed: a kernel that reads its parameters and stores takes
 * 545, 559, 572, 574, 592, 598 and 659 cycles (sm__cycles_active.max, the least of 9 launches) in
 * grids of 1, 4, 8, 16, 32, 64 and 132 blocks of a warp. By SM; free with g_free.
 */
guint32 *ws_launch_ranks(const WsDevice *device, guint64 blocks);

#endif
