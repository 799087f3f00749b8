/*
 * Who is told of loads in L1 and of lines that leave it, and decides which lines stay: a scheduling
 * policy may ask for that.
 */
#ifndef WS_SIM_MEMORY_L1_LISTENER_H
#define WS_SIM_MEMORY_L1_LISTENER_H

#include <glib.h>

/* A load of the warp in `slot` that looks for a line of 128 bytes; `pc` is the instruction. */
typedef struct {
    guint64 cycle;
    guint64 line;
    guint32 slot;
    guint32 pc;
    gboolean hit; /* L1 holds the line (maybe not all its sectors) */
} WsL1Load;

/* A line of L1 with the warp slot that brought it in. */
typedef struct {
    guint64 line;
    guint32 slot;
} WsL1Owned;

enum { WS_L1_MOST_WAYS = 256 };

/* Any of the functions may be NULL. */
typedef struct {
    /* Not told of a line that is on its way. */
    void (*load)(void *data, const WsL1Load *load);
    /* A line leaves L1 to make room for one of the warp in slot `by`. */
    void (*evict)(void *data, guint64 cycle, const WsL1Owned *line, guint32 by);
    /* Whether a line that misses, and is not on its way, will not be put into L1. */
    gboolean (*bypass)(void *data, const WsL1Load *load);
    /*
     * Which of the ways of a full set, by last use, the most recent first, leaves for `coming`.
     * With it, L1 has sets of least recently used lines, whatever the device says.
     */
    guint (*victim)(void *data, guint64 cycle, const WsL1Owned *coming, const WsL1Owned *ways,
                    guint count);
} WsL1Listener;

#endif
