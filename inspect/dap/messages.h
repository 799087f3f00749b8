/*
 * Messages of the Debug Adapter Protocol: a header with Content-Length, then JSON. Whatever comes
 * in is read up to the next message; nothing of it stops the adapter.
 */
#ifndef WS_INSPECT_DAP_MESSAGES_H
#define WS_INSPECT_DAP_MESSAGES_H

#include <json-glib/json-glib.h>
#include <stdio.h>

typedef struct WsDapStream WsDapStream;

/* Reads from and writes to these descriptors, which stay open. `log`: gets all messages, or NULL.
 */
WsDapStream *ws_dap_stream_new(int in, int out, FILE *log);
void ws_dap_stream_free(WsDapStream *stream);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(WsDapStream, ws_dap_stream_free)

typedef enum {
    WS_DAP_MESSAGE,
    WS_DAP_MALFORMED, /* something that is none */
    WS_DAP_END        /* nothing more comes */
} WsDapReceived;

/*
 * Waits for the next message, an object, which the caller unrefs; or `ret_problem`: why it is none,
 * constant text.
 */
WsDapReceived ws_dap_receive(WsDapStream *stream, JsonObject **ret, const char **ret_problem);
/* Whether something is there to be received, or the end. */
gboolean ws_dap_is_readable(const WsDapStream *stream);

/*
 * Whether a request of one of these names (NULL-terminated) is there to be received, or the end.
 * What came before it is received first, as ever.
 */
gboolean ws_dap_has_request(WsDapStream *stream, const char *const *commands);

/* Takes the message, numbers and writes it. FALSE once nobody reads any more. */
gboolean ws_dap_send(WsDapStream *stream, JsonObject *message);

#endif
