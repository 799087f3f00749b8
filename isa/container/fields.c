#include "isa/container/fields.h"

#include "isa/base/error.h"
#include "isa/base/escape.h"

#include <string.h>

void ws_write_number(GByteArray *out, guint64 value, guint bytes)
{
    for (guint i = 0; i < bytes; i++) {
        guint8 byte = (guint8)(value >> (8 * i));
        g_byte_array_append(out, &byte, 1);
    }
}

void ws_write_u32(GByteArray *out, guint32 value)
{
    ws_write_number(out, value, 4);
}

void ws_write_bytes(GByteArray *out, const guint8 *bytes, guint32 length)
{
    ws_write_u32(out, length);
    g_byte_array_append(out, bytes, length);
}

void ws_write_string(GByteArray *out, const char *text)
{
    ws_write_bytes(out, (const guint8 *)(text != NULL ? text : ""),
                   text != NULL ? (guint32)strlen(text) : 0);
}

void ws_read_fail(WsFieldReader *reader, const char *what)
{
    if (!reader->failed) {
        WsPosition position = {reader->path, 0, 0};
        ws_set_error_at(reader->error, WS_ERROR_INPUT, &position, "%s, at byte %" G_GSIZE_FORMAT,
                        what, (gsize)(reader->at - reader->start));
        reader->failed = TRUE;
    }
}

const guint8 *ws_read_raw(WsFieldReader *reader, gsize bytes)
{
    if (reader->failed || bytes > reader->left) {
        ws_read_fail(reader, "the program ends too early");
        return NULL;
    }
    const guint8 *at = reader->at;
    reader->at += bytes;
    reader->left -= bytes;
    return at;
}

guint64 ws_read_number(WsFieldReader *reader, guint bytes)
{
    const guint8 *at = ws_read_raw(reader, bytes);
    guint64 value = 0;
    for (guint i = 0; at != NULL && i < bytes; i++) {
        value |= (guint64)at[i] << (8 * i);
    }
    return value;
}

guint32 ws_read_u32(WsFieldReader *reader)
{
    return (guint32)ws_read_number(reader, 4);
}

/* The count of a list whose entries take at least `entry_bytes` each: more cannot be there. */
guint32 ws_read_count(WsFieldReader *reader, gsize entry_bytes)
{
    guint32 count = ws_read_u32(reader);
    if (count > reader->left / entry_bytes) {
        ws_read_fail(reader, "a list is longer than the program");
        return 0;
    }
    return count;
}

/* A copy that is never NULL. */
guint8 *ws_copy_bytes(const guint8 *bytes, gsize length)
{
    guint8 *copy = g_malloc(MAX(length, 1));
    memcpy(copy, bytes, length);
    return copy;
}

/* A new string, never NULL. */
char *ws_read_string(WsFieldReader *reader)
{
    guint32 length = ws_read_count(reader, 1);
    const guint8 *at = ws_read_raw(reader, length);
    if (at == NULL || !g_utf8_validate_len((const char *)at, length, NULL)) {
        ws_read_fail(reader, "a string is not UTF-8");
        return g_strdup("");
    }
    return g_strndup((const char *)at, length);
}

/* What stands for itself in texts: no file's name. */
char *ws_read_name(WsFieldReader *reader)
{
    char *name = ws_read_string(reader);
    for (const char *at = name; *at != '\0' && !reader->failed; at = g_utf8_next_char(at)) {
        if (ws_is_control(g_utf8_get_char(at))) {
            ws_read_fail(reader, "a name has a control character in it");
        }
    }
    return name;
}
