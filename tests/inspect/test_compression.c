/* Compressed traces: what zlib and zstd read back, names, and a disk that is full. */
#include <check.h>
#include <string.h>
#include <zlib.h>
#include <zstd.h>

#include "inspect/export/compression.h"
#include "tests/support/suite.h"

enum { LENGTH = 3000000, MOST_PARTS = 5 };

/* Takes `room` bytes. */
typedef struct {
    GByteArray *bytes;
    gsize room;
} Disk;

static gboolean keep(void *data, const char *bytes, gsize length)
{
    Disk *disk = data;

    if (disk->bytes->len + length > disk->room)
        return FALSE;
    g_byte_array_append(disk->bytes, (const guint8 *)bytes, (guint)length);
    return TRUE;
}

/* Half of it repeats itself, half does not. */
static GByteArray *make_text(void)
{
    GByteArray *text = g_byte_array_sized_new(LENGTH);
    guint32 state = 1;

    for (guint i = 0; i < LENGTH; i++) {
        guint8 c;

        state = state * 1664525 + 1013904223;
        c = i % 2000 < 1000 ? (guint8)("issue stall "[i % 12]) : (guint8)(state >> 24);
        g_byte_array_append(text, &c, 1);
    }
    return text;
}

static gboolean compress_parts(const WsCompression *kind, const GByteArray *text, guint parts,
                               Disk *disk)
{
    WsCompressor *compressor = ws_compressor_new(kind, keep, disk);
    gboolean whole;

    for (guint i = 0; i < parts; i++) {
        gsize from = (gsize)text->len * i / parts, to = (gsize)text->len * (i + 1) / parts;

        ws_compressor_write(compressor, (const char *)text->data + from, to - from);
    }
    whole = ws_compressor_finish(compressor);
    ws_compressor_free(compressor);
    return whole;
}

static gsize read_gzip(const GByteArray *file, guint8 *ret, gsize room)
{
    z_stream stream = {
        .next_in = file->data, .avail_in = file->len, .next_out = ret, .avail_out = (uInt)room};

    ck_assert_int_eq(inflateInit2(&stream, 15 + 16), Z_OK);
    ck_assert_int_eq(inflate(&stream, Z_FINISH), Z_STREAM_END);
    ck_assert_uint_eq(stream.avail_in, 0); /* one member: viewers read no more */
    inflateEnd(&stream);
    return room - stream.avail_out;
}

static gsize read_back(const WsCompression *kind, const GByteArray *file, guint8 *ret, gsize room)
{
    gsize length;

    if (strcmp(kind->name, "gzip") == 0)
        return read_gzip(file, ret, room);
    length = ZSTD_decompress(ret, room, file->data, file->len);
    ck_assert_msg(!ZSTD_isError(length), "%s", ZSTD_getErrorName(length));
    return length;
}

START_TEST(round_trip)
{
    const WsCompression *kind = ws_compressions[_i];
    g_autoptr(GByteArray) text = make_text();
    g_autofree guint8 *back = g_malloc(LENGTH + 1);

    for (guint parts = 1; parts <= MOST_PARTS; parts += 2) {
        Disk disk = {g_byte_array_new(), G_MAXSIZE}, again = {g_byte_array_new(), G_MAXSIZE};

        ck_assert(compress_parts(kind, text, parts, &disk));
        ck_assert_uint_lt(disk.bytes->len, LENGTH * 6 / 10);
        ck_assert_uint_eq(read_back(kind, disk.bytes, back, LENGTH + 1), LENGTH);
        ck_assert_mem_eq(back, text->data, LENGTH);
        ck_assert(compress_parts(kind, text, parts, &again));
        ck_assert_uint_eq(again.bytes->len, disk.bytes->len);
        ck_assert_mem_eq(again.bytes->data, disk.bytes->data, disk.bytes->len);
        g_byte_array_unref(disk.bytes);
        g_byte_array_unref(again.bytes);
    }
}
END_TEST

/* Nothing at all is a file too. */
START_TEST(empty)
{
    const WsCompression *kind = ws_compressions[_i];
    g_autoptr(GByteArray) text = g_byte_array_new();
    Disk disk = {g_byte_array_new(), G_MAXSIZE};
    guint8 back[8];

    ck_assert(compress_parts(kind, text, 1, &disk));
    ck_assert_uint_gt(disk.bytes->len, 0);
    ck_assert_uint_eq(read_back(kind, disk.bytes, back, sizeof back), 0);
    g_byte_array_unref(disk.bytes);
}
END_TEST

START_TEST(full_disk)
{
    const WsCompression *kind = ws_compressions[_i];
    g_autoptr(GByteArray) text = make_text();
    Disk whole = {g_byte_array_new(), G_MAXSIZE};

    ck_assert(compress_parts(kind, text, 3, &whole));
    for (gsize lack = 1; lack < whole.bytes->len; lack = lack * 7 + 1) {
        Disk disk = {g_byte_array_new(), whole.bytes->len - lack};

        ck_assert(!compress_parts(kind, text, 3, &disk));
        g_byte_array_unref(disk.bytes);
    }
    g_byte_array_unref(whole.bytes);
}
END_TEST

START_TEST(names)
{
    ck_assert_str_eq(ws_compression_find("gzip")->suffix, ".gz");
    ck_assert_str_eq(ws_compression_find("zstd")->suffix, ".zst");
    ck_assert_ptr_null(ws_compression_find("bzip2"));
    ck_assert_ptr_eq(ws_compression_of_file("a.json.gz"), ws_compression_find("gzip"));
    ck_assert_ptr_eq(ws_compression_of_file("b.zst"), ws_compression_find("zstd"));
    ck_assert_ptr_null(ws_compression_of_file("a.gz.json"));
    ck_assert_ptr_null(ws_compression_of_file("gz"));
}
END_TEST

static void add_tests(TCase *cases)
{
    int count = 0;

    while (ws_compressions[count] != NULL)
        count++;
    tcase_add_loop_test(cases, round_trip, 0, count);
    tcase_add_loop_test(cases, empty, 0, count);
    tcase_add_loop_test(cases, full_disk, 0, count);
    tcase_add_test(cases, names);
}

int main(void)
{
    return run_suite("compression", add_tests);
}
