#include "sim/samples/npz_writer.h"

#include <string.h>
#include <zlib.h>

enum {
    BUFFER_NUMBERS = 512,
    RAW_DEFLATE = -15, /* window bits: without a header of zlib's */
    MEMORY_LEVEL = 8,
    HEADER_ALIGN = 64, /* of the data in a file, as NumPy wants it */
    METHOD_DEFLATE = 8,
    VERSION_NEEDED = 20,
    FIRST_DAY = 0x21 /* 1 January 1980, the date of a member without one */
};

typedef struct {
    char *name;
    char *type; /* "<i8" */
    gboolean scalar;
    guint64 count; /* elements */
    guint64 bytes; /* of them */
    uLong crc;     /* of them */
    z_stream stream;
    GByteArray *compressed;
    guint64 buffer[BUFFER_NUMBERS]; /* numbers that the stream has not got, little-endian */
    guint buffered;
} Array;

struct WsNpzWriter {
    GPtrArray *arrays; /* of Array* */
};

static void array_free(gpointer data)
{
    Array *array = data;

    deflateEnd(&array->stream);
    if (array->compressed != NULL)
        g_byte_array_unref(array->compressed);
    g_free(array->name);
    g_free(array->type);
    g_free(array);
}

WsNpzWriter *ws_npz_writer_new(void)
{
    WsNpzWriter *writer = g_new0(WsNpzWriter, 1);

    writer->arrays = g_ptr_array_new_with_free_func(array_free);
    return writer;
}

void ws_npz_writer_free(WsNpzWriter *writer)
{
    if (writer == NULL)
        return;
    g_ptr_array_unref(writer->arrays);
    g_free(writer);
}

/* ---- arrays -------------------------------------------------------------------------------------
 */

static voidpf allocate(voidpf data, uInt items, uInt size)
{
    return g_malloc_n(items, size);
}

static void give_back(voidpf data, voidpf memory)
{
    g_free(memory);
}

static Array *add_array(WsNpzWriter *writer, const char *name, const char *type)
{
    Array *array = g_new0(Array, 1);

    array->name = g_strdup(name);
    array->type = g_strdup(type);
    array->crc = crc32(0, NULL, 0);
    array->compressed = g_byte_array_new();
    array->stream.zalloc = allocate;
    array->stream.zfree = give_back;
    deflateInit2(&array->stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, RAW_DEFLATE, MEMORY_LEVEL,
                 Z_DEFAULT_STRATEGY);
    g_ptr_array_add(writer->arrays, array);
    return array;
}

static void compress_bytes(Array *array, const void *bytes, gsize length, int flush)
{
    guint8 out[4096];

    array->crc = crc32_z(array->crc, bytes, length);
    array->bytes += length;
    array->stream.next_in = (z_const Bytef *)bytes;
    array->stream.avail_in = (uInt)length;
    do {
        array->stream.next_out = out;
        array->stream.avail_out = sizeof out;
        deflate(&array->stream, flush);
        g_byte_array_append(array->compressed, out, (guint)(sizeof out - array->stream.avail_out));
    } while (array->stream.avail_out == 0);
}

static void flush_numbers(Array *array, int flush)
{
    compress_bytes(array, array->buffer, array->buffered * sizeof array->buffer[0], flush);
    array->buffered = 0;
}

static void put(Array *array, guint64 bits)
{
    array->buffer[array->buffered++] = GUINT64_TO_LE(bits);
    array->count++;
    if (array->buffered == BUFFER_NUMBERS)
        flush_numbers(array, Z_NO_FLUSH);
}

guint ws_npz_writer_add(WsNpzWriter *writer, const char *name, gboolean integers)
{
    add_array(writer, name, integers ? "<i8" : "<f8");
    return writer->arrays->len - 1;
}

void ws_npz_writer_put_integer(WsNpzWriter *writer, guint array, gint64 value)
{
    put(writer->arrays->pdata[array], (guint64)value);
}

void ws_npz_writer_put_float(WsNpzWriter *writer, guint array, double value)
{
    guint64 bits;

    memcpy(&bits, &value, sizeof bits);
    put(writer->arrays->pdata[array], bits);
}

void ws_npz_writer_add_integer(WsNpzWriter *writer, const char *name, gint64 value)
{
    Array *array = add_array(writer, name, "<i8");

    array->scalar = TRUE;
    put(array, (guint64)value);
}

/* NumPy pads texts with 0 to the longest, 4 bytes a character. */
void ws_npz_writer_add_texts(WsNpzWriter *writer, const char *name, const char *const *texts,
                             guint count)
{
    g_autofree char *type = NULL;
    glong longest = 1;
    Array *array;

    for (guint i = 0; i < count; i++)
        longest = MAX(longest, g_utf8_strlen(texts[i], -1));
    type = g_strdup_printf("<U%ld", longest);
    array = add_array(writer, name, type);
    for (guint i = 0; i < count; i++) {
        const char *at = texts[i];

        for (glong k = 0; k < longest; k++) {
            guint32 c = *at != '\0' ? GUINT32_TO_LE(g_utf8_get_char(at)) : 0;

            at = *at != '\0' ? g_utf8_next_char(at) : at;
            compress_bytes(array, &c, sizeof c, Z_NO_FLUSH);
        }
        array->count++;
    }
}

/* ---- the archive --------------------------------------------------------------------------------
 */

static void append_number(GByteArray *out, guint64 value, guint bytes)
{
    guint64 little = GUINT64_TO_LE(value);

    g_byte_array_append(out, (const guint8 *)&little, bytes);
}

/* What stands in front of the elements. */
static GByteArray *npy_header(const Array *array)
{
    GByteArray *out = g_byte_array_new();
    g_autoptr(GString) text = g_string_new(NULL);

    g_string_append_printf(text, "{'descr': '%s', 'fortran_order': False, 'shape': (", array->type);
    if (!array->scalar)
        g_string_append_printf(text, "%" G_GUINT64_FORMAT ",", array->count);
    g_string_append(text, "), }");
    while ((10 + text->len + 1) % HEADER_ALIGN != 0)
        g_string_append_c(text, ' ');
    g_string_append_c(text, '\n');
    g_byte_array_append(out, (const guint8 *)"\x93NUMPY\x01\x00", 8);
    append_number(out, text->len, 2);
    g_byte_array_append(out, (const guint8 *)text->str, (guint)text->len);
    return out;
}

/* What a member has in front of it and in the directory: `sizes` are its CRC, and its bytes
 * compressed and as they are. */
static void append_fields(GByteArray *out, const char *name, const guint64 sizes[3])
{
    append_number(out, VERSION_NEEDED, 2);
    append_number(out, 0, 2); /* flags */
    append_number(out, METHOD_DEFLATE, 2);
    append_number(out, 0, 2); /* time */
    append_number(out, FIRST_DAY, 2);
    for (guint i = 0; i < 3; i++)
        append_number(out, sizes[i], 4);
    append_number(out, strlen(name), 2);
    append_number(out, 0, 2); /* extra */
}

/* One member, and its entry in the directory. FALSE: it is too long. */
static gboolean append_member(GByteArray *out, GByteArray *directory, Array *array)
{
    g_autoptr(GByteArray) header = npy_header(array);
    g_autofree char *name = g_strconcat(array->name, ".npy", NULL);
    guint64 offset = out->len;

    flush_numbers(array, Z_FINISH);
    uLong crc = crc32_combine(crc32_z(crc32(0, NULL, 0), header->data, header->len), array->crc,
                              (z_off_t)array->bytes);
    /* The header is a block that is stored as it is: only now it is known. */
    guint64 stored = 5 + header->len;
    const guint64 sizes[3] = {crc, stored + array->compressed->len, header->len + array->bytes};

    if (sizes[2] >= G_MAXUINT32 || offset + sizes[1] >= G_MAXUINT32)
        return FALSE;
    append_number(out, 0x04034b50, 4);
    append_fields(out, name, sizes);
    g_byte_array_append(out, (const guint8 *)name, (guint)strlen(name));
    append_number(out, 0, 1); /* stored, not the last block */
    append_number(out, header->len, 2);
    append_number(out, (guint16)~header->len, 2);
    g_byte_array_append(out, header->data, header->len);
    g_byte_array_append(out, array->compressed->data, array->compressed->len);
    g_clear_pointer(&array->compressed, g_byte_array_unref);

    append_number(directory, 0x02014b50, 4);
    append_number(directory, VERSION_NEEDED, 2);
    append_fields(directory, name, sizes);
    append_number(directory, 0, 2); /* comment */
    append_number(directory, 0, 2); /* disk */
    append_number(directory, 0, 2); /* attributes */
    append_number(directory, 0, 4);
    append_number(directory, offset, 4);
    g_byte_array_append(directory, (const guint8 *)name, (guint)strlen(name));
    return TRUE;
}

GByteArray *ws_npz_writer_finish(WsNpzWriter *writer)
{
    g_autoptr(GByteArray) out = g_byte_array_new(), directory = g_byte_array_new();
    guint64 offset;

    for (guint i = 0; i < writer->arrays->len; i++)
        if (!append_member(out, directory, writer->arrays->pdata[i]))
            return NULL;
    offset = out->len;
    g_byte_array_append(out, directory->data, directory->len);
    append_number(out, 0x06054b50, 4);
    append_number(out, 0, 4); /* disks */
    append_number(out, writer->arrays->len, 2);
    append_number(out, writer->arrays->len, 2);
    append_number(out, directory->len, 4);
    append_number(out, offset, 4);
    append_number(out, 0, 2); /* comment */
    return g_steal_pointer(&out);
}
