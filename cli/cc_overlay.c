#include "cli/cc_overlay.h"

#include "isa/base/error.h"
#include "isa/cuda/include_names.h"
#include "isa/cuda/rewrite_source.h"

#include <json-glib/json-glib.h>
#include <string.h>

enum { MAX_FILES = 4096 };

typedef struct {
    GPtrArray *paths;  /* char*, absolute, in the order of finding */
    GHashTable *known; /* of `paths` */
    const char *looking;
} Sources;

static void add_path(Sources *sources, const char *name)
{
    char *path = g_canonicalize_filename(name, sources->looking);
    if (sources->paths->len < MAX_FILES && g_hash_table_add(sources->known, path))
        g_ptr_array_add(sources->paths, path);
    else
        g_free(path);
}

static void on_name(const WsIncludeName *name, gpointer data)
{
    if (name->quoted)
        add_path(data, name->name);
}

/* {"version": 0, "use-external-names": false, "roots": [...]}, which clang reads as YAML. */
static char *overlay_text(const GPtrArray *rows)
{
    g_autoptr(JsonBuilder) builder = json_builder_new();
    json_builder_begin_object(builder);
    json_builder_set_member_name(builder, "version");
    json_builder_add_int_value(builder, 0);
    json_builder_set_member_name(builder, "use-external-names");
    json_builder_add_string_value(builder, "false");
    json_builder_set_member_name(builder, "roots");
    json_builder_begin_array(builder);
    for (guint i = 0; i + 1 < rows->len; i += 2) {
        json_builder_begin_object(builder);
        json_builder_set_member_name(builder, "type");
        json_builder_add_string_value(builder, "file");
        json_builder_set_member_name(builder, "name");
        json_builder_add_string_value(builder, g_ptr_array_index(rows, i));
        json_builder_set_member_name(builder, "external-contents");
        json_builder_add_string_value(builder, g_ptr_array_index(rows, i + 1));
        json_builder_end_object(builder);
    }
    json_builder_end_array(builder);
    json_builder_end_object(builder);
    g_autoptr(JsonNode) root = json_builder_get_root(builder);
    return json_to_string(root, TRUE);
}

static gboolean write_file(const char *path, const void *text, gsize length, GError **error)
{
    g_autoptr(GError) failure = NULL;
    if (g_file_set_contents(path, text, (gssize)length, &failure))
        return TRUE;
    ws_set_error(error, WS_ERROR_INPUT, "%s", failure->message);
    return FALSE;
}

/* Adds the place of a changed file and that of the text to `rows`. */
static gboolean mend_file(Sources *sources, const char *path, const char *copy, GPtrArray *rows,
                          GError **error)
{
    char *text;
    gsize length;
    if (!g_file_get_contents(path, &text, &length, NULL))
        return TRUE;
    g_autoptr(GBytes) given = g_bytes_new_take(text, length);
    g_autofree char *folder = g_path_get_dirname(path);
    sources->looking = folder;
    ws_cuda_include_names(text, length, on_name, sources);
    g_autoptr(GBytes) mended = ws_cuda_rewrite_source(given);
    if (mended == given)
        return TRUE;
    g_ptr_array_add(rows, g_strdup(path));
    g_ptr_array_add(rows, g_strdup(copy));
    const char *changed = g_bytes_get_data(mended, &length);
    return write_file(copy, changed, length, error);
}

gboolean ws_cc_overlay(const char *source, const char *folder, const char *prefix, char **ret_path,
                       GError **error)
{
    g_autoptr(GPtrArray) rows = g_ptr_array_new_with_free_func(g_free);
    g_autoptr(GPtrArray) paths = g_ptr_array_new_with_free_func(g_free);
    g_autoptr(GHashTable) known = g_hash_table_new(g_str_hash, g_str_equal);
    Sources sources = {.paths = paths, .known = known};
    *ret_path = NULL;
    add_path(&sources, source);
    for (guint i = 0; i < paths->len; i++) {
        g_autofree char *copy = g_strdup_printf("%s/%s.%u", folder, prefix, i);
        if (!mend_file(&sources, g_ptr_array_index(paths, i), copy, rows, error))
            return FALSE;
    }
    if (rows->len == 0)
        return TRUE;
    g_autofree char *text = overlay_text(rows);
    g_autofree char *path = g_strdup_printf("%s/%s.yaml", folder, prefix);
    if (!write_file(path, text, strlen(text), error))
        return FALSE;
    *ret_path = g_steal_pointer(&path);
    return TRUE;
}
