/* --launch KEY=VALUE: replaces values of the launch file before they are read. */
#include "sim/launch_reader.h"

#include <string.h>

static const char *const launch_keys[] = {"grid",     "block", "dynamic_shared_bytes",
                                          "carveout", "cache", NULL};

/* "2.grid=[4]" -> launch 2 (or -1 for all), key "grid", value "[4]". */
typedef struct {
    gint64 launch;
    char *key;
    const char *value;
    const char *source; /* "--launch 2.grid=[4]" */
} Override;

static gboolean parse_override(const char *text, const char *source, Override *ret, GError **error)
{
    WsPosition position = {.file = source};
    const char *equals = strchr(text, '=');
    if (equals == NULL || equals == text) {
        ws_set_error_at(error, WS_ERROR_INPUT, &position, "KEY=VALUE is expected");
        return FALSE;
    }
    *ret = (Override){.launch = -1, .value = equals + 1, .source = source};
    if (g_ascii_isdigit(*text)) {
        char *end;
        guint64 number = g_ascii_strtoull(text, &end, 10);
        if (*end != '.' || number > G_MAXINT32) {
            ws_set_error_at(error, WS_ERROR_INPUT, &position,
                            "NUMBER.KEY=VALUE is expected, with the number of the launch");
            return FALSE;
        }
        ret->launch = (gint64)number;
        text = end + 1;
    }
    ret->key = g_strndup(text, (gsize)(equals - text));
    return TRUE;
}

static gboolean check_override(const Override *override, guint launch_count, GError **error)
{
    WsPosition position = {.file = override->source};
    if (override->launch >= (gint64)launch_count) {
        ws_set_error_at(error, WS_ERROR_INPUT, &position, "there %s %u launch%s, counted from 0",
                        launch_count == 1 ? "is" : "are", launch_count,
                        launch_count == 1 ? "" : "es");
        return FALSE;
    }
    if (g_strv_contains(launch_keys, override->key) || g_str_has_prefix(override->key, "params."))
        return TRUE;
    g_autofree char *shown = ws_printable(override->key);
    const char *nearest = ws_nearest_name(override->key, launch_keys);
    if (nearest != NULL)
        ws_set_error_at(error, WS_ERROR_INPUT, &position,
                        "a launch has no '%s'; did you mean '%s'?", shown, nearest);
    else
        ws_set_error_at(error, WS_ERROR_INPUT, &position,
                        "a launch has no '%s'; valid: grid, block, dynamic_shared_bytes, "
                        "carveout, cache, params.NUMBER, params.NAME",
                        shown);
    return FALSE;
}

static gboolean put_parameter(WsLaunchReader *reader, WsYamlNode *launch_node,
                              const Override *override, const WsKernel *kernel, GError **error)
{
    WsPosition position = {.file = override->source};
    const char *name = override->key + strlen("params.");
    const WsYamlNode *params = ws_yaml_get(launch_node, "params");
    guint count = params != NULL && params->kind == WS_YAML_SEQUENCE ? ws_yaml_count(params) : 0;
    guint64 index = G_MAXUINT64;
    if (!g_ascii_string_to_unsigned(name, 10, 0, G_MAXUINT32, &index, NULL))
        for (guint i = 0; i < kernel->parameter_count; i++)
            if (g_strcmp0(kernel->parameters[i].name, name) == 0)
                index = i;
    if (index >= count) {
        g_autofree char *shown = ws_printable(name);
        ws_set_error_at(error, WS_ERROR_INPUT, &position,
                        "the kernel '%s' has no parameter '%s' (%u parameter%s, counted from 0)",
                        kernel->display_name, shown, kernel->parameter_count,
                        kernel->parameter_count == 1 ? "" : "s");
        return FALSE;
    }
    WsYamlNode *argument = g_ptr_array_index(params->items, (guint)index);
    WsYamlNode *value = ws_yaml_parse_value(override->source, override->value, error);
    if (value == NULL)
        return FALSE;
    if (value->kind == WS_YAML_MAPPING || argument->kind != WS_YAML_MAPPING ||
        ws_yaml_count(argument) == 0) {
        params->items->pdata[index] = value; /* a whole parameter, as {s32: 5} */
        ws_yaml_node_free(argument);
    } else {
        ws_yaml_put(argument, ws_yaml_key(argument, 0)->text, value);
    }
    return TRUE;
}

static gboolean apply(WsLaunchReader *reader, WsYamlNode *launch_node, const Override *override,
                      const WsKernel *kernel, GError **error)
{
    gboolean is_parameter = g_str_has_prefix(override->key, "params.");
    if (is_parameter != (kernel != NULL))
        return TRUE;
    if (is_parameter)
        return put_parameter(reader, launch_node, override, kernel, error);
    WsYamlNode *value = ws_yaml_parse_value(override->source, override->value, error);
    if (value == NULL)
        return FALSE;
    ws_yaml_put(launch_node, override->key, value);
    return TRUE;
}

gboolean ws_launch_check_overrides(WsLaunchReader *reader, guint launch_count, GError **error)
{
    const char *const *texts = reader->options->launch_values;
    reader->override_sources = g_ptr_array_new_with_free_func(g_free);
    for (; texts != NULL && *texts != NULL; texts++) {
        g_autofree char *shown = ws_printable(*texts);
        char *source = g_strdup_printf("--launch %s", shown);
        g_ptr_array_add(reader->override_sources, source);
        Override override;
        if (!parse_override(*texts, source, &override, error))
            return FALSE;
        gboolean ok = check_override(&override, launch_count, error);
        g_free(override.key);
        if (!ok)
            return FALSE;
    }
    return TRUE;
}

gboolean ws_launch_override(WsLaunchReader *reader, WsYamlNode *launch_node, guint index,
                            const WsKernel *kernel, GError **error)
{
    const char *const *texts = reader->options->launch_values;
    for (guint i = 0; i < reader->override_sources->len; i++) {
        Override override;
        if (!parse_override(texts[i], reader->override_sources->pdata[i], &override, error))
            return FALSE;
        gboolean ok = (override.launch >= 0 && override.launch != index) ||
                      apply(reader, launch_node, &override, kernel, error);
        g_free(override.key);
        if (!ok)
            return FALSE;
    }
    return TRUE;
}
