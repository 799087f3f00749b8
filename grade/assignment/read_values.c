/* What values of an assignment are written as. */
#include "grade/assignment/reader.h"
#include "sim/launch/host_memory.h"
#include "sim/report/bottleneck.h"

#include <math.h>
#include <string.h>

gboolean ws_read_text(const WsYamlTree *tree, const WsYamlNode *node, const char *what, char **ret,
                      GError **error)
{
    if (node == NULL)
        return TRUE;
    const char *text = ws_yaml_text(tree, node, what, error);
    if (text == NULL)
        return FALSE;
    g_free(*ret);
    *ret = g_strdup(text);
    return TRUE;
}

gboolean ws_read_texts(const WsYamlTree *tree, const WsYamlNode *node, const char *what,
                       char ***ret, GError **error)
{
    if (node == NULL)
        return TRUE;
    gboolean one = node->kind == WS_YAML_SCALAR;
    if (!one && !ws_yaml_expect_sequence(tree, node, what, error))
        return FALSE;
    guint count = one ? 1 : ws_yaml_count(node);
    g_auto(GStrv) texts = g_new0(char *, count + 1);
    for (guint i = 0; i < count; i++)
        if (!ws_read_text(tree, one ? node : ws_yaml_item(node, i), what, &texts[i], error))
            return FALSE;
    g_strfreev(*ret);
    *ret = g_steal_pointer(&texts);
    return TRUE;
}

gboolean ws_read_amount(const WsYamlTree *tree, const WsYamlNode *node, const char *what,
                        double *ret, GError **error)
{
    if (node == NULL)
        return TRUE;
    if (!ws_yaml_number(tree, node, what, ret, error))
        return FALSE;
    if (!(*ret >= 0 && *ret <= 1e15))
        return ws_yaml_error(tree, node, error, "%s must be a number from 0 up", what);
    return TRUE;
}

gboolean ws_read_truth(const WsYamlTree *tree, const WsYamlNode *node, const char *what,
                       gboolean *ret, GError **error)
{
    return node == NULL || ws_yaml_boolean(tree, node, what, ret, error);
}

gboolean ws_read_tolerance(const WsYamlTree *tree, const WsYamlNode *mapping, double *ret_relative,
                           double *ret_absolute, GError **error)
{
    return ws_read_amount(tree, ws_yaml_get(mapping, "rel"), "rel", ret_relative, error) &&
           ws_read_amount(tree, ws_yaml_get(mapping, "abs"), "abs", ret_absolute, error);
}

WsFormula *ws_read_formula(const WsYamlTree *tree, const WsYamlNode *node, const char *what,
                           GError **error)
{
    const char *text = ws_yaml_text(tree, node, what, error);
    if (text == NULL)
        return NULL;
    g_autofree char *problem = NULL;
    gsize offset;
    WsFormula *formula = ws_formula_parse(text, &problem, &offset);
    if (formula == NULL) {
        WsPosition position = ws_yaml_position(tree, node);
        if (position.column != 0 && node->inset >= 0)
            position.column += (guint32)node->inset + (guint32)g_utf8_strlen(text, (gssize)offset);
        ws_set_error_at(error, WS_ERROR_INPUT, &position, "%s: %s", what, problem);
    }
    return formula;
}

gboolean ws_read_path(const WsAssignment *assignment, const WsYamlNode *node, const char *what,
                      gboolean folder, char **ret, GError **error)
{
    if (node == NULL)
        return TRUE;
    const WsYamlTree *tree = assignment->tree;
    if (!ws_read_text(tree, node, what, ret, error))
        return FALSE;
    g_autofree char *shown = ws_printable(*ret);
    g_autofree char *path = ws_assignment_path(assignment, *ret);
    g_autofree char *inside = g_strconcat(assignment->folder, "/", NULL);
    g_autofree char *whole = g_canonicalize_filename(path, NULL);
    if (!g_str_has_prefix(whole, inside) && strcmp(whole, assignment->folder) != 0)
        return ws_yaml_error(tree, node, error, "%s '%s': is outside of the assignment's folder",
                             what, shown);
    if (!g_file_test(path, folder ? G_FILE_TEST_IS_DIR : G_FILE_TEST_IS_REGULAR))
        return ws_yaml_error(tree, node, error, "%s '%s': no such %s", what, shown,
                             folder ? "folder" : "file");
    return TRUE;
}

/* The place of a name among `names`, which are `what` ("test"). */
static gboolean find_name(const WsYamlTree *tree, const WsYamlNode *node, const char *what,
                          const GPtrArray *names, guint *ret, GError **error)
{
    const char *name = ws_yaml_text(tree, node, what, error);
    if (name == NULL)
        return FALSE;
    for (guint i = 0; i + 1 < names->len; i++) {
        *ret = i;
        if (strcmp(names->pdata[i], name) == 0)
            return TRUE;
    }
    g_autofree char *shown = ws_printable(name);
    const char *nearest = ws_nearest_name(name, (const char *const *)names->pdata);
    if (nearest != NULL)
        return ws_yaml_error(tree, node, error, "there is no %s '%s'; did you mean '%s'?", what,
                             shown, nearest);
    return ws_yaml_error(tree, node, error, "there is no %s '%s'", what, shown);
}

gboolean ws_read_test_name(const WsAssignment *assignment, const WsYamlNode *node, guint *ret,
                           GError **error)
{
    g_autoptr(GPtrArray) names = g_ptr_array_new();
    for (guint i = 0; i < assignment->tests->len; i++)
        g_ptr_array_add(names, ws_assignment_test(assignment, i)->name);
    g_ptr_array_add(names, NULL);
    return find_name(assignment->tree, node, "test", names, ret, error);
}

gboolean ws_read_needs(const WsAssignment *assignment, const WsYamlNode *node, GArray *ret,
                       GError **error)
{
    if (node == NULL)
        return TRUE;
    g_autoptr(GPtrArray) names = g_ptr_array_new();
    for (guint i = 0; i < assignment->rules->len; i++)
        g_ptr_array_add(names, ws_assignment_rule(assignment, i)->name);
    g_ptr_array_add(names, NULL);
    gboolean one = node->kind == WS_YAML_SCALAR;
    if (!one && !ws_yaml_expect_sequence(assignment->tree, node, "needs", error))
        return FALSE;
    for (guint i = 0; i < (one ? 1 : ws_yaml_count(node)); i++) {
        guint place;
        if (!find_name(assignment->tree, one ? node : ws_yaml_item(node, i), "check", names, &place,
                       error))
            return FALSE;
        g_array_append_val(ret, place);
    }
    return TRUE;
}

gboolean ws_check_figures(const WsAssignment *assignment, const WsYamlNode *node,
                          const WsFormula *formula, GError **error)
{
    for (guint i = 0; i < ws_formula_figure_count(formula); i++) {
        const WsFigure *figure = ws_formula_figure(formula, i);
        if (figure->of == WS_FIGURE_REFERENCE && assignment->reference == NULL)
            return ws_yaml_error(assignment->tree, node, error,
                                 "'%s' needs a 'reference', which the assignment does not have",
                                 figure->text);
        if (figure->of == WS_FIGURE_TEST && ws_assignment_find_test(assignment, figure->test) < 0)
            return ws_yaml_error(assignment->tree, node, error, "'%s': there is no test '%s'",
                                 figure->text, figure->test);
    }
    return TRUE;
}

gboolean ws_read_no_hints(WsAssignment *assignment, const WsYamlNode *node, GError **error)
{
    const WsYamlTree *tree = assignment->tree;
    g_autoptr(GPtrArray) names = g_ptr_array_new();
    if (!ws_read_texts(tree, node, "no_hints", &assignment->no_hints, error))
        return FALSE;
    for (guint i = 0; ws_bottleneck_name(i) != NULL; i++)
        g_ptr_array_add(names, (gpointer)ws_bottleneck_name(i));
    g_ptr_array_add(names, NULL);
    for (guint i = 0; node != NULL && assignment->no_hints[i] != NULL; i++) {
        guint place;
        const WsYamlNode *item = node->kind == WS_YAML_SCALAR ? node : ws_yaml_item(node, i);
        if (!find_name(tree, item, "cause of lost time", names, &place, error))
            return FALSE;
    }
    return TRUE;
}

gboolean ws_read_limits(const WsYamlTree *tree, const WsYamlNode *node, WsTestLimits *ret,
                        GError **error)
{
    static const char *const keys[] = {"cycles", "seconds", "memory", "compile_seconds", NULL};
    if (node == NULL)
        return TRUE;
    if (!ws_yaml_expect_mapping(tree, node, "limits", keys, error))
        return FALSE;
    const WsYamlNode *cycles = ws_yaml_get(node, "cycles"), *memory = ws_yaml_get(node, "memory"),
                     *compile = ws_yaml_get(node, "compile_seconds"),
                     *seconds = ws_yaml_get(node, "seconds");
    if ((cycles != NULL &&
         !ws_yaml_unsigned(tree, cycles, "cycles", 1, G_MAXINT64, &ret->cycles, error)) ||
        (compile != NULL && !ws_yaml_unsigned(tree, compile, "compile_seconds", 1, 3600,
                                              &ret->compile_seconds, error)) ||
        !ws_read_amount(tree, seconds, "seconds", &ret->seconds, error))
        return FALSE;
    if (ret->seconds < 1 || ret->seconds > 3600)
        return ws_yaml_error(tree, seconds, error, "seconds must be from 1 to 3600");
    const char *text = memory == NULL ? NULL : ws_yaml_text(tree, memory, "memory", error);
    if (memory != NULL && text == NULL)
        return FALSE;
    if (memory != NULL && !ws_host_memory_parse(text, &ret->memory))
        return ws_yaml_error(tree, memory, error,
                             "memory: a number of bytes is expected, such as 512M");
    return TRUE;
}
