/*
 * Banks of shared memory: how many passes an access of a warp takes.
 *
 * The banks deliver one 4-byte word each a pass, so an access of more than 4 bytes a lane is served
 * in groups of lanes: 64-bit by half-warps, 128-bit by quarter-warps. A group takes as many passes
 * as the bank with most distinct words of it; lanes that want one word share it.
 *
 * A load of more than 4 bytes serves two neighbouring groups at once where lanes share addresses in
 * pairs: each lane's and the next one's (number xor 1) are the same, or each lane's and the next
 * but one's (xor 2), in the whole warp, lanes that are off aside. The two groups then count as one.
 * Groups without lanes take no pass, yet an access never takes less time than the words of a lane
 * (half as many where groups are paired).
 *
 * Measured on an H200 with 9852 patterns of addresses and lanes, of which tests/data/h200_banks.csv
 * has a selection; this rule gives the passes of all, by time and by the hardware counters.
 */
#ifndef WS_SIM_MEMORY_BANK_CONFLICTS_H
#define WS_SIM_MEMORY_BANK_CONFLICTS_H

#include <glib.h>

enum { WS_MAX_BANKS = 64 };

typedef struct {
    guint32 wavefronts; /* passes over the banks that deliver something */
    guint32 least;      /* words of a lane, half as many where groups are paired */
    guint32 conflicts;  /* wavefronts beyond those of all groups without conflict */
} WsBankPasses;

/* Passes that the data path is taken for. */
static inline guint32 ws_bank_passes_taken(WsBankPasses passes)
{
    return MAX(passes.wavefronts, passes.least);
}

/* Lanes that one pass over `banks` 4-byte banks serves for accesses of `bytes` bytes. */
guint32 ws_bank_group_lanes(guint32 banks, guint32 bytes);

/* The largest number of distinct words that `lanes` want of one bank; 0 without lanes. */
guint32 ws_bank_depth(const guint64 *address, guint64 lanes, guint32 bytes, guint32 banks);
/* The same of lanes 0 to `lanes` - 1, each with a word of its own; `banks` is a power of two. */
guint32 ws_bank_depth_of_own(const guint64 *address, guint32 lanes, guint32 banks);

/*
 * Passes of an access of the lanes `mask` of a warp. `address` holds an address for each of them, a
 * multiple of `bytes`: 1, 2, 4, 8 or 16. `banks` is at most WS_MAX_BANKS. With `load`, groups may
 * be paired.
 */
WsBankPasses ws_bank_passes(const guint64 *address, guint64 mask, guint32 warp_size, guint32 bytes,
                            guint32 banks, gboolean load);

#endif
