#include "inspect/dap/arguments.h"

#include "isa/base/error.h"

#include <string.h>

static void complain(WsDapArguments *arguments, const char *name, const char *expected)
{
    if (arguments->error == NULL)
        ws_set_error(&arguments->error, WS_ERROR_USAGE, "argument '%s': %s is expected", name,
                     expected);
}

/* The argument, or NULL: it is not there, or null. */
static JsonNode *find(const WsDapArguments *arguments, const char *name)
{
    JsonNode *node =
        arguments->object != NULL ? json_object_get_member(arguments->object, name) : NULL;

    return node == NULL || JSON_NODE_HOLDS_NULL(node) ? NULL : node;
}

static gboolean holds(JsonNode *node, GType type)
{
    return JSON_NODE_HOLDS_VALUE(node) && json_node_get_value_type(node) == type;
}

gint64 ws_dap_number(WsDapArguments *arguments, const char *name, gint64 otherwise, gint64 least,
                     gint64 most)
{
    JsonNode *node = find(arguments, name);
    g_autofree char *expected = NULL;

    if (node == NULL && otherwise != WS_DAP_REQUIRED)
        return otherwise;
    if (node != NULL && holds(node, G_TYPE_INT64) && json_node_get_int(node) >= least &&
        json_node_get_int(node) <= most)
        return json_node_get_int(node);
    expected = g_strdup_printf("a whole number from %" G_GINT64_FORMAT " to %" G_GINT64_FORMAT,
                               least, most);
    complain(arguments, name, expected);
    return otherwise != WS_DAP_REQUIRED ? otherwise : least;
}

gboolean ws_dap_is_word(const WsDapArguments *arguments, const char *name, const char *word)
{
    JsonNode *node = find(arguments, name);

    return node != NULL && holds(node, G_TYPE_STRING) &&
           strcmp(json_node_get_string(node), word) == 0;
}

gboolean ws_dap_flag(WsDapArguments *arguments, const char *name, gboolean otherwise)
{
    JsonNode *node = find(arguments, name);

    if (node == NULL)
        return otherwise;
    if (holds(node, G_TYPE_BOOLEAN))
        return json_node_get_boolean(node);
    complain(arguments, name, "true or false");
    return otherwise;
}

const char *ws_dap_text(WsDapArguments *arguments, const char *name, gboolean required)
{
    JsonNode *node = find(arguments, name);

    if (node != NULL && holds(node, G_TYPE_STRING))
        return json_node_get_string(node);
    if (node != NULL || required)
        complain(arguments, name, "a text");
    return NULL;
}

JsonArray *ws_dap_list(WsDapArguments *arguments, const char *name, gboolean required)
{
    JsonNode *node = find(arguments, name);

    if (node != NULL && JSON_NODE_HOLDS_ARRAY(node))
        return json_node_get_array(node);
    if (node != NULL || required)
        complain(arguments, name, "a list");
    return NULL;
}

JsonObject *ws_dap_object(WsDapArguments *arguments, const char *name, gboolean required)
{
    JsonNode *node = find(arguments, name);

    if (node != NULL && JSON_NODE_HOLDS_OBJECT(node))
        return json_node_get_object(node);
    if (node != NULL || required)
        complain(arguments, name, "an object");
    return NULL;
}

WsDapArguments ws_dap_item(JsonArray *list, guint index)
{
    JsonNode *node = json_array_get_element(list, index);

    return (WsDapArguments){.object =
                                JSON_NODE_HOLDS_OBJECT(node) ? json_node_get_object(node) : NULL};
}

/* A plain value as text, or NULL. */
static char *value_text(JsonNode *node)
{
    if (!JSON_NODE_HOLDS_VALUE(node))
        return NULL;
    if (holds(node, G_TYPE_STRING))
        return json_node_dup_string(node);
    return json_to_string(node, FALSE);
}

static void add_members(WsDapArguments *arguments, const char *name, JsonObject *object,
                        GPtrArray *ret)
{
    g_autoptr(GList) members = json_object_get_members(object);

    for (GList *i = members; i != NULL; i = i->next) {
        g_autofree char *value = value_text(json_object_get_member(object, i->data));

        if (value == NULL)
            complain(arguments, name, "a plain value for each key");
        else
            g_ptr_array_add(ret, g_strdup_printf("%s=%s", (const char *)i->data, value));
    }
}

char **ws_dap_pairs(WsDapArguments *arguments, const char *name)
{
    g_autoptr(GPtrArray) pairs = g_ptr_array_new_with_free_func(g_free);
    JsonNode *node = find(arguments, name);

    if (node == NULL)
        return NULL;
    if (holds(node, G_TYPE_STRING)) {
        g_ptr_array_add(pairs, json_node_dup_string(node));
    } else if (JSON_NODE_HOLDS_OBJECT(node)) {
        add_members(arguments, name, json_node_get_object(node), pairs);
    } else if (JSON_NODE_HOLDS_ARRAY(node)) {
        JsonArray *list = json_node_get_array(node);

        for (guint i = 0; i < json_array_get_length(list); i++)
            if (holds(json_array_get_element(list, i), G_TYPE_STRING))
                g_ptr_array_add(pairs, json_node_dup_string(json_array_get_element(list, i)));
            else
                complain(arguments, name, "a list of texts KEY=VALUE");
    } else {
        complain(arguments, name, "a list of texts KEY=VALUE");
    }
    g_ptr_array_add(pairs, NULL);
    return (char **)g_ptr_array_free(g_steal_pointer(&pairs), FALSE);
}
