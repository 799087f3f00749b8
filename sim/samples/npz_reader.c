#include "sim/samples/npz_reader.h"

#include <string.h>
#include <zlib.h>

enum {
    END_BYTES = 22,
    ENTRY_BYTES = 46,
    LOCAL_BYTES = 30,
    LONGEST_COMMENT = 65535,
    METHOD_STORED = 0,
    METHOD_DEFLATE = 8,
    RAW_DEFLATE = -15,
    NPY_HEADER = 10,     /* bytes in front of the text of version 1.0 */
    MOST_BYTES = 1 << 30 /* of an array */
};

static const char damaged[] = "the archive is damaged";

typedef struct {
    const guint8 *bytes;
    gsize length;
} View;

static guint32 number(const View *file, gsize at, guint bytes)
{
    guint32 value = 0;

    for (guint i = 0; i < bytes; i++)
        value |= (guint32)file->bytes[at + i] << 8 * i;
    return value;
}

static void column_free(gpointer data)
{
    WsNpzColumn *column = data;

    g_free(column->name);
    g_free(column->values);
    g_free(column);
}

/* The record behind the directory. */
static gboolean find_end(const View *file, gsize *ret)
{
    gsize least =
        file->length > END_BYTES + LONGEST_COMMENT ? file->length - END_BYTES - LONGEST_COMMENT : 0;

    if (file->length < END_BYTES)
        return FALSE;
    for (gsize at = file->length - END_BYTES + 1; at-- > least;)
        if (number(file, at, 4) == 0x06054b50) {
            *ret = at;
            return TRUE;
        }
    return FALSE;
}

static gboolean inflate_all(const View *in, View *out)
{
    z_stream stream = {.next_in = (z_const Bytef *)in->bytes,
                       .avail_in = (uInt)in->length,
                       .next_out = (Bytef *)out->bytes,
                       .avail_out = (uInt)out->length};
    gboolean whole;

    if (inflateInit2(&stream, RAW_DEFLATE) != Z_OK)
        return FALSE;
    whole = inflate(&stream, Z_FINISH) == Z_STREAM_END && stream.avail_out == 0;
    inflateEnd(&stream);
    return whole;
}

/* The contents of the member whose entry in the directory is at `at`; g_free `ret->bytes`. */
static gboolean read_member(const View *file, gsize at, View *ret)
{
    guint32 method = number(file, at + 10, 2), crc = number(file, at + 16, 4);
    gsize packed = number(file, at + 20, 4), local = number(file, at + 42, 4), data;

    ret->length = number(file, at + 24, 4);
    if (local + LOCAL_BYTES > file->length || ret->length > MOST_BYTES)
        return FALSE;
    data = local + LOCAL_BYTES + number(file, local + 26, 2) + number(file, local + 28, 2);
    if (data > file->length || packed > file->length - data)
        return FALSE;
    View in = {file->bytes + data, packed};

    /* zlib makes at most about 1,032 bytes out of one. */
    if (method == METHOD_STORED ? packed != ret->length
                                : method != METHOD_DEFLATE || ret->length / 1100 > packed + 1)
        return FALSE;
    ret->bytes = g_malloc(ret->length + 1);
    if (method == METHOD_STORED)
        memcpy((guint8 *)ret->bytes, in.bytes, packed);
    else if (!inflate_all(&in, ret))
        return FALSE;
    return crc32_z(crc32(0, NULL, 0), ret->bytes, ret->length) == crc;
}

/* Elements of an array of such a type with one dimension or none (0), or FALSE. */
static gboolean parse_header(const char *text, gboolean *ret_integer, gboolean *ret_scalar,
                             guint64 *ret_count)
{
    const char *type = strstr(text, "'descr':"), *shape = strstr(text, "'shape':");
    char *end;

    if (type == NULL || shape == NULL || strstr(text, "'fortran_order': False") == NULL)
        return FALSE;
    type += strspn(type + 8, " ") + 8;
    shape += strspn(shape + 8, " ") + 8;
    *ret_integer = strncmp(type, "'<i8'", 5) == 0;
    if (!*ret_integer && strncmp(type, "'<f8'", 5) != 0)
        return FALSE;
    *ret_scalar = strncmp(shape, "()", 2) == 0;
    *ret_count = 1;
    if (*ret_scalar)
        return TRUE;
    if (*shape != '(' || !g_ascii_isdigit(shape[1]))
        return FALSE;
    *ret_count = g_ascii_strtoull(shape + 1, &end, 10);
    return strncmp(end, ",)", 2) == 0;
}

/* NULL: another array than one of these. */
static WsNpzColumn *read_column(const View *array, const char *name, gsize name_length)
{
    g_autofree char *text = NULL;
    gboolean integer, scalar;
    guint64 count;
    gsize header;

    if (array->length < NPY_HEADER || memcmp(array->bytes, "\x93NUMPY\x01", 7) != 0)
        return NULL;
    header = number(array, 8, 2);
    if (NPY_HEADER + header > array->length)
        return NULL;
    text = g_strndup((const char *)array->bytes + NPY_HEADER, header);
    if (!parse_header(text, &integer, &scalar, &count) || count > MOST_BYTES / sizeof(double) ||
        count * sizeof(double) != array->length - NPY_HEADER - header)
        return NULL;
    WsNpzColumn *column = g_new0(WsNpzColumn, 1);

    column->name = g_strndup(name, name_length);
    column->count = (guint)count;
    column->scalar = scalar;
    column->values = g_new(double, MAX(count, 1));
    for (guint i = 0; i < count; i++) {
        guint64 bits;

        memcpy(&bits, array->bytes + NPY_HEADER + header + (gsize)i * 8, sizeof bits);
        bits = GUINT64_FROM_LE(bits);
        if (integer)
            column->values[i] = (double)(gint64)bits;
        else
            memcpy(&column->values[i], &bits, sizeof bits);
    }
    return column;
}

/* The member whose entry is at `*at`, which then is the next one. */
static gboolean take_entry(const View *file, gsize *at, GPtrArray *columns)
{
    View array = {NULL, 0};
    const char *name;
    gsize length;

    if (*at > file->length - END_BYTES || file->length - *at < ENTRY_BYTES ||
        number(file, *at, 4) != 0x02014b50)
        return FALSE;
    length = number(file, *at + 28, 2);
    if (file->length - *at - ENTRY_BYTES < length)
        return FALSE;
    name = (const char *)file->bytes + *at + ENTRY_BYTES;
    gboolean whole = read_member(file, *at, &array);
    if (whole && length > 4 && memcmp(name + length - 4, ".npy", 4) == 0) {
        WsNpzColumn *column = read_column(&array, name, length - 4);

        if (column != NULL)
            g_ptr_array_add(columns, column);
    }
    g_free((guint8 *)array.bytes);
    *at += ENTRY_BYTES + length + number(file, *at + 30, 2) + number(file, *at + 32, 2);
    return whole;
}

GPtrArray *ws_npz_read(const guint8 *bytes, gsize length, const char **ret_reason)
{
    g_autoptr(GPtrArray) columns = g_ptr_array_new_with_free_func(column_free);
    const View file = {bytes, length};
    gsize end, at;

    *ret_reason = "it is no .npz file: no zip archive";
    if (!find_end(&file, &end))
        return NULL;
    at = number(&file, end + 16, 4);
    *ret_reason = damaged;
    for (guint i = number(&file, end + 10, 2); i != 0; i--)
        if (!take_entry(&file, &at, columns))
            return NULL;
    return g_steal_pointer(&columns);
}
