#include "isa/cuda/find_runtime.h"

char *ws_find_runtime(GError **error)
{
    static const char *const places[] = {"../" WS_LIBDIR, "../runtime"};
    g_autofree char *self = g_file_read_link("/proc/self/exe", NULL);
    const char *program = self != NULL ? self : "warpstep";
    g_autofree char *folder = g_path_get_dirname(program);
    for (guint i = 0; i < G_N_ELEMENTS(places); i++) {
        g_autofree char *near = g_build_filename(folder, places[i], "libwarpstep-cudart.so", NULL);
        g_autofree char *library = g_canonicalize_filename(near, NULL);
        if (g_file_test(library, G_FILE_TEST_EXISTS))
            return g_steal_pointer(&library);
    }
    ws_set_error(error, WS_ERROR_INPUT,
                 "libwarpstep-cudart.so is neither installed beside %s nor in its build folder",
                 program);
    return NULL;
}

char **ws_runtime_folders(const char *runtime)
{
    g_autoptr(GStrvBuilder) folders = g_strv_builder_new();
    g_autofree char *folder = g_path_get_dirname(runtime);
    g_autofree char *near = g_build_filename(folder, "..", "library", "libwarpstep.so", NULL);
    g_strv_builder_add(folders, folder);
    if (g_file_test(near, G_FILE_TEST_EXISTS)) { /* a build folder */
        g_autofree char *library = g_path_get_dirname(near);
        g_autofree char *whole = g_canonicalize_filename(library, NULL);
        g_strv_builder_add(folders, whole);
    }
    return g_strv_builder_end(folders);
}
