/* Recordings: the same bytes, a job that is the same, damage that is seen, a run that is repeated.
 */
#include <check.h>
#include <glib/gstdio.h>
#include <string.h>

#include "inspect/recording/job_image.h"
#include "inspect/recording/replay.h"
#include "tests/support/engine_fixture.h"
#include "tests/support/golden_text.h"
#include "tests/support/suite.h"

enum { EVERY = 4 };

static char *folder;

static GBytes *record(const char *launch, WsRecording *ret)
{
    Engine *e = engine_load(launch, NULL, NULL);
    GError *error = NULL;

    e->options.observers = NULL;
    GVariant *image = ws_recording_begin(e->job, &error);
    ck_assert_msg(image != NULL, "%s", error ? error->message : "");
    *ret = (WsRecording){.version = g_strdup(WS_VERSION),
                         .max_cycles = 100000,
                         .every = EVERY,
                         .trail = g_array_new(FALSE, FALSE, sizeof(WsTrailPoint))};
    ws_result_free(ws_recording_run(e->job, &e->options, EVERY, ret->trail, &error));
    GBytes *bytes = ws_recording_bytes(ret, image, &error);
    ck_assert_msg(bytes != NULL, "%s", error ? error->message : "");
    g_variant_unref(image);
    engine_free(e);
    return bytes;
}

static void forget(WsRecording *written)
{
    g_free(written->version);
    g_array_unref(written->trail);
}

static char *put(const void *data, gsize length)
{
    char *path = g_build_filename(folder, "run.wsrec", NULL);

    ck_assert(g_file_set_contents(path, data, (gssize)length, NULL));
    return path;
}

START_TEST(reads_back)
{
    static const char *const launches[] = {"tests/data/rooms/two_sides.yaml",
                                           "workloads/if_else/launch-bytecode.yaml",
                                           "workloads/scheduling_example/launch.yaml"};
    WsRecording written;
    g_autoptr(GBytes) bytes = record(launches[_i], &written);
    g_autofree char *path = put(g_bytes_get_data(bytes, NULL), g_bytes_get_size(bytes));
    GError *error = NULL;
    WsRecording *read = ws_recording_open(path, 0, &error);
    Engine *e = engine_load(launches[_i], NULL, NULL);

    ck_assert(ws_is_recording(path) && !ws_is_recording("run.yaml"));
    ck_assert_msg(read != NULL, "%s", error ? error->message : "");
    ck_assert_str_eq(read->version, WS_VERSION);
    ck_assert_uint_eq(read->max_cycles, 100000);
    ck_assert_uint_eq(read->every, EVERY);
    ck_assert_uint_eq(read->trail->len, written.trail->len);
    ck_assert_uint_gt(read->trail->len, 3);
    ck_assert_mem_eq(read->trail->data, written.trail->data,
                     read->trail->len * sizeof(WsTrailPoint));
    for (guint i = 0; i + 1 < read->trail->len; i++)
        ck_assert_uint_eq(g_array_index(read->trail, WsTrailPoint, i).cycle, (i + 1) * EVERY);
    /* The image of the job that was read is that of the job that was written. */
    g_autoptr(GVariant) first = g_variant_ref_sink(ws_job_image_new(e->job, NULL));
    g_autoptr(GVariant) second = g_variant_ref_sink(ws_job_image_new(read->job, NULL));
    ck_assert(g_variant_equal(first, second));

    WsRunOptions options;
    WsReplay replay;
    ws_run_options_init(&options);
    ws_result_free(ws_recording_replay(read, &options, &replay, &error));
    ck_assert_uint_eq(replay.same, read->trail->len);
    ck_assert(!replay.parted);
    ck_assert_ptr_null(ws_replay_text(read, &replay));
    ws_recording_free(read);
    engine_free(e);
    forget(&written);
}
END_TEST

START_TEST(parts)
{
    WsRecording written;
    g_bytes_unref(record("tests/data/rooms/two_sides.yaml", &written));
    Engine *e = engine_load("tests/data/rooms/two_sides.yaml", NULL, NULL);
    WsRunOptions options;
    WsReplay replay;

    written.job = e->job;
    g_array_index(written.trail, WsTrailPoint, 2).digest++;
    ws_run_options_init(&options);
    ws_result_free(ws_recording_replay(&written, &options, &replay, NULL));
    ck_assert(replay.parted);
    ck_assert_uint_eq(replay.same, 2);
    g_autofree char *text = ws_replay_text(&written, &replay);
    golden_text_check("recording_parts.txt", text);
    engine_free(e);
    forget(&written);
}
END_TEST

/* Every single byte of the file counts, and each of its ends. */
START_TEST(damage)
{
    WsRecording written;
    g_autoptr(GBytes) bytes = record("workloads/if_else/launch-bytecode.yaml", &written);
    gsize length = g_bytes_get_size(bytes);
    g_autofree guint8 *data = g_memdup2(g_bytes_get_data(bytes, NULL), length);

    for (gsize i = 0; i < length; i += i < 24 ? 1 : 37) {
        GError *error = NULL;
        data[i] ^= 1;
        g_autofree char *path = put(data, length);
        data[i] ^= 1;
        ck_assert_msg(ws_recording_open(path, 0, &error) == NULL, "byte %zu", i);
        ck_assert(g_error_matches(error, WS_ERROR, WS_ERROR_INPUT));
        g_clear_error(&error);
    }
    for (gsize cut = 0; cut < length; cut = cut * 2 + 1) {
        g_autofree char *path = put(data, cut);
        ck_assert_ptr_null(ws_recording_open(path, 0, NULL));
    }
    forget(&written);
}
END_TEST

/* What a value becomes that is damaged: another one, or far too much. */
static GVariant *spoil(GVariant *value, gboolean much)
{
    switch (g_variant_classify(value)) {
    case G_VARIANT_CLASS_BOOLEAN:
        return g_variant_new_boolean(!g_variant_get_boolean(value));
    case G_VARIANT_CLASS_BYTE:
        return g_variant_new_byte(much ? 255 : g_variant_get_byte(value) + 1);
    case G_VARIANT_CLASS_INT32:
        return g_variant_new_int32(much ? G_MAXINT32 : g_variant_get_int32(value) + 1);
    case G_VARIANT_CLASS_UINT32:
        return g_variant_new_uint32(much ? G_MAXUINT32 : g_variant_get_uint32(value) + 1);
    case G_VARIANT_CLASS_INT64:
        return g_variant_new_int64(much ? G_MAXINT64 : g_variant_get_int64(value) + 1);
    case G_VARIANT_CLASS_UINT64:
        return g_variant_new_uint64(much ? G_MAXUINT64 : g_variant_get_uint64(value) + 1);
    case G_VARIANT_CLASS_DOUBLE:
        return g_variant_new_double(much ? -1 : 2 * g_variant_get_double(value));
    case G_VARIANT_CLASS_STRING:
        return g_variant_new_string(much ? "x y" : "");
    default: /* bytes */
        return g_variant_new_from_data(G_VARIANT_TYPE("ay"), "?", much ? 0 : 1, TRUE, NULL, NULL);
    }
}

/* A copy in which the value with the number `left` is damaged; those in front of it count down. Of
 * the settings of a device, which are many, the first one alone. */
static GVariant *with_damage(GVariant *value, gint *left, gboolean much)
{
    gboolean bytes = g_variant_is_of_type(value, G_VARIANT_TYPE("ay"));
    GVariantBuilder builder;

    if (bytes || !g_variant_is_container(value))
        return (*left)-- == 0 ? spoil(value, much) : g_variant_ref(value);
    g_variant_builder_init(&builder, g_variant_get_type(value));
    for (gsize i = 0; i < g_variant_n_children(value); i++) {
        g_autoptr(GVariant) child = g_variant_get_child_value(value, i);
        gboolean more = i > 0 && g_variant_is_of_type(value, G_VARIANT_TYPE("as"));
        g_autoptr(GVariant) copy =
            more ? g_variant_ref(child) : g_variant_ref_sink(with_damage(child, left, much));
        g_variant_builder_add_value(&builder, copy);
    }
    return g_variant_builder_end(&builder);
}

/* An image with one value that is another is a job, or there is an error; much is never one. */
START_TEST(damaged_images)
{
    Engine *e = engine_load("tests/data/rooms/everything.yaml", NULL, NULL);
    g_autoptr(GVariant) image = g_variant_ref_sink(ws_job_image_new(e->job, NULL));
    guint refused[2] = {0}, number = 0;

    for (gint left = 0; left == 0; number++) {
        for (guint much = 0; much < 2; much++) {
            left = (gint)number;
            g_autoptr(GVariant) damaged = g_variant_ref_sink(with_damage(image, &left, much != 0));
            GError *error = NULL;
            if (left >= 0)
                break;
            WsJob *job = ws_job_image_load(damaged, "run.wsrec", 1 << 30, &error);
            ck_assert_msg((job == NULL) == (error != NULL), "value %u", number);
            refused[much] += job == NULL;
            g_clear_pointer(&job, ws_job_free);
            g_clear_error(&error);
        }
        left = left < 0 ? 0 : 1;
    }
    ck_assert_uint_gt(number, 80);
    ck_assert_uint_gt(refused[0], 30);
    ck_assert_uint_gt(refused[1], 60);
    engine_free(e);
}
END_TEST

static void add_tests(TCase *cases)
{
    tcase_add_loop_test(cases, reads_back, 0, 3);
    tcase_add_test(cases, parts);
    tcase_add_test(cases, damage);
    tcase_add_test(cases, damaged_images);
}

int main(void)
{
    folder = g_dir_make_tmp("warpstep-recording-XXXXXX", NULL);
    int failed = run_suite("recording", add_tests);
    g_autofree char *path = g_build_filename(folder, "run.wsrec", NULL);

    g_unlink(path);
    g_rmdir(folder);
    g_free(folder);
    return failed;
}
