/* A configuration of the machine's GPU, as a driver tells of it (driver_standin.c). */
#include <dlfcn.h>
#include <string.h>

#include "sim/device/device.h"
#include "sim/device/probe.h"
#include "tests/support/suite.h"

static const char expected[] =
    "# Read from the CUDA driver. Timing is that of the configuration inherited.\n"
    "inherit: orin\nname: Stand-in 9\\x0a\nsms: 1016\nclock_khz: 1013\nwarp_size: 32\n"
    "compute_capability:\n  major: 8\n  minor: 7\n"
    "limits:\n  threads_per_block: 1001\n  blocks_per_sm: 1106\n  registers_per_sm: 1082\n"
    "  registers_per_block: 1012\n  shared_bytes_per_sm: 1081\n  shared_bytes_per_block: 1008\n"
    "  shared_bytes_per_block_optin: 1097\n  reserved_shared_bytes_per_block: 1111\n"
    "  block_x: 1002\n  block_y: 1003\n  block_z: 1004\n  grid_x: 1005\n  grid_y: 1006\n"
    "  grid_z: 1007\n  warps_per_sm: 48\n"
    "memory:\n  l2: {bytes: 1038}\n";

/* Each attribute is the setting's of its name; the rest is inherited from the nearest device. */
START_TEST(attributes)
{
    GError *error = NULL;
    g_autofree char *text = ws_device_probe(1, &error);

    ck_assert_msg(text != NULL, "%s", error ? error->message : "");
    ck_assert_str_eq(text, expected);
}
END_TEST

START_TEST(no_such_device)
{
    g_autoptr(GError) error = NULL;

    ck_assert_ptr_null(ws_device_probe(2, &error));
    ck_assert_str_eq(error->message, "error: there is no CUDA device 2 (driver error 101)");
}
END_TEST

static void add_tests(TCase *cases)
{
    tcase_add_test(cases, attributes);
    tcase_add_test(cases, no_such_device);
}

int main(int argc, char **argv)
{
    /* The linker finds it by this name from now on. */
    if (argc != 2 || dlopen(argv[1], RTLD_NOW | RTLD_LOCAL) == NULL)
        return EXIT_FAILURE;
    return run_suite("probe", add_tests);
}
