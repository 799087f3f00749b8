/* `warpstep devices`: what can be configured. */
#include "cli/command.h"
#include "sim/base/json_text.h"
#include "sim/device/probe.h"
#include "sim/device/settings.h"

#include <stdio.h>

static int list_devices(void)
{
    printf("%-10s %-26s %4s %5s %9s %6s %5s\n", "device", "", "CC", "SMs", "clock MHz", "warps",
           "L2 MiB");
    for (const char *const *name = ws_device_names(); *name != NULL; name++) {
        GError *error = NULL;
        g_autoptr(WsDevice) device = ws_device_load(*name, NULL, &error);
        if (device == NULL)
            return ws_report_error(error);
        printf("%-10s %-26s %2u.%u %5u %9u %6u %5u\n", *name, device->name,
               (guint)device->compute_major, (guint)device->compute_minor, (guint)device->sms,
               (guint)(device->clock_khz / 1000), (guint)device->max_warps_per_sm,
               (guint)(device->l2_bytes >> 20));
    }
    ws_put("\n'warpstep devices NAME' prints all settings of one, as a YAML file to start from;\n"
           "'--set path=value' changes one setting of a run. 'warps' are those of an SM.\n");
    return 0;
}

/*
 * Of a sub-core, by the architecture (NVIDIA's white papers): Volta and Turing have 8 of an SM,
 * those from Ampere on 4. 0: not known; what is published of Thor (11.0) goes up in no number of an
 * SM.
 */
static guint tensor_cores(const WsDevice *device)
{
    if (device->compute_major < 7 || device->compute_major == 11)
        return 0;
    return device->compute_major == 7 ? 2 : 1;
}

/* What the marketing of a device counts: cores, and memory in KB. */
static void print_cores(const WsDevice *device)
{
    guint64 parts = device->sub_cores;
    guint64 lanes = device->warp_size / MAX(device->timing[WS_CLASS_FP32_FMA].interval, 1);
    guint64 tensor = tensor_cores(device);
    const struct {
        const char *name;
        guint64 sub_core, sm;
    } rows[] = {
        {"FP32 lanes (CUDA cores)", lanes, parts * lanes},
        {"tensor cores", tensor, parts * tensor},
        {"registers (KB)", device->registers_per_sm * 4 / 1024 / MAX(parts, 1),
         device->registers_per_sm * 4 / 1024},
        {"warp slots", device->max_warps_per_sm / MAX(parts, 1), device->max_warps_per_sm},
    };
    printf("# Units, of each of the %" G_GUINT64_FORMAT
           " sub-cores of an SM, of an SM, and of all SMs:\n",
           parts);
    for (gsize i = 0; i < G_N_ELEMENTS(rows); i++) {
        if (rows[i].sm == 0)
            continue;
        printf("#   %-28s %" G_GUINT64_FORMAT ", %" G_GUINT64_FORMAT ", %" G_GUINT64_FORMAT "\n",
               rows[i].name, rows[i].sub_core, rows[i].sm, rows[i].sm * device->sms);
    }
}

/* Limits under the names that cudaDeviceProp gives them. */
static void print_properties(const WsDevice *device)
{
    const struct {
        const char *name;
        guint64 value;
    } rows[] = {
        {"multiProcessorCount", device->sms},
        {"warpSize", device->warp_size},
        {"maxThreadsPerBlock", device->max_threads_per_block},
        {"maxWarpsPerMultiProcessor", device->max_warps_per_sm},
        {"maxThreadsPerMultiProcessor", device->max_warps_per_sm * device->warp_size},
        {"maxBlocksPerMultiProcessor", device->max_blocks_per_sm},
        {"regsPerBlock", device->registers_per_block},
        {"regsPerMultiprocessor", device->registers_per_sm},
        {"maxRegistersPerThread", device->max_registers_per_thread},
        {"registerAllocationUnit", device->register_allocation_unit},
        {"warpAllocationGranularity", device->warp_allocation_granularity},
        {"sharedMemPerBlock", device->shared_bytes_per_block},
        {"sharedMemPerBlockOptin", device->shared_bytes_per_block_optin},
        {"sharedMemPerMultiprocessor", device->shared_bytes_per_sm},
        {"reservedSharedMemPerBlock", device->reserved_shared_bytes},
        {"sharedMemAllocationUnit", device->shared_allocation_unit},
        {"l2CacheSize", device->l2_bytes},
        {"clockRate (kHz)", device->clock_khz},
    };
    printf("# Limits, by their names in cudaDeviceProp where it has them:\n#   %-28s %u.%u\n",
           "compute capability", (guint)device->compute_major, (guint)device->compute_minor);
    for (gsize i = 0; i < G_N_ELEMENTS(rows); i++)
        printf("#   %-28s %" G_GUINT64_FORMAT "\n", rows[i].name, rows[i].value);
    printf("#   %-28s %" G_GUINT64_FORMAT " %" G_GUINT64_FORMAT " %" G_GUINT64_FORMAT "\n",
           "maxThreadsDim", device->max_block_x, device->max_block_y, device->max_block_z);
    printf("#   %-28s %" G_GUINT64_FORMAT " %" G_GUINT64_FORMAT " %" G_GUINT64_FORMAT "\n",
           "maxGridSize", device->max_grid_x, device->max_grid_y, device->max_grid_z);
    printf("#   %-28s", "shared memory sizes");
    for (guint i = 0; i < device->shared_carveouts.count; i++)
        printf(" %" G_GUINT64_FORMAT, device->shared_carveouts.value[i]);
    printf("\n");
    print_cores(device);
    guint64 threads = device->max_warps_per_sm * device->warp_size;
    guint64 lanes =
        device->sub_cores * device->warp_size / MAX(device->timing[WS_CLASS_FP32_FMA].interval, 1);
    printf("# An SM holds up to %" G_GUINT64_FORMAT " threads for %" G_GUINT64_FORMAT
           " multiply-adds a cycle: %.0f threads a lane.\n\n",
           threads, lanes, lanes == 0 ? 0 : (double)threads / (double)lanes);
}

static void add_value(JsonBuilder *json, const WsSetting *setting, const WsDevice *device)
{
    if (setting->kind == WS_SETTING_INTEGER) {
        json_builder_add_int_value(json, (gint64)ws_setting_get_integer(setting, device));
        return;
    }
    const char *field = (const char *)device + setting->offset;
    if (setting->kind == WS_SETTING_TEXT) {
        json_builder_add_string_value(json, *(char *const *)(const void *)field);
        return;
    }
    if (setting->kind == WS_SETTING_LIST) {
        const WsList *list = (const void *)field;
        json_builder_begin_array(json);
        for (guint i = 0; i < list->count; i++)
            json_builder_add_int_value(json, (gint64)list->value[i]);
        json_builder_end_array(json);
        return;
    }
    g_autofree char *text = ws_setting_value_text(setting, device);
    if (setting->kind == WS_SETTING_NUMBER)
        json_builder_add_double_value(json, g_ascii_strtod(text, NULL));
    else if (setting->kind == WS_SETTING_BOOLEAN)
        json_builder_add_boolean_value(json, text[0] == 't');
    else
        json_builder_add_string_value(json, text);
}

static void print_json(const WsDevice *device)
{
    g_autoptr(JsonBuilder) json = json_builder_new();
    json_builder_begin_object(json);
    for (guint i = 0; i < ws_setting_count(); i++) {
        json_builder_set_member_name(json, ws_setting_at(i)->path);
        add_value(json, ws_setting_at(i), device);
    }
    json_builder_end_object(json);
    g_autoptr(JsonNode) root = json_builder_get_root(json);
    g_autofree char *text = ws_json_text(root);
    ws_put(text);
}

static int probe_device(const char *ordinal)
{
    GError *error = NULL;
    guint64 number = 0;
    if (ordinal != NULL && !g_ascii_string_to_unsigned(ordinal, 10, 0, 1023, &number, NULL))
        return ws_usage_error("devices --probe takes the number of a CUDA device, 0 by default");
    g_autofree char *yaml = ws_device_probe((guint)number, &error);
    if (yaml == NULL)
        return ws_report_error(error);
    ws_put(yaml);
    return 0;
}

static int run(const WsCommand *command, char **arguments)
{
    static const char *const formats[] = {"yaml", "json", NULL};
    g_auto(GStrv) settings = NULL;
    g_autofree char *format = NULL;
    gboolean table = FALSE, limits = FALSE, probe = FALSE;
    const GOptionEntry entries[] = {
        {"set", 's', 0, G_OPTION_ARG_FILENAME_ARRAY, &settings, "change a setting", "PATH=VALUE"},
        {"format", 'f', 0, G_OPTION_ARG_FILENAME, &format, "default: yaml", "yaml|json"},
        {"limits", 0, 0, G_OPTION_ARG_NONE, &limits, "print only the limits", NULL},
        {"probe", 0, 0, G_OPTION_ARG_NONE, &probe,
         "read a real device through the CUDA driver and print a configuration of it", NULL},
        {"settings", 0, 0, G_OPTION_ARG_NONE, &table, "print the table of all settings (Markdown)",
         NULL},
        {NULL, 0, 0, 0, NULL, NULL, NULL},
    };
    if (!ws_parse_options(command, entries, arguments, 0, 1))
        return WS_ERROR_USAGE;
    int chosen = format == NULL ? 0 : ws_find_choice("--format", format, formats);
    if (chosen < 0)
        return WS_ERROR_USAGE;
    if (table) {
        g_autofree char *text = ws_settings_to_markdown();
        ws_put(text);
        return 0;
    }
    if (probe)
        return probe_device(arguments[1]);
    if (arguments[1] == NULL)
        return list_devices();
    GError *error = NULL;
    g_autoptr(WsDevice) device =
        ws_device_load(arguments[1], (const char *const *)settings, &error);
    if (device == NULL)
        return ws_report_error(error);
    if (chosen == 1) {
        print_json(device);
        return 0;
    }
    print_properties(device);
    if (limits)
        return 0;
    g_autofree char *yaml = ws_device_to_yaml(device);
    ws_put(yaml);
    return 0;
}

const WsCommand ws_command_devices = {
    .name = "devices",
    .group = WS_GROUP_STUDY,
    .summary = "list the devices, or print one with all its settings",
    .usage = "[DEVICE]",
    .details =
        "Without an argument, the built-in devices are listed. DEVICE is one of them or a YAML\n"
        "file.\n"
        "\n"
        "Examples:\n"
        "  warpstep devices\n"
        "  warpstep devices h100 --limits\n"
        "  warpstep devices h100 --set sms=64 > small.yaml\n",
    .run = run,
};
