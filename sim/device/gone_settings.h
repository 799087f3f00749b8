/*
 * Settings of earlier versions. No whole kernel took another time for them, so they are gone. A
 * file or an option that still has one is read; the value is ignored, and a warning says so.
 */
#ifndef WS_SIM_DEVICE_GONE_SETTINGS_H
#define WS_SIM_DEVICE_GONE_SETTINGS_H

#include <glib.h>

gboolean ws_setting_is_gone(const char *path);

#endif
