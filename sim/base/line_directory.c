#include "sim/base/line_directory.h"

void ws_line_directory_init(WsLineDirectory *directory, guint32 lines)
{
    directory->count = lines;
    directory->ready = g_new(guint64, lines);
    ws_line_directory_empty(directory);
}

void ws_line_directory_clear(WsLineDirectory *directory)
{
    g_free(directory->ready);
    *directory = (WsLineDirectory){0};
}

void ws_line_directory_empty(WsLineDirectory *directory)
{
    for (guint32 line = 0; line < directory->count; line++)
        directory->ready[line] = G_MAXUINT64;
}

void ws_line_directory_add(WsLineDirectory *directory, GArray *requests)
{
    for (guint i = 0; i < requests->len; i++) {
        const WsLineRequest *request = &g_array_index(requests, WsLineRequest, i);
        guint64 *ready = &directory->ready[request->line];

        *ready = MIN(*ready, request->ready);
    }
    g_array_set_size(requests, 0);
}
