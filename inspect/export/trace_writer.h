/*
 * Bytes on their way to a file: a buffer, and functions that are quick enough for millions of lines
 * a second. What cannot be written is dropped, and said at the end.
 */
#ifndef WS_INSPECT_EXPORT_TRACE_WRITER_H
#define WS_INSPECT_EXPORT_TRACE_WRITER_H

#include <glib.h>

/* Takes bytes for good; FALSE if they could not be written. */
typedef gboolean (*WsTraceSink)(void *data, const char *bytes, gsize length);

enum { WS_TRACE_BUFFER_BYTES = 1 << 16, WS_TRACE_ROOM_BYTES = 256 };

typedef struct {
    WsTraceSink sink;
    void *data;
    gsize used;
    gboolean failed;
    char buffer[WS_TRACE_BUFFER_BYTES];
} WsTraceWriter;

void ws_trace_flush(WsTraceWriter *out);
void ws_trace_put_bytes(WsTraceWriter *out, const char *bytes, gsize length);
void ws_trace_put(WsTraceWriter *out, const char *text);
/* As g_strdup_printf(): for what is seldom. */
void ws_trace_printf(WsTraceWriter *out, const char *format, ...) G_GNUC_PRINTF(2, 3);
void ws_trace_put_decimal(WsTraceWriter *out, guint64 value);
/* At least `digits` of them, which are below 17, lower case. */
void ws_trace_put_hex(WsTraceWriter *out, guint64 value, guint digits);
/* In JSON, with its quotes. */
void ws_trace_put_json_string(WsTraceWriter *out, const char *text);

static inline void ws_trace_put_char(WsTraceWriter *out, char c)
{
    if (G_UNLIKELY(out->used == WS_TRACE_BUFFER_BYTES))
        ws_trace_flush(out);
    out->buffer[out->used++] = c;
}

#endif
