/*
 * Which lines of code or constants L2 has, and from when on: one for all SMs. While SMs run they
 * only read it; what they ask memory for is added at the end of a window, so that the order in
 * which SMs run does not matter.
 */
#ifndef WS_SIM_BASE_LINE_DIRECTORY_H
#define WS_SIM_BASE_LINE_DIRECTORY_H

#include "sim/base/state_arena.h"

/* A line that an SM has asked memory for. */
typedef struct {
    guint32 line;
    guint64 ready; /* cycle at which the SM has it */
} WsLineRequest;

typedef struct {
    WsStateArena *arena; /* or NULL */
    guint32 count;
    guint64 *ready; /* by line: cycle, G_MAXUINT64 = not asked for yet */
} WsLineDirectory;

void ws_line_directory_init(WsLineDirectory *directory, WsStateArena *arena, guint32 lines);
void ws_line_directory_clear(WsLineDirectory *directory); /* frees what init allocated */
void ws_line_directory_empty(WsLineDirectory *directory);
/* Adds the requests (of WsLineRequest), and removes them from the array. */
void ws_line_directory_add(WsLineDirectory *directory, WsStateArray *requests);

#endif
