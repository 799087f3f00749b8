/* What a study's results depend on besides its options. */
#include "isa/base/input_file.h"
#include "study/run/sweep.h"

#include <elf.h>
#include <link.h>
#include <string.h>

enum { MOST_TRIES = 16, MAX_PROGRAM_BYTES = 1 << 30 };

static void add_text(GChecksum *checksum, const char *text)
{
    g_checksum_update(checksum, (const guchar *)text, (gssize)strlen(text) + 1);
}

/* Adds the linker's own hash of this program, from its notes: `data` is the checksum. */
static int add_build_id(struct dl_phdr_info *object, size_t size G_GNUC_UNUSED, void *data)
{
    enum { ALIGNMENT = 4 };
    gboolean added = FALSE;
    for (guint i = 0; i < object->dlpi_phnum; i++) {
        const ElfW(Phdr) *part = &object->dlpi_phdr[i];
        if (part->p_type != PT_NOTE)
            continue;
        const guchar *at = (const guchar *)(object->dlpi_addr + part->p_vaddr); // NOLINT
        const guchar *end = at + part->p_memsz;
        while (at + sizeof(ElfW(Nhdr)) <= end) {
            ElfW(Nhdr) note;
            memcpy(&note, at, sizeof note);
            const guchar *name = at + sizeof note;
            const guchar *text = name + (note.n_namesz + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
            at = text + (note.n_descsz + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
            if (at <= end && note.n_type == NT_GNU_BUILD_ID &&
                note.n_namesz == sizeof ELF_NOTE_GNU &&
                memcmp(name, ELF_NOTE_GNU, sizeof ELF_NOTE_GNU) == 0) {
                g_checksum_update(data, text, (gssize)note.n_descsz);
                added = TRUE;
            }
        }
    }
    return added ? 1 : -1; /* the program itself is the first object: no others are asked */
}

/* Another build may give other figures. The whole file takes longer than many a study's points. */
static void add_this_program(GChecksum *checksum)
{
    if (dl_iterate_phdr(add_build_id, checksum) > 0)
        return;
    g_autofree char *path = g_file_read_link("/proc/self/exe", NULL);
    g_autoptr(GBytes) bytes = NULL;
    if (path == NULL ||
        ws_read_scope_read(NULL, path, MAX_PROGRAM_BYTES, &bytes, NULL) != WS_READ_DONE)
        return;
    gsize length;
    const guchar *data = g_bytes_get_data(bytes, &length);
    g_checksum_update(checksum, data, (gssize)length);
}

static void add_device(GChecksum *checksum, const WsStudy *study, const char *name)
{
    g_autofree char *path = ws_study_device(study, name);
    g_autoptr(WsDevice) device = ws_device_load(path, NULL, NULL);
    g_autofree char *text = device == NULL ? g_strdup("") : ws_device_to_yaml(device);
    add_text(checksum, name);
    add_text(checksum, text);
}

static void add_devices(GChecksum *checksum, const WsStudy *study)
{
    if (study->device != NULL)
        add_device(checksum, study, study->device);
    for (guint i = 0; i < study->parameters->len; i++) {
        const WsStudyParameter *parameter = ws_study_parameter(study, i);
        for (guint v = 0; parameter->kind == WS_STUDY_DEVICE && v < parameter->count; v++)
            add_device(checksum, study, parameter->values[v]);
    }
}

/* All points read the same files, as far as they get. */
static GChecksum *read_point(const WsStudy *study, guint number, const WsSweepOptions *options,
                             WsProgramStore *programs, GError **error)
{
    g_auto(WsStudyPoint) point = {0};
    ws_study_point_init(&point, study, number);
    g_autoptr(GChecksum) checksum = g_checksum_new(G_CHECKSUM_SHA256);
    point.options.digest = checksum;
    g_autoptr(WsJob) job = ws_sweep_load(study, &point, options, programs, error);
    return job == NULL ? NULL : g_steal_pointer(&checksum);
}

/* Targets, of which a point reads only its own. */
static void add_targets(GChecksum *checksum, const WsStudy *study, const WsSweepOptions *options,
                        WsProgramStore *programs)
{
    gint axis = ws_study_target_axis(study);
    if (axis < 0)
        return;
    const WsStudyParameter *row = ws_study_parameter(study, axis);
    for (guint v = 0; v < row->count; v++) {
        g_autoptr(GChecksum) read =
            read_point(study, ws_study_first_point(study, (guint)axis, v), options, programs, NULL);
        add_text(checksum, read != NULL ? g_checksum_get_string(read) : row->values[v]);
    }
}

/* Policies that are files, of which a point reads only its own. */
static void add_policies(GChecksum *checksum, const WsStudy *study, const WsSweepOptions *options)
{
    for (guint i = 0; i < study->parameters->len; i++) {
        const WsStudyParameter *row = ws_study_parameter(study, i);
        if (row->kind != WS_STUDY_SETTING || strcmp(row->key, "policy") != 0)
            continue;
        for (guint v = 0; v < row->count; v++) {
            g_autoptr(WsProgramStore) fresh = ws_program_store_new(); /* what is kept is not read */
            g_autoptr(GChecksum) read =
                !ws_is_policy_name(row->values[v])
                    ? NULL
                    : read_point(study, ws_study_first_point(study, i, v), options, fresh, NULL);
            if (read != NULL)
                add_text(checksum, g_checksum_get_string(read));
        }
    }
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
        add_policies(checksum, study, options);
        add_targets(checksum, study, options, programs != NULL ? programs : own);
        add_this_program(checksum);
        return g_strdup(g_checksum_get_string(checksum));
    }
    g_propagate_error(error, g_steal_pointer(&first));
    return NULL;
}
