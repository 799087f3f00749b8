#include "sim/device/device.h"
#include "sim/device/policy_parameters.h"
#include "sim/device/settings.h"

#include <string.h>

/*
 * Rows of one group follow each other here even where settings.def has them apart, for a key may
 * stand in a YAML mapping only once. Groups come in the order of their first rows.
 */
static void append_group(GString *text, const WsDevice *device, const char *prefix, guint depth,
                         GHashTable *done)
{
    gsize length = strlen(prefix);
    for (guint i = 0; i < ws_setting_count(); i++) {
        const WsSetting *setting = ws_setting_at(i);
        if (strncmp(setting->path, prefix, length) != 0)
            continue;
        const char *rest = setting->path + length;
        const char *dot = strchr(rest, '.');
        if (dot != NULL) {
            g_autofree char *group = g_strndup(setting->path, (gsize)(dot - setting->path) + 1);
            if (!g_hash_table_contains(done, group)) {
                g_string_append_printf(text, "%*s%.*s:\n", (int)depth * 2, "", (int)(dot - rest),
                                       rest);
                g_hash_table_add(done, g_strdup(group));
                append_group(text, device, group, depth + 1, done);
            }
            continue;
        }
        g_autofree char *value = ws_setting_value_text(setting, device);
        g_autofree char *range = ws_setting_range_text(setting);
        g_string_append_printf(text, "%*s%s: %s  # %s (%s)\n", (int)depth * 2, "", rest, value,
                               setting->help, range);
    }
}

char *ws_device_to_yaml(const WsDevice *device)
{
    GString *text = g_string_new(NULL);
    g_autoptr(GHashTable) done = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
    append_group(text, device, "", 0, done);
    for (guint i = 0; i < ws_policy_parameters_count(device->policy_parameters); i++) {
        const WsPolicyParameter *parameter = ws_policy_parameters_at(device->policy_parameters, i);
        g_string_append_printf(text, "policy.%s: %s\n", parameter->name, parameter->value);
    }
    return g_string_free(text, FALSE);
}
