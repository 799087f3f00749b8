#include "sim/device/policy_parameters.h"

#include <string.h>

#define PREFIX "policy."

const char *ws_policy_parameter_name(const char *path)
{
    return g_str_has_prefix(path, PREFIX) && path[strlen(PREFIX)] != '\0' ? path + strlen(PREFIX)
                                                                          : NULL;
}

static void parameter_free(gpointer data)
{
    WsPolicyParameter *parameter = data;

    g_free(parameter->name);
    g_free(parameter->value);
    g_free(parameter->file);
    g_free(parameter);
}

static gint compare(gconstpointer a, gconstpointer b)
{
    const WsPolicyParameter *x = *(gpointer const *)a, *y = *(gpointer const *)b;

    return strcmp(x->name, y->name);
}

gboolean ws_policy_parameters_set(GPtrArray **parameters, const char *name, const WsYamlTree *tree,
                                  const WsYamlNode *node, GError **error)
{
    const char *value = ws_yaml_text(tree, node, name, error);
    const WsPosition position = ws_yaml_position(tree, node);
    WsPolicyParameter *parameter;

    if (value == NULL)
        return FALSE;
    if (*parameters == NULL)
        *parameters = g_ptr_array_new_with_free_func(parameter_free);
    for (guint i = 0; i < (*parameters)->len; i++)
        if (strcmp(ws_policy_parameters_at(*parameters, i)->name, name) == 0)
            g_ptr_array_remove_index(*parameters, i--);
    parameter = g_new0(WsPolicyParameter, 1);
    parameter->name = g_strdup(name);
    parameter->value = g_strdup(value);
    parameter->file = g_strdup(position.file);
    parameter->line = position.line;
    parameter->column = position.column;
    g_ptr_array_add(*parameters, parameter);
    g_ptr_array_sort(*parameters, compare);
    return TRUE;
}
