#include "sim/divergence/divergence.h"

static const WsDivergenceModel *const models[] = {
    [WS_DIVERGENCE_STACK] = &ws_divergence_stack,
    [WS_DIVERGENCE_ITS] = &ws_divergence_its,
    [WS_DIVERGENCE_NONE] = &ws_divergence_none,
};

const WsDivergenceModel *ws_divergence_model(WsDivergenceKind kind)
{
    return models[kind];
}

gboolean ws_taken_side_is_first(guint64 taken, guint64 rest, WsFirstSide first)
{
    int a = __builtin_popcountll(taken), b = __builtin_popcountll(rest);

    switch (first) {
    case WS_FIRST_SIDE_FEWER_LANES:
        return a < b;
    case WS_FIRST_SIDE_MORE_LANES:
        return a > b;
    case WS_FIRST_SIDE_TAKEN:
        return TRUE;
    default:
        return FALSE;
    }
}
