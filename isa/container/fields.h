/* The fields of a container: numbers little-endian, strings and lists with their length in front.
 */
#ifndef WS_ISA_CONTAINER_FIELDS_H
#define WS_ISA_CONTAINER_FIELDS_H

#include <glib.h>

void ws_write_number(GByteArray *out, guint64 value, guint bytes);
void ws_write_u32(GByteArray *out, guint32 value);
void ws_write_bytes(GByteArray *out, const guint8 *bytes, guint32 length);
void ws_write_string(GByteArray *out, const char *text); /* NULL as "" */

/* Errors stick: after the first, every read gives zero and nothing is allocated. */
typedef struct {
    const char *path;
    const guint8 *start;
    const guint8 *at;
    gsize left;
    guint32 version;
    gboolean failed;
    GError **error;
} WsFieldReader;

/* Sets the error, WS_ERROR_INPUT, unless there is one. */
void ws_read_fail(WsFieldReader *reader, const char *what);
const guint8 *ws_read_raw(WsFieldReader *reader, gsize bytes); /* NULL after an error */
guint64 ws_read_number(WsFieldReader *reader, guint bytes);
guint32 ws_read_u32(WsFieldReader *reader);
/* The count of a list whose entries take at least `entry_bytes` each: more cannot be there. */
guint32 ws_read_count(WsFieldReader *reader, gsize entry_bytes);
/* A new string, never NULL. */
char *ws_read_string(WsFieldReader *reader);
/* What stands for itself in texts: no file's name. */
char *ws_read_name(WsFieldReader *reader);
/* A copy that is never NULL. */
guint8 *ws_copy_bytes(const guint8 *bytes, gsize length);

#endif
