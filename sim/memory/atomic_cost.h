/*
 * What an atomic operation costs in a slice of L2.
 *
 * The lanes of a request on one line are done in rounds of lanes on different words. Measured on an
 * H200, cycles of 132 SMs a warp instruction, lanes on 32 words of a line, 8 words of a sector, or
 * one word (F64 and U64: 8 sectors, 2 sectors, one word):
 *
 *                               32 words   8 words   one
 *     ADD, MIN, EXCH of 32 bits      4.8       4.8    46.5
 *     ADD of U64                     9.4       9.3    46.5
 *     OR                             4.8       4.8    46.4
 *     CAS                            9.4       9.2    46.5
 *     ADD of F32                     4.85     13.9   111.3
 *     ADD of F64                    18.6      18.6   111.3
 *
 * Hence: a round takes a time for each of its sectors, more if it has a single word, and twice as
 * much for F64 and CAS; sums of floats follow each other on a word after a longer time.
 */
#ifndef WS_SIM_MEMORY_ATOMIC_COST_H
#define WS_SIM_MEMORY_ATOMIC_COST_H

#include "sim/device/device.h"
#include "sim/lanes/memory_operation.h"
#include "sim/memory/coalescer.h"

typedef struct {
    guint32 slice_milli; /* the slice is busy, 1/1000 cycle */
    guint32 held;        /* lanes on one word hold up the answer, cycles */
} WsAtomicTimes;

/* `offset`: of each lane of `lanes`, in bytes from the start of the line. */
void ws_atomic_times_init(WsAtomicTimes *ret, const WsDevice *device,
                          const WsMemoryOperation *operation, const guint8 *offset, guint64 lanes);

/*
 * How long the SM takes to send the lanes of `lanes`, in `sectors` sectors of one line, in 1/1000
 * cycle: in rounds, each with its sectors, and for no longer than L2 takes for the lanes one by
 * one. Measured for ADD of 32 bits: 5, 7.3, 12.4, 24.7, 49.7 and 64 cycles with 1, 2, 4, 8, 16 and
 * 32 lanes an address; where nothing returns 5.3, 9.3 and 46.3 with 1, 4 and 32, OR alike.
 */
guint64 ws_atomic_send_milli(const WsDevice *device, const WsMemoryOperation *operation,
                             const guint8 *offset, guint64 lanes, guint32 sectors);

#endif
