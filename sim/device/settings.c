#include "sim/device/settings.h"

#include "isa/base/error.h"

#include <string.h>

#define FIELD_OFFSET(field) ((guint32)G_STRUCT_OFFSET(WsDevice, field))

static const WsSetting settings[] = {
#define SETTING_INTEGER(field, name, units, low, high, value, text)                                \
    {.path = name,                                                                                 \
     .path_length = sizeof(name) - 1,                                                              \
     .kind = WS_SETTING_INTEGER,                                                                   \
     .width = 8,                                                                                   \
     .offset = FIELD_OFFSET(field),                                                                \
     .unit = units,                                                                                \
     .help = text,                                                                                 \
     .minimum = low,                                                                               \
     .maximum = high,                                                                              \
     .initial = value},
#define SETTING_NUMBER(field, name, units, low, high, value, text)                                 \
    {.path = name,                                                                                 \
     .path_length = sizeof(name) - 1,                                                              \
     .kind = WS_SETTING_NUMBER,                                                                    \
     .offset = FIELD_OFFSET(field),                                                                \
     .unit = units,                                                                                \
     .help = text,                                                                                 \
     .number_minimum = low,                                                                        \
     .number_maximum = high,                                                                       \
     .number_initial = value},
#define SETTING_BOOLEAN(field, name, value, text)                                                  \
    {.path = name,                                                                                 \
     .path_length = sizeof(name) - 1,                                                              \
     .kind = WS_SETTING_BOOLEAN,                                                                   \
     .offset = FIELD_OFFSET(field),                                                                \
     .unit = "",                                                                                   \
     .help = text,                                                                                 \
     .initial = value},
#define SETTING_ENUM(field, name, value, text, ...)                                                \
    {.path = name,                                                                                 \
     .path_length = sizeof(name) - 1,                                                              \
     .kind = WS_SETTING_ENUM,                                                                      \
     .offset = FIELD_OFFSET(field),                                                                \
     .unit = "",                                                                                   \
     .help = text,                                                                                 \
     .initial = value,                                                                             \
     .names = (const char *const[]){__VA_ARGS__, NULL}},
#define SETTING_TEXT(field, name, value, text)                                                     \
    {.path = name,                                                                                 \
     .path_length = sizeof(name) - 1,                                                              \
     .kind = WS_SETTING_TEXT,                                                                      \
     .offset = FIELD_OFFSET(field),                                                                \
     .unit = "",                                                                                   \
     .help = text,                                                                                 \
     .text_initial = value},
#define SETTING_LIST(field, name, units, low, high, text)                                          \
    {.path = name,                                                                                 \
     .path_length = sizeof(name) - 1,                                                              \
     .kind = WS_SETTING_LIST,                                                                      \
     .offset = FIELD_OFFSET(field),                                                                \
     .unit = units,                                                                                \
     .help = text,                                                                                 \
     .minimum = low,                                                                               \
     .maximum = high},
#include "sim/device/settings.def"

/* One group of rows per execution class. */
#define CLASS_ROW(field, low, high, value, text, class, class_name)                                \
    {.path = "classes." class_name "." #field,                                                     \
     .path_length = sizeof("classes." class_name "." #field) - 1,                                  \
     .kind = WS_SETTING_INTEGER,                                                                   \
     .width = 2,                                                                                   \
     .offset = FIELD_OFFSET(classes) + (guint32)(WS_CLASS_##class * sizeof(WsClassTiming) +        \
                                                 G_STRUCT_OFFSET(WsClassTiming, field)),           \
     .unit = "cycles",                                                                             \
     .help = text,                                                                                 \
     .minimum = low,                                                                               \
     .maximum = high,                                                                              \
     .initial = value},
#define EXECUTION_CLASS(class, name, ...) WS_CLASS_TIMINGS(CLASS_ROW, class, name)
#include "isa/bytecode/execution_classes.def"
#undef EXECUTION_CLASS
#undef CLASS_ROW
};

guint ws_setting_count(void)
{
    return G_N_ELEMENTS(settings);
}

const WsSetting *ws_setting_at(guint index)
{
    return &settings[index];
}

int ws_setting_find(const char *path)
{
    gsize length = strlen(path);
    for (guint i = 0; i < G_N_ELEMENTS(settings); i++)
        if (settings[i].path_length == length && memcmp(settings[i].path, path, length) == 0)
            return (int)i;
    return -1;
}

gboolean ws_setting_is_group(const char *prefix)
{
    gsize length = strlen(prefix);
    for (guint i = 0; i < G_N_ELEMENTS(settings); i++)
        if (settings[i].path_length > length && settings[i].path[length] == '.' &&
            memcmp(settings[i].path, prefix, length) == 0)
            return TRUE;
    return FALSE;
}

/* ---- "did you mean" ---------------------------------------------------------------------------
 */

/* The names that may follow `prefix` ("" or "memory." and so on), each once. */
static GPtrArray *names_after(const char *prefix)
{
    GPtrArray *names = g_ptr_array_new_with_free_func(g_free);
    gsize length = strlen(prefix);
    for (guint i = 0; i < G_N_ELEMENTS(settings); i++) {
        const char *path = settings[i].path;
        if (strncmp(path, prefix, length) != 0)
            continue;
        g_autofree char *name = g_strndup(path + length, strcspn(path + length, "."));
        if (!g_ptr_array_find_with_equal_func(names, name, g_str_equal, NULL))
            g_ptr_array_add(names, g_steal_pointer(&name));
    }
    g_ptr_array_add(names, NULL);
    return names;
}

/* The first row whose last name is `name`. */
static const char *path_ending_in(const char *name)
{
    for (guint i = 0; i < G_N_ELEMENTS(settings); i++) {
        const char *dot = strrchr(settings[i].path, '.');
        if (strcmp(dot != NULL ? dot + 1 : settings[i].path, name) == 0)
            return settings[i].path;
    }
    return NULL;
}

char *ws_setting_nearest(const char *path)
{
    if (strlen(path) > 200)
        return NULL;
    g_auto(GStrv) parts = g_strsplit(path, ".", -1);
    g_autoptr(GString) prefix = g_string_new(NULL);
    for (guint i = 0; parts[i] != NULL; i++) {
        g_autoptr(GPtrArray) names = names_after(prefix->str);
        const char *const *list = (const char *const *)names->pdata;
        const char *name = parts[i];
        if (!g_strv_contains(list, name)) {
            name = ws_nearest_name(name, list);
            if (name == NULL)
                return g_strdup(path_ending_in(parts[g_strv_length(parts) - 1]));
        }
        g_string_append(prefix, name);
        if (parts[i + 1] == NULL || ws_setting_find(prefix->str) >= 0)
            break;
        g_string_append_c(prefix, '.');
    }
    return strcmp(prefix->str, path) == 0 ? NULL : g_string_free(g_steal_pointer(&prefix), FALSE);
}

/* ---- values -----------------------------------------------------------------------------------
 */

static gpointer field_of(const WsSetting *setting, const WsDevice *device)
{
    return (char *)device + setting->offset;
}

guint64 ws_setting_get_integer(const WsSetting *setting, const WsDevice *device)
{
    if (setting->width == 2)
        return *(guint16 *)field_of(setting, device);
    return *(guint64 *)field_of(setting, device);
}

void ws_setting_set_integer(const WsSetting *setting, WsDevice *device, guint64 value)
{
    if (setting->width == 2)
        *(guint16 *)field_of(setting, device) = (guint16)value;
    else
        *(guint64 *)field_of(setting, device) = value;
}

void ws_settings_initialise(WsDevice *device)
{
    memset(device, 0, sizeof *device);
    for (guint i = 0; i < G_N_ELEMENTS(settings); i++) {
        const WsSetting *setting = &settings[i];
        gpointer field = field_of(setting, device);
        switch (setting->kind) {
        case WS_SETTING_INTEGER:
            ws_setting_set_integer(setting, device, setting->initial);
            break;
        case WS_SETTING_NUMBER:
            *(double *)field = setting->number_initial;
            break;
        case WS_SETTING_BOOLEAN:
            *(gboolean *)field = (gboolean)setting->initial;
            break;
        case WS_SETTING_ENUM:
            *(guint32 *)field = (guint32)setting->initial;
            break;
        case WS_SETTING_TEXT:
            *(char **)field = g_strdup(setting->text_initial);
            break;
        case WS_SETTING_LIST:
            break;
        }
    }
}

static char *list_text(const WsList *list)
{
    GString *text = g_string_new("[");
    for (guint i = 0; i < list->count; i++)
        g_string_append_printf(text, "%s%" G_GUINT64_FORMAT, i == 0 ? "" : ", ", list->value[i]);
    g_string_append_c(text, ']');
    return g_string_free(text, FALSE);
}

/* In double quotes, so that any text survives being read again. */
static char *quoted_text(const char *text)
{
    g_autoptr(GString) out = g_string_new("\"");
    for (; *text != '\0'; text++) {
        guchar c = (guchar)*text;
        if (c == '"' || c == '\\')
            g_string_append_printf(out, "\\%c", c);
        else if (c < 0x20 || c == 0x7f)
            g_string_append_printf(out, "\\x%02x", c);
        else
            g_string_append_c(out, (char)c);
    }
    g_string_append_c(out, '"');
    return g_string_free(g_steal_pointer(&out), FALSE);
}

/* With as few digits as read back to the same value. */
static char *number_text(double value)
{
    char buffer[G_ASCII_DTOSTR_BUF_SIZE];
    g_ascii_formatd(buffer, sizeof buffer, "%.15g", value);
    if (g_ascii_strtod(buffer, NULL) != value)
        g_ascii_formatd(buffer, sizeof buffer, "%.17g", value);
    return g_strdup(buffer);
}

char *ws_setting_value_text(const WsSetting *setting, const WsDevice *device)
{
    gpointer field = field_of(setting, device);
    switch (setting->kind) {
    case WS_SETTING_INTEGER:
        return g_strdup_printf("%" G_GUINT64_FORMAT, ws_setting_get_integer(setting, device));
    case WS_SETTING_NUMBER:
        return number_text(*(double *)field);
    case WS_SETTING_BOOLEAN:
        return g_strdup(*(gboolean *)field ? "true" : "false");
    case WS_SETTING_ENUM:
        if (field == &device->policy && device->policy == WS_POLICY_FILE)
            return quoted_text(device->policy_file);
        return g_strdup(setting->names[*(guint32 *)field]);
    case WS_SETTING_TEXT:
        return quoted_text(*(char **)field);
    case WS_SETTING_LIST:
        return list_text(field);
    }
    g_assert_not_reached();
}

char *ws_setting_range_text(const WsSetting *setting)
{
    const char *space = setting->unit[0] != '\0' ? " " : "";
    switch (setting->kind) {
    case WS_SETTING_INTEGER:
        return g_strdup_printf("%" G_GUINT64_FORMAT "..%" G_GUINT64_FORMAT "%s%s", setting->minimum,
                               setting->maximum, space, setting->unit);
    case WS_SETTING_NUMBER: {
        g_autofree char *low = number_text(setting->number_minimum);
        g_autofree char *high = number_text(setting->number_maximum);
        return g_strdup_printf("%s..%s%s%s", low, high, space, setting->unit);
    }
    case WS_SETTING_BOOLEAN:
        return g_strdup("false | true");
    case WS_SETTING_ENUM:
        return g_strjoinv(" | ", (char **)setting->names);
    case WS_SETTING_TEXT:
        return g_strdup("text");
    case WS_SETTING_LIST:
        return g_strdup_printf("list of %" G_GUINT64_FORMAT "..%" G_GUINT64_FORMAT
                               "%s%s, ascending",
                               setting->minimum, setting->maximum, space, setting->unit);
    }
    g_assert_not_reached();
}

static void append_markdown_row(GString *text, const char *path, const WsSetting *setting,
                                const char *value)
{
    g_autofree char *range = ws_setting_range_text(setting);
    g_auto(GStrv) parts = g_strsplit(range, "|", -1); /* a bar would end the table cell */
    g_autofree char *cell = g_strjoinv("\\|", parts);
    g_string_append_printf(text, "| `%s` | %s | %s | %s |\n", path, cell, value, setting->help);
}

static void append_class_table(GString *text)
{
    static const struct {
        const char *name, *covers;
    } classes[] = {
#define EXECUTION_CLASS(class, name, pipe, memory, covers) {name, covers},
#include "isa/bytecode/execution_classes.def"
#undef EXECUTION_CLASS
    };
    g_string_append(text, "\n## Execution classes\n\n| class | what it covers |\n| --- | --- |\n");
    for (guint i = 0; i < G_N_ELEMENTS(classes); i++)
        g_string_append_printf(text, "| `%s` | %s |\n", classes[i].name, classes[i].covers);
}

char *ws_settings_to_markdown(void)
{
    WsDevice *device = g_new(WsDevice, 1);
    ws_settings_initialise(device);
    GString *text = g_string_new(
        "# Settings of a device\n\nThis page is generated by `warpstep devices --settings`; "
        "do not edit it. [Device files](formats.md#device-files)\nand `--set` change "
        "settings. CLASS stands for an [execution class](#execution-classes).\n\n"
        "| setting | values | default | meaning |\n"
        "| --- | --- | --- | --- |\n");
    const guint fields = sizeof(WsClassTiming) / sizeof(guint16);
    const guint class_rows = G_N_ELEMENTS(settings) - WS_CLASS_COUNT * fields;
    /* Of the classes, whose rows are alike, the first stands for all. */
    for (guint i = 0; i < class_rows + fields; i++) {
        const WsSetting *setting = &settings[i];
        g_autofree char *value = ws_setting_value_text(setting, device);
        g_autofree char *path =
            i < class_rows ? g_strdup(setting->path)
                           : g_strdup_printf("classes.CLASS.%s", strrchr(setting->path, '.') + 1);
        append_markdown_row(text, path, setting, value);
    }
    append_class_table(text);
    ws_device_free(device);
    return g_string_free(text, FALSE);
}
