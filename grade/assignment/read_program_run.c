/* `run:` of a test: a whole program instead of a launch file. */
#include "grade/assignment/reader.h"

#include "sim/base/element.h"
#include "sim/device/device.h"

#include <string.h>

enum { MOST_ARGUMENTS = 256, MOST_LAUNCHES = 10000, MOST_PARAMETER = 1024, MOST_EXIT_CODE = 255 };

static void clear_launch_count(gpointer count)
{
    g_free(((WsLaunchCount *)count)->kernel);
}

void ws_program_run_free(WsProgramRun *run)
{
    if (run == NULL)
        return;
    g_strfreev(run->arguments);
    g_free(run->input);
    g_free(run->input_file);
    g_strfreev(run->files);
    g_free(run->output);
    g_free(run->output_file);
    g_array_unref(run->launches);
    g_free(run->device);
    g_strfreev(run->settings);
    g_free(run);
}

/* ---- values in texts --------------------------------------------------------------------------
 */

/* The length of {NAME} at `text`, or 0. */
static gsize name_length(const char *text)
{
    gsize length = strspn(text + 1, G_CSET_a_2_z G_CSET_A_2_Z G_CSET_DIGITS "_");
    return length > 0 && !g_ascii_isdigit(text[1]) && text[1 + length] == '}' ? length : 0;
}

/* The value of a name, or NULL. */
static const char *value_of(const char *name, gsize length, char *const *values)
{
    for (; values != NULL && *values != NULL; values++)
        if (strncmp(*values, name, length) == 0 && (*values)[length] == '=')
            return *values + length + 1;
    return NULL;
}

char *ws_values_fill(const char *text, char *const *values)
{
    GString *out = g_string_new(NULL);
    while (*text != '\0') {
        gsize length = *text == '{' ? name_length(text) : 0;
        const char *value = length > 0 ? value_of(text + 1, length, values) : NULL;
        if (value == NULL) {
            g_string_append_c(out, *text++);
            continue;
        }
        g_string_append(out, value);
        text += length + strlen("{}");
    }
    return g_string_free(out, FALSE);
}

/* Names that texts use, and whether each is a value of the test. */
static gboolean check_used(const WsYamlTree *tree, const WsYamlNode *node, const char *text,
                           const WsTest *test, GHashTable *used, GError **error)
{
    for (; text != NULL && *text != '\0'; text++) {
        gsize length = *text == '{' ? name_length(text) : 0;
        if (length == 0)
            continue;
        g_autofree char *name = g_strndup(text + 1, length);
        gboolean known = value_of(name, length, test->values) != NULL;
        for (guint i = 0; i < test->draws->len; i++)
            known = known || strcmp(g_array_index(test->draws, WsDraw, i).name, name) == 0;
        if (!known)
            return ws_yaml_error(tree, node, error,
                                 "'{%s}': the test has no value '%s' in 'with' or 'draw'", name,
                                 name);
        g_hash_table_add(used, g_steal_pointer(&name));
    }
    return TRUE;
}

static gboolean check_uses(const WsYamlTree *tree, const WsYamlNode *node, GHashTable *used,
                           GError **error)
{
    const WsYamlNode *with = ws_yaml_get(node, "with"), *draw = ws_yaml_get(node, "draw");
    const WsYamlNode *const both[] = {with, draw};
    for (guint list = 0; list < G_N_ELEMENTS(both); list++) {
        gboolean one = both[list] != NULL && both[list]->kind == WS_YAML_SCALAR;
        for (guint i = 0; both[list] != NULL && i < (one ? 1 : ws_yaml_count(both[list])); i++) {
            const WsYamlNode *key = one ? both[list] : ws_yaml_key(both[list], i);
            g_autofree char *shown = ws_printable(key->text);
            if (!g_hash_table_contains(used, key->text))
                return ws_yaml_error(tree, key, error,
                                     "neither 'arguments' nor 'input' of the test has '{%s}'",
                                     shown);
        }
    }
    return TRUE;
}

/* ---- the keys ---------------------------------------------------------------------------------
 */

static gboolean read_files(const WsAssignment *assignment, const WsYamlNode *node,
                           WsProgramRun *run, GError **error)
{
    run->files = g_new0(char *, 1);
    if (!ws_read_texts(assignment->tree, node, "files", &run->files, error))
        return FALSE;
    for (guint i = 0; run->files[i] != NULL; i++) {
        const WsYamlNode *item = node->kind == WS_YAML_SCALAR ? node : ws_yaml_item(node, i);
        g_autofree char *name = NULL;
        if (!ws_read_path(assignment, item, "files", FALSE, &name, error))
            return FALSE;
    }
    return TRUE;
}

static gboolean read_input(const WsAssignment *assignment, const WsYamlNode *node,
                           WsProgramRun *run, GError **error)
{
    static const char *const keys[] = {"file", NULL};
    const WsYamlTree *tree = assignment->tree;
    if (node == NULL || node->kind == WS_YAML_SCALAR)
        return ws_read_text(tree, node, "input", &run->input, error);
    if (!ws_yaml_expect_mapping(tree, node, "input", keys, error))
        return FALSE;
    const WsYamlNode *file = ws_yaml_require(tree, node, "input", "file", error);
    return file != NULL && ws_read_path(assignment, file, "input", FALSE, &run->input_file, error);
}

static gboolean read_output(const WsAssignment *assignment, const WsYamlNode *node,
                            WsProgramRun *run, GError **error)
{
    static const char *const keys[] = {"text", "file", "rel", "abs", NULL};
    const WsYamlTree *tree = assignment->tree;
    if (node == NULL)
        return TRUE;
    run->compares = TRUE;
    if (node->kind == WS_YAML_SCALAR && strcmp(node->text, "reference") != 0)
        return ws_yaml_error(tree, node, error,
                             "output: 'reference' is expected, or a mapping with text, file, rel "
                             "or abs");
    if (node->kind != WS_YAML_SCALAR) {
        const WsYamlNode *text = ws_yaml_get(node, "text"), *file = ws_yaml_get(node, "file");
        run->numbers = ws_yaml_get(node, "rel") != NULL || ws_yaml_get(node, "abs") != NULL;
        if (!ws_yaml_expect_mapping(tree, node, "output", keys, error) ||
            !ws_read_text(tree, text, "text", &run->output, error) ||
            !ws_read_path(assignment, file, "file", FALSE, &run->output_file, error) ||
            !ws_read_tolerance(tree, node, &run->relative, &run->absolute, error))
            return FALSE;
        if (text != NULL && file != NULL)
            return ws_yaml_error(tree, file, error, "output: either a text or a file");
    }
    return run->output != NULL || run->output_file != NULL || assignment->reference != NULL ||
           ws_yaml_error(tree, node, error,
                         "output: without 'text' or 'file' it needs a 'reference', which the "
                         "assignment does not have");
}

static gboolean read_launch_counts(const WsYamlTree *tree, const WsYamlNode *node,
                                   WsProgramRun *run, GError **error)
{
    if (node == NULL)
        return TRUE;
    if (!ws_yaml_expect_mapping(tree, node, "launches", NULL, error))
        return FALSE;
    for (guint i = 0; i < ws_yaml_count(node); i++) {
        WsLaunchCount count = {.kernel = NULL};
        if (!ws_yaml_unsigned(tree, ws_yaml_item(node, i), "launches", 1, MOST_LAUNCHES,
                              &count.least, error))
            return FALSE;
        count.kernel = g_strdup(ws_yaml_key(node, i)->text);
        g_array_append_val(run->launches, count);
    }
    return TRUE;
}

static gboolean read_machine(const WsYamlTree *tree, const WsYamlNode *node, WsProgramRun *run,
                             GError **error)
{
    const WsYamlNode *device = ws_yaml_get(node, "device"), *set = ws_yaml_get(node, "set");
    guint which = 0;
    run->device = g_strdup("h200");
    run->settings = g_new0(char *, set == NULL ? 1 : ws_yaml_count(set) + 1);
    if (device != NULL) {
        if (!ws_yaml_choice(tree, device, "device", ws_device_names(), &which, error))
            return FALSE;
        g_free(run->device);
        run->device = g_strdup(ws_device_names()[which]);
    }
    if (set == NULL)
        return TRUE;
    if (!ws_yaml_expect_mapping(tree, set, "set", NULL, error))
        return FALSE;
    for (guint i = 0; i < ws_yaml_count(set); i++) {
        const char *value = ws_yaml_text(tree, ws_yaml_item(set, i), "set", error);
        if (value == NULL)
            return FALSE;
        run->settings[i] = g_strconcat(ws_yaml_key(set, i)->text, "=", value, NULL);
    }
    GError *failure = NULL;
    WsDevice *machine = ws_device_load(run->device, (const char *const *)run->settings, &failure);
    if (machine != NULL) {
        ws_device_free(machine);
        return TRUE;
    }
    ws_yaml_error(tree, set, error, "set: %s", failure->message);
    g_error_free(failure);
    return FALSE;
}

static gboolean read_keys(const WsAssignment *assignment, const WsYamlNode *node, WsProgramRun *run,
                          GError **error)
{
    const WsYamlTree *tree = assignment->tree;
    const WsYamlNode *arguments = ws_yaml_get(node, "arguments");
    const WsYamlNode *exit_code = ws_yaml_get(node, "exit_code");
    guint64 code = 0;
    run->arguments = g_new0(char *, 1);
    if (!ws_read_texts(tree, arguments, "arguments", &run->arguments, error) ||
        (exit_code != NULL &&
         !ws_yaml_unsigned(tree, exit_code, "exit_code", 0, MOST_EXIT_CODE, &code, error)))
        return FALSE;
    run->exit_code = (guint)code;
    if (g_strv_length(run->arguments) > MOST_ARGUMENTS)
        return ws_yaml_error(tree, arguments, error, "arguments: at most %d are possible",
                             MOST_ARGUMENTS);
    return read_input(assignment, ws_yaml_get(node, "input"), run, error) &&
           read_files(assignment, ws_yaml_get(node, "files"), run, error) &&
           read_output(assignment, ws_yaml_get(node, "output"), run, error) &&
           read_launch_counts(tree, ws_yaml_get(node, "launches"), run, error) &&
           read_machine(tree, node, run, error);
}

static gboolean check_names(const WsYamlTree *tree, const WsYamlNode *node, const WsTest *test,
                            GError **error)
{
    g_autoptr(GHashTable) used = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
    const WsYamlNode *run = ws_yaml_get(node, "run");
    const WsYamlNode *arguments = ws_yaml_get(run, "arguments");
    for (guint i = 0; test->run->arguments[i] != NULL; i++) {
        const WsYamlNode *item =
            arguments->kind == WS_YAML_SCALAR ? arguments : ws_yaml_item(arguments, i);
        if (!check_used(tree, item, test->run->arguments[i], test, used, error))
            return FALSE;
    }
    return check_used(tree, ws_yaml_get(run, "input"), test->run->input, test, used, error) &&
           check_uses(tree, node, used, error);
}

gboolean ws_read_program_run(const WsAssignment *assignment, const WsYamlNode *node, WsTest *test,
                             GError **error)
{
    static const char *const keys[] = {"arguments", "input",  "files", "output", "exit_code",
                                       "launches",  "device", "set",   NULL};
    const WsYamlTree *tree = assignment->tree;
    const WsYamlNode *run = ws_yaml_get(node, "run");
    const char *program = test->program != NULL ? test->program : assignment->program;
    test->run = g_new0(WsProgramRun, 1);
    test->run->launches = g_array_new(FALSE, FALSE, sizeof(WsLaunchCount));
    g_array_set_clear_func(test->run->launches, clear_launch_count);
    if (!ws_yaml_expect_mapping(tree, run, "run", keys, error))
        return FALSE;
    if (!g_str_has_suffix(program, ".cu"))
        return ws_yaml_error(tree, run, error, "run: a whole program is a .cu, and '%s' is none",
                             program);
    return read_keys(assignment, run, test->run, error) && check_names(tree, node, test, error);
}

gboolean ws_read_launch_comparison(const WsYamlTree *tree, const WsYamlNode *node,
                                   WsComparison *ret, GError **error)
{
    static const char *const keys[] = {"kernel", "launch", "parameter", "before",    "type",
                                       "file",   "rel",    "abs",       "equal_nan", NULL};
    guint64 launch = 1, parameter = 0;
    guint type = 0;
    if (!ws_yaml_expect_mapping(tree, node, "compare", keys, error))
        return FALSE;
    const WsYamlNode *kernel = ws_yaml_require(tree, node, "compare", "kernel", error);
    const WsYamlNode *nth = ws_yaml_get(node, "launch");
    const WsYamlNode *place =
        kernel == NULL ? NULL : ws_yaml_require(tree, node, "compare", "parameter", error);
    const WsYamlNode *element =
        place == NULL ? NULL : ws_yaml_require(tree, node, "compare", "type", error);
    if (element == NULL || !ws_read_text(tree, kernel, "kernel", &ret->kernel, error) ||
        (nth != NULL && !ws_yaml_unsigned(tree, nth, "launch", 1, MOST_LAUNCHES, &launch, error)) ||
        !ws_yaml_unsigned(tree, place, "parameter", 1, MOST_PARAMETER, &parameter, error) ||
        !ws_read_truth(tree, ws_yaml_get(node, "before"), "before", &ret->before, error) ||
        !ws_yaml_choice(tree, element, "type", ws_element_type_names(), &type, error))
        return FALSE;
    ret->launch = (guint)launch;
    ret->parameter = (guint)parameter;
    return ws_element_find_type(ws_element_type_names()[type], &ret->type);
}
