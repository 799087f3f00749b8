#include "isa/cuda/clang_view.h"

#include "isa/base/resources.h"
#include "isa/cuda/include_names.h"
#include "isa/cuda/memory_file.h"
#include "isa/cuda/unpack_headers.h"

#include <gio/gio.h>
#include <string.h>
#include <unistd.h>

enum { RESOURCE_DEPTH = 4 };

static const char RESOURCE_ROOT[] = "/warpstep/cuda/include";

static void close_content(gpointer data)
{
    close(*(int *)data);
}

void ws_clang_view_free(WsClangView *view)
{
    if (view == NULL)
        return;
    g_ptr_array_unref(view->paths);
    g_array_unref(view->contents);
    g_free(view);
}

/*
 * Folders of ours that few sources use; each file takes a descriptor, of which a process may have
 * no more than 256. What Thrust is made of comes behind it.
 */
static const char *const libraries[] = {"thrust", "cub"};

static gboolean is_library(const char *folder)
{
    for (guint i = 0; i < G_N_ELEMENTS(libraries); i++)
        if (strcmp(libraries[i], folder) == 0)
            return TRUE;
    return FALSE;
}

static gboolean add_resources(WsClangView *view, GResource *resource, const char *from,
                              const char *to, guint depth, GError **error)
{
    g_auto(GStrv) names =
        depth >= RESOURCE_DEPTH ? NULL : g_resource_enumerate_children(resource, from, 0, NULL);
    for (guint i = 0; names != NULL && names[i] != NULL; i++) {
        if (g_str_has_suffix(names[i], "/"))
            names[i][strlen(names[i]) - 1] = '\0';
        if (depth == 0 && (is_library(names[i]) || strcmp(names[i], WS_RARE_HEADERS) == 0))
            continue;
        g_autofree char *path = g_strconcat(from, "/", names[i], NULL);
        g_autofree char *file = g_strconcat(to, "/", names[i], NULL);
        g_autoptr(GBytes) bytes = g_resource_lookup_data(resource, path, 0, NULL);
        if (bytes == NULL ? !add_resources(view, resource, path, file, depth + 1, error)
                          : !ws_clang_view_add(view, file, bytes, error))
            return FALSE;
    }
    return TRUE;
}

WsClangView *ws_clang_view_new(GError **error)
{
    g_autoptr(WsClangView) view = g_new0(WsClangView, 1);
    view->paths = g_ptr_array_new_with_free_func(g_free);
    view->contents = g_array_new(FALSE, FALSE, sizeof(int));
    g_array_set_clear_func(view->contents, close_content);
    g_autoptr(GResource) headers = ws_isa_resource();
    if (!add_resources(view, headers, RESOURCE_ROOT, WS_CLANG_HEADERS, 0, error))
        return NULL;
    return g_steal_pointer(&view);
}

typedef struct {
    WsClangView *view;
    GResource *headers;
    GError *failure;
} Wanting;

static gboolean has_path(const WsClangView *view, const char *path)
{
    for (guint i = 0; i < view->paths->len; i++)
        if (strcmp(g_ptr_array_index(view->paths, i), path) == 0)
            return TRUE;
    return FALSE;
}

/* A header of those that few sources name, and what it includes of them. */
static void want_rare(const WsIncludeName *name, gpointer data)
{
    Wanting *wanting = data;
    g_autofree char *from = g_strconcat(RESOURCE_ROOT, "/" WS_RARE_HEADERS "/", name->name, NULL);
    g_autofree char *to = g_strconcat(WS_CLANG_HEADERS "/", name->name, NULL);
    g_autoptr(GBytes) bytes = g_resource_lookup_data(wanting->headers, from, 0, NULL);
    if (bytes == NULL || wanting->failure != NULL || has_path(wanting->view, to) ||
        !ws_clang_view_add(wanting->view, to, bytes, &wanting->failure))
        return;
    gsize length;
    const char *text = g_bytes_get_data(bytes, &length);
    ws_cuda_include_names(text, length, want_rare, data);
}

gboolean ws_clang_view_want(WsClangView *view, const char *name, GError **error)
{
    g_autoptr(GResource) headers = ws_isa_resource();
    Wanting wanting = {view, headers, NULL};
    gboolean wanted = FALSE;
    want_rare(&(WsIncludeName){.name = name}, &wanting);
    if (wanting.failure != NULL) {
        g_propagate_error(error, wanting.failure);
        return FALSE;
    }
    for (guint i = 0; i < G_N_ELEMENTS(libraries); i++) {
        const gsize length = strlen(libraries[i]);
        g_autofree char *from = g_strconcat(RESOURCE_ROOT, "/", libraries[i], NULL);
        g_autofree char *to = g_strconcat(WS_CLANG_HEADERS "/", libraries[i], NULL);
        wanted |= strncmp(name, libraries[i], length) == 0 && name[length] == '/';
        if (!wanted || (view->libraries & 1u << i) != 0)
            continue;
        view->libraries |= 1u << i;
        if (!add_resources(view, headers, from, to, 1, error))
            return FALSE;
    }
    return TRUE;
}

static int add_content(WsClangView *view, const void *data, gsize length, GError **error)
{
    int descriptor = ws_memory_file_new(data, length, error);
    if (descriptor >= 0)
        g_array_append_val(view->contents, descriptor);
    return descriptor;
}

gboolean ws_clang_view_add(WsClangView *view, const char *path, GBytes *content, GError **error)
{
    gsize length;
    const void *data = g_bytes_get_data(content, &length);
    if (add_content(view, data, length, error) < 0)
        return FALSE;
    g_ptr_array_add(view->paths, g_canonicalize_filename(path, NULL));
    return TRUE;
}

char *ws_clang_view_add_nameless(WsClangView *view, const void *data, gsize length, GError **error)
{
    int descriptor = add_content(view, data, length, error);
    if (descriptor < 0)
        return NULL;
    g_ptr_array_add(view->paths, ws_memory_file_path(descriptor));
    return ws_memory_file_path(descriptor);
}

void ws_clang_view_remove_last(WsClangView *view)
{
    g_array_set_size(view->contents, view->contents->len - 1);
    g_ptr_array_set_size(view->paths, (gint)view->paths->len - 1);
}

/* In double quotes, as YAML has them. */
static void append_quoted(GString *out, const char *text)
{
    g_string_append_c(out, '"');
    for (; *text != '\0'; text++) {
        guchar c = (guchar)*text;
        if (c == '"' || c == '\\')
            g_string_append_printf(out, "\\%c", c);
        else if (c < 0x20 || c == 0x7f)
            g_string_append_printf(out, "\\x%02x", c);
        else
            g_string_append_c(out, (char)c);
    }
    g_string_append_c(out, '"');
}

static void append_file(GString *out, const char *name, const char *contents)
{
    g_string_append(out, "{\"type\":\"file\",\"name\":");
    append_quoted(out, name);
    g_string_append(out, ",\"external-contents\":");
    append_quoted(out, contents);
    g_string_append(out, "},\n");
}

int ws_clang_view_overlay(const WsClangView *view, gboolean is_open, GError **error)
{
    g_autoptr(GString) out = g_string_new("{\"version\":0,\"case-sensitive\":\"true\","
                                          "\"use-external-names\":\"false\","
                                          "\"overlay-relative\":\"false\","
                                          "\"fallthrough\":\"");
    g_string_append(out, is_open ? "true" : "false");
    g_string_append(out, "\",\"roots\":[\n");
    for (guint i = 0; i < view->paths->len; i++) {
        g_autofree char *contents = ws_memory_file_path(g_array_index(view->contents, int, i));
        append_file(out, g_ptr_array_index(view->paths, i), contents);
    }
    g_string_truncate(out, out->len - 2);
    g_string_append(out, "]}\n");
    return ws_memory_file_new(out->str, out->len, error);
}
