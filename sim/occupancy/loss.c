#include "sim/occupancy/loss.h"

typedef struct {
    const char *name, *help;
} Loss;

static const Loss losses_table[WS_LOSS_COUNT] = {
    [WS_LOSS_RAMP_UP] = {"ramp_up", "the first blocks start one after the other"},
    [WS_LOSS_TURNOVER] = {"turnover", "from the end of a block to the start of the next one"},
    [WS_LOSS_TOO_FEW_BLOCKS] = {"too_few_blocks", "the grid has no block for these places"},
    [WS_LOSS_TAIL] = {"tail", "no block is left to start while the last ones run"},
    [WS_LOSS_SHORT_WARPS] = {"short_warps", "warps ended earlier than others of their block"},
};

const char *ws_occupancy_loss_name(WsOccupancyLoss loss)
{
    return losses_table[loss].name;
}

const char *ws_occupancy_loss_help(WsOccupancyLoss loss)
{
    return losses_table[loss].help;
}

static void push_early(WsOccupancyLosses *losses, guint64 clock)
{
    losses->early[(losses->early_first + losses->early_count++) % WS_LOSS_MAX_BLOCKS] = clock;
}

static guint64 pop_early(WsOccupancyLosses *losses)
{
    guint64 since = losses->early[losses->early_first];

    losses->early_first = (losses->early_first + 1) % WS_LOSS_MAX_BLOCKS;
    losses->early_count--;
    return since;
}

static guint64 pop_vacated(WsOccupancyLosses *losses)
{
    guint64 since = losses->vacated[losses->vacated_first];

    losses->vacated_first = (losses->vacated_first + 1) % WS_LOSS_MAX_BLOCKS;
    losses->vacated_count--;
    return since;
}

void ws_losses_plan(WsOccupancyLosses *losses)
{
    losses->planned++;
    losses->pending++;
}

void ws_losses_begin_block(WsOccupancyLosses *losses, guint32 warps, guint64 clock)
{
    if (losses->pending != 0) {
        losses->pending--;
        losses->losses[WS_LOSS_RAMP_UP] += warps * clock;
    } else if (losses->vacated_count == 0) {
        push_early(losses, clock);
    } else {
        losses->losses[WS_LOSS_TURNOVER] += warps * (clock - pop_vacated(losses));
    }
}

void ws_losses_cut_block(WsOccupancyLosses *losses, guint32 ended, guint64 ends, guint64 clock)
{
    losses->losses[WS_LOSS_SHORT_WARPS] += ended * clock - ends;
}

void ws_losses_end_block(WsOccupancyLosses *losses, guint32 warps, guint64 ends, guint64 clock)
{
    guint32 place = (losses->vacated_first + losses->vacated_count) % WS_LOSS_MAX_BLOCKS;

    ws_losses_cut_block(losses, warps, ends, clock);
    if (losses->early_count != 0) {
        losses->losses[WS_LOSS_SHORT_WARPS] -= warps * (clock - pop_early(losses));
        return;
    }
    losses->vacated[place] = clock;
    losses->vacated_count++;
}

void ws_losses_finish(WsOccupancyLosses *losses, guint32 places, guint32 warps, guint32 followed,
                      guint64 clock)
{
    losses->losses[WS_LOSS_RAMP_UP] += (guint64)losses->pending * warps * clock;
    losses->losses[WS_LOSS_TOO_FEW_BLOCKS] += (guint64)(places - losses->planned) * warps * clock;
    while (losses->early_count != 0)
        losses->losses[WS_LOSS_SHORT_WARPS] -= warps * (clock - pop_early(losses));
    for (; losses->vacated_count != 0; followed -= followed != 0) {
        WsOccupancyLoss loss = followed != 0 ? WS_LOSS_TURNOVER : WS_LOSS_TAIL;

        losses->losses[loss] += warps * (clock - pop_vacated(losses));
    }
}
