/*
 * Any text is refused with a message, or is a device file or a launch file. A launch file finds a
 * program `axpy.wsasm` beside it.
 */
#include "isa/temporary_folder.h"
#include "sim/device.h"
#include "sim/launch.h"
#include "tests/fuzz/fuzz.h"

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
    g_autoptr(WsTemporaryFolder) folder = ws_temporary_folder_new(NULL);
    g_assert(folder != NULL);
    g_autofree char *yaml = g_build_filename(ws_temporary_folder_path(folder), "fuzz.yaml", NULL);
    g_autofree char *axpy = g_build_filename(ws_temporary_folder_path(folder), "axpy.wsasm", NULL);
    g_autoptr(GBytes) text = g_bytes_new(data, size);
    g_autoptr(GBytes) code = g_bytes_new_static(program, sizeof program - 1);
    g_assert(ws_temporary_file_write(yaml, text, NULL));
    g_assert(ws_temporary_file_write(axpy, code, NULL));
    try_device(yaml);
    g_autoptr(GError) error = NULL;
    g_autoptr(WsJob) job = ws_job_load(yaml, NULL, &error);
    g_assert((job == NULL) == (error != NULL));
    return 0;
}
