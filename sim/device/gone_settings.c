#include "sim/device/gone_settings.h"

gboolean ws_setting_is_gone(const char *path)
{
    static const char *const paths[] = {
        "barrier.read_at_once_latency", "barrier.read_latency",
        "barrier.register_interval",    "barrier.register_open_interval_milli",
        "membar.cta_interval",          "membar.empty_interval",
        "membar.gpu_interval",          "membar.interval",
        "nanosleep.interval",           NULL,
    };
    return g_strv_contains(paths, path) ||
           (g_str_has_prefix(path, "classes.") && g_str_has_suffix(path, ".addend_latency"));
}
