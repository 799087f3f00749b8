#include "isa/base/error.h"

#include "isa/base/escape.h"

#include <string.h>

GQuark ws_error_quark(void)
{
    return g_quark_from_static_string("ws-error-quark");
}

void ws_set_error_at(GError **error, WsErrorCode code, const WsPosition *position,
                     const char *format, ...)
{
    if (error == NULL)
        return;

    g_autoptr(GString) message = g_string_new(NULL);
    if (position != NULL && position->file != NULL) {
        g_autofree char *file = ws_printable(position->file);
        g_string_append_printf(message, "%s:", file);
        if (position->line != 0)
            g_string_append_printf(message, "%u:", position->line);
        if (position->line != 0 && position->column != 0)
            g_string_append_printf(message, "%u:", position->column);
        g_string_append_c(message, ' ');
    }
    g_string_append(message, "error: ");

    va_list arguments;
    va_start(arguments, format);
    g_string_append_vprintf(message, format, arguments);
    va_end(arguments);

    g_autofree char *shown = ws_escape_text(message->str);
    g_set_error_literal(error, WS_ERROR, (int)code, shown);
}

void ws_set_error(GError **error, WsErrorCode code, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    g_autofree char *text = g_strdup_vprintf(format, arguments);
    va_end(arguments);
    ws_set_error_at(error, code, NULL, "%s", text);
}

char *ws_printable(const char *text)
{
    enum { MAX_CHARACTERS = 80 };
    g_autofree char *valid = g_utf8_make_valid(text, -1);
    GString *out = g_string_new(NULL);
    int characters = 0;
    for (const char *at = valid; *at != '\0'; at = g_utf8_next_char(at)) {
        gunichar c = g_utf8_get_char(at);
        if (characters++ == MAX_CHARACTERS) {
            g_string_append(out, "...");
            break;
        }
        ws_append_escaped(out, c);
    }
    return g_string_free(out, FALSE);
}

const char *ws_file_error_text(const GError *failure)
{
    const char *colon = g_strrstr(failure->message, ": ");
    return colon != NULL ? colon + 2 : failure->message;
}
