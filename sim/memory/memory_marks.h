/*
 * Marks: what L2 and DRAM have counted at equal distances of time. Requests are served some time
 * behind the SMs and in shares, so a mark is there when all shares have come to its cycle. Serving
 * stops at the cycle of a mark and goes on: nothing changes by it, and without marks it costs
 * nothing.
 */
#ifndef WS_SIM_MEMORY_MEMORY_MARKS_H
#define WS_SIM_MEMORY_MEMORY_MARKS_H

#include "sim/memory/memory.h"

typedef struct {
    guint64 cycle;
    guint64 l2_lookups, l2_hits;               /* sectors that have arrived at L2 */
    guint64 dram_read_bytes, dram_write_bytes; /* that L2 has asked DRAM for */
    guint64 dram_waiting_bytes;                /* of these: not on the bus yet, about */
} WsMemoryMark;

/*
 * From now on a mark at each multiple of `every` cycles behind `cycle`, until
 * ws_memory_system_end_marks(). Not where the state is saved, and only while the shares stay as
 * they are.
 */
void ws_memory_system_begin_marks(WsMemorySystem *system, guint64 cycle, guint64 every);
/* The marks to come are at multiples of `every`, which is one of the distance before. */
void ws_memory_system_spread_marks(WsMemorySystem *system, guint64 every);
/* Takes the next mark. FALSE: not all shares have come to it. */
gboolean ws_memory_system_take_mark(WsMemorySystem *system, WsMemoryMark *ret);
void ws_memory_system_end_marks(WsMemorySystem *system);

#endif
