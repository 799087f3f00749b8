#include "sim/divergence.h"

static const WsDivergenceModel *const models[] = {
    [WS_DIVERGENCE_STACK] = &ws_divergence_stack,
    [WS_DIVERGENCE_ITS] = NULL,
    [WS_DIVERGENCE_NONE] = NULL,
};

const WsDivergenceModel *ws_divergence_model(WsDivergenceKind kind)
{
    return models[kind];
}
