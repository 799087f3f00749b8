#include "isa/base/input_file.h"

GBytes *ws_read_input_file_in(const WsReadScope *scope, const char *path, gsize max_bytes,
                              gboolean *ret_inside, GError **error)
{
    const WsPosition position = {.file = path};
    GBytes *bytes;
    WsReadOutcome outcome = ws_read_scope_read(scope, path, max_bytes, &bytes, ret_inside);
    if (outcome == WS_READ_DONE)
        return bytes;
    g_autofree char *text = ws_read_outcome_text(scope, outcome);
    if (outcome == WS_READ_TOO_LARGE)
        ws_set_error_at(error, WS_ERROR_INPUT, &position,
                        "is larger than the limit of %" G_GSIZE_FORMAT " bytes", max_bytes);
    else
        ws_set_error_at(error, WS_ERROR_INPUT, &position, "%s", text);
    return NULL;
}

GBytes *ws_read_input_file(const char *path, gsize max_bytes, GError **error)
{
    return ws_read_input_file_in(NULL, path, max_bytes, NULL, error);
}
