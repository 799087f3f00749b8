#include "cli/cc_toolkit.h"

#include "cli/cc_run.h"
#include "isa/base/error.h"
#include "isa/cuda/find_runtime.h"

#include <errno.h>
#include <glib/gstdio.h>
#include <stdio.h>
#include <unistd.h>

/* In a folder beside it, under another name where it is installed. */
char *ws_cc_libraries(GError **error)
{
    static const char *const names[] = {"warpstep", "nvcc"};
    g_autofree char *library = ws_find_runtime(error);
    if (library == NULL)
        return NULL;
    g_autofree char *beside = g_path_get_dirname(library);
    for (guint i = 0; i < G_N_ELEMENTS(names); i++) {
        g_autofree char *folder = g_build_filename(beside, names[i], NULL);
        g_autofree char *one = g_build_filename(folder, "libcudart.so.13", NULL);
        if (g_file_test(one, G_FILE_TEST_EXISTS))
            return g_steal_pointer(&folder);
    }
    ws_set_error(error, WS_ERROR_INPUT, "libcudart.so.13 of Warpstep is not beside %s", library);
    return NULL;
}

static gboolean fail(const char *path, int number, GError **error)
{
    ws_set_error(error, WS_ERROR_INPUT, "cannot write %s: %s", path, g_strerror(number));
    return FALSE;
}

static gboolean add_file(const char *folder, const char *name, const char *text, int mode,
                         GError **error)
{
    g_autofree char *path = g_build_filename(folder, name, NULL);
    g_autofree char *parent = g_path_get_dirname(path);
    if (g_mkdir_with_parents(parent, 0700) != 0 ||
        !g_file_set_contents_full(path, text, -1, G_FILE_SET_CONTENTS_NONE, mode, NULL))
        return fail(path, errno, error);
    return TRUE;
}

static gboolean fill(const char *folder, const char *headers, const char *program,
                     const char *library, GError **error)
{
    g_autofree char *quoted = g_shell_quote(program);
    g_autofree char *script = g_strdup_printf("#!/bin/sh\nexec %s cc \"$@\"\n", quoted);
    g_autofree char *link = g_strdup_printf("INPUT(\"%s\")\n", library);
    g_autofree char *include = g_build_filename(folder, "include", NULL);
    g_autofree char *device = g_build_filename(folder, "nvvm", "libdevice", NULL);
    if (g_mkdir_with_parents(device, 0700) != 0)
        return fail(device, errno, error);
    if (symlink(headers, include) != 0)
        return fail(include, errno, error);
    return add_file(folder, "bin/nvcc", script, 0700, error) &&
           add_file(folder, "lib64/libcudart.so", link, 0600, error) &&
           add_file(folder, "lib64/libcudart_static.a", link, 0600, error) &&
           add_file(folder, "lib64/libcudadevrt.a", "!<arch>\n", 0600, error);
}

char *ws_cc_toolkit(const char *headers, GError **error)
{
    g_autofree char *program = g_file_read_link("/proc/self/exe", NULL);
    g_autofree char *library = ws_find_runtime(error);
    if (library == NULL)
        return NULL;
    g_autofree char *parts = g_strjoin("\n", headers, program, library, NULL);
    g_autofree char *digest = g_compute_checksum_for_string(G_CHECKSUM_SHA256, parts, -1);
    g_autofree char *cache = g_path_get_dirname(headers);
    g_autofree char *place = g_strdup_printf("%s/toolkit-%.16s", cache, digest);
    g_autofree char *made = g_strdup_printf("%s/.toolkit-XXXXXX", cache);
    if (g_file_test(place, G_FILE_TEST_IS_DIR))
        return g_steal_pointer(&place);
    if (g_mkdtemp(made) == NULL) {
        fail(cache, errno, error);
        return NULL;
    }
    /* Another process may have made its own first, which is the same; ours is then left. */
    if (!fill(made, headers, program, library, error))
        return NULL;
    if (g_rename(made, place) != 0 && !g_file_test(place, G_FILE_TEST_IS_DIR)) {
        fail(place, errno, error);
        return NULL;
    }
    return g_steal_pointer(&place);
}

void ws_cc_toolkit_report(const char *toolkit)
{
    g_autofree char *include = g_strdup_printf("-I%s/include", toolkit);
    g_autofree char *folder = g_strdup_printf("-L%s/lib64", toolkit);
    g_autofree char *quoted = ws_cc_quote(include);
    g_autofree char *libraries = ws_cc_quote(folder);
    const char *path = g_getenv("PATH");
    fprintf(stderr,
            "#$ TOP=%s\n#$ NVVMIR_LIBRARY_DIR=%s/nvvm/libdevice\n#$ PATH=%s\n#$ INCLUDES=%s\n"
            "#$ LIBRARIES=%s\n#$ CUDAFE_FLAGS=-arch compute_80\n",
            toolkit, toolkit, path != NULL ? path : "", quoted, libraries);
}

void ws_cc_toolkit_print_version(void)
{
    printf("Warpstep's driver of clang, for build systems that ask for\n"
           "nvcc: NVIDIA (R) Cuda compiler driver, which this is not\n"
           "Cuda compilation tools, release " WS_CC_NVCC_VERSION ", V" WS_CC_NVCC_VERSION ".0\n");
}
