#include "isa/cuda/precompiled_headers.h"

#include "isa/base/resources.h"
#include "isa/cuda/clang_arguments.h"
#include "isa/cuda/dependency_rule.h"
#include "isa/cuda/header_words.h"
#include "isa/cuda/include_names.h"
#include "isa/cuda/memory_file.h"
#include "isa/cuda/ptx_cache.h"

#include <string.h>
#include <unistd.h>

enum { MAKING_SECONDS = 60 };

/* ---- making it --------------------------------------------------------------------------------
 */

typedef struct {
    GHashTable *words, *names;
    GResource *ours;
    const WsClangView *view;
} Reading;

static void reading_clear(Reading *reading)
{
    g_hash_table_unref(reading->words);
    g_hash_table_unref(reading->names);
    g_resource_unref(reading->ours);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Reading, reading_clear)

static void on_include(const WsIncludeName *name, gpointer data)
{
    g_hash_table_add(((Reading *)data)->names, g_path_get_basename(name->name));
}

static void on_header(const char *name, gpointer data)
{
    Reading *reading = data;
    g_autofree char *path = g_canonicalize_filename(name, "/");
    if (!g_str_has_prefix(path, WS_CLANG_HEADERS "/"))
        return; /* the rule's own name, or nothing to read */
    g_autofree char *resource =
        g_strconcat("/warpstep/cuda/include", path + strlen(WS_CLANG_HEADERS), NULL);
    g_autoptr(GBytes) bytes = g_resource_lookup_data(reading->ours, resource, 0, NULL);
    gsize length;
    const char *text = g_bytes_get_data(bytes, &length);
    ws_header_words(text, length, reading->words);
    ws_cuda_include_names(text, length, on_include, reading);
    g_hash_table_add(reading->names, g_path_get_basename(path));
}

static gint compare_words(gconstpointer a, gconstpointer b)
{
    return strcmp(a, b);
}

/* Each on a line, with a line feed in front of the first as well. */
static char *lines_of(GHashTable *words)
{
    GString *lines = g_string_new("\n");
    g_autoptr(GList) sorted = g_list_sort(g_hash_table_get_keys(words), compare_words);
    for (const GList *at = sorted; at != NULL; at = at->next)
        if (g_utf8_validate(at->data, -1, NULL))
            g_string_append_printf(lines, "%s\n", (const char *)at->data);
    return g_string_free(lines, FALSE);
}

/* FALSE if clang could not be run or did not end by itself: another time it may. */
static gboolean run(const WsClangLimits *limits, const WsCompileOptions *options,
                    const WsClangView *view, gboolean preprocess, int dependencies,
                    WsClangResult *ret)
{
    g_autoptr(GArray) others = g_array_new(FALSE, FALSE, sizeof(int));
    g_autoptr(GPtrArray) arguments = g_ptr_array_new_with_free_func(g_free);
    int overlay = ws_clang_view_overlay(view, FALSE, NULL);
    if (overlay < 0)
        return FALSE;
    g_autofree char *overlay_path = ws_memory_file_path(overlay);
    g_autofree char *dependency_path = ws_memory_file_path(dependencies);
    const char *const making[] = {"-S",  "-Xclang", "-emit-pch",    "-Xclang", "-fno-pch-timestamp",
                                  "-MD", "-MF",     dependency_path};
    ws_clang_argument(arguments, "%s", limits->clang);
    ws_clang_arguments_for_headers(arguments, options);
    ws_clang_argument(arguments, "-ivfsoverlay");
    ws_clang_argument(arguments, "%s", overlay_path);
    ws_clang_arguments_include(arguments);
    if (preprocess)
        ws_clang_argument(arguments, "-E");
    for (guint i = 0; !preprocess && i < G_N_ELEMENTS(making); i++)
        ws_clang_argument(arguments, "%s", making[i]);
    ws_clang_argument(arguments, "-o");
    ws_clang_argument(arguments, "-");
    ws_clang_argument(arguments, "-"); /* nothing but the headers: standard input is empty */
    g_ptr_array_add(arguments, NULL);
    g_array_append_val(others, overlay);
    g_array_append_val(others, dependencies);
    gboolean ran =
        ws_clang_run(limits, view, others, (const char *const *)arguments->pdata, ret, NULL);
    close(overlay);
    return ran && ret->end == WS_CLANG_ENDED && ret->signal == 0;
}

/*
 * Besides what is written in the headers, `##` makes words: those are in the preprocessed text. (It
 * makes some that it only makes others of, and a macro could be of such a name: in our headers
 * these are reserved ones.)
 */
static gboolean make_with(const WsClangLimits *limits, const WsCompileOptions *options,
                          Reading *reading, int dependencies, WsPrecompiledHeaders *ret)
{
    g_auto(WsClangResult) made = {0}, text = {0};
    *ret = (WsPrecompiledHeaders){0};
    if (!run(limits, options, reading->view, FALSE, dependencies, &made) ||
        !run(limits, options, reading->view, TRUE, dependencies, &text))
        return FALSE;
    if (made.ended_well && text.ended_well) {
        ws_dependency_rule_read(dependencies, on_header, reading);
        ws_header_words(text.output, text.output_length, reading->words);
        ret->data = g_bytes_new_take(g_steal_pointer(&made.output), made.output_length);
    } else {
        ret->data = g_bytes_new(NULL, 0);
    }
    ret->words = lines_of(reading->words);
    ret->names = lines_of(reading->names);
    return TRUE;
}

static gboolean make(const WsClangLimits *user, const WsCompileOptions *options, const char *key,
                     WsPrecompiledHeaders *ret)
{
    WsClangLimits limits = *user;
    g_autoptr(WsClangView) view = ws_clang_view_new(NULL);
    int dependencies = view == NULL ? -1 : ws_memory_file_new("", 0, NULL);
    if (dependencies < 0)
        return FALSE;
    g_auto(Reading)
        reading = {.words = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL),
                   .names = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL),
                   .ours = ws_isa_resource(),
                   .view = view};
    limits.cpu_seconds = MAKING_SECONDS;
    gboolean good = make_with(&limits, options, &reading, dependencies, ret);
    close(dependencies);
    if (good)
        ws_ptx_cache_put_headers(options->bounds.header_cache, key, ret);
    return good;
}

/* ---- whether it stands for the headers --------------------------------------------------------
 */

static gboolean has_line(const char *lines, const char *line)
{
    g_autofree char *whole = g_strconcat("\n", line, "\n", NULL);
    return strstr(lines, whole) != NULL;
}

/* Reserved names are for what headers ask, and `##` makes of them (make_with()). */
static gboolean is_reserved(const char *name)
{
    return name[0] == '_';
}

static gboolean macros_are_unknown(const WsCompileOptions *options, const char *words)
{
    for (guint i = 0; options->defines != NULL && options->defines[i] != NULL; i++) {
        const char *define = options->defines[i];
        gsize length = 0;
        while (g_ascii_isalnum(define[length]) || define[length] == '_')
            length++;
        g_autofree char *name = g_strndup(define, length);
        if (length == 0 || g_ascii_isdigit(name[0]) || strchr("=(", define[length]) == NULL ||
            is_reserved(name) || has_line(words, name))
            return FALSE;
    }
    return TRUE;
}

static gboolean is_below(const char *path, const char *folder)
{
    gsize length = strlen(folder);
    return strncmp(path, folder, length) == 0 && (path[length] == '/' || path[length] == '\0');
}

/* Headers are in the folder, below it or above. */
static gboolean is_among_headers(const char *folder)
{
    g_autofree char *path = g_canonicalize_filename(folder, NULL);
    return strcmp(path, "/") == 0 || is_below(path, WS_CLANG_HEADERS) ||
           is_below(WS_CLANG_HEADERS, path);
}

static gboolean folders_are_apart(const char *path, const WsCompileOptions *options)
{
    g_autofree char *folder = g_path_get_dirname(path);
    gboolean apart = !is_among_headers(folder);
    for (guint i = 0; apart && options->includes != NULL && options->includes[i] != NULL; i++)
        apart = !is_among_headers(options->includes[i]);
    return apart;
}

static gboolean is_header_name(const char *path, gpointer names)
{
    g_autofree char *name = g_path_get_basename(path);
    return has_line(names, name);
}

char *ws_precompiled_headers_add(const WsClangLimits *limits, const char *path,
                                 const WsCompileOptions *options, const WsCudaFiles *files,
                                 WsClangView *view)
{
    const char *folder = options->bounds.header_cache;
    g_autoptr(GPtrArray) arguments = g_ptr_array_new_with_free_func(g_free);
    g_auto(WsPrecompiledHeaders) headers = {0};
    if (folder == NULL || !folders_are_apart(path, options))
        return NULL;
    ws_clang_arguments_for_headers(arguments, options);
    ws_clang_arguments_include(arguments);
    g_ptr_array_add(arguments, NULL);
    g_autofree char *key =
        ws_ptx_cache_headers_key(limits->clang, (const char *const *)arguments->pdata);
    if (!ws_ptx_cache_get_headers(folder, key, &headers) &&
        !(ws_ptx_cache_has_programs(folder) && make(limits, options, key, &headers)))
        return NULL;
    gsize length;
    const void *data = g_bytes_get_data(headers.data, &length);
    if (length == 0 || !macros_are_unknown(options, headers.words) ||
        ws_cuda_files_any(files, is_header_name, headers.names))
        return NULL;
    return ws_clang_view_add_nameless(view, data, length, NULL);
}

void ws_precompiled_headers_arguments(GPtrArray *arguments, const char *precompiled)
{
    ws_clang_argument(arguments, "-Xclang");
    ws_clang_argument(arguments, "-include-pch");
    ws_clang_argument(arguments, "-Xclang");
    ws_clang_argument(arguments, "%s", precompiled);
}
