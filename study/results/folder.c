#include "study/results/folder.h"
#include "study/results/derived.h"

#include "isa/base/input_file.h"
#include "isa/base/write_all.h"
#include "study/plan/study_file.h"
#include "study/results/derived.h"
#include "study/results/region_metrics.h"
#include "study/results/relative.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gstdio.h>
#include <string.h>
#include <unistd.h>

enum {
    FOLDER_MODE = 0777,
    FILE_MODE = 0666,
    MAX_STUDY_BYTES = 64 << 20,
    MAX_JOURNAL_BYTES = 1 << 30
};

struct WsStudyFolder {
    char *path, *rows_path;
    const WsStudy *study;
    char *claimed;     /* the contents of study.json */
    gboolean *changed; /* by target: ws_study_folder_changed() */
    char **columns;    /* of a journal */
    guint width;
    WsDerived *derived; /* columns behind these in the table */
    GHashTable *points; /* id, owned by `ids` -> point + 1 */
    char **ids;         /* by point */
    char ***rows;       /* by point: cells, or NULL */
    GHashTable *sizes;  /* char*, name of a journal -> gsize*: bytes read */
    char *own;          /* name of the own journal, or NULL */
    int journal;        /* its descriptor, or -1 */
};

static gboolean fail(const char *path, const char *doing, int number, GError **error)
{
    WsPosition position = {.file = path};
    ws_set_error_at(error, WS_ERROR_INPUT, &position, "cannot %s: %s", doing, g_strerror(number));
    return FALSE;
}

void ws_study_folder_free(WsStudyFolder *folder)
{
    if (folder == NULL)
        return;
    for (guint i = 0; folder->rows != NULL && i < ws_study_points(folder->study); i++)
        g_strfreev(folder->rows[i]);
    g_free(folder->rows);
    g_clear_pointer(&folder->points, g_hash_table_unref);
    g_clear_pointer(&folder->sizes, g_hash_table_unref);
    g_strfreev(folder->ids);
    g_strfreev(folder->columns);
    ws_derived_free(folder->derived);
    if (folder->journal >= 0)
        close(folder->journal);
    g_free(folder->claimed);
    g_free(folder->changed);
    g_free(folder->own);
    g_free(folder->rows_path);
    g_free(folder->path);
    g_free(folder);
}

static gboolean write_whole(const char *folder, const char *name, const char *text, GError **error)
{
    g_autofree char *path = g_build_filename(folder, name, NULL);
    return ws_write_renamed(path, FILE_MODE, text, strlen(text)) ||
           fail(path, "write", errno, error);
}

/* ---- the study --------------------------------------------------------------------------------
 */

WsStudy *ws_study_folder_study(const char *path, WsStudyDigest *ret_digest, GError **error)
{
    g_autofree char *file = g_build_filename(path, "study.json", NULL);
    g_autoptr(GBytes) bytes = ws_read_input_file(file, MAX_STUDY_BYTES, error);
    if (bytes == NULL)
        return NULL;
    gsize length;
    const char *text = g_bytes_get_data(bytes, &length);
    return ws_study_from_json(file, text, length, ret_digest, error);
}

static gboolean fail_other_study(const WsStudyFolder *folder, const char *what, GError **error)
{
    WsPosition position = {.file = folder->path};
    ws_set_error_at(error, WS_ERROR_INPUT, &position, "%s", what);
    return FALSE;
}

/*
 * Whether the study in the text `there` is this one but for the files of some targets. Marks these.
 * With the files of all targets different, no row stays, as in any other study.
 */
static gboolean is_same_but_targets(WsStudyFolder *folder, const char *there, gsize length,
                                    const WsStudyDigest *digest)
{
    g_auto(WsStudyDigest) before = {0};
    g_autoptr(WsStudy) study = ws_study_from_json("study.json", there, length, &before, NULL);
    guint count = ws_study_target_count(folder->study), changed = 0;
    if (study == NULL || before.targets == NULL || digest->targets == NULL ||
        ws_study_target_count(study) != count)
        return FALSE;
    const WsStudyDigest with_those = {.common = digest->common, .targets = before.targets};
    g_autofree char *text = ws_study_to_json(folder->study, &with_those);
    if (strcmp(text, there) != 0)
        return FALSE;
    g_autofree gboolean *marks = g_new0(gboolean, count);
    for (guint i = 0; i < count; i++) {
        marks[i] = strcmp(before.targets[i], digest->targets[i]) != 0;
        changed += marks[i] ? 1 : 0;
    }
    if (changed == count)
        return FALSE;
    folder->changed = g_steal_pointer(&marks);
    return TRUE;
}

gboolean ws_study_folder_changed(const WsStudyFolder *folder, guint target)
{
    return folder->changed != NULL && folder->changed[target];
}

/* Writes the study, or finds that it is there already. */
static gboolean claim(WsStudyFolder *folder, const WsStudyDigest *digest, gboolean replace,
                      GError **error)
{
    g_autofree char *file = g_build_filename(folder->path, "study.json", NULL);
    const char *text = folder->claimed = ws_study_to_json(folder->study, digest);
    for (guint tries = 0; tries < 2; tries++) {
        g_autoptr(GBytes) there = NULL;
        WsReadOutcome outcome = ws_read_scope_read(NULL, file, MAX_STUDY_BYTES, &there, NULL);
        if (outcome == WS_READ_DONE && !replace) {
            gsize length;
            const char *data = g_bytes_get_data(there, &length);
            if (strcmp(data, text) == 0)
                return TRUE;
            if (is_same_but_targets(folder, data, length, digest))
                break;
            return fail_other_study(
                folder,
                "holds another study, or one of other files: use another folder, or "
                "--replace (which keeps rows of the same points)",
                error);
        }
        if (replace || !(outcome == WS_READ_FAILED && errno == ENOENT))
            break;
        /* The first of several that begin at once; the others compare with its study. */
        g_autofree char *temporary = NULL;
        int made = ws_open_unfinished(file, FILE_MODE, &temporary);
        if (made < 0)
            return fail(file, "write", errno, error);
        gboolean written = ws_write_all(made, text, strlen(text));
        int number = errno;
        close(made);
        gboolean linked = written && link(temporary, file) == 0;
        number = written ? errno : number;
        g_unlink(temporary);
        if (linked)
            return TRUE;
        if (number == EPERM || number == EOPNOTSUPP)
            break; /* no hard links here */
        if (!written || number != EEXIST)
            return fail(file, "write", number, error);
    }
    return write_whole(folder->path, "study.json", text, error);
}

/* The table's columns; g_strfreev. */
static char **study_columns(const WsStudy *study)
{
    guint parameters = study->parameters->len, metrics = ws_metric_count();
    guint regions = study->regions != NULL ? g_strv_length(study->regions) : 0;
    guint of_region = ws_region_metric_count(), count = parameters + metrics;
    char **columns = g_new0(char *, count + regions * of_region + 2);
    for (guint i = 0; i < parameters; i++)
        columns[i] = g_strdup(ws_study_parameter(study, i)->name);
    for (guint i = 0; i < metrics; i++)
        columns[parameters + i] = g_strdup(ws_metric_at(i).name);
    for (guint i = 0; i < regions * of_region; i++)
        columns[count++] = ws_region_column(study->regions[i / of_region], i % of_region);
    columns[count] = g_strdup("id");
    return columns;
}

/* ---- rows -------------------------------------------------------------------------------------
 */

static const char *status_of(const WsStudyFolder *folder, guint point)
{
    return folder->rows[point][folder->study->parameters->len];
}

static gboolean is_error(const char *status)
{
    return strcmp(status, "error") == 0;
}

/* Takes the cells. A row that could be run wins over one that could not. */
static void take_row(WsStudyFolder *folder, char **cells)
{
    gpointer found = g_strv_length(cells) != folder->width
                         ? NULL
                         : g_hash_table_lookup(folder->points, cells[folder->width - 1]);
    if (found == NULL) {
        g_strfreev(cells);
        return;
    }
    guint point = GPOINTER_TO_UINT(found) - 1;
    gboolean worse = folder->rows[point] != NULL && !is_error(status_of(folder, point));
    char **kept = worse ? folder->rows[point] : cells;
    g_strfreev(worse ? cells : folder->rows[point]);
    folder->rows[point] = kept;
}

/* Reads the journal from where it was read to. */
static gboolean read_journal(WsStudyFolder *folder, const char *name, GError **error)
{
    g_autofree char *path = g_build_filename(folder->rows_path, name, NULL);
    gsize *done = g_hash_table_lookup(folder->sizes, name);
    GStatBuf status;
    if (done != NULL && (g_stat(path, &status) != 0 || (gsize)status.st_size <= *done))
        return TRUE;
    g_autoptr(GBytes) bytes = ws_read_input_file(path, MAX_JOURNAL_BYTES, error);
    if (bytes == NULL)
        return FALSE;
    if (done == NULL) {
        done = g_new0(gsize, 1);
        g_hash_table_insert(folder->sizes, g_strdup(name), done);
    }
    gsize length;
    const char *text = g_bytes_get_data(bytes, &length);
    if (strlen(text) < length) /* a hole of a file system that lost power: up to there */
        length = strlen(text);
    const char *at = text + MIN(*done, length);
    for (const char *line = at; at < text + length; line = at) {
        char **cells = ws_csv_next(&at);
        if (cells == NULL) {
            at = line; /* not whole yet */
            break;
        }
        take_row(folder, cells);
    }
    *done = (gsize)(at - text);
    return TRUE;
}

gboolean ws_study_folder_refresh(WsStudyFolder *folder, GError **error)
{
    if (folder->path == NULL)
        return TRUE;
    g_autoptr(GError) failure = NULL;
    g_autoptr(GDir) names = g_dir_open(folder->rows_path, 0, &failure);
    if (names == NULL) {
        WsPosition position = {.file = folder->rows_path};
        ws_set_error_at(error, WS_ERROR_INPUT, &position, "cannot read: %s",
                        ws_file_error_text(failure));
        return FALSE;
    }
    for (const char *name; (name = g_dir_read_name(names)) != NULL;)
        if (g_str_has_suffix(name, ".csv") && g_strcmp0(name, folder->own) != 0 &&
            !read_journal(folder, name, error))
            return FALSE;
    return TRUE;
}

gboolean ws_study_folder_has(const WsStudyFolder *folder, guint point)
{
    return folder->rows[point] != NULL && !is_error(status_of(folder, point));
}

guint ws_study_folder_count(const WsStudyFolder *folder, guint *ret_failed)
{
    guint count = 0, failed = 0, points = ws_study_points(folder->study);
    for (guint i = 0; i < points; i++) {
        count += folder->rows[i] != NULL;
        failed += folder->rows[i] != NULL && strcmp(status_of(folder, i), "ok") != 0;
    }
    if (ret_failed != NULL)
        *ret_failed = failed;
    return count;
}

/* The journal of this process: nobody else's, and no one's before. */
static gboolean open_journal(WsStudyFolder *folder, GError **error)
{
    g_autofree char *name = g_strdup_printf("%s-%ld-%" G_GINT64_FORMAT ".csv", g_get_host_name(),
                                            (long)getpid(), g_get_real_time());
    g_autofree char *path = g_build_filename(folder->rows_path, name, NULL);
    folder->journal = g_open(path, O_WRONLY | O_CREAT | O_EXCL | O_APPEND | O_CLOEXEC, FILE_MODE);
    if (folder->journal < 0)
        return fail(path, "write", errno, error);
    folder->own = g_steal_pointer(&name);
    return TRUE;
}

gboolean ws_study_folder_add(WsStudyFolder *folder, guint point, char *const *metrics,
                             GError **error)
{
    guint parameters = folder->study->parameters->len;
    char **cells = g_new0(char *, folder->width + 1);
    for (guint i = 0; i < parameters; i++)
        cells[i] = g_strdup(ws_study_value(folder->study, point, i));
    for (guint i = parameters; i + 1 < folder->width; i++) /* of an error there are fewer */
        cells[i] = g_strdup(*metrics != NULL ? *metrics++ : "");
    cells[folder->width - 1] = g_strdup(folder->ids[point]);
    g_autoptr(GString) line = g_string_new(NULL);
    ws_csv_append(line, cells);
    take_row(folder, cells);
    if (folder->path == NULL)
        return TRUE;
    if (folder->journal < 0 && !open_journal(folder, error))
        return FALSE;
    return ws_write_all(folder->journal, line->str, line->len) ||
           fail(folder->rows_path, "write", errno, error);
}

/* ---- opening ----------------------------------------------------------------------------------
 */

static void name_points(WsStudyFolder *folder, const WsStudyDigest *digest)
{
    guint points = ws_study_points(folder->study);
    folder->columns = study_columns(folder->study);
    folder->width = g_strv_length(folder->columns);
    folder->points = g_hash_table_new(g_str_hash, g_str_equal);
    folder->sizes = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, g_free);
    folder->ids = g_new0(char *, points + 1);
    folder->rows = g_new0(char **, points);
    for (guint i = 0; i < points; i++) {
        folder->ids[i] = ws_study_point_id(folder->study, digest, i);
        g_hash_table_insert(folder->points, folder->ids[i], GUINT_TO_POINTER(i + 1));
    }
}

WsStudyFolder *ws_study_folder_open(const char *path, const WsStudy *study,
                                    const WsStudyDigest *digest, gboolean replace, GError **error)
{
    g_autoptr(WsStudyFolder) folder = g_new0(WsStudyFolder, 1);
    folder->study = study;
    folder->journal = -1;
    folder->path = g_strdup(path);
    folder->rows_path = path == NULL ? NULL : g_build_filename(path, "rows", NULL);
    if (path != NULL && g_mkdir_with_parents(folder->rows_path, FOLDER_MODE) != 0) {
        fail(path, "make the folder", errno, error);
        return NULL;
    }
    name_points(folder, digest);
    folder->derived = ws_derived_new(study->columns, folder->columns, error);
    if (folder->derived == NULL)
        return NULL;
    if (path == NULL)
        return g_steal_pointer(&folder);
    return claim(folder, digest, replace, error) && ws_study_folder_refresh(folder, error)
               ? g_steal_pointer(&folder)
               : NULL;
}

/* ---- the table --------------------------------------------------------------------------------
 */

/* The table's columns. g_strfreev. */
static char **table_columns(const WsStudyFolder *folder)
{
    g_autoptr(GPtrArray) names = g_ptr_array_new();
    for (char **name = folder->columns; *name != NULL; name++)
        g_ptr_array_add(names, g_strdup(*name));
    for (guint i = 0; i < ws_derived_count(folder->derived); i++)
        g_ptr_array_add(names, g_strdup(ws_derived_name(folder->derived, i)));
    g_ptr_array_add(names, NULL);
    return (char **)g_ptr_array_free(g_steal_pointer(&names), FALSE);
}

WsTable *ws_study_folder_table(const WsStudyFolder *folder)
{
    WsTable *table = ws_table_new(table_columns(folder));
    for (guint i = 0; i < ws_study_points(folder->study); i++)
        if (folder->rows[i] != NULL)
            g_ptr_array_add(table->rows, ws_derived_row(folder->derived, folder->rows[i]));
    return table;
}

static char *columns_text(const WsStudyFolder *folder)
{
    const WsStudy *study = folder->study;
    GString *text = g_string_new("column,unit,meaning\n");
    for (guint i = 0; i < study->parameters->len; i++) {
        const WsStudyParameter *parameter = ws_study_parameter(study, i);
        char *cells[] = {parameter->name, (char *)"", (char *)"a parameter of the study", NULL};
        ws_csv_append(text, cells);
    }
    for (guint i = 0; i < ws_metric_count(); i++) {
        WsMetric metric = ws_metric_at(i);
        char *cells[] = {(char *)metric.name, (char *)metric.unit, (char *)metric.meaning, NULL};
        ws_csv_append(text, cells);
    }
    for (char **region = study->regions; region != NULL && *region != NULL; region++)
        for (guint i = 0; i < ws_region_metric_count(); i++) {
            g_autofree char *column = ws_region_column(*region, i);
            WsMetric metric = ws_region_metric_at(i);
            char *cells[] = {column, (char *)metric.unit, (char *)metric.meaning, NULL};
            ws_csv_append(text, cells);
        }
    g_string_append(text, "id,,\"hash of version, program, launch and device\"\n");
    for (guint i = 0; i < ws_derived_count(folder->derived); i++) {
        char *cells[] = {(char *)ws_derived_name(folder->derived, i), (char *)"",
                         (char *)ws_derived_expression(folder->derived, i), NULL};
        ws_csv_append(text, cells);
    }
    return g_string_free(text, FALSE);
}

static gboolean write_relative(const WsStudyFolder *folder, GError **error)
{
    g_autoptr(WsTable) table = ws_study_folder_table(folder);
    g_autoptr(WsRelative) relative = ws_relative_new(folder->study, table);
    g_autofree char *text = ws_relative_csv(folder->study, relative);
    return write_whole(folder->path, "relative.csv", text, error);
}

static void append_row(GString *text, const WsStudyFolder *folder, guint point)
{
    if (ws_derived_count(folder->derived) == 0) {
        ws_csv_append(text, folder->rows[point]);
        return;
    }
    g_auto(GStrv) row = ws_derived_row(folder->derived, folder->rows[point]);
    ws_csv_append(text, row);
}

/* The study of this process may have been replaced: then its table would be one of two studies. */
static gboolean check_claim(const WsStudyFolder *folder, GError **error)
{
    g_autofree char *file = g_build_filename(folder->path, "study.json", NULL);
    g_autoptr(GBytes) there = NULL;
    if (ws_read_scope_read(NULL, file, MAX_STUDY_BYTES, &there, NULL) != WS_READ_DONE ||
        strcmp(g_bytes_get_data(there, NULL), folder->claimed) == 0)
        return TRUE;
    return fail_other_study(folder,
                            "another sweep has put another study here, or this one with other "
                            "files: nothing more is written to the table",
                            error);
}

gboolean ws_study_folder_write_table(const WsStudyFolder *folder, GError **error)
{
    if (folder->path == NULL)
        return TRUE;
    if (!check_claim(folder, error))
        return FALSE;
    ws_remove_unfinished(folder->path, WS_UNFINISHED_SECONDS);
    g_autoptr(GString) text = g_string_new(NULL);
    g_auto(GStrv) names = table_columns(folder);
    ws_csv_append(text, names);
    for (guint i = 0; i < ws_study_points(folder->study); i++)
        if (folder->rows[i] != NULL)
            append_row(text, folder, i);
    if (folder->study->reference != NULL && !write_relative(folder, error))
        return FALSE;
    g_autofree char *columns = columns_text(folder);
    return write_whole(folder->path, "columns.csv", columns, error) &&
           write_whole(folder->path, "runs.csv", text->str, error);
}
