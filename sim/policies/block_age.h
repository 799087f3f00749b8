/*
 * The blocks of a sub-core by age: the warps of each as a mask, the oldest block first. A block has
 * a place from its first warp on this sub-core to its last.
 */
#ifndef WS_SIM_POLICIES_BLOCK_AGE_H
#define WS_SIM_POLICIES_BLOCK_AGE_H

#include <string.h>

#include "sim/policies/warp_order.h"

typedef struct {
    guint32 count;
    guint32 block[WS_SUB_CORE_WARPS]; /* block slot of the SM */
    guint64 warps[WS_SUB_CORE_WARPS]; /* never empty below `count` */
} WsBlockAge;

static inline void ws_block_age_init(WsBlockAge *age)
{
    age->count = 0;
}

/* All resident warps. */
static inline guint64 ws_block_age_warps(const WsBlockAge *age)
{
    guint64 warps = 0;

    for (guint32 i = 0; i < age->count; i++)
        warps |= age->warps[i];
    return warps;
}

/* A warp begins. The warps of a block begin before those of the next one. */
static inline void ws_block_age_append(WsBlockAge *age, guint32 block, guint warp)
{
    if (age->count == 0 || age->block[age->count - 1] != block) {
        age->block[age->count] = block;
        age->warps[age->count++] = 0;
    }
    age->warps[age->count - 1] |= (guint64)1 << warp;
}

/* A warp that has a place leaves. */
static inline void ws_block_age_remove(WsBlockAge *age, guint warp)
{
    guint32 i = 0;

    while (!(age->warps[i] >> warp & 1))
        i++;
    age->warps[i] &= ~((guint64)1 << warp);
    if (age->warps[i] != 0)
        return;
    age->count--;
    memmove(&age->block[i], &age->block[i + 1], (age->count - i) * sizeof age->block[0]);
    memmove(&age->warps[i], &age->warps[i + 1], (age->count - i) * sizeof age->warps[0]);
}

/* The warps of `mask`, which must hold one that has a place, that are of the oldest block. */
static inline guint64 ws_block_age_oldest(const WsBlockAge *age, guint64 mask)
{
    guint32 i = 0;

    while ((age->warps[i] & mask) == 0)
        i++;
    return age->warps[i] & mask;
}

#endif
