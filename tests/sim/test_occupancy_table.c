/*
 * Occupancy against answers kept in the tree:
 *   data/occupancy_nvidia.csv  made by test_occupancy_nvidia --table from cuda_occupancy.h,
 * CUDA 13.0 data/h200_residency.csv    blocks that were resident at the same time on an H200
 * (driver 580, CUDA 13.0), with the occupancy API's answer: registers x shared memory x block size;
 * 0 where the launch was refused
 */
#include <check.h>
#include <stdlib.h>

#include "sim/occupancy/occupancy.h"

static gchar **read_lines(const char *name)
{
    g_autofree char *path = g_build_filename(g_getenv("WS_TEST_DATA"), name, NULL);
    g_autofree char *text = NULL;
    g_autoptr(GError) error = NULL;
    ck_assert_msg(g_file_get_contents(path, &text, NULL, &error), "%s",
                  error != NULL ? error->message : path);
    return g_strsplit(text, "\n", -1);
}

static guint64 number(const char *text)
{
    return g_ascii_strtoull(text, NULL, 10);
}

START_TEST(nvidia_table)
{
    g_auto(GStrv) lines = read_lines("occupancy_nvidia.csv");
    g_autoptr(GHashTable) devices =
        g_hash_table_new_full(g_str_hash, g_str_equal, g_free, (GDestroyNotify)ws_device_free);
    guint rows = 0;
    for (guint i = 1; lines[i] != NULL && *lines[i] != '\0'; i++) {
        g_auto(GStrv) field = g_strsplit(lines[i], ",", -1);
        ck_assert_uint_eq(g_strv_length(field), 8);
        WsDevice *device = g_hash_table_lookup(devices, field[0]);
        if (device == NULL) {
            device = ws_device_load(field[0], NULL, NULL);
            ck_assert_ptr_nonnull(device);
            g_hash_table_insert(devices, g_strdup(field[0]), device);
        }
        WsOccupancyQuery query = {
            .threads = (guint32)number(field[1]),
            .registers = (guint32)number(field[2]),
            .static_shared = number(field[3]),
            .dynamic_shared = number(field[4]),
            .carveout = (gint32)g_ascii_strtoll(field[5], NULL, 10),
            .barriers = (guint32)number(field[6]),
        };
        WsOccupancy result;
        ws_occupancy(device, &query, &result);
        ck_assert_msg(result.blocks_per_sm == number(field[7]), "%s: got %u", lines[i],
                      result.blocks_per_sm);
        rows++;
    }
    ck_assert_uint_ge(rows, 2000);
    ck_assert_uint_ge(g_hash_table_size(devices), 12);
}
END_TEST

START_TEST(h200_residency)
{
    g_auto(GStrv) lines = read_lines("h200_residency.csv");
    g_autoptr(WsDevice) device = ws_device_load("h200", NULL, NULL);
    ck_assert_ptr_nonnull(device);
    guint rows = 0;
    for (guint i = 1; lines[i] != NULL && *lines[i] != '\0'; i++) {
        g_auto(GStrv) field = g_strsplit(lines[i], ",", -1);
        ck_assert_uint_eq(g_strv_length(field), 4);
        WsOccupancyQuery query = {
            .threads = (guint32)number(field[0]),
            .registers = (guint32)number(field[1]),
            .dynamic_shared = number(field[2]),
            .carveout = -1,
            .barriers = 1,
        };
        WsOccupancy result;
        ws_occupancy(device, &query, &result);
        ck_assert_msg(result.blocks_per_sm == number(field[3]), "%s: got %u", lines[i],
                      result.blocks_per_sm);
        rows++;
    }
    ck_assert_uint_eq(rows, 2002);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("occupancy_table");
    TCase *tests = tcase_create("tables");
    tcase_add_test(tests, nvidia_table);
    tcase_add_test(tests, h200_residency);
    suite_add_tcase(suite, tests);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_ENV);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
