/*
 * Why fewer warps are resident than the theoretical occupancy allows. In every cycle in which an SM
 * has a resident warp, each warp that is missing counts for one cause, so that
 *
 *   theoretical warps x active cycles = resident warp-cycles + the losses
 *
 * holds exactly, for each SM and in sum. What is counted happens when blocks and warps begin and
 * end; issuing knows nothing of it.
 */
#ifndef WS_SIM_OCCUPANCY_LOSS_H
#define WS_SIM_OCCUPANCY_LOSS_H

#include <glib.h>

typedef enum {
    WS_LOSS_RAMP_UP,        /* a block of the first wave has still to start: the launch interval */
    WS_LOSS_TURNOVER,       /* a block ended, and the one that takes its place has not started */
    WS_LOSS_TOO_FEW_BLOCKS, /* the grid had no block for this place from the beginning */
    WS_LOSS_TAIL,           /* a block ended, no block is left to start, others still run here */
    WS_LOSS_SHORT_WARPS,    /* the warp has ended, its block has not */
    WS_LOSS_COUNT
} WsOccupancyLoss;

/* "ramp_up", "turnover", "too_few_blocks", "tail", "short_warps". */
const char *ws_occupancy_loss_name(WsOccupancyLoss loss);
/* What it means, in a few words. */
const char *ws_occupancy_loss_help(WsOccupancyLoss loss);

enum { WS_LOSS_MAX_BLOCKS = 64 };

/*
 * The places for blocks of one SM. Times are its active cycles so far. Which of the free places a
 * block takes does not matter to the sums: it takes the one that has been free for longest. A block
 * that begins while all places are taken, where warps have exited early, takes theirs until a place
 * is free.
 */
typedef struct {
    guint64 losses[WS_LOSS_COUNT];       /* warp-cycles */
    guint64 vacated[WS_LOSS_MAX_BLOCKS]; /* a ring: when blocks ended that nobody has followed */
    guint32 vacated_first, vacated_count;
    guint64 early[WS_LOSS_MAX_BLOCKS]; /* a ring: when blocks began that have no place yet */
    guint32 early_first, early_count;
    guint32 planned; /* blocks of the first wave */
    guint32 pending; /* of these: have still to start */
} WsOccupancyLosses;

/* A block of the first wave will start on the SM. */
void ws_losses_plan(WsOccupancyLosses *losses);
/* A block of `warps` warps begins. */
void ws_losses_begin_block(WsOccupancyLosses *losses, guint32 warps, guint64 clock);
/* A block ends whose `warps` warps ended at times that add up to `ends`. */
void ws_losses_end_block(WsOccupancyLosses *losses, guint32 warps, guint64 ends, guint64 clock);
/* A block still runs of which `ended` warps ended at times that add up to `ends`. */
void ws_losses_cut_block(WsOccupancyLosses *losses, guint32 ended, guint64 ends, guint64 clock);
/*
 * The SM is done, or is stopped. It has `places` for blocks of `warps` warps. Of the places that
 * blocks have left, `followed` would still be taken by others.
 */
void ws_losses_finish(WsOccupancyLosses *losses, guint32 places, guint32 warps, guint32 followed,
                      guint64 clock);

#endif
