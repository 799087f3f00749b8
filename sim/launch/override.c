/* --launch KEY=VALUE: replaces values of the launch file before they are read. */
#include "sim/device/settings.h"
#include "sim/launch/program_store.h"
#include "sim/launch/reader.h"

#include <string.h>

static const char *const launch_keys[] = {
    "grid", "block", "dynamic_shared_bytes", "stack_bytes", "carveout", "cache", NULL};

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

/* Whether `let:` has a value of the override's name; the launch's own keys are no such names. */
static gboolean is_let(const WsLaunchReader *reader, const Override *override)
{
    const WsYamlNode *let = ws_yaml_get(reader->tree->root, "let");
    return let != NULL && ws_yaml_get(let, override->key) != NULL;
}

/* What --launch can set in this file: the names of `let`, then the keys of a launch. */
static GPtrArray *valid_keys(const WsLaunchReader *reader)
{
    const WsYamlNode *let = ws_yaml_get(reader->tree->root, "let");
    GPtrArray *keys = g_ptr_array_new();
    for (guint i = 0; let != NULL && i < ws_yaml_count(let); i++)
        g_ptr_array_add(keys, ws_yaml_key(let, i)->text);
    for (guint i = 0; launch_keys[i] != NULL; i++)
        g_ptr_array_add(keys, (gpointer)launch_keys[i]);
    g_ptr_array_add(keys, NULL);
    return keys;
}

static gboolean unknown_key(const WsLaunchReader *reader, const Override *override, GError **error)
{
    WsPosition position = {.file = override->source};
    g_autoptr(GPtrArray) keys = valid_keys(reader);
    g_autofree char *shown = ws_printable(override->key);
    const char *nearest = ws_nearest_name(override->key, (const char *const *)keys->pdata);
    g_autofree char *setting = ws_setting_nearest(override->key);
    g_autofree char *all = g_strjoinv(", ", (char **)keys->pdata);
    if (strcmp(override->key, "sms") == 0)
        ws_set_error_at(error, WS_ERROR_INPUT, &position,
                        "the number of SMs is a setting of the device: --sms N, or --set sms=N");
    else if (nearest != NULL)
        ws_set_error_at(error, WS_ERROR_INPUT, &position,
                        "a launch has no '%s'; did you mean '%s'?", shown, nearest);
    else if (setting != NULL)
        ws_set_error_at(error, WS_ERROR_INPUT, &position,
                        "a launch has no '%s'; did you mean the setting '%s' of the device?", shown,
                        setting);
    else
        ws_set_error_at(error, WS_ERROR_INPUT, &position,
                        "a launch has no '%s'; valid: %s, params.NUMBER, params.NAME", shown, all);
    return FALSE;
}

static gboolean check_override(const WsLaunchReader *reader, const Override *override,
                               GError **error)
{
    WsPosition position = {.file = override->source};
    guint launch_count = reader->launch_nodes->len;
    if (is_let(reader, override)) {
        if (override->launch < 0)
            return TRUE;
        ws_set_error_at(error, WS_ERROR_INPUT, &position,
                        "'%s' is a value of let, the same for all launches: leave out the number",
                        override->key);
        return FALSE;
    }
    if (override->launch >= (gint64)launch_count) {
        ws_set_error_at(error, WS_ERROR_INPUT, &position, "there %s %u launch%s, counted from 0",
                        launch_count == 1 ? "is" : "are", launch_count,
                        launch_count == 1 ? "" : "es");
        return FALSE;
    }
    if ((strcmp(override->key, "grid") == 0 || strcmp(override->key, "block") == 0) &&
        g_regex_match_simple("^ *\\d+( *[xX,] *\\d+)+ *$", override->value, 0, 0)) {
        ws_set_error_at(error, WS_ERROR_INPUT, &position,
                        "the size of several axes is written as a list: %s=[X,Y]", override->key);
        return FALSE;
    }
    return g_strv_contains(launch_keys, override->key) ||
           g_str_has_prefix(override->key, "params.") || unknown_key(reader, override, error);
}

/* Of a kernel in CUDA C, whose parameters have no names in PTX, by its source. G_MAXUINT: none. */
static guint find_in_source(const WsLaunchReader *reader, const WsKernel *kernel, const char *name)
{
    const WsJob *job = reader->job;
    const WsJobOptions *given = reader->options;
    if (given->program != NULL || !g_str_has_suffix(job->program->path, ".cu"))
        return G_MAXUINT;
    WsCompileOptions options;
    ws_compile_options_init(&options);
    options.scope = reader->tree->scope;
    options.bounds = given->bounds;
    options.defines = (const char *const *)job->defines;
    options.includes = (const char *const *)job->includes;
    g_auto(GStrv) names = ws_program_store_names(given->programs, job->program, kernel, &options);
    for (guint i = 0; i < kernel->parameter_count; i++)
        if (strcmp(names[i], name) == 0)
            return i;
    return G_MAXUINT;
}

/* The number of the parameter that "params.NAME" or "params.2" means, or G_MAXUINT. */
static guint find_parameter(const WsLaunchReader *reader, const WsKernel *kernel, const char *key)
{
    const char *name = key + strlen("params.");
    guint64 index;
    if (g_ascii_string_to_unsigned(name, 10, 0, G_MAXUINT32 - 1, &index, NULL))
        return index < kernel->parameter_count ? (guint)index : G_MAXUINT;
    for (guint i = 0; i < kernel->parameter_count; i++)
        if (g_strcmp0(kernel->parameters[i].name, name) == 0)
            return i;
    return find_in_source(reader, kernel, name);
}

static gboolean no_parameter(const Override *override, const WsKernel *kernel, GError **error)
{
    WsPosition position = {.file = override->source};
    g_autofree char *shown = ws_printable(override->key + strlen("params."));
    if (kernel == NULL)
        ws_set_error_at(error, WS_ERROR_INPUT, &position,
                        "no kernel of the launches has a parameter '%s'", shown);
    else
        ws_set_error_at(error, WS_ERROR_INPUT, &position,
                        "the kernel '%s' has no parameter '%s' (%u parameter%s, counted from 0)",
                        kernel->display_name, shown, kernel->parameter_count,
                        kernel->parameter_count == 1 ? "" : "s");
    return FALSE;
}

/* Changes parameter `index` of the launch (or reference kernel) in `mapping`, which has it. */
static gboolean put_argument(WsYamlNode *mapping, const Override *override, guint index,
                             GError **error)
{
    const WsYamlNode *params = ws_yaml_get(mapping, "params");
    WsYamlNode *argument = g_ptr_array_index(params->items, index);
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

/* Of several launches those take it whose kernel has such a parameter. */
static gboolean put_parameter(WsLaunchReader *reader, WsYamlNode *launch_node,
                              const Override *override, guint number, const WsKernel *kernel,
                              GError **error)
{
    const WsYamlNode *params = ws_yaml_get(launch_node, "params");
    guint count = params != NULL && params->kind == WS_YAML_SEQUENCE ? ws_yaml_count(params) : 0;
    guint index = find_parameter(reader, kernel, override->key);
    gboolean any = override->launch < 0 && reader->launch_nodes->len > 1;
    if (index >= count)
        return any || no_parameter(override, kernel, error);
    reader->override_uses->data[number] = 1;
    return put_argument(launch_node, override, index, error);
}

static gboolean put_value(WsYamlNode *mapping, const Override *override, GError **error)
{
    WsYamlNode *value = ws_yaml_parse_value(override->source, override->value, error);
    if (value == NULL)
        return FALSE;
    ws_yaml_put(mapping, override->key, value);
    return TRUE;
}

static gboolean put_let(WsLaunchReader *reader, const Override *override, GError **error)
{
    WsYamlNode *let = (WsYamlNode *)ws_yaml_get(reader->tree->root, "let");
    return !is_let(reader, override) || put_value(let, override, error);
}

static gboolean put_in_launch(WsLaunchReader *reader, WsYamlNode *launch_node,
                              const Override *override, guint number, const WsKernel *kernel,
                              GError **error)
{
    gboolean is_parameter = g_str_has_prefix(override->key, "params.");
    if (is_parameter != (kernel != NULL) || is_let(reader, override))
        return TRUE;
    return is_parameter ? put_parameter(reader, launch_node, override, number, kernel, error)
                        : put_value(launch_node, override, error);
}

gboolean ws_launch_check_overrides(WsLaunchReader *reader, GError **error)
{
    const char *const *texts = reader->options->launch_values;
    for (; texts != NULL && *texts != NULL; texts++) {
        g_autofree char *shown = ws_printable(*texts);
        char *source = g_strdup_printf("--launch %s", shown);
        g_ptr_array_add(reader->override_sources, source);
        g_byte_array_append(reader->override_uses, (const guint8 *)"", 1);
        Override override;
        if (!parse_override(*texts, source, &override, error))
            return FALSE;
        gboolean ok = check_override(reader, &override, error);
        g_free(override.key);
        if (!ok)
            return FALSE;
    }
    return TRUE;
}

gboolean ws_launch_override_reference(WsLaunchReader *reader, WsYamlNode *node,
                                      const WsKernel *kernel, GError **error)
{
    const char *const *texts = reader->options->launch_values;
    const WsYamlNode *params = ws_yaml_get(node, "params");
    guint count = params != NULL && params->kind == WS_YAML_SEQUENCE ? ws_yaml_count(params) : 0;
    for (guint i = 0; i < reader->override_sources->len; i++) {
        Override override;
        if (!parse_override(texts[i], reader->override_sources->pdata[i], &override, error))
            return FALSE;
        /* A number means that of the launch's kernel, which may take other parameters. */
        gboolean named = g_str_has_prefix(override.key, "params.") && override.launch < 0 &&
                         !is_let(reader, &override) &&
                         !g_ascii_isdigit(override.key[strlen("params.")]);
        guint index = named ? find_parameter(reader, kernel, override.key) : G_MAXUINT;
        gboolean ok = index >= count || put_argument(node, &override, index, error);
        g_free(override.key);
        if (!ok)
            return FALSE;
    }
    return TRUE;
}

gboolean ws_launch_check_override_uses(const WsLaunchReader *reader, GError **error)
{
    const char *const *texts = reader->options->launch_values;
    for (guint i = 0; i < reader->override_sources->len; i++) {
        Override override;
        if (!parse_override(texts[i], reader->override_sources->pdata[i], &override, error))
            return FALSE;
        gboolean ok = reader->override_uses->data[i] != 0 ||
                      !g_str_has_prefix(override.key, "params.") || is_let(reader, &override) ||
                      no_parameter(&override, NULL, error);
        g_free(override.key);
        if (!ok)
            return FALSE;
    }
    return TRUE;
}

gboolean ws_launch_override_let(WsLaunchReader *reader, GError **error)
{
    const char *const *texts = reader->options->launch_values;
    for (guint i = 0; i < reader->override_sources->len; i++) {
        Override override;
        if (!parse_override(texts[i], reader->override_sources->pdata[i], &override, error))
            return FALSE;
        gboolean ok = put_let(reader, &override, error);
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
                      put_in_launch(reader, launch_node, &override, i, kernel, error);
        g_free(override.key);
        if (!ok)
            return FALSE;
    }
    return TRUE;
}
