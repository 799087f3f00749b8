/* Where the answer to a memory access came from. */
#ifndef WS_SIM_BASE_MEMORY_LEVEL_H
#define WS_SIM_BASE_MEMORY_LEVEL_H

#include <glib.h>

/* In ascending order of distance: an access of several lines is of its farthest. */
typedef enum {
    WS_LEVEL_NONE, /* nothing comes back, or it is not known */
    WS_LEVEL_SHARED,
    WS_LEVEL_CONSTANT,
    WS_LEVEL_FIXED, /* memory.model = fixed: there are no levels */
    WS_LEVEL_L1,
    WS_LEVEL_L2,     /* the partition of the SM had it */
    WS_LEVEL_L2_FAR, /* the line's home partition had it */
    WS_LEVEL_DRAM,
    WS_LEVEL_COUNT
} WsMemoryLevel;

/* "L2_far": one word, for tables and traces. */
const char *ws_memory_level_name(WsMemoryLevel level);

#endif
