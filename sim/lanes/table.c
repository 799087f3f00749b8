/* The table of this level's bodies. */
#include "sim/lanes/private.h"

extern const WsBodyTable WS_NAME(table);

const WsBodyTable WS_NAME(table) = {
    .name = WS_LEVEL_NAME,
    .addresses = WS_NAME(addresses),
    .bodies =
        {
#define BODY(name) [WS_BODY_##name] = WS_NAME(name),
#include "sim/lanes/bodies.def"
#undef BODY
        },
};
