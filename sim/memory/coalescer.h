/*
 * Coalescing: which 128-byte lines and 32-byte sectors an access of a warp touches, and how many
 * passes the data array takes.
 *
 * The array delivers 128 bytes a pass from 32 banks of 4 bytes, so an access of more than 4 bytes a
 * lane is served in groups of lanes: 64-bit by half-warps, 128-bit by quarter-warps. A pass looks
 * up `tags_per_pass` lines, and each bank delivers one word a pass. Measured on an H200: strides of
 * 1/2/4/8/16/32 words cost 1/2/4/8/16/32 cycles, a shift by one word none, 32 random lines about 9.
 */
#ifndef WS_SIM_MEMORY_COALESCER_H
#define WS_SIM_MEMORY_COALESCER_H

#include "sim/lanes/lanes.h"

enum { WS_LINE_BYTES = 128, WS_SECTOR_BYTES = 32, WS_SECTORS_PER_LINE = 4 };

/*
 * In the mask of sectors of a message or an answer, beside them: it brings values and takes no
 * time, since others of its access stand for it (ideal.coalescing).
 */
enum { WS_SECTORS_FREE = 1 << WS_SECTORS_PER_LINE };

/* Number of sectors in a mask of a line's four. */
static inline guint32 ws_sector_count(guint8 sectors)
{
    static const guint8 count[1 << WS_SECTORS_PER_LINE] = {0, 1, 1, 2, 1, 2, 2, 3,
                                                           1, 2, 2, 3, 2, 3, 3, 4};
    return count[sectors % (1 << WS_SECTORS_PER_LINE)];
}

typedef struct {
    guint64 line;  /* address / 128 */
    guint64 lanes; /* lanes with an address in it */
    guint8 sectors;
} WsLinePart;

typedef struct {
    guint32 line_count;  /* distinct lines, in the order of their lowest lane */
    guint32 sectors;     /* distinct sectors */
    guint32 wavefronts;  /* passes, summed over groups; at least 1 if any lane is active */
    gboolean contiguous; /* all lanes of a full mask, ascending without gaps */
    WsLinePart part[WS_MAX_WARP_SIZE];
} WsCoalesced;

/*
 * `address` holds an address for each lane of `mask` (bits below `warp_size` only), each a multiple
 * of `bytes`: 1, 2, 4, 8 or 16.
 */
void ws_coalesce(const guint64 *address, guint64 mask, guint32 warp_size, guint32 bytes,
                 guint32 tags_per_pass, WsCoalesced *ret);

/* The same for the whole warp from address `start` on, each lane right behind the one before. */
void ws_coalesce_ascending(guint64 start, guint32 warp_size, guint32 bytes, guint32 tags_per_pass,
                           WsCoalesced *ret);

/* The same for the lanes of `mask`, of which there is one, that all access `address`. */
void ws_coalesce_same(guint64 address, guint64 mask, guint32 warp_size, guint32 bytes,
                      WsCoalesced *ret);

#endif
