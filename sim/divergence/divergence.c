#include "sim/divergence/divergence.h"

static const WsDivergenceModel *const models[] = {
#define MODEL(ENUM, name) [WS_DIVERGENCE_##ENUM] = &ws_divergence_##name,
    WS_DIVERGENCE_MODELS(MODEL)
#undef MODEL
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
