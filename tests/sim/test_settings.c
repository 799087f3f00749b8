#include "sim/device/settings.h"

#include "isa/base/error.h"
#include "tests/support/suite.h"

#include <glib/gstdio.h>
#include <string.h>

static WsDevice *load(const char *name, const char *const *overrides)
{
    GError *error = NULL;
    WsDevice *device = ws_device_load(name, overrides, &error);
    ck_assert_msg(device != NULL, "%s", error != NULL ? error->message : "");
    return device;
}

static char *folder_new(void)
{
    char *folder = g_dir_make_tmp("warpstep-test-XXXXXX", NULL);
    ck_assert_ptr_nonnull(folder);
    return folder;
}

static char *write_file(const char *folder, const char *name, const char *text)
{
    char *path = g_build_filename(folder, name, NULL);
    ck_assert(g_file_set_contents(path, text, -1, NULL));
    return path;
}

START_TEST(test_rows_are_sound)
{
    for (guint i = 0; i < ws_setting_count(); i++) {
        const WsSetting *row = ws_setting_at(i);
        ck_assert_int_eq(ws_setting_find(row->path), (int)i); /* no path twice */
        ck_assert(!ws_setting_is_group(row->path));
        ck_assert_str_ne(row->help, "");
        if (row->kind == WS_SETTING_INTEGER)
            ck_assert_msg(row->initial >= row->minimum && row->initial <= row->maximum, "%s",
                          row->path);
        if (row->kind == WS_SETTING_INTEGER && row->width == 2)
            ck_assert_uint_le(row->maximum, G_MAXUINT16);
    }
}
END_TEST

START_TEST(test_built_in_devices)
{
    const char *const *names = ws_device_names();
    ck_assert_str_eq(names[0], "a100");
    for (; *names != NULL; names++) {
        g_autoptr(WsDevice) device = load(*names, NULL);
        ck_assert_str_ne(device->name, "");
    }
    g_autoptr(WsDevice) h200 = load("h200", NULL);
    ck_assert_uint_eq(h200->sms, 132);
    ck_assert_uint_eq(h200->parameter_base, 0x210);
    ck_assert_uint_eq(h200->classes[WS_CLASS_IMAD_WIDE].warp_interval, 6);
    ck_assert_uint_eq(h200->classes[WS_CLASS_COMPARE].branch_latency, 13);
    ck_assert_uint_eq(h200->shared_carveouts.count, 10);
    ck_assert_uint_eq(h200->policy, WS_POLICY_GREEDY_THEN_LEAST_RECENT);
    g_autoptr(WsDevice) h100 = load("h100", NULL);
    ck_assert_uint_eq(h100->l2_bytes, 50 << 20);
    ck_assert_uint_eq(h100->classes[WS_CLASS_MUFU].latency, 17);
}
END_TEST

/* Every row of every device survives printing and reading. */
START_TEST(test_round_trip)
{
    g_autofree char *folder = folder_new();
    for (const char *const *name = ws_device_names(); *name != NULL; name++) {
        g_autoptr(WsDevice) device = load(*name, NULL);
        g_autofree char *yaml = ws_device_to_yaml(device);
        g_autofree char *path = write_file(folder, "copy.yaml", yaml);
        g_autoptr(WsDevice) copy = load(path, NULL);
        for (guint i = 0; i < ws_setting_count(); i++) {
            g_autofree char *a = ws_setting_value_text(ws_setting_at(i), device);
            g_autofree char *b = ws_setting_value_text(ws_setting_at(i), copy);
            ck_assert_str_eq(a, b);
        }
        g_remove(path);
    }
    g_rmdir(folder);
}
END_TEST

START_TEST(test_overrides)
{
    const char *const overrides[] = {
        "sms=4",     "policy=lrr", "classes.fp32.latency=0x10", "limits.shared_carveouts=[0, 1024]",
        "name=mine", NULL};
    g_autoptr(WsDevice) device = load("h200", overrides);
    ck_assert_uint_eq(device->sms, 4);
    ck_assert_uint_eq(device->policy, WS_POLICY_LRR);
    ck_assert_uint_eq(device->classes[WS_CLASS_FP32].latency, 16);
    ck_assert_uint_eq(device->shared_carveouts.count, 2);
    ck_assert_str_eq(device->name, "mine");
}
END_TEST

static const struct {
    const char *override, *message;
} wrong_overrides[] = {
    {"sms", "--set sms: error: PATH=VALUE is expected"},
    {"sms=0", "--set sms=0: error: sms: 0 is out of range, 1 to 1024"},
    {"sms=many", "--set sms=many: error: sms: 'many': a whole number is expected"},
    {"sms=010",
     "--set sms=010: error: sms: '010': a whole number without leading zeros is expected"},
    {"polcy=lrr", "--set polcy=lrr: error: no setting is called 'polcy'; did you mean 'policy'?"},
    {"memroy.l1.wyas=1",
     "--set memroy.l1.wyas=1: error: no setting is called 'memroy.l1.wyas'; did you mean "
     "'memory.l1.ways'?"},
    {"warps_per_sm=1",
     "--set warps_per_sm=1: error: no setting is called 'warps_per_sm'; did you mean "
     "'limits.warps_per_sm'?"},
    {"memory.l1=1", "--set memory.l1=1: error: 'memory.l1' is a group of settings, not a setting"},
    {"policy=ltr", "--set policy=ltr: error: policy: 'ltr' is not one of lrr, gto, "},
    {"warp_size=24", "--set warp_size=24: error: warp_size: must be 8, 16, 32 or 64"},
    {"limits.shared_carveouts=[8, 4]",
     "--set limits.shared_carveouts=[8, 4]: error: limits.shared_carveouts: the values must "
     "ascend"},
    /* The setting of the pair that was given last is to blame. */
    {"limits.registers_per_block=70000",
     "--set limits.registers_per_block=70000: error: limits.registers_per_block: a block may not "
     "have more than the SM, 65536"},
    {"limits.registers_per_sm=32768",
     "--set limits.registers_per_sm=32768: error: limits.registers_per_block: a block may not have "
     "more than the SM, 32768"},
    {"limits.shared_bytes_per_sm=1024",
     "--set limits.shared_bytes_per_sm=1024: error: limits.shared_bytes_per_block: a block"},
    {"memory.l1.unified_bytes=1024",
     "--set memory.l1.unified_bytes=1024: error: limits.shared_carveouts: the largest is above"},
};

START_TEST(test_wrong_overrides)
{
    const char *const overrides[] = {wrong_overrides[_i].override, NULL};
    g_autoptr(GError) error = NULL;
    ck_assert_ptr_null(ws_device_load("h200", overrides, &error));
    ck_assert(g_error_matches(error, WS_ERROR, WS_ERROR_INPUT));
    ck_assert_msg(g_str_has_prefix(error->message, wrong_overrides[_i].message), "%s",
                  error->message);
}
END_TEST

static const struct {
    const char *text, *message; /* without the file's name */
} wrong_files[] = {
    {"inherit: h20\n", ":1:10: error: no device is called 'h20'; did you mean 'h200'?"},
    {"inherit: h200\nmemory:\n  l1: {wayz: 4}\n",
     ":3:8: error: no setting is called 'memory.l1.wayz'; did you mean 'memory.l1.ways'?"},
    {"sms: {count: 3}\n", ":1:6: error: sms is one value, not a mapping"},
    {"sms: [3]\n", ":1:6: error: sms must be a single value, not a list or mapping"},
    {"sms: 3\nlimits: {warps_per_sm: 65}\n",
     ":2:24: error: limits.warps_per_sm: 65 is out of range, 1 to 64"},
    {"memory.l1.ways: 3\nmemory: {l1: {ways: 4}}\n",
     ":2:15: error: 'memory.l1.ways' is already given in line 1"},
    {"inherit: ./device.yaml\n", ":1:10: error: './device.yaml' inherits from itself"},
    {"inherit: missing.yaml\n", "cannot open"},
    {"classes: {fp23: {latency: 4}}\n",
     ":1:11: error: no setting is called 'classes.fp23'; did you mean 'classes.fp32'?"},
    {"- 1\n", ":1:1: error: a device must be a mapping (key: value)"},
    {"inherit: h200\nlimits: {registers_per_sm: 32768}\n",
     ":2:28: error: limits.registers_per_block: a block may not have more than the SM, 32768"},
};

START_TEST(test_wrong_files)
{
    g_autofree char *folder = folder_new();
    g_autofree char *path = write_file(folder, "device.yaml", wrong_files[_i].text);
    g_autoptr(GError) error = NULL;
    ck_assert_ptr_null(ws_device_load(path, NULL, &error));
    ck_assert_msg(strstr(error->message, wrong_files[_i].message) != NULL, "%s", error->message);
    g_remove(path);
    g_rmdir(folder);
}
END_TEST

START_TEST(test_inherit_chain)
{
    g_autofree char *folder = folder_new();
    g_autofree char *base = write_file(folder, "base.yaml", "inherit: t4\nsms: 5\nsub_cores: 2\n");
    g_autofree char *path = write_file(folder, "top.yaml", "inherit: base.yaml\nsms: 6\n");
    g_autoptr(WsDevice) device = load(path, NULL);
    ck_assert_uint_eq(device->sms, 6);
    ck_assert_uint_eq(device->sub_cores, 2);
    ck_assert_uint_eq(device->max_warps_per_sm, 32);
    g_autofree char *a = write_file(folder, "a.yaml", "inherit: b.yaml\n");
    g_autofree char *b = write_file(folder, "b.yaml", "inherit: ./a.yaml\n");
    g_autoptr(GError) error = NULL;
    ck_assert_ptr_null(ws_device_load(a, NULL, &error));
    ck_assert_ptr_nonnull(strstr(error->message, "inherits from itself"));
    const char *paths[] = {base, path, a, b};
    for (gsize i = 0; i < G_N_ELEMENTS(paths); i++)
        g_remove(paths[i]);
    g_rmdir(folder);
}
END_TEST

START_TEST(test_device_without_name)
{
    g_autofree char *folder = folder_new();
    g_autofree char *path = write_file(folder, "small.yaml", "sms: 2\n");
    g_autoptr(WsDevice) device = load(path, NULL);
    ck_assert_str_eq(device->name, "small.yaml");
    g_remove(path);
    g_rmdir(folder);
}
END_TEST

/* Settings of earlier versions are read, ignored and warned of; those of today are not. */
START_TEST(test_gone_settings)
{
    const char *const overrides[] = {"membar.interval=7", "membar.window=7",
                                     "classes.imad.addend_latency=3", NULL};
    g_autofree char *folder = folder_new();
    g_autofree char *path =
        write_file(folder, "old.yaml", "inherit: h200\nbarrier:\n  read_latency: 9\nsms: 3\n");
    g_autoptr(WsDevice) device = load(path, overrides), fresh = load("h200", NULL);

    ck_assert_uint_eq(device->sms, 3);
    ck_assert_uint_eq(device->membar_window, 7);
    ck_assert_uint_eq(g_strv_length(device->warnings), 3);
    g_autofree char *wanted =
        g_strdup_printf("%s:3: the setting 'barrier.read_latency' is gone and "
                        "is ignored: no kernel took another time for it",
                        path);
    ck_assert_str_eq(device->warnings[0], wanted);
    ck_assert_ptr_nonnull(strstr(device->warnings[1], "--set membar.interval=7: the setting"));
    ck_assert_ptr_null(fresh->warnings);
    g_remove(path);
    g_rmdir(folder);
}
END_TEST

/* A file that inherits nothing is the simplest machine. */
START_TEST(test_bare_device)
{
    g_autofree char *folder = folder_new();
    g_autofree char *path = write_file(folder, "bare.yaml", "name: bare\n");
    g_autoptr(WsDevice) device = load(path, NULL);

    ck_assert_uint_eq(device->sms, 1);
    ck_assert_uint_eq(device->sub_cores, 1);
    ck_assert_uint_eq(device->memory_model, WS_MEMORY_FIXED);
    ck_assert_uint_eq(device->fetch_model, WS_FETCH_IDEAL);
    for (guint k = 0; k < WS_CLASS_COUNT; k++) {
        ck_assert_uint_eq(device->classes[k].latency, 1);
        ck_assert_uint_eq(device->classes[k].interval, 1);
    }
    g_remove(path);
    g_rmdir(folder);
}
END_TEST

/* What all GPUs have by CUDA's rules or by definition, and parameters of policies. */
static gboolean is_common(const char *path)
{
    static const char *const paths[] = {
        "warp_size",
        "limits.threads_per_block",
        "limits.registers_per_sm",
        "limits.barriers_per_block",
        "limits.registers_per_block",
        "limits.shared_bytes_per_block",
        "limits.block_x",
        "limits.block_y",
        "limits.block_z",
        "limits.printf_bytes",
        "limits.grid_x",
        "limits.grid_y",
        "limits.grid_z",
        "divergence.progress_after",
        "memory.shared.banks",
    };

    if (g_str_has_prefix(path, "policies."))
        return TRUE;
    for (guint i = 0; i < G_N_ELEMENTS(paths); i++)
        if (strcmp(path, paths[i]) == 0)
            return TRUE;
    return FALSE;
}

/* No default is a number of the H200, but the least or the most that may be. */
START_TEST(test_defaults_are_neutral)
{
    g_autofree char *folder = folder_new();
    g_autofree char *path = write_file(folder, "bare.yaml", "name: bare\n");
    g_autoptr(WsDevice) bare = load(path, NULL);
    g_autoptr(WsDevice) h200 = load("h200", NULL);
    guint compared = 0;

    for (guint i = 0; i < ws_setting_count(); i++) {
        const WsSetting *setting = ws_setting_at(i);
        guint64 value;

        if (setting->kind != WS_SETTING_INTEGER || is_common(setting->path))
            continue;
        value = ws_setting_get_integer(setting, bare);
        compared++;
        ck_assert_msg(value <= 1 || value == setting->minimum || value == setting->maximum ||
                          value != ws_setting_get_integer(setting, h200),
                      "the default of %s is that of an H200", setting->path);
    }
    ck_assert_uint_gt(compared, 100);
    g_remove(path);
    g_rmdir(folder);
}
END_TEST

static void add_tests(TCase *cases)
{
    tcase_add_test(cases, test_bare_device);
    tcase_add_test(cases, test_defaults_are_neutral);
    tcase_add_test(cases, test_rows_are_sound);
    tcase_add_test(cases, test_built_in_devices);
    tcase_add_test(cases, test_round_trip);
    tcase_add_test(cases, test_overrides);
    tcase_add_loop_test(cases, test_wrong_overrides, 0, G_N_ELEMENTS(wrong_overrides));
    tcase_add_loop_test(cases, test_wrong_files, 0, G_N_ELEMENTS(wrong_files));
    tcase_add_test(cases, test_inherit_chain);
    tcase_add_test(cases, test_gone_settings);
    tcase_add_test(cases, test_device_without_name);
}

int main(void)
{
    return run_suite("settings", add_tests);
}
