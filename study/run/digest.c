/* What a study's results depend on besides its options. */
#include "isa/base/input_file.h"
#include "study/run/sweep.h"

#include <string.h>

enum { MOST_TRIES = 16, MAX_PROGRAM_BYTES = 1 << 30 };

static void add_text(GChecksum *checksum, const char *text)
{
    g_checksum_update(checksum, (const guchar *)text, (gssize)strlen(text) + 1);
}

/* Another build may give other figures. */
static void add_this_program(GChecksum *checksum)
{
    g_autofree char *path = g_file_read_link("/proc/self/exe", NULL);
    g_autoptr(GBytes) bytes = NULL;
    if (path == NULL ||
        ws_read_scope_read(NULL, path, MAX_PROGRAM_BYTES, &bytes, NULL) != WS_READ_DONE)
        return;
    gsize length;
    const guchar *data = g_bytes_get_data(bytes, &length);
    g_checksum_update(checksum, data, (gssize)length);
}

static void add_device(GChecksum *checksum, const char *name)
{
    g_autoptr(WsDevice) device = ws_device_load(name, NULL, NULL);
    g_autofree char *text = device == NULL ? g_strdup("") : ws_device_to_yaml(device);
    add_text(checksum, name);
    add_text(checksum, text);
}

static void add_devices(GChecksum *checksum, const WsStudy *study)
{
    if (study->device != NULL)
        add_device(checksum, study->device);
    for (guint i = 0; i < study->parameters->len; i++) {
        const WsStudyParameter *parameter = &g_array_index(study->parameters, WsStudyParameter, i);
        for (guint v = 0; parameter->kind == WS_STUDY_DEVICE && v < parameter->count; v++)
            add_device(checksum, parameter->values[v]);
    }
}

/* All points read the same files, as far as they get. */
static GChecksum *read_point(const WsStudy *study, guint number, const WsSweepOptions *options,
                             WsProgramStore *programs, GError **error)
{
    g_auto(WsStudyPoint) point = {0};
    ws_study_point_init(&point, study, number);
    g_autoptr(GChecksum) checksum = g_checksum_new(G_CHECKSUM_SHA256);
    point.options.confined = options->confined;
    point.options.cache = options->cache;
    point.options.max_memory = options->max_memory;
    point.options.programs = programs;
    point.options.digest = checksum;
    g_autoptr(WsJob) job = ws_job_load(study->target, &point.options, error);
    return job == NULL ? NULL : g_steal_pointer(&checksum);
}

char *ws_sweep_digest(const WsStudy *study, const WsSweepOptions *options, WsProgramStore *programs,
                      GError **error)
{
    g_autoptr(GError) first = NULL;
    guint points = ws_study_points(study), tries = MIN(points, MOST_TRIES);
    for (guint i = 0; i < tries; i++) {
        /* spread over all */
        guint number = (guint)((guint64)i * (points - 1) / MAX(tries - 1, 1));
        g_autoptr(WsProgramStore) own = ws_program_store_new();
        g_autoptr(GChecksum) checksum =
            read_point(study, number, options, programs != NULL ? programs : own,
                       first == NULL ? &first : NULL);
        if (checksum == NULL)
            continue;
        add_devices(checksum, study);
        add_this_program(checksum);
        return g_strdup(g_checksum_get_string(checksum));
    }
    g_propagate_error(error, g_steal_pointer(&first));
    return NULL;
}
