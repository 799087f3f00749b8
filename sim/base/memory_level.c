#include "sim/base/memory_level.h"

const char *ws_memory_level_name(WsMemoryLevel level)
{
    static const char *const names[WS_LEVEL_COUNT] = {
        [WS_LEVEL_NONE] = "none",         [WS_LEVEL_SHARED] = "shared", [WS_LEVEL_FIXED] = "fixed",
        [WS_LEVEL_CONSTANT] = "constant", [WS_LEVEL_L1] = "L1",         [WS_LEVEL_L2] = "L2",
        [WS_LEVEL_L2_FAR] = "L2_far",     [WS_LEVEL_DRAM] = "DRAM",
    };

    return level < WS_LEVEL_COUNT ? names[level] : "none";
}
