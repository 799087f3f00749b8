/* What a study's results depend on besides its options. */
#include "isa/base/input_file.h"
#include "study/plan/design.h"
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

/* ---- files ------------------------------------------------------------------------------------
 */

typedef enum { POLICY_FILES, TARGET_FILES } Files;

typedef struct {
    const WsStudy *study;
    const WsSweepOptions *options;
    WsProgramStore *programs;
} Reader;

/* Loads a point. `ret` is a hash of these files as far as they were read, also after an error. */
static gboolean read_point(const Reader *reader, guint number, Files files, char **ret,
                           GError **error)
{
    g_auto(WsStudyPoint) point = {0};
    ws_study_point_init(&point, reader->study, number);
    g_autoptr(GChecksum) checksum = g_checksum_new(G_CHECKSUM_SHA256);
    if (files == TARGET_FILES)
        point.options.digest = checksum;
    else
        point.options.policy_digest = checksum;
    g_autoptr(WsJob) job =
        ws_sweep_load(reader->study, &point, reader->options, reader->programs, error);
    *ret = g_strdup(g_checksum_get_string(checksum));
    return job != NULL;
}

/* The points at which a parameter has this value; all of them if `parameter` is negative. */
static GArray *points_with(const WsStudy *study, gint parameter, guint value)
{
    GArray *numbers = g_array_new(FALSE, FALSE, sizeof(guint));
    for (guint i = 0; i < ws_study_points(study); i++)
        if (parameter < 0 || ws_design_value(study, i, (guint)parameter) == value)
            g_array_append_val(numbers, i);
    return numbers;
}

/*
 * A hash of what such a point reads: all of them read the same files, as far as they get. So the
 * first one is followed by others, spread over all, until one can be loaded. If none can, `error`
 * is that of the first, and so is the hash, which is returned all the same. g_free.
 */
static char *read_files(const Reader *reader, gint parameter, guint value, Files files,
                        GError **error)
{
    char *first = NULL;
    g_autoptr(GError) failure = NULL;
    guint at = parameter < 0 ? 0 : ws_study_first_point(reader->study, (guint)parameter, value);
    if (read_point(reader, at, files, &first, &failure))
        return first;
    g_autoptr(GArray) numbers = points_with(reader->study, parameter, value);
    guint tries = MIN(numbers->len, MOST_TRIES);
    for (guint i = 1; i < tries; i++) {
        guint spread = (guint)((guint64)i * (numbers->len - 1) / (tries - 1));
        char *hash = NULL;
        if (read_point(reader, g_array_index(numbers, guint, spread), files, &hash, NULL)) {
            g_free(first);
            return hash;
        }
        g_free(hash);
    }
    g_propagate_error(error, g_steal_pointer(&failure));
    return first;
}

static void add_policy(GChecksum *checksum, const Reader *reader, gint parameter, guint value,
                       const char *name)
{
    if (!ws_is_policy_name(name))
        return;
    g_autofree char *hash = read_files(reader, parameter, value, POLICY_FILES, NULL);
    add_text(checksum, hash);
}

/* Policies that are files and that the study names: by a parameter, or else for all points. */
static void add_policies(GChecksum *checksum, const Reader *reader)
{
    static const char setting[] = "policy=";
    const WsStudy *study = reader->study;
    for (guint i = 0; i < study->parameters->len; i++) {
        const WsStudyParameter *row = ws_study_parameter(study, i);
        if (row->kind != WS_STUDY_SETTING || strcmp(row->key, "policy") != 0)
            continue;
        for (guint v = 0; v < row->count; v++)
            add_policy(checksum, reader, (gint)i, v, row->values[v]);
        return;
    }
    for (char **text = study->settings; text != NULL && *text != NULL; text++)
        if (g_str_has_prefix(*text, setting))
            add_policy(checksum, reader, -1, 0, *text + strlen(setting));
}

/* Of each target. Errors: that of the first target, if no target can be loaded. */
static char **target_hashes(const Reader *reader, GError **error)
{
    guint count = ws_study_target_count(reader->study), failed = 0;
    g_auto(GStrv) hashes = g_new0(char *, count + 1);
    g_autoptr(GError) first = NULL;
    for (guint i = 0; i < count; i++) {
        g_autoptr(GError) failure = NULL;
        hashes[i] =
            read_files(reader, ws_study_target_axis(reader->study), i, TARGET_FILES, &failure);
        failed += failure != NULL ? 1 : 0;
        if (first == NULL)
            first = g_steal_pointer(&failure);
    }
    if (failed < count)
        return g_steal_pointer(&hashes);
    g_propagate_error(error, g_steal_pointer(&first));
    return NULL;
}

gboolean ws_sweep_digest(const WsStudy *study, const WsSweepOptions *options,
                         WsProgramStore *programs, WsStudyDigest *ret, GError **error)
{
    g_autoptr(WsProgramStore) own = programs == NULL ? ws_program_store_new() : NULL;
    const Reader reader = {study, options, programs != NULL ? programs : own};
    g_auto(GStrv) targets = target_hashes(&reader, error);
    if (targets == NULL)
        return FALSE;
    g_autoptr(GChecksum) common = g_checksum_new(G_CHECKSUM_SHA256);
    add_this_program(common);
    add_devices(common, study);
    add_policies(common, &reader);
    *ret = (WsStudyDigest){.common = g_strdup(g_checksum_get_string(common)),
                           .targets = g_steal_pointer(&targets)};
    return TRUE;
}
