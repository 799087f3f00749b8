#include "study/plan/study_file.h"

#include "sim/base/json_members.h"
#include "sim/base/json_text.h"
#include "sim/launch/workload_files.h"
#include "study/plan/design.h"
#include "study/plan/values.h"

#include <string.h>

static const char schema[] = "warpstep-study-1", one_at_a_time[] = "one-at-a-time";

static const char *const file_keys[] = {
    "version",    "target",        "targets", "relative",   "device",     "set",
    "launch",     "define",        "maxreg",  "max_cycles", "parameters", "zip",
    "generators", "one_at_a_time", "lines",   "fraction",   "columns",    NULL};

/* ---- what people write ------------------------------------------------------------------------
 */

/* The text of the built-in study that `path` names, as no file has that name; or NULL. */
static GBytes *built_in(const char *path)
{
    return g_file_test(path, G_FILE_TEST_EXISTS) ? NULL : ws_workload_study(path);
}

gboolean ws_study_file_is_study(const char *path)
{
    g_autoptr(GBytes) text = built_in(path);
    if (text != NULL)
        return TRUE;
    if (!g_str_has_suffix(path, ".yaml") || !g_file_test(path, G_FILE_TEST_IS_REGULAR))
        return FALSE;
    g_autoptr(WsYamlTree) tree = ws_yaml_read(path, NULL);
    return tree != NULL && tree->root->kind == WS_YAML_MAPPING &&
           ws_yaml_get(tree->root, "parameters") != NULL;
}

char *ws_study_target(const char *target)
{
    return g_file_test(target, G_FILE_TEST_EXISTS) ? g_canonicalize_filename(target, NULL)
                                                   : g_strdup(target);
}

/* "KEY=VALUE" of each member; NULL after an error. */
static char **read_members(const WsYamlTree *tree, const WsYamlNode *node, const char *what,
                           GError **error)
{
    if (!ws_yaml_expect_mapping(tree, node, what, NULL, error))
        return NULL;
    g_auto(GStrv) texts = g_new0(char *, ws_yaml_count(node) + 1);
    for (guint i = 0; i < ws_yaml_count(node); i++) {
        const char *value = ws_yaml_text(tree, ws_yaml_item(node, i), what, error);
        if (value == NULL)
            return NULL;
        texts[i] = g_strconcat(ws_yaml_key(node, i)->text, "=", value, NULL);
    }
    return g_steal_pointer(&texts);
}

static char **read_list(const WsYamlTree *tree, const WsYamlNode *node, const char *what,
                        GError **error)
{
    if (!ws_yaml_expect_sequence(tree, node, what, error))
        return NULL;
    g_auto(GStrv) texts = g_new0(char *, ws_yaml_count(node) + 1);
    for (guint i = 0; i < ws_yaml_count(node); i++) {
        const char *value = ws_yaml_text(tree, ws_yaml_item(node, i), what, error);
        if (value == NULL)
            return NULL;
        texts[i] = g_strdup(value);
    }
    return g_steal_pointer(&texts);
}

/* {from: 1, to: 64, step: 1} or {from: 1, to: 64, factor: 2}; `failure` has no place yet */
static char **read_range(const WsYamlTree *tree, const WsYamlNode *node, const char *name,
                         GError **failure, GError **error)
{
    static const char *const keys[] = {"from", "to", "step", "factor", NULL};
    double from, to, step = 1;
    const WsYamlNode *by = ws_yaml_get(node, "step"), *factor = ws_yaml_get(node, "factor");
    if (!ws_yaml_expect_mapping(tree, node, name, keys, error))
        return NULL;
    const WsYamlNode *first = ws_yaml_require(tree, node, name, "from", error);
    const WsYamlNode *last = first == NULL ? NULL : ws_yaml_require(tree, node, name, "to", error);
    if (last == NULL || !ws_yaml_number(tree, first, "from", &from, error) ||
        !ws_yaml_number(tree, last, "to", &to, error))
        return NULL;
    if (by != NULL && factor != NULL) {
        ws_yaml_error(tree, factor, error, "%s: either a step or a factor", name);
        return NULL;
    }
    if ((by != NULL && !ws_yaml_number(tree, by, "step", &step, error)) ||
        (factor != NULL && !ws_yaml_number(tree, factor, "factor", &step, error)))
        return NULL;
    return ws_study_range(name, from, to, step, factor != NULL, failure);
}

/* A message without a place of its own, at a node. */
static gboolean place_error(const WsYamlTree *tree, const WsYamlNode *node, const GError *failure,
                            GError **error)
{
    ws_yaml_error(tree, node, error, "%s",
                  g_str_has_prefix(failure->message, "error: ")
                      ? failure->message + strlen("error: ")
                      : failure->message);
    return FALSE;
}

/* A parameter with the values that its node gives. */
static gboolean add_values(WsStudy *study, const WsYamlTree *tree, const WsYamlNode *item,
                           const char *name, GError **error)
{
    g_autoptr(GError) failure = NULL;
    char **values;
    if (item->kind == WS_YAML_MAPPING) {
        values = read_range(tree, item, name, &failure, error);
    } else if (item->kind == WS_YAML_SCALAR) {
        values = ws_study_values(name, item->text, &failure);
    } else if (ws_yaml_count(item) == 0) {
        ws_yaml_error(tree, item, error, "%s: the list is empty", name);
        return FALSE;
    } else {
        values = read_list(tree, item, name, error);
    }
    if (values != NULL && ws_study_add(study, name, values, &failure))
        return TRUE;
    return failure != NULL && place_error(tree, item, failure, error);
}

static gboolean read_parameters(WsStudy *study, const WsYamlTree *tree, const WsYamlNode *node,
                                GError **error)
{
    if (!ws_yaml_expect_mapping(tree, node, "parameters", NULL, error))
        return FALSE;
    for (guint i = 0; i < ws_yaml_count(node); i++)
        if (!add_values(study, tree, ws_yaml_item(node, i), ws_yaml_key(node, i)->text, error))
            return FALSE;
    return TRUE;
}

static gboolean read_fixed(WsStudy *study, const WsYamlTree *tree, GError **error)
{
    const WsYamlNode *device = ws_yaml_get(tree->root, "device");
    const WsYamlNode *set = ws_yaml_get(tree->root, "set");
    const WsYamlNode *launch = ws_yaml_get(tree->root, "launch");
    const WsYamlNode *define = ws_yaml_get(tree->root, "define");
    const WsYamlNode *maxreg = ws_yaml_get(tree->root, "maxreg");
    const WsYamlNode *cycles = ws_yaml_get(tree->root, "max_cycles");
    const WsYamlNode *lines = ws_yaml_get(tree->root, "lines");
    const WsYamlNode *relative = ws_yaml_get(tree->root, "relative");
    const WsYamlNode *columns = ws_yaml_get(tree->root, "columns");
    guint64 registers = 0;
    if (device != NULL) {
        study->device = g_strdup(ws_yaml_text(tree, device, "device", error));
        if (study->device == NULL)
            return FALSE;
    }
    if ((set != NULL && (study->settings = read_members(tree, set, "set", error)) == NULL) ||
        (launch != NULL &&
         (study->launch_values = read_members(tree, launch, "launch", error)) == NULL) ||
        (define != NULL && (study->defines = read_list(tree, define, "define", error)) == NULL) ||
        (lines != NULL && (study->lines = read_list(tree, lines, "lines", error)) == NULL) ||
        (columns != NULL &&
         (study->columns = read_members(tree, columns, "columns", error)) == NULL) ||
        (relative != NULL &&
         (study->reference = read_members(tree, relative, "relative", error)) == NULL))
        return FALSE;
    if (maxreg != NULL && !ws_yaml_unsigned(tree, maxreg, "maxreg", 1, 255, &registers, error))
        return FALSE;
    study->max_registers = (guint32)registers;
    return cycles == NULL ||
           ws_yaml_unsigned(tree, cycles, "max_cycles", 1, G_MAXINT64, &study->max_cycles, error);
}

/* Which of all combinations are points, once the parameters are known. */
static gboolean read_design(WsStudy *study, const WsYamlTree *tree, GError **error)
{
    const WsYamlNode *zip = ws_yaml_get(tree->root, "zip");
    const WsYamlNode *single = ws_yaml_get(tree->root, "one_at_a_time");
    const WsYamlNode *generators = ws_yaml_get(tree->root, "generators");
    const WsYamlNode *fraction = ws_yaml_get(tree->root, "fraction");
    gboolean is_zip = FALSE, is_single = FALSE;
    g_autoptr(GError) failure = NULL;
    if ((zip != NULL && !ws_yaml_boolean(tree, zip, "zip", &is_zip, error)) ||
        (single != NULL && !ws_yaml_boolean(tree, single, "one_at_a_time", &is_single, error)) ||
        (generators != NULL &&
         (study->generators = read_members(tree, generators, "generators", error)) == NULL))
        return FALSE;
    if (is_zip && is_single) {
        ws_yaml_error(tree, single, error, "either `zip` or `one_at_a_time`");
        return FALSE;
    }
    study->design = is_zip ? WS_DESIGN_ZIP : is_single ? WS_DESIGN_ONE_AT_A_TIME : WS_DESIGN_CROSS;
    const char *text = fraction == NULL ? "" : ws_yaml_text(tree, fraction, "fraction", error);
    if (text == NULL)
        return FALSE;
    return fraction == NULL || ws_design_add_fraction(study, text, &failure) ||
           place_error(tree, fraction, failure, error);
}

/* The study with its one target, or with the parameter `target`: the slowest to change. */
static WsStudy *begin_study(const char *path, gboolean is_built_in, const WsYamlTree *tree,
                            GError **error)
{
    g_autofree char *folder = is_built_in ? g_get_current_dir() : g_path_get_dirname(path);
    const WsYamlNode *several = ws_yaml_get(tree->root, "targets");
    g_autoptr(WsStudy) study = ws_study_new(NULL);
    study->folder = is_built_in ? NULL : g_canonicalize_filename(folder, NULL);
    if (several != NULL) {
        if (ws_yaml_get(tree->root, "target") != NULL) {
            ws_yaml_error(tree, several, error, "either `target` or `targets`");
            return NULL;
        }
        return add_values(study, tree, several, "target", error) ? g_steal_pointer(&study) : NULL;
    }
    const WsYamlNode *target = ws_yaml_require(tree, tree->root, "the study file", "target", error);
    const char *name = target == NULL ? NULL : ws_yaml_text(tree, target, "target", error);
    if (name == NULL)
        return NULL;
    g_autofree char *beside = ws_path_in_folder(folder, name);
    study->target = ws_study_target(g_file_test(beside, G_FILE_TEST_EXISTS) ? beside : name);
    return g_steal_pointer(&study);
}

WsStudy *ws_study_file_read(const char *path, GError **error)
{
    g_autoptr(GBytes) text = built_in(path);
    g_autoptr(WsYamlTree) tree = text != NULL ? ws_yaml_parse(path, g_bytes_get_data(text, NULL),
                                                              g_bytes_get_size(text), error)
                                              : ws_yaml_read(path, error);
    guint64 number;
    if (tree == NULL ||
        !ws_yaml_expect_mapping(tree, tree->root, "the study file", file_keys, error))
        return NULL;
    const WsYamlNode *version =
        ws_yaml_require(tree, tree->root, "the study file", "version", error);
    if (version == NULL || !ws_yaml_unsigned(tree, version, "version", 1, 1, &number, error))
        return NULL;
    g_autoptr(WsStudy) study = begin_study(path, text != NULL, tree, error);
    if (study == NULL)
        return NULL;
    const WsYamlNode *parameters =
        ws_yaml_require(tree, tree->root, "the study file", "parameters", error);
    return parameters != NULL && read_fixed(study, tree, error) &&
                   read_parameters(study, tree, parameters, error) &&
                   read_design(study, tree, error)
               ? g_steal_pointer(&study)
               : NULL;
}

/* ---- what a folder says -----------------------------------------------------------------------
 */

/* Whether a device or a target is a file that is looked for in the study's folder. */
static gboolean has_files(const WsStudy *study)
{
    g_autofree char *device = study->device == NULL ? NULL : ws_study_device(study, study->device);
    gboolean found = device != NULL && g_path_is_absolute(device);
    for (guint i = 0; i < study->parameters->len; i++) {
        const WsStudyParameter *parameter = ws_study_parameter(study, i);
        gboolean names = parameter->kind == WS_STUDY_DEVICE || parameter->kind == WS_STUDY_TARGET;
        for (guint v = 0; names && v < parameter->count; v++) {
            g_autofree char *path = parameter->kind == WS_STUDY_DEVICE
                                        ? ws_study_device(study, parameter->values[v])
                                        : ws_study_path(study, parameter->values[v]);
            found = found || g_path_is_absolute(path);
        }
    }
    return found;
}

char *ws_study_to_json(const WsStudy *study, const WsStudyDigest *digest)
{
    g_autoptr(JsonBuilder) json = json_builder_new();
    json_builder_begin_object(json);
    ws_json_add_text(json, "schema", schema);
    ws_json_add_text(json, "version", WS_VERSION);
    ws_json_add_text(json, "digest", digest->common);
    if (digest->targets != NULL)
        ws_json_add_texts(json, "target_digests", digest->targets);
    ws_json_add_text(json, "target", study->target);
    if (study->folder != NULL && has_files(study))
        ws_json_add_text(json, "folder", study->folder);
    ws_json_add_text(json, "device", study->device);
    ws_json_add_texts(json, "set", study->settings);
    ws_json_add_texts(json, "launch", study->launch_values);
    ws_json_add_texts(json, "define", study->defines);
    if (study->lines != NULL)
        ws_json_add_texts(json, "lines", study->lines);
    if (study->regions != NULL)
        ws_json_add_texts(json, "regions", study->regions);
    if (study->reference != NULL)
        ws_json_add_texts(json, "relative", study->reference);
    if (study->columns != NULL)
        ws_json_add_texts(json, "columns", study->columns);
    json_builder_set_member_name(json, "maxreg");
    json_builder_add_int_value(json, study->max_registers);
    json_builder_set_member_name(json, "max_cycles");
    json_builder_add_int_value(json, (gint64)study->max_cycles);
    json_builder_set_member_name(json, "zip");
    json_builder_add_boolean_value(json, study->design == WS_DESIGN_ZIP);
    if (study->design == WS_DESIGN_ONE_AT_A_TIME)
        ws_json_add_text(json, "design", one_at_a_time);
    if (study->generators != NULL)
        ws_json_add_texts(json, "generators", study->generators);
    json_builder_set_member_name(json, "parameters");
    json_builder_begin_array(json);
    for (guint i = 0; i < study->parameters->len; i++) {
        const WsStudyParameter *parameter = ws_study_parameter(study, i);
        json_builder_begin_object(json);
        ws_json_add_text(json, "name", parameter->name);
        ws_json_add_texts(json, "values", parameter->values);
        json_builder_end_object(json);
    }
    json_builder_end_array(json);
    json_builder_end_object(json);
    g_autoptr(JsonNode) root = json_builder_get_root(json);
    return ws_json_text(root);
}

/* A text, NULL where there is none. */
static const char *text_of(JsonObject *object, const char *name)
{
    JsonNode *node = json_object_get_member(object, name);
    return node != NULL && JSON_NODE_HOLDS_VALUE(node) &&
                   json_node_get_value_type(node) == G_TYPE_STRING
               ? json_node_get_string(node)
               : NULL;
}

static gint64 number_of(JsonObject *object, const char *name)
{
    JsonNode *node = json_object_get_member(object, name);
    return node != NULL && JSON_NODE_HOLDS_VALUE(node) &&
                   json_node_get_value_type(node) == G_TYPE_INT64
               ? json_node_get_int(node)
               : 0;
}

static char **texts_of(JsonObject *object, const char *name)
{
    JsonNode *node = json_object_get_member(object, name);
    JsonArray *list =
        node != NULL && JSON_NODE_HOLDS_ARRAY(node) ? json_node_get_array(node) : NULL;
    guint count = list == NULL ? 0 : json_array_get_length(list);
    char **texts = g_new0(char *, count + 1);
    for (guint i = 0; i < count; i++) {
        JsonNode *item = json_array_get_element(list, i);
        gboolean is_text =
            JSON_NODE_HOLDS_VALUE(item) && json_node_get_value_type(item) == G_TYPE_STRING;
        texts[i] = g_strdup(is_text ? json_node_get_string(item) : "");
    }
    return texts;
}

static gboolean add_parameters(WsStudy *study, JsonObject *root, GError **error)
{
    JsonNode *node = json_object_get_member(root, "parameters");
    JsonArray *list =
        node != NULL && JSON_NODE_HOLDS_ARRAY(node) ? json_node_get_array(node) : NULL;
    for (guint i = 0; list != NULL && i < json_array_get_length(list); i++) {
        JsonNode *item = json_array_get_element(list, i);
        JsonObject *object = JSON_NODE_HOLDS_OBJECT(item) ? json_node_get_object(item) : NULL;
        const char *name = object == NULL ? NULL : text_of(object, "name");
        char **values = name == NULL ? NULL : texts_of(object, "values");
        if (values == NULL || values[0] == NULL) {
            g_strfreev(values);
            ws_set_error(error, WS_ERROR_USAGE, "a parameter has no name or no values");
            return FALSE;
        }
        if (!ws_study_add(study, name, values, error))
            return FALSE;
    }
    return TRUE;
}

static gboolean read_digest(const WsStudy *study, JsonObject *root, WsStudyDigest *ret,
                            GError **error)
{
    const char *common = text_of(root, "digest");
    g_auto(GStrv) targets =
        json_object_has_member(root, "target_digests") ? texts_of(root, "target_digests") : NULL;
    guint wanted = ws_study_target_count(study);
    if (targets != NULL && g_strv_length(targets) != wanted) {
        ws_set_error(error, WS_ERROR_USAGE, "target_digests: %u are expected, one for each target",
                     wanted);
        return FALSE;
    }
    *ret = (WsStudyDigest){.common = g_strdup(common != NULL ? common : ""),
                           .targets = g_steal_pointer(&targets)};
    return TRUE;
}

static WsStudy *study_of(JsonObject *root, WsStudyDigest *ret_digest, GError **error)
{
    g_autoptr(WsStudy) study = ws_study_new(text_of(root, "target"));
    study->folder = g_strdup(text_of(root, "folder"));
    study->device = g_strdup(text_of(root, "device"));
    study->settings = texts_of(root, "set");
    study->launch_values = texts_of(root, "launch");
    study->defines = texts_of(root, "define");
    if (json_object_has_member(root, "lines"))
        study->lines = texts_of(root, "lines");
    if (json_object_has_member(root, "regions"))
        study->regions = texts_of(root, "regions");
    if (json_object_has_member(root, "relative"))
        study->reference = texts_of(root, "relative");
    if (json_object_has_member(root, "columns"))
        study->columns = texts_of(root, "columns");
    study->max_registers = (guint32)CLAMP(number_of(root, "maxreg"), 0, 255);
    study->max_cycles = (guint64)MAX(number_of(root, "max_cycles"), 0);
    JsonNode *zip = json_object_get_member(root, "zip");
    if (zip != NULL && JSON_NODE_HOLDS_VALUE(zip) &&
        json_node_get_value_type(zip) == G_TYPE_BOOLEAN && json_node_get_boolean(zip))
        study->design = WS_DESIGN_ZIP;
    if (g_strcmp0(text_of(root, "design"), one_at_a_time) == 0)
        study->design = WS_DESIGN_ONE_AT_A_TIME;
    if (json_object_has_member(root, "generators"))
        study->generators = texts_of(root, "generators");
    if (!add_parameters(study, root, error) || !ws_study_check(study, error) ||
        !read_digest(study, root, ret_digest, error))
        return NULL;
    return g_steal_pointer(&study);
}

WsStudy *ws_study_from_json(const char *path, const char *text, gsize length,
                            WsStudyDigest *ret_digest, GError **error)
{
    WsPosition position = {.file = path};
    g_autoptr(JsonParser) parser = json_parser_new();
    JsonNode *root = json_parser_load_from_data(parser, text, (gssize)length, NULL)
                         ? json_parser_get_root(parser)
                         : NULL;
    JsonObject *object =
        root != NULL && JSON_NODE_HOLDS_OBJECT(root) ? json_node_get_object(root) : NULL;
    if (object == NULL || g_strcmp0(text_of(object, "schema"), schema) != 0) {
        ws_set_error_at(error, WS_ERROR_INPUT, &position, "is not a study of this version");
        return NULL;
    }
    g_autoptr(GError) failure = NULL;
    WsStudy *study = study_of(object, ret_digest, &failure);
    if (study == NULL) {
        const char *why = g_str_has_prefix(failure->message, "error: ")
                              ? failure->message + strlen("error: ")
                              : failure->message;
        ws_set_error_at(error, WS_ERROR_INPUT, &position, "%s", why);
    }
    return study;
}
