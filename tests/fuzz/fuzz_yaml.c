/*
 * Any text is refused with a message, or is a device file or a launch file. A launch file finds a
 * program `axpy.wsasm` beside it.
 */
#include "sim/device/device.h"
#include "sim/launch/launch.h"
#include "tests/fuzz/fuzz.h"

#include <glib/gstdio.h>

static const char program[] = ".kernel axpy\n"
                              "  .param u64 x\n"
                              "  .param s32 n\n"
                              "  EXIT ;\n";

static void try_device(const char *path)
{
    g_autoptr(GError) error = NULL;
    g_autoptr(WsDevice) device = ws_device_load(path, NULL, &error);
    g_assert((device == NULL) == (error != NULL));
    if (device != NULL) {
        g_autofree char *text = ws_device_to_yaml(device);
        g_assert(text != NULL);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    g_autofree char *folder = g_dir_make_tmp("warpstep-fuzz-XXXXXX", NULL);
    g_assert(folder != NULL);
    g_autofree char *yaml = g_build_filename(folder, "fuzz.yaml", NULL);
    g_autofree char *axpy = g_build_filename(folder, "axpy.wsasm", NULL);
    g_assert(g_file_set_contents(yaml, (const char *)data, (gssize)size, NULL));
    g_assert(g_file_set_contents(axpy, program, -1, NULL));
    try_device(yaml);
    g_autoptr(GError) error = NULL;
    g_autoptr(WsJob) job = ws_job_load(yaml, NULL, &error);
    g_assert((job == NULL) == (error != NULL));
    g_unlink(yaml);
    g_unlink(axpy);
    g_rmdir(folder);
    return 0;
}
