#include "inspect/export/trace_writer.h"

#include <stdarg.h>
#include <string.h>

void ws_trace_flush(WsTraceWriter *out)
{
    if (out->used != 0 && !out->failed)
        out->failed = !out->sink(out->data, out->buffer, out->used);
    out->used = 0;
}

void ws_trace_put_bytes(WsTraceWriter *out, const char *bytes, gsize length)
{
    while (length != 0) {
        gsize part = MIN(length, WS_TRACE_BUFFER_BYTES - out->used);

        memcpy(out->buffer + out->used, bytes, part);
        out->used += part;
        bytes += part;
        length -= part;
        if (out->used == WS_TRACE_BUFFER_BYTES)
            ws_trace_flush(out);
    }
}

void ws_trace_put(WsTraceWriter *out, const char *text)
{
    ws_trace_put_bytes(out, text, strlen(text));
}

void ws_trace_printf(WsTraceWriter *out, const char *format, ...)
{
    va_list arguments;
    g_autofree char *text = NULL;

    va_start(arguments, format);
    text = g_strdup_vprintf(format, arguments);
    va_end(arguments);
    ws_trace_put(out, text);
}

void ws_trace_put_decimal(WsTraceWriter *out, guint64 value)
{
    char digits[20];
    guint first = sizeof digits;

    do {
        digits[--first] = (char)('0' + value % 10);
        value /= 10;
    } while (value != 0);
    ws_trace_put_bytes(out, digits + first, sizeof digits - first);
}

void ws_trace_put_hex(WsTraceWriter *out, guint64 value, guint digits)
{
    char text[16];
    guint first = sizeof text;

    do {
        text[--first] = "0123456789abcdef"[value & 15];
        value >>= 4;
    } while (value != 0 || sizeof text - first < digits);
    ws_trace_put_bytes(out, text + first, sizeof text - first);
}

void ws_trace_put_json_string(WsTraceWriter *out, const char *text)
{
    ws_trace_put_char(out, '"');
    for (; *text != '\0'; text++) {
        guchar c = (guchar)*text;

        if (c == '"' || c == '\\')
            ws_trace_put_char(out, '\\');
        if (c < ' ') {
            ws_trace_put(out, "\\u");
            ws_trace_put_hex(out, c, 4);
        } else {
            ws_trace_put_char(out, (char)c);
        }
    }
    ws_trace_put_char(out, '"');
}
