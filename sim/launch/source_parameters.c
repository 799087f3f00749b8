#include "sim/launch/source_parameters.h"

#include "isa/base/kernel_names.h"
#include "isa/cuda/cuda.h"

#include <json-glib/json-glib.h>
#include <string.h>

enum { TREE_DEPTH = 64 };

/* ---- clang's syntax tree ----------------------------------------------------------------------
 */

static const char *member_text(JsonObject *object, const char *name)
{
    JsonNode *node = json_object_get_member(object, name);
    return node != NULL && JSON_NODE_HOLDS_VALUE(node) ? json_node_get_string(node) : NULL;
}

static JsonArray *children_of(JsonObject *object)
{
    JsonNode *node = json_object_get_member(object, "inner");
    return node != NULL && JSON_NODE_HOLDS_ARRAY(node) ? json_node_get_array(node) : NULL;
}

/* The declaration with this mangled name in `node` or below it. */
static JsonObject *find_function(JsonNode *node, const char *mangled, guint depth)
{
    if (node == NULL || !JSON_NODE_HOLDS_OBJECT(node) || depth == TREE_DEPTH)
        return NULL;
    JsonObject *object = json_node_get_object(node);
    if (g_strcmp0(member_text(object, "mangledName"), mangled) == 0)
        return object;
    JsonArray *inner = children_of(object);
    JsonObject *found = NULL;
    for (guint i = 0; inner != NULL && found == NULL && i < json_array_get_length(inner); i++)
        found = find_function(json_array_get_element(inner, i), mangled, depth + 1);
    return found;
}

/* The type without names that stand for others, where clang says it. */
static const char *type_of(JsonObject *declaration)
{
    JsonNode *node = json_object_get_member(declaration, "type");
    if (node == NULL || !JSON_NODE_HOLDS_OBJECT(node))
        return NULL;
    JsonObject *type = json_node_get_object(node);
    const char *written = member_text(type, "qualType");
    const char *plain = member_text(type, "desugaredQualType");
    /* The types of handles are numbers: only the name tells. */
    gboolean handle = written != NULL && g_str_has_suffix(written, "Object_t");
    return plain != NULL && !handle ? plain : written;
}

static void take_parameters(JsonObject *function, WsSourceParameter *parameters, guint32 count)
{
    JsonArray *inner = children_of(function);
    guint32 at = 0;
    for (guint i = 0; inner != NULL && i < json_array_get_length(inner) && at < count; i++) {
        JsonNode *node = json_array_get_element(inner, i);
        if (!JSON_NODE_HOLDS_OBJECT(node))
            continue;
        JsonObject *child = json_node_get_object(node);
        if (g_strcmp0(member_text(child, "kind"), "ParmVarDecl") != 0)
            continue;
        parameters[at].name = g_strdup(member_text(child, "name"));
        parameters[at].type = g_strdup(type_of(child));
        at++;
    }
}

/* The trees stand one behind the other, each from a line "{" to a line "}". */
static void read_trees(char *text, const char *mangled, WsSourceParameter *parameters,
                       guint32 count)
{
    g_autofree char *key = g_strdup_printf("\"mangledName\": \"%s\"", mangled);
    for (char *start = text; start != NULL && *start != '\0';) {
        char *end = strstr(start, "\n}\n");
        if (end != NULL)
            end[2] = '\0';
        if (strstr(start, key) != NULL) {
            g_autoptr(JsonParser) parser = json_parser_new();
            JsonObject *function = NULL;
            if (json_parser_load_from_data(parser, start, -1, NULL))
                function = find_function(json_parser_get_root(parser), mangled, 0);
            if (function != NULL)
                take_parameters(function, parameters, count);
        }
        start = end == NULL ? NULL : end + 3;
    }
}

/* "axpy" of "ns::axpy<float, 4>": what clang finds declarations by. */
static char *bare_name(const char *display_name)
{
    g_autofree char *name = g_strndup(display_name, strcspn(display_name, "<("));
    const char *colon = g_strrstr(name, "::");
    return g_strdup(colon != NULL ? colon + 2 : name);
}

/* ---- mangled names ----------------------------------------------------------------------------
 */

/* The types of "axpy<float, 4>(float const*, int)", in place of what clang says: no typedefs. */
static void take_signature(const char *signature, WsSourceParameter *parameters, guint32 count)
{
    gsize length = strlen(signature);
    guint depth = 0;
    gsize open = length;
    if (length == 0 || signature[length - 1] != ')')
        return;
    do {
        open--;
        depth += signature[open] == ')';
        depth -= signature[open] == '(';
    } while (depth > 0 && open > 0);
    const char *start = signature + open + 1;
    guint32 at = 0;
    for (const char *c = start; *c != '\0' && at < count; c++) {
        gboolean ends = depth == 0 && (*c == ',' || c == signature + length - 1);
        depth += *c == '<' || *c == '(' || *c == '[';
        depth -= depth > 0 && (*c == '>' || *c == ')' || *c == ']');
        if (!ends)
            continue;
        g_autofree char *type = g_strndup(start, (gsize)(c - start));
        gboolean handle =
            parameters[at].type != NULL && g_str_has_suffix(parameters[at].type, "Object_t");
        if (!handle) {
            g_free(parameters[at].type);
            parameters[at].type = g_strdup(g_strstrip(type));
        }
        at++;
        start = c + 1;
    }
}

WsSourceParameter *ws_source_parameters_read(const WsProgram *program, const WsKernel *kernel,
                                             const WsCompileOptions *options)
{
    guint32 count = kernel->parameter_count;
    WsSourceParameter *parameters = g_new0(WsSourceParameter, MAX(count, 1));
    if (g_str_has_suffix(program->path, ".cu")) {
        g_autofree char *name = bare_name(kernel->display_name);
        g_autofree char *tree = ws_cuda_syntax_tree(program->path, options, name, NULL);
        if (tree != NULL)
            read_trees(tree, kernel->name, parameters, count);
    } else if (program->ptx == NULL) {
        for (guint32 i = 0; i < count; i++)
            parameters[i].name = g_strdup(kernel->parameters[i].name);
    }
    g_autofree char *signature = ws_kernel_signature(kernel->name);
    take_signature(signature, parameters, count);
    return parameters;
}

void ws_source_parameters_free(WsSourceParameter *parameters, guint32 count)
{
    for (guint32 i = 0; parameters != NULL && i < count; i++) {
        g_free(parameters[i].name);
        g_free(parameters[i].type);
    }
    g_free(parameters);
}
