/* Who is told of loads in L1 and of lines that leave it: a scheduling policy may ask for that. */
#ifndef WS_SIM_MEMORY_L1_LISTENER_H
#define WS_SIM_MEMORY_L1_LISTENER_H

#include <glib.h>

typedef struct {
    /*
     * A load of the warp in `slot` looked for a line of 128 bytes. `hit`: L1 holds the line (maybe
     * not all its sectors). Not told of a line that is on its way.
     */
    void (*load)(void *data, guint64 cycle, guint32 slot, guint64 line, gboolean hit);
    /* A line leaves L1 to make room; `slot` is the warp that brought it in. */
    void (*evict)(void *data, guint64 cycle, guint32 slot, guint64 line);
} WsL1Listener;

#endif
