/*
 * How much of L2 and DRAM a run took, as times the fair share of its SMs
 * (sim/device/memory_share.h). What a run takes beyond that it would not get on a GPU whose other
 * SMs do the same.
 */
#ifndef WS_SIM_REPORT_MEMORY_USE_H
#define WS_SIM_REPORT_MEMORY_USE_H

#include "sim/report/result.h"

typedef struct {
    gboolean known;    /* there are L2 and DRAM: memory.model is `cached` */
    gboolean fair;     /* memory.share */
    guint64 sms, of;   /* SMs that are simulated, of those that L2 and DRAM are made for */
    double dram_taken; /* bytes to and from DRAM a cycle of elapsed time, as times the fair share */
    double l2_taken;   /* the same of sectors that L2 served */
    double dram_used, l2_used; /* the same two, as a share of the bandwidth that is simulated */
    double l2_held; /* bytes of L2 in use at the end of a launch, the most of all launches */
} WsMemoryUse;

void ws_memory_use(const WsJob *job, const WsResult *result, WsMemoryUse *ret);

/* "whole (1 of 132 SMs)", "fair (1 of 132 SMs)", or "whole" where no SM is left out. g_free. */
char *ws_memory_use_share(const WsMemoryUse *use);

/*
 * "1 SM of 132 took 7.3 times its share of DRAM bandwidth; see --share fair"; NULL where no share
 * is exceeded, by 5 % at least. g_free.
 */
char *ws_memory_use_warning(const WsMemoryUse *use);

#endif
