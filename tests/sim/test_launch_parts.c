/* Parts of a launch file, each as a table: textures, addresses of buffers, and source lines. */
#include <glib/gstdio.h>
#include <string.h>

#include "sim/launch/launch.h"
#include "tests/support/golden_text.h"
#include "tests/support/suite.h"

/* A launch file whose buffers and other parts are these, of a kernel without parameters. */
static WsJob *load(const char *parts, GError **error)
{
    g_autofree char *scratch = g_dir_make_tmp("warpstep-launch-XXXXXX", NULL);
    g_autofree char *program = g_build_filename(scratch, "k.wsasm", NULL);
    g_autofree char *path = g_build_filename(scratch, "launch.yaml", NULL);
    g_autofree char *text = g_strdup_printf(
        "version: 1\nprogram: k.wsasm\ndevice: textbook\n%skernel: k\ngrid: 1\nblock: 32\n", parts);

    ck_assert(
        g_file_set_contents(program, ".kernel k\n.local 64\n.stack 32\n    EXIT ;\n", -1, NULL));
    ck_assert(g_file_set_contents(path, text, -1, NULL));
    WsJob *job = ws_job_load(path, &(WsJobOptions){0}, error);
    g_unlink(program);
    g_unlink(path);
    g_rmdir(scratch);
    return job;
}

/* ---- textures ----------------------------------------------------------------------------------
 */

static const char *const textures[] = {
    "buffer: f, kind: 1d, size: 64",
    "buffer: f, kind: 1d, size: [64]",
    "buffer: f, kind: 1d, size: 65",
    "buffer: f, kind: 1d, size: [8, 8]",
    "buffer: f, kind: 1d",
    "buffer: f, size: 8",
    "kind: 1d, size: 8",
    "buffer: g, kind: 1d, size: 8",
    "buffer: f, kind: 4d, size: 8",
    "buffer: f, kind: 1d, size: 0",
    "buffer: f, kind: 1d, size: {x: 8}",
    "buffer: f, kind: 2d, size: [8, 8], channels: 1",
    "buffer: f, kind: 2d, size: [8, 4], channels: 2",
    "buffer: f, kind: 2d, size: [8, 8], channels: 2",
    "buffer: f, kind: 2d, size: [4, 4], channels: 3",
    "buffer: f, kind: 2d, size: [4, 4], channels: 4",
    "buffer: f, kind: 2d, size: [4, 4], channels: 5",
    "buffer: f, kind: 2d, size: 8",
    "buffer: f, kind: 3d, size: [4, 4, 4]",
    "buffer: f, kind: 3d, size: [4, 4]",
    "buffer: f, kind: 1d_array, size: [16, 4]",
    "buffer: f, kind: 2d_array, size: [4, 4, 4]",
    "buffer: f, kind: cube, size: [3, 3]",
    "buffer: f, kind: cube, size: [3, 2]",
    "buffer: f, kind: cube, size: [4, 4]",
    "buffer: f, kind: cube, size: [3, 3], address: border",
    "buffer: f, kind: cube, size: [3, 3], address: clamp",
    "buffer: f, kind: 2d, size: [8, 8], address: border",
    "buffer: f, kind: 2d, size: [8, 8], address: [clamp, border]",
    "buffer: f, kind: 2d, size: [8, 8], address: [clamp]",
    "buffer: f, kind: 2d, size: [8, 8], address: wrap",
    "buffer: f, kind: 2d, size: [8, 8], address: [wrap, mirror], normalized: true",
    "buffer: f, kind: 2d, size: [8, 8], address: around",
    "buffer: f, kind: 1d, size: 64, filter: linear",
    "buffer: f, kind: 1d, size: 64, filter: cubic",
    "buffer: f, kind: 1d, size: 64, read: normalized",
    "buffer: b, kind: 1d, size: 64, read: normalized, filter: linear",
    "buffer: b, kind: 1d, size: 64, filter: linear",
    "buffer: b, kind: 1d, size: 64, read: element",
    "buffer: w, kind: 1d, size: 64, read: normalized",
    "buffer: w, kind: 1d, size: 64",
    "buffer: h, kind: 1d, size: 64, filter: linear",
    "buffer: d, kind: 1d, size: 64",
    "buffer: f, kind: 1d, size: 64, colour: red",
};

static void append_texture(GString *out, const WsTexture *texture)
{
    g_string_append_printf(
        out, "  buffer %u, type %d, %u channels, kind %u, %u x %u x %u, rows of %u bytes",
        texture->buffer, (int)texture->type, texture->channels, texture->kind, texture->size[0],
        texture->size[1], texture->size[2], (guint)texture->row_bytes);
    g_string_append_printf(out, ", modes %d %d %d, filter %d%s%s\n", (int)texture->address_mode[0],
                           (int)texture->address_mode[1], (int)texture->address_mode[2],
                           (int)texture->filter, texture->normalized ? ", normalized" : "",
                           texture->normalized_read ? ", read as 0 to 1" : "");
}

START_TEST(texture_rows)
{
    g_autoptr(GString) out = g_string_new(NULL);

    for (guint i = 0; i < G_N_ELEMENTS(textures); i++) {
        g_autofree char *parts =
            g_strdup_printf("buffers:\n  f: {type: f32, count: 64}\n  b: {type: u8, count: 64}\n"
                            "  w: {type: u32, count: 64}\n  h: {type: f16, count: 64}\n"
                            "  d: {type: f64, count: 64}\ntextures:\n  t: {%s}\n",
                            textures[i]);
        g_autoptr(GError) error = NULL;
        g_autoptr(WsJob) job = load(parts, &error);

        g_string_append_printf(out, "%s\n", textures[i]);
        if (job == NULL) {
            const char *said = strstr(error->message, "launch.yaml:");
            g_string_append_printf(out, "  %s\n", said);
        } else {
            ck_assert_uint_eq(job->texture_count, 1);
            append_texture(out, &job->textures[0]);
        }
    }
    golden_text_check("launch_textures.txt", out->str);
}
END_TEST

/* ---- addresses ---------------------------------------------------------------------------------
 */

/* A buffer begins at a multiple of 512 bytes, 64 KiB or more behind the one before. */
START_TEST(addresses)
{
    static const struct {
        guint bytes;
        guint64 next;
    } rows[] = {{1, 0x10010200},
                {511, 0x10010200},
                {512, 0x10010200},
                {513, 0x10010400},
                {1024, 0x10010400}};

    for (guint i = 0; i < G_N_ELEMENTS(rows); i++) {
        g_autofree char *parts = g_strdup_printf(
            "buffers:\n  a: {type: u8, count: %u}\n  b: {type: u8, count: 1}\n", rows[i].bytes);
        g_autoptr(WsJob) job = load(parts, NULL);

        ck_assert_uint_eq(job->buffers[0].address, 0x10000000);
        ck_assert_uint_eq(job->buffers[1].address, rows[i].next);
    }
}
END_TEST

/* An address that is given is a multiple of 128, and not in a buffer before. */
START_TEST(given_addresses)
{
    static const struct {
        const char *address;
        gboolean fine;
    } rows[] = {{"0x10000100", TRUE}, {"0x10000080", FALSE}, {"0x10000140", FALSE},
                {"0x10000180", TRUE}, {"0x20000000", TRUE},  {"-128", FALSE}};

    for (guint i = 0; i < G_N_ELEMENTS(rows); i++) {
        g_autofree char *parts = g_strdup_printf(
            "buffers:\n  a: {type: u8, count: 256}\n  b: {type: u8, count: 1, address: %s}\n",
            rows[i].address);
        g_autoptr(WsJob) job = load(parts, NULL);

        ck_assert_msg((job != NULL) == rows[i].fine, "%s", rows[i].address);
        if (job != NULL)
            ck_assert_uint_eq(job->buffers[1].address, g_ascii_strtoull(rows[i].address, NULL, 16));
    }
}
END_TEST

/* ---- source lines ------------------------------------------------------------------------------
 */

/* Lines by their numbers, with and without an index: none behind the last one. */
START_TEST(source_lines)
{
    char *sources[] = {(char *)"", (char *)"one\n  two\t\n\nfour\r\nfi\033ve", NULL};
    static const char *const expected[] = {NULL, "one", "two", "", "four", "fi\\x1bve", NULL};
    WsSourceIndex *index = ws_source_index_new(sources);

    for (guint32 line = 0; line < G_N_ELEMENTS(expected); line++) {
        g_autofree char *plain = ws_source_line(sources, 1, line);
        g_autofree char *indexed = ws_source_index_line(index, 1, line);
        ck_assert_msg(g_strcmp0(plain, expected[line]) == 0, "line %u: %s", line, plain);
        ck_assert_msg(g_strcmp0(indexed, expected[line]) == 0, "line %u: %s", line, indexed);
    }
    ck_assert_ptr_null(ws_source_line(sources, 0, 1));
    ck_assert_ptr_null(ws_source_index_line(index, 0, 1));
    ck_assert_ptr_null(ws_source_line(sources, 2, 1));
    ck_assert_ptr_null(ws_source_index_line(index, 2, 1));
    ck_assert_ptr_null(ws_source_line(NULL, 0, 1));
    ws_source_index_free(index);
    ws_source_index_free(NULL);
}
END_TEST

/* ---- local memory ------------------------------------------------------------------------------
 */

/* The stack is a part of what a thread may have, beside 32 bytes that are not. */
START_TEST(local_memory)
{
    static const struct {
        guint stack;
        gboolean fine;
    } rows[] = {{16, TRUE}, {(512 << 10) - 32, TRUE}, {(512 << 10) - 16, FALSE}};

    for (guint i = 0; i < G_N_ELEMENTS(rows); i++) {
        g_autofree char *parts = g_strdup_printf("stack_bytes: %u\n", rows[i].stack);
        g_autoptr(GError) error = NULL;
        g_autoptr(WsJob) job = load(parts, &error);

        ck_assert_msg((job != NULL) == rows[i].fine, "%u: %s", rows[i].stack,
                      error ? error->message : "loads");
    }
}
END_TEST

static void add_tests(TCase *cases)
{
    tcase_add_test(cases, texture_rows);
    tcase_add_test(cases, addresses);
    tcase_add_test(cases, given_addresses);
    tcase_add_test(cases, source_lines);
    tcase_add_test(cases, local_memory);
}

int main(void)
{
    return run_suite("launch_parts", add_tests);
}
