#include "inspect/recording/recording.h"

#include <string.h>
#include <zlib.h>

#include "inspect/recording/job_image.h"
#include "isa/base/input_file.h"
#include "isa/base/size.h"
#include "sim/launch/host_memory.h"

enum {
    FORMAT_VERSION = 1,
    MAGIC_BYTES = 8,
    DIGEST_BYTES = 32,
    HEAD_BYTES = MAGIC_BYTES + 4 + 8,
    FIRST_EVERY = 256, /* cycles, where the distance is left to us */
    MOST_POINTS = 32   /* then: every second one goes, and the distance doubles */
};

static const guint8 magic[MAGIC_BYTES] = {0x89, 'W', 'S', 'R', 'E', 'C', '\r', '\n'};
static const gsize most_file_bytes = (gsize)1 << 30;

void ws_recording_free(WsRecording *recording)
{
    if (recording == NULL)
        return;
    g_free(recording->version);
    ws_job_free(recording->job);
    g_clear_pointer(&recording->trail, g_array_unref);
    g_free(recording);
}

gboolean ws_is_recording(const char *path)
{
    return g_str_has_suffix(path, ".wsrec");
}

/* ---- writing ------------------------------------------------------------------------------------
 */

static void digest_of(const guint8 *data, gsize length, guint8 *ret)
{
    g_autoptr(GChecksum) checksum = g_checksum_new(G_CHECKSUM_SHA256);
    gsize size = DIGEST_BYTES;

    g_checksum_update(checksum, data, (gssize)length);
    g_checksum_get_digest(checksum, ret, &size);
}

/* Little-endian wherever it is written. */
static GVariant *in_file_order(GVariant *value)
{
    return G_BYTE_ORDER == G_BIG_ENDIAN ? g_variant_byteswap(value)
                                        : g_variant_get_normal_form(value);
}

GVariant *ws_recording_begin(const WsJob *job, GError **error)
{
    GVariant *image = ws_job_image_new(job, error);

    return image != NULL ? g_variant_ref_sink(image) : NULL;
}

static GVariant *trail_image(const GArray *trail)
{
    GVariantBuilder list;

    g_variant_builder_init(&list, G_VARIANT_TYPE("a(tt)"));
    for (guint i = 0; i < trail->len; i++) {
        const WsTrailPoint *point = &g_array_index(trail, WsTrailPoint, i);

        g_variant_builder_add(&list, "(tt)", point->cycle, point->digest);
    }
    return g_variant_builder_end(&list);
}

GBytes *ws_recording_bytes(const WsRecording *recording, GVariant *image, GError **error)
{
    g_autoptr(GVariant) whole = g_variant_ref_sink(
        g_variant_new("(s@" WS_JOB_IMAGE "tt@a(tt))", recording->version, image,
                      recording->max_cycles, recording->every, trail_image(recording->trail)));
    g_autoptr(GVariant) value = in_file_order(whole);
    gsize length = g_variant_get_size(value);
    uLongf packed = compressBound(length);
    guint32 version = GUINT32_TO_LE((guint32)FORMAT_VERSION);
    guint64 unpacked = GUINT64_TO_LE((guint64)length);
    guint8 *out;

    if (length > most_file_bytes) {
        ws_set_error(error, WS_ERROR_INPUT, "the run's buffers are too large for a recording");
        return NULL;
    }
    out = g_malloc(HEAD_BYTES + packed + DIGEST_BYTES);
    memcpy(out, magic, MAGIC_BYTES);
    memcpy(out + MAGIC_BYTES, &version, sizeof version);
    memcpy(out + MAGIC_BYTES + sizeof version, &unpacked, sizeof unpacked);
    compress2(out + HEAD_BYTES, &packed, g_variant_get_data(value), length, Z_DEFAULT_COMPRESSION);
    digest_of(out, HEAD_BYTES + packed, out + HEAD_BYTES + packed);
    return g_bytes_new_take(out, HEAD_BYTES + packed + DIGEST_BYTES);
}

/* ---- reading ------------------------------------------------------------------------------------
 */

static gboolean fail(const char *path, GError **error, const char *what)
{
    const WsPosition position = {.file = path};

    ws_set_error_at(error, WS_ERROR_INPUT, &position, "%s", what);
    return FALSE;
}

/* The bytes of the value, unpacked; NULL with `error`. */
static GBytes *unpack(GBytes *file, const char *path, guint64 limit, GError **error)
{
    gsize length;
    const guint8 *data = g_bytes_get_data(file, &length);
    guint8 digest[DIGEST_BYTES], *out;
    guint32 version;
    guint64 unpacked;
    uLongf size;

    if (length < HEAD_BYTES + DIGEST_BYTES || memcmp(data, magic, MAGIC_BYTES) != 0)
        return fail(path, error, "this is not a recording, or a damaged one"), NULL;
    digest_of(data, length - DIGEST_BYTES, digest);
    if (memcmp(digest, data + length - DIGEST_BYTES, DIGEST_BYTES) != 0)
        return fail(path, error, "the recording is damaged: its checksum does not match"), NULL;
    memcpy(&version, data + MAGIC_BYTES, sizeof version);
    if (GUINT32_FROM_LE(version) != FORMAT_VERSION)
        return fail(path, error, "the recording has a format that this version cannot read"), NULL;
    memcpy(&unpacked, data + MAGIC_BYTES + sizeof version, sizeof unpacked);
    unpacked = GUINT64_FROM_LE(unpacked);
    if (unpacked > MIN(most_file_bytes, limit))
        return fail(path, error, "the recording needs more memory than --max-memory allows"), NULL;
    size = (uLongf)unpacked;
    out = g_try_malloc(MAX(size, 1));
    if (out == NULL ||
        uncompress(out, &size, data + HEAD_BYTES, (uLong)(length - HEAD_BYTES - DIGEST_BYTES)) !=
            Z_OK ||
        size != unpacked) {
        g_free(out);
        return fail(path, error, "the recording is damaged: it cannot be unpacked"), NULL;
    }
    return g_bytes_new_take(out, size);
}

static gboolean read_trail(WsRecording *recording, GVariant *list)
{
    gsize count = g_variant_n_children(list);

    recording->trail = g_array_new(FALSE, TRUE, sizeof(WsTrailPoint));
    for (gsize i = 0; i < count; i++) {
        WsTrailPoint point;

        g_variant_get_child(list, i, "(tt)", &point.cycle, &point.digest);
        if (i != 0 && point.cycle < g_array_index(recording->trail, WsTrailPoint, i - 1).cycle)
            return FALSE;
        g_array_append_val(recording->trail, point);
    }
    return count != 0;
}

WsRecording *ws_recording_open(const char *path, guint64 max_memory, GError **error)
{
    guint64 limit = max_memory != 0 ? max_memory : WS_DEFAULT_MAX_MEMORY;
    g_autoptr(GBytes) file = ws_read_input_file(path, most_file_bytes, error);
    g_autoptr(GBytes) bytes = file != NULL ? unpack(file, path, limit, error) : NULL;
    g_autoptr(WsRecording) recording = g_new0(WsRecording, 1);
    g_autoptr(GVariant) stored = NULL, value = NULL, image = NULL, trail = NULL;

    if (bytes == NULL)
        return NULL;
    stored = g_variant_ref_sink(
        g_variant_new_from_bytes(G_VARIANT_TYPE("(s" WS_JOB_IMAGE "tta(tt))"), bytes, FALSE));
    if (!g_variant_is_normal_form(stored))
        return fail(path, error, "the recording is damaged: its contents have no form"), NULL;
    value = in_file_order(stored);
    g_variant_get(value, "(s@" WS_JOB_IMAGE "tt@a(tt))", &recording->version, &image,
                  &recording->max_cycles, &recording->every, &trail);
    if (!read_trail(recording, trail))
        return fail(path, error, "the recording is damaged: its hashes"), NULL;
    recording->job = ws_job_image_load(image, path, max_memory, error);
    return recording->job != NULL ? g_steal_pointer(&recording) : NULL;
}

/* ---- the trail ----------------------------------------------------------------------------------
 */

static void add_point(const WsSimulation *simulation, guint64 cycle, GArray *trail)
{
    const WsTrailPoint point = {cycle, ws_simulation_digest(simulation, cycle)};

    g_array_append_val(trail, point);
}

/* Keeps the 2nd, 4th, ..: those at multiples of twice the distance. */
static void thin(GArray *trail)
{
    guint kept = 0;

    for (guint i = 1; i < trail->len; i += 2)
        g_array_index(trail, WsTrailPoint, kept++) = g_array_index(trail, WsTrailPoint, i);
    g_array_set_size(trail, kept);
}

WsResult *ws_recording_run(WsJob *job, const WsRunOptions *options, guint64 every, GArray *trail,
                           GError **error)
{
    g_autoptr(WsSimulation) simulation = ws_simulation_new(job, options, FALSE, error);
    guint64 step = every != 0 ? every : FIRST_EVERY;

    if (simulation == NULL)
        return NULL;
    for (guint64 cycle = step;; cycle = ws_size_add(cycle, step)) {
        if (!ws_simulation_advance(simulation, cycle, error))
            return NULL;
        if (ws_simulation_is_over(simulation))
            break;
        add_point(simulation, cycle, trail);
        if (every == 0 && trail->len == MOST_POINTS) {
            thin(trail);
            step *= 2;
        }
    }
    add_point(simulation, ws_simulation_end(simulation), trail);
    return ws_simulation_finish(simulation);
}
