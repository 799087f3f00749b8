#include "sim/device/device.h"

#include "isa/base/error.h"
#include "isa/bytecode/program.h"
#include "sim/base/resources.h"
#include "sim/base/yaml_tree.h"
#include "sim/device/gone_settings.h"
#include "sim/device/passes.h"
#include "sim/device/policy_parameters.h"
#include "sim/device/settings.h"

#include <string.h>

enum { MAX_INHERIT = 16 };

/* Names of settings given as options, as if they were files; paths in them are the caller's. */
#define SET_PREFIX "--set "

typedef struct {
    WsDevice *device;
    WsPosition *positions; /* by row: where its value was given; line 0 = not given */
    guint *given;          /* by row: how many values had been given with this one, or 0 */
    guint given_count;
    guint64 built_sms;        /* SMs of the GPU that the files describe: see note_sms() */
    GPtrArray *trees;         /* of WsYamlTree*, kept because positions point to their names */
    GPtrArray *chain;         /* of char*: the files being read, the first inherits from the next */
    const WsReadScope *scope; /* of device files */
} Loader;

void ws_device_free(WsDevice *device)
{
    if (device == NULL)
        return;
    for (guint i = 0; i < ws_setting_count(); i++) {
        const WsSetting *setting = ws_setting_at(i);
        if (setting->kind == WS_SETTING_TEXT)
            g_free(*(char **)((char *)device + setting->offset));
    }
    g_free(device->policy_file);
    g_clear_pointer(&device->policy_parameters, g_ptr_array_unref);
    g_strfreev(device->warnings);
    g_free(device);
}

const char *ws_device_policy_name(const WsDevice *device)
{
    static const char *const names[] = {WS_POLICIES(WS_POLICY_SETTING)};
    return device->policy == WS_POLICY_FILE ? device->policy_file : names[device->policy];
}

const char *const *ws_device_names(void)
{
    return ws_configs_names;
}

/* ---- one value --------------------------------------------------------------------------------
 */

static gboolean read_list(const WsSetting *setting, const WsYamlTree *tree, const WsYamlNode *node,
                          WsList *list, GError **error)
{
    if (!ws_yaml_expect_sequence(tree, node, setting->path, error))
        return FALSE;
    if (ws_yaml_count(node) > WS_MAX_LIST)
        return ws_yaml_error(tree, node, error, "%s: at most %d values", setting->path,
                             WS_MAX_LIST);
    WsList read = {.count = ws_yaml_count(node)};
    for (guint i = 0; i < read.count; i++) {
        const WsYamlNode *item = ws_yaml_item(node, i);
        if (!ws_yaml_unsigned(tree, item, setting->path, setting->minimum, setting->maximum,
                              &read.value[i], error))
            return FALSE;
        if (i > 0 && read.value[i] < read.value[i - 1])
            return ws_yaml_error(tree, item, error, "%s: the values must ascend", setting->path);
    }
    *list = read;
    return TRUE;
}

static gboolean read_number(const WsSetting *setting, const WsYamlTree *tree,
                            const WsYamlNode *node, double *field, GError **error)
{
    double value;
    if (!ws_yaml_number(tree, node, setting->path, &value, error))
        return FALSE;
    if (!(value >= setting->number_minimum && value <= setting->number_maximum)) {
        g_autofree char *range = ws_setting_range_text(setting);
        return ws_yaml_error(tree, node, error, "%s: %s is out of range, %s", setting->path,
                             node->text, range);
    }
    *field = value;
    return TRUE;
}

/* Another sentence of the message. */
static void add_to_message(GError **error, const char *sentence)
{
    char *message;

    if (error == NULL)
        return;
    message = g_strconcat((*error)->message, g_str_has_suffix((*error)->message, "?") ? " " : ". ",
                          sentence, NULL);
    g_free((*error)->message);
    (*error)->message = message;
}

static gboolean is_policy(const WsSetting *setting)
{
    return setting->offset == G_STRUCT_OFFSET(WsDevice, policy);
}

/*
 * `policy` may be a file: a path with a slash, or NAME.c, relative to the file in which it is
 * written. It is read with the program.
 */
static gboolean read_policy_file(WsDevice *device, const WsYamlTree *tree, const WsYamlNode *node)
{
    const char *text = node->kind == WS_YAML_SCALAR ? node->text : "";
    if (strchr(text, '/') == NULL && !ws_is_policy_name(text))
        return FALSE;
    device->policy_file_given = g_str_has_prefix(tree->name, SET_PREFIX);
    g_autofree char *folder = device->policy_file_given ? NULL : g_path_get_dirname(tree->name);
    device->policy = WS_POLICY_FILE;
    device->policy_file = ws_path_in_folder(folder, text);
    return TRUE;
}

static gboolean read_value(const WsSetting *setting, WsDevice *device, const WsYamlTree *tree,
                           const WsYamlNode *node, GError **error)
{
    gpointer field = (char *)device + setting->offset;
    switch (setting->kind) {
    case WS_SETTING_INTEGER: {
        guint64 value;
        if (!ws_yaml_unsigned(tree, node, setting->path, setting->minimum, setting->maximum, &value,
                              error))
            return FALSE;
        ws_setting_set_integer(setting, device, value);
        return TRUE;
    }
    case WS_SETTING_NUMBER:
        return read_number(setting, tree, node, field, error);
    case WS_SETTING_BOOLEAN:
        return ws_yaml_boolean(tree, node, setting->path, field, error);
    case WS_SETTING_ENUM:
        if (is_policy(setting)) {
            g_clear_pointer(&device->policy_file, g_free);
            if (read_policy_file(device, tree, node))
                return TRUE;
            if (!ws_yaml_choice(tree, node, setting->path, setting->names, field, error)) {
                add_to_message(error, "A policy of your own is a file: ./NAME.c");
                return FALSE;
            }
            return TRUE;
        }
        return ws_yaml_choice(tree, node, setting->path, setting->names, field, error);
    case WS_SETTING_TEXT: {
        const char *text = ws_yaml_text(tree, node, setting->path, error);
        if (text == NULL)
            return FALSE;
        g_free(*(char **)field);
        *(char **)field = g_strdup(text);
        return TRUE;
    }
    case WS_SETTING_LIST:
        return read_list(setting, tree, node, field, error);
    }
    g_assert_not_reached();
}

static gboolean unknown_setting(const WsYamlTree *tree, const WsYamlNode *key, const char *path,
                                GError **error)
{
    g_autofree char *shown = ws_printable(path);
    g_autofree char *nearest = ws_setting_nearest(path);
    if (nearest == NULL)
        return ws_yaml_error(tree, key, error, "no setting is called '%s'", shown);
    return ws_yaml_error(tree, key, error, "no setting is called '%s'; did you mean '%s'?", shown,
                         nearest);
}

static void warn_of_gone(WsDevice *device, const WsYamlTree *tree, const WsYamlNode *node,
                         const char *path)
{
    const WsPosition position = ws_yaml_position(tree, node);
    guint count = device->warnings != NULL ? g_strv_length(device->warnings) : 0;
    g_autofree char *file = ws_printable(position.file);
    g_autofree char *line =
        position.line != 0 ? g_strdup_printf(":%u", position.line) : g_strdup("");

    device->warnings = g_renew(char *, device->warnings, count + 2);
    device->warnings[count] = g_strdup_printf("%s%s: the setting '%s' is gone and is ignored: no "
                                              "kernel took another time for it",
                                              file, line, path);
    device->warnings[count + 1] = NULL;
}

/* Reads `node` as the value of `path`; `key` is where the path was written. */
static gboolean set_path(Loader *loader, const WsYamlTree *tree, const WsYamlNode *key,
                         const char *path, const WsYamlNode *node, GError **error)
{
    int index = ws_setting_find(path);
    const char *parameter = ws_policy_parameter_name(path);
    if (parameter != NULL)
        return ws_policy_parameters_set(&loader->device->policy_parameters, parameter, tree, node,
                                        error);
    if (index < 0 && ws_setting_is_group(path))
        return ws_yaml_error(tree, node, error, "'%s' is a group of settings, not a setting", path);
    if (index < 0 && ws_setting_is_gone(path)) {
        warn_of_gone(loader->device, tree, node, path);
        return TRUE;
    }
    if (index < 0)
        return unknown_setting(tree, key, path, error);
    const WsPosition *before = &loader->positions[index];
    if (before->line != 0 && before->file == tree->name)
        return ws_yaml_error(tree, key, error, "'%s' is already given in line %u", path,
                             before->line);
    if (!read_value(ws_setting_at((guint)index), loader->device, tree, node, error))
        return FALSE;
    loader->positions[index] = ws_yaml_position(tree, node);
    loader->given[index] = ++loader->given_count;
    return TRUE;
}

/* Recursion is bounded by the depth of the tree. */
static gboolean apply_mapping(Loader *loader, const WsYamlTree *tree, const WsYamlNode *mapping,
                              const char *prefix, GError **error)
{
    for (guint i = 0; i < ws_yaml_count(mapping); i++) {
        const WsYamlNode *key = ws_yaml_key(mapping, i), *value = ws_yaml_item(mapping, i);
        if (prefix == NULL && strcmp(key->text, "inherit") == 0)
            continue;
        g_autofree char *path =
            prefix == NULL ? g_strdup(key->text) : g_strconcat(prefix, ".", key->text, NULL);
        gboolean ok;
        if (value->kind != WS_YAML_MAPPING)
            ok = set_path(loader, tree, key, path, value, error);
        else if (!ws_setting_is_group(path))
            ok = ws_setting_find(path) >= 0
                     ? ws_yaml_error(tree, value, error, "%s is one value, not a mapping", path)
                     : unknown_setting(tree, key, path, error);
        else
            ok = apply_mapping(loader, tree, value, path, error);
        if (!ok)
            return FALSE;
    }
    return TRUE;
}

/* ---- files ------------------------------------------------------------------------------------
 */

gboolean ws_device_is_path(const char *name)
{
    return strchr(name, '/') != NULL || g_str_has_suffix(name, ".yaml") ||
           g_str_has_suffix(name, ".yml");
}

/* The tree of a built-in device. `position` is where it was named, or NULL. */
static WsYamlTree *read_built_in(const char *name, const WsPosition *position, GError **error)
{
    if (!g_strv_contains(ws_configs_names, name)) {
        g_autofree char *shown = ws_printable(name);
        g_autofree char *valid = g_strjoinv(", ", (char **)ws_configs_names);
        const char *nearest = ws_nearest_name(name, ws_configs_names);
        if (nearest != NULL)
            ws_set_error_at(error, WS_ERROR_INPUT, position,
                            "no device is called '%s'; did you mean '%s'? (devices: %s)", shown,
                            nearest, valid);
        else
            ws_set_error_at(error, WS_ERROR_INPUT, position,
                            "no device is called '%s' (devices: %s; a file's name has a slash or "
                            "ends in .yaml)",
                            shown, valid);
        return NULL;
    }
    g_autoptr(GResource) resource = ws_configs_resource();
    g_autofree char *path = g_strdup_printf("/warpstep/configs/%s.yaml", name);
    g_autoptr(GBytes) bytes = g_resource_lookup_data(resource, path, 0, error);
    if (bytes == NULL)
        return NULL;
    gsize length;
    const char *text = g_bytes_get_data(bytes, &length);
    g_autofree char *shown = g_strdup_printf("configs/%s.yaml", name);
    return ws_yaml_parse(shown, text, length, error);
}

static gboolean load_file(Loader *loader, const char *name, const char *folder,
                          const WsPosition *position, GError **error);

/* Reads what the file inherits from first, so that its own values come on top. */
static gboolean load_inherited(Loader *loader, const WsYamlTree *tree, const char *folder,
                               GError **error)
{
    const WsYamlNode *node = ws_yaml_get(tree->root, "inherit");
    if (node == NULL)
        return TRUE;
    const char *name = ws_yaml_text(tree, node, "inherit", error);
    if (name == NULL)
        return FALSE;
    WsPosition position = ws_yaml_position(tree, node);
    return load_file(loader, name, folder, &position, error);
}

/*
 * L2 and DRAM are made for the SMs of a built-in device, or of a file that describes one from the
 * ground. A file that inherits and changes `sms` still has the memory of what it inherits from.
 */
static void note_sms(Loader *loader, const WsYamlTree *tree, gboolean built_in)
{
    if (built_in || ws_yaml_get(tree->root, "inherit") == NULL)
        loader->built_sms = loader->device->sms;
}

static gboolean load_file(Loader *loader, const char *name, const char *folder,
                          const WsPosition *position, GError **error)
{
    gboolean built_in = !ws_device_is_path(name);
    g_autofree char *readable = built_in ? NULL : ws_path_in_folder(folder, name);
    g_autofree char *path = built_in ? g_strdup(name) : g_canonicalize_filename(readable, NULL);
    g_autofree char *shown = ws_printable(name);
    if (g_ptr_array_find_with_equal_func(loader->chain, path, g_str_equal, NULL)) {
        ws_set_error_at(error, WS_ERROR_INPUT, position, "'%s' inherits from itself", shown);
        return FALSE;
    }
    if (loader->chain->len == MAX_INHERIT) {
        ws_set_error_at(error, WS_ERROR_INPUT, position, "more than %d files inherit in a row",
                        MAX_INHERIT);
        return FALSE;
    }
    WsYamlTree *tree;
    if (built_in) {
        tree = read_built_in(name, position, error);
    } else {
        tree = ws_yaml_read_in(loader->scope, readable, error);
    }
    if (tree == NULL)
        return FALSE;
    g_ptr_array_add(loader->trees, tree);
    g_ptr_array_add(loader->chain, g_strdup(path));
    if (!ws_yaml_expect_mapping(tree, tree->root, "a device", NULL, error))
        return FALSE;
    g_autofree char *own_folder = built_in ? NULL : g_path_get_dirname(tree->name);
    if (!load_inherited(loader, tree, own_folder, error) ||
        !apply_mapping(loader, tree, tree->root, NULL, error))
        return FALSE;
    note_sms(loader, tree, built_in);
    return TRUE;
}

/* "path=value", the value as in a YAML file. */
static gboolean apply_override(Loader *loader, const char *text, GError **error)
{
    g_autofree char *shown = ws_printable(text);
    g_autofree char *name = g_strconcat(SET_PREFIX, shown, NULL);
    WsPosition position = {.file = name};
    const char *equals = strchr(text, '=');
    if (equals == NULL) {
        ws_set_error_at(error, WS_ERROR_INPUT, &position, "PATH=VALUE is expected");
        return FALSE;
    }
    g_autofree char *path = g_strndup(text, (gsize)(equals - text));
    WsYamlTree *tree = g_new0(WsYamlTree, 1); /* an option is a tree of its own */
    g_ptr_array_add(loader->trees, tree);
    tree->name = g_steal_pointer(&name);
    tree->root = ws_yaml_parse_value(tree->name, equals + 1, error);
    return tree->root != NULL && set_path(loader, tree, tree->root, path, tree->root, error);
}

/* ---- rules between settings -------------------------------------------------------------------
 */

/* The rule of `path` does not hold. Where `other` broke it, given later, that is the place. */
static gboolean rule_error(const Loader *loader, const char *path, const char *other,
                           GError **error, const char *format, ...) G_GNUC_PRINTF(5, 6);

static gboolean rule_error(const Loader *loader, const char *path, const char *other,
                           GError **error, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    g_autofree char *text = g_strdup_vprintf(format, arguments);
    va_end(arguments);
    int blamed = ws_setting_find(path), second = other == NULL ? blamed : ws_setting_find(other);
    if (loader->given[second] > loader->given[blamed])
        blamed = second;
    ws_set_error_at(error, WS_ERROR_INPUT, &loader->positions[blamed], "%s: %s", path, text);
    return FALSE;
}

/* Those that are built in have settings instead, policies.NAME.PARAMETER. */
static gboolean refuse_policy_parameter(const WsDevice *device, GError **error)
{
    const WsPolicyParameter *parameter = ws_policy_parameters_at(device->policy_parameters, 0);
    const WsPosition position = {parameter->file, parameter->line, parameter->column};
    g_autofree char *shown = ws_printable(parameter->name);
    ws_set_error_at(error, WS_ERROR_INPUT, &position,
                    "policy.%s is a parameter of a policy in C, but the policy is %s", shown,
                    ws_device_policy_name(device));
    return FALSE;
}

static gboolean check_rules(const Loader *loader, GError **error)
{
    const WsDevice *device = loader->device;
    if (!(device->warp_size == 8 || device->warp_size == 16 || device->warp_size == 32 ||
          device->warp_size == 64))
        return rule_error(loader, "warp_size", NULL, error, "must be 8, 16, 32 or 64");
    if (!(device->pipe_lanes == 0 || device->pipe_lanes == 8 || device->pipe_lanes == 16 ||
          device->pipe_lanes == 32 || device->pipe_lanes == 64))
        return rule_error(loader, "pipe_lanes", NULL, error, "must be 0, 8, 16, 32 or 64");
    if (device->policy != WS_POLICY_FILE && device->policy_parameters != NULL)
        return refuse_policy_parameter(device, error);
    if (device->parameter_base % 16 != 0) /* vectors among the parameters are aligned */
        return rule_error(loader, "parameter_base", NULL, error, "must be a multiple of 16");
    if (device->shared_bytes_per_block > device->shared_bytes_per_sm)
        return rule_error(loader, "limits.shared_bytes_per_block", "limits.shared_bytes_per_sm",
                          error,
                          "a block may not have more than the SM, %" G_GUINT64_FORMAT " bytes",
                          device->shared_bytes_per_sm);
    if (device->shared_bytes_per_block_optin > device->shared_bytes_per_sm)
        return rule_error(loader, "limits.shared_bytes_per_block_optin",
                          "limits.shared_bytes_per_sm", error,
                          "a block may not have more than the SM, %" G_GUINT64_FORMAT " bytes",
                          device->shared_bytes_per_sm);
    const WsList *sizes = &device->shared_carveouts;
    if (sizes->count > 0 && sizes->value[sizes->count - 1] > device->unified_bytes)
        return rule_error(loader, "limits.shared_carveouts", "memory.l1.unified_bytes", error,
                          "the largest is above memory.l1.unified_bytes, %" G_GUINT64_FORMAT,
                          device->unified_bytes);
    if (device->registers_per_block > device->registers_per_sm)
        return rule_error(loader, "limits.registers_per_block", "limits.registers_per_sm", error,
                          "a block may not have more than the SM, %" G_GUINT64_FORMAT,
                          device->registers_per_sm);
    return TRUE;
}

/* A file that does not say what its device is called is called by its own name. */
static void name_device(WsDevice *device, const char *file)
{
    g_autofree char *base = NULL, *shown = NULL;
    if (device->name != NULL && device->name[0] != 0)
        return;
    base = g_path_get_basename(file);
    shown = ws_printable(base);
    g_free(device->name);
    device->name = g_steal_pointer(&shown);
}

WsDevice *ws_device_load(const char *name, const char *const *overrides, GError **error)
{
    return ws_device_load_with(NULL, name, NULL, NULL, overrides, error);
}

WsDevice *ws_device_load_with(const WsReadScope *scope, const char *name, const WsYamlTree *tree,
                              const WsYamlNode *mapping, const char *const *overrides,
                              GError **error)
{
    Loader loader = {
        .scope = scope,
        .device = g_new(WsDevice, 1),
        .positions = g_new0(WsPosition, ws_setting_count()),
        .given = g_new0(guint, ws_setting_count()),
        .trees = g_ptr_array_new_with_free_func((GDestroyNotify)ws_yaml_free),
        .chain = g_ptr_array_new_with_free_func(g_free),
    };
    ws_settings_initialise(loader.device);
    gboolean ok = load_file(&loader, name, NULL, NULL, error) &&
                  (mapping == NULL || apply_mapping(&loader, tree, mapping, NULL, error));
    for (; ok && overrides != NULL && *overrides != NULL; overrides++)
        ok = apply_override(&loader, *overrides, error);
    if (loader.device->memory_sms == 0)
        loader.device->memory_sms = loader.built_sms;
    ok = ok && check_rules(&loader, error);
    if (ok)
        ws_device_fill_timing(loader.device);
    name_device(loader.device, name);
    g_ptr_array_unref(loader.chain);
    g_ptr_array_unref(loader.trees);
    g_free(loader.positions);
    g_free(loader.given);
    if (!ok)
        g_clear_pointer(&loader.device, ws_device_free);
    return loader.device;
}
