#include "isa/base/escape.h"

#include <string.h>

gboolean ws_is_control(gunichar c)
{
    return g_unichar_iscntrl(c) || c == 0x200e || c == 0x200f || (c >= 0x2028 && c <= 0x202e) ||
           (c >= 0x2066 && c <= 0x2069);
}

void ws_append_escaped(GString *out, gunichar c)
{
    if (!ws_is_control(c))
        g_string_append_unichar(out, c);
    else
        g_string_append_printf(out, c < 0x100 ? "\\x%02x" : "\\u%04x", c);
}

char *ws_escape_controls(const char *text, gssize length, const char *kept)
{
    g_autofree char *valid = g_utf8_make_valid(text, length);
    GString *out = g_string_sized_new(strlen(valid));
    for (const char *at = valid; *at != '\0'; at = g_utf8_next_char(at)) {
        gunichar c = g_utf8_get_char(at);
        if (c < 0x80 && strchr(kept, (int)c) != NULL)
            g_string_append_c(out, (char)c);
        else
            ws_append_escaped(out, c);
    }
    return g_string_free(out, FALSE);
}

char *ws_escape_text(const char *text)
{
    return ws_escape_controls(text, -1, "\n\t");
}

/* Digits of an octal number that is a byte, not NUL: up to three. */
static guint octal_digits(const char *at, const char *end)
{
    guint digits = 0, value = 0;
    while (digits < 3 && at + digits < end && at[digits] >= '0' && at[digits] <= '7')
        value = 8 * value + (guint)(at[digits++] - '0');
    return value == 0 || value > 0xff ? 0 : digits;
}

char *ws_unescape_name(const char *text, gsize length)
{
    g_autoptr(GString) out = g_string_sized_new(length);
    const char *end = text + length;
    for (const char *at = text; at < end; at++) {
        guint digits = *at == '\\' ? octal_digits(at + 1, end) : 0;
        if (digits > 0) {
            g_autofree char *number = g_strndup(at + 1, digits);
            g_string_append_c(out, (char)g_ascii_strtoull(number, NULL, 8));
            at += digits;
        } else {
            at += *at == '\\' && at + 1 < end && (at[1] == '"' || at[1] == '\\');
            g_string_append_c(out, *at);
        }
    }
    return g_utf8_make_valid(out->str, (gssize)out->len);
}

char *ws_quote_name(const char *name)
{
    GString *out = g_string_new("\"");
    for (; *name != '\0'; name++) {
        guchar c = (guchar)*name;
        if (c == '"' || c == '\\')
            g_string_append_printf(out, "\\%c", c);
        else if (c < 0x20 || c == 0x7f)
            g_string_append_printf(out, "\\%03o", c);
        else
            g_string_append_c(out, (char)c);
    }
    g_string_append_c(out, '"');
    return g_string_free(out, FALSE);
}

const char *ws_end_of_name(const char *at, const char *end)
{
    for (; at < end && *at != '"' && *at != '\n'; at++)
        at += *at == '\\' && at + 1 < end && (at[1] == '"' || at[1] == '\\');
    return at < end && *at == '"' ? at : NULL;
}
