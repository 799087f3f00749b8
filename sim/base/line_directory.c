#include "sim/base/line_directory.h"

void ws_line_directory_init(WsLineDirectory *directory, WsStateArena *arena, guint32 lines)
{
    directory->arena = arena;
    directory->count = lines;
    directory->ready = ws_state_new(arena, guint64, lines);
    ws_line_directory_empty(directory);
}

void ws_line_directory_clear(WsLineDirectory *directory)
{
    ws_state_free(directory->arena, directory->ready);
    *directory = (WsLineDirectory){0};
}

void ws_line_directory_empty(WsLineDirectory *directory)
{
    for (guint32 line = 0; line < directory->count; line++)
        directory->ready[line] = G_MAXUINT64;
}

void ws_line_directory_add(WsLineDirectory *directory, WsStateArray *requests)
{
    for (guint i = 0; i < requests->count; i++) {
        const WsLineRequest *request = &ws_state_array_index(requests, WsLineRequest, i);
        guint64 *ready = &directory->ready[request->line];

        *ready = MIN(*ready, request->ready);
    }
    requests->count = 0;
}
