/* Whether what a test names is in its launch file: a wrong name is the assignment's fault, with a
 * place. */
#include "grade/assignment/reader.h"

#include <string.h>

/* The keys of a mapping of the launch file, NULL-terminated; none if it is not there. */
static GPtrArray *keys_of(const WsYamlTree *launch, const char *mapping)
{
    const WsYamlNode *node = ws_yaml_get(launch->root, mapping);
    GPtrArray *keys = g_ptr_array_new();
    if (node != NULL && node->kind == WS_YAML_MAPPING)
        for (guint i = 0; i < ws_yaml_count(node); i++)
            g_ptr_array_add(keys, ws_yaml_key(node, i)->text);
    g_ptr_array_add(keys, NULL);
    return keys;
}

static gboolean find(const WsAssignment *assignment, const WsYamlNode *node, const char *name,
                     const char *what, const GPtrArray *names, GError **error)
{
    const char *const *list = (const char *const *)names->pdata;
    if (g_strv_contains(list, name))
        return TRUE;
    g_autofree char *shown = ws_printable(name);
    const char *nearest = ws_nearest_name(name, list);
    if (nearest != NULL)
        return ws_yaml_error(assignment->tree, node, error,
                             "the launch file has no %s '%s'; did you mean '%s'?", what, shown,
                             nearest);
    return ws_yaml_error(assignment->tree, node, error, "the launch file has no %s '%s'", what,
                         shown);
}

/* What --launch takes beside the values of `let`: grid, 2.block, params.n. */
static gboolean is_of_a_launch(const char *name)
{
    static const char *const keys[] = {
        "grid", "block", "dynamic_shared_bytes", "stack_bytes", "carveout", "cache", NULL};
    const char *key = name + strspn(name, "0123456789");
    if (key != name && *key == '.')
        key++;
    return g_strv_contains(keys, key) || g_str_has_prefix(key, "params.");
}

static gboolean check_values(const WsAssignment *assignment, const WsYamlNode *node,
                             const GPtrArray *let, GError **error)
{
    const WsYamlNode *with = ws_yaml_get(node, "with"), *draw = ws_yaml_get(node, "draw");
    for (guint i = 0; with != NULL && i < ws_yaml_count(with); i++) {
        const WsYamlNode *key = ws_yaml_key(with, i);
        if (!is_of_a_launch(key->text) &&
            !find(assignment, key, key->text, "value of let", let, error))
            return FALSE;
    }
    gboolean one = draw != NULL && draw->kind == WS_YAML_SCALAR;
    for (guint i = 0; draw != NULL && i < (one ? 1 : ws_yaml_count(draw)); i++) {
        const WsYamlNode *key = one ? draw : ws_yaml_key(draw, i);
        if (!find(assignment, key, key->text, "value of let", let, error))
            return FALSE;
    }
    return TRUE;
}

gboolean ws_check_launch_names(const WsAssignment *assignment, const WsYamlNode *node,
                               const WsTest *test, GError **error)
{
    g_autofree char *path = ws_assignment_path(assignment, test->launch);
    g_autoptr(WsYamlTree) launch = ws_yaml_read(path, NULL);
    const WsYamlNode *version = launch == NULL ? NULL : ws_yaml_get(launch->root, "version");
    if (version == NULL || version->kind != WS_YAML_SCALAR || strcmp(version->text, "1") != 0)
        return TRUE; /* told when it is run, as all else that is wrong in it */
    g_autoptr(GPtrArray) let = keys_of(launch, "let"), buffers = keys_of(launch, "buffers");
    const WsYamlNode *compare = ws_yaml_get(node, "compare");
    if (!check_values(assignment, node, let, error))
        return FALSE;
    for (guint i = 0; i < test->comparisons->len; i++)
        if (!find(assignment, ws_yaml_get(ws_yaml_item(compare, i), "buffer"),
                  g_array_index(test->comparisons, WsComparison, i).buffer, "buffer", buffers,
                  error))
            return FALSE;
    return TRUE;
}
