/*
 * The settings table: one row for every setting of a device, in the order of settings.def, then
 * the rows classes.NAME.FIELD. It drives the reading of YAML and of --set, the printed form and
 * the manual.
 */
#ifndef WS_SIM_DEVICE_SETTINGS_H
#define WS_SIM_DEVICE_SETTINGS_H

#include "sim/device/device.h"

typedef enum {
    WS_SETTING_INTEGER,
    WS_SETTING_NUMBER,
    WS_SETTING_BOOLEAN,
    WS_SETTING_ENUM,
    WS_SETTING_TEXT,
    WS_SETTING_LIST
} WsSettingKind;

typedef struct {
    const char *path;    /* "memory.l1.ways" */
    guint32 path_length; /* bytes, without the 0 at the end */
    WsSettingKind kind;
    guint8 width;   /* bytes of the field, for INTEGER */
    guint32 offset; /* of the field in WsDevice */
    const char *unit;
    const char *help;
    guint64 minimum, maximum, initial; /* INTEGER, LIST; initial also BOOLEAN and ENUM */
    double number_minimum, number_maximum, number_initial; /* NUMBER */
    const char *text_initial;                              /* TEXT */
    const char *const *names;                              /* ENUM, NULL-terminated */
} WsSetting;

guint ws_setting_count(void);
const WsSetting *ws_setting_at(guint index);

/* Index of the row with this path, or -1. */
int ws_setting_find(const char *path);

/* Whether a row's path begins with `prefix` and a dot. */
gboolean ws_setting_is_group(const char *prefix);

/*
 * The valid path nearest to `path`, or NULL. Looks first among the names at the place where `path`
 * goes wrong, then for the same last name anywhere. Free with g_free.
 */
char *ws_setting_nearest(const char *path);

/* Gives every field of `device` its default. The texts must be freed (ws_device_free). */
void ws_settings_initialise(WsDevice *device);

/* Fields by row. */
guint64 ws_setting_get_integer(const WsSetting *setting, const WsDevice *device);
void ws_setting_set_integer(const WsSetting *setting, WsDevice *device, guint64 value);

/* Value of the row as it would be written in YAML. Free with g_free. */
char *ws_setting_value_text(const WsSetting *setting, const WsDevice *device);

/* What may be written: "1..64 warps", "stack | its | none", "true | false". Free with g_free. */
char *ws_setting_range_text(const WsSetting *setting);

/* The settings table of the manual, Markdown. Free with g_free. */
char *ws_settings_to_markdown(void);

#endif
