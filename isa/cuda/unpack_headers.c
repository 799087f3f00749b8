#include "isa/cuda/unpack_headers.h"

#include "isa/base/resources.h"

#include <errno.h>
#include <glib/gstdio.h>
#include <string.h>
#include <unistd.h>

enum { RESOURCE_DEPTH = 4 };

static const char RESOURCE_ROOT[] = "/warpstep/cuda/include";

static gboolean fail(const char *path, int number, GError **error)
{
    ws_set_error(error, WS_ERROR_INPUT, "cannot write %s: %s", path, g_strerror(number));
    return FALSE;
}

static gboolean unpack(GResource *resource, const char *from, const char *to, guint depth,
                       GError **error)
{
    g_auto(GStrv) names =
        depth >= RESOURCE_DEPTH ? NULL : g_resource_enumerate_children(resource, from, 0, NULL);
    if (g_mkdir_with_parents(to, 0700) != 0)
        return fail(to, errno, error);
    for (guint i = 0; names != NULL && names[i] != NULL; i++) {
        gboolean folder = g_str_has_suffix(names[i], "/");
        if (folder)
            names[i][strlen(names[i]) - 1] = '\0';
        g_autofree char *path = g_strconcat(from, "/", names[i], NULL);
        const gboolean rare = depth == 0 && strcmp(names[i], WS_RARE_HEADERS) == 0;
        g_autofree char *file = rare ? g_strdup(to) : g_strconcat(to, "/", names[i], NULL);
        if (folder) {
            if (!unpack(resource, path, file, depth + 1, error))
                return FALSE;
            continue;
        }
        g_autoptr(GBytes) bytes = g_resource_lookup_data(resource, path, 0, NULL);
        gsize length;
        const char *data = g_bytes_get_data(bytes, &length);
        if (!g_file_set_contents_full(file, data != NULL ? data : "", (gssize)length,
                                      G_FILE_SET_CONTENTS_NONE, 0600, NULL))
            return fail(file, errno, error);
    }
    return TRUE;
}

/* What is left of a folder of which another process has made its own first. */
static void remove_tree(const char *path)
{
    GDir *folder = g_dir_open(path, 0, NULL);
    for (const char *name; folder != NULL && (name = g_dir_read_name(folder)) != NULL;) {
        g_autofree char *inner = g_build_filename(path, name, NULL);
        if (g_unlink(inner) != 0)
            remove_tree(inner);
    }
    if (folder != NULL)
        g_dir_close(folder);
    g_rmdir(path);
}

char *ws_unpack_headers(const char *cache, GError **error)
{
    g_autofree char *place = g_strdup_printf("%s/include-%.16s", cache, ws_isa_bundle_digest);
    g_autofree char *made = g_strdup_printf("%s/.include-XXXXXX", cache);
    g_autoptr(GResource) resource = ws_isa_resource();
    if (g_file_test(place, G_FILE_TEST_IS_DIR))
        return g_steal_pointer(&place);
    if (g_mkdir_with_parents(cache, 0700) != 0 || g_mkdtemp(made) == NULL) {
        fail(cache, errno, error);
        return NULL;
    }
    gboolean good = unpack(resource, RESOURCE_ROOT, made, 0, error);
    if (good && g_rename(made, place) != 0 && !g_file_test(place, G_FILE_TEST_IS_DIR))
        good = fail(place, errno, error);
    if (g_file_test(made, G_FILE_TEST_IS_DIR))
        remove_tree(made);
    return good ? g_steal_pointer(&place) : NULL;
}
