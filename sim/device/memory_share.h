/*
 * What the SMs that are simulated have of L2 and DRAM, which are made for `memory.sms` of them.
 *
 * `whole`: all of both, however few SMs there are. `fair`: N SMs of M have N/M of the capacity of
 * L2, of the rate of its slices and of the bandwidth of DRAM. Latencies do not change. Slices and
 * channels are whole numbers, as many as hold the share; each then takes so much longer for what it
 * does that all together have the share exactly.
 *
 * Where a channel refreshes, all of DRAM is so much slower all the time: the few channels of a
 * share must not stand still together, which the many that they are a part of never do.
 */
#ifndef WS_SIM_DEVICE_MEMORY_SHARE_H
#define WS_SIM_DEVICE_MEMORY_SHARE_H

#include "sim/device/device.h"

/* Time that a unit takes for its work, as a part of what the work takes in the whole machine. */
typedef struct {
    guint64 numerator, denominator;
} WsServiceRate;

/* Whether L2 and DRAM are smaller than the whole: `fair`, and fewer SMs than all. */
gboolean ws_memory_is_divided(const WsDevice *device);

/* Slices of L2 in all its partitions, and those of the share. */
guint64 ws_memory_slices(const WsDevice *device);
guint64 ws_memory_share_slices(const WsDevice *device);
guint64 ws_memory_share_channels(const WsDevice *device);
guint64 ws_memory_share_l2_bytes(const WsDevice *device);

/* Of a slice and of a channel of the share. */
WsServiceRate ws_memory_share_slice_rate(const WsDevice *device);
WsServiceRate ws_memory_share_channel_rate(const WsDevice *device);

/*
 * Cycles of work that takes `milli` 1/1000 cycles in the whole machine. What is less than a cycle
 * is kept in `carry`, which counts (1000 x denominator)-ths of a cycle, for the next call.
 */
guint64 ws_service_cycles(const WsServiceRate *rate, guint64 milli, guint64 *carry);

/*
 * A fair share as figures, whatever the SMs have: bytes of L2, and bytes a cycle that L2 and DRAM
 * hand over at most (refreshes not counted).
 */
typedef struct {
    double l2_bytes, l2_bytes_per_cycle, dram_bytes_per_cycle;
} WsFairShare;
void ws_memory_fair_share(const WsDevice *device, WsFairShare *ret);

#endif
