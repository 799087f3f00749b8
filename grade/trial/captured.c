#include "grade/trial/captured.h"

#include "grade/trial/program_run.h"
#include "isa/ptx/source_texts.h"

#include <string.h>

static const char kernels_name[] = "kernels.ptx";

void ws_captured_free(WsCaptured *captured)
{
    if (captured == NULL)
        return;
    g_clear_pointer(&captured->device, ws_device_free);
    g_clear_pointer(&captured->program, ws_program_unref);
    g_ptr_array_unref(captured->files);
    g_free(captured->capture);
    g_free(captured);
}

static gint by_name(gconstpointer a, gconstpointer b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static void list_files(WsCaptured *captured)
{
    g_autoptr(GDir) folder = g_dir_open(captured->capture, 0, NULL);
    for (const char *name; folder != NULL && (name = g_dir_read_name(folder)) != NULL;)
        if (g_str_has_suffix(name, ".yaml") && g_ascii_isdigit(name[0]))
            g_ptr_array_add(captured->files, g_build_filename(captured->capture, name, NULL));
    g_ptr_array_sort(captured->files, by_name);
    if (captured->files->len > WS_MOST_CAPTURED)
        g_ptr_array_set_size(captured->files, WS_MOST_CAPTURED);
}

static WsProgram *load_kernels(const WsBuiltProgram *built, const WsDevice *device, GError **error)
{
    g_autoptr(WsReadScope) scope = ws_read_scope_new(TRUE);
    char *text = ws_ptx_with_texts(built->parts.ptx, built->parts.sources);
    g_autoptr(GBytes) bytes = g_bytes_new_take(text, strlen(text));
    WsCompileOptions options;
    ws_compile_options_init(&options);
    ws_read_scope_put(scope, kernels_name, bytes);
    options.scope = scope;
    WsProgram *program = ws_launch_load_with_device(kernels_name, device, &options, NULL, error);
    if (program != NULL && program->compiler == NULL)
        program->compiler = g_strdup(built->parts.compiler);
    return program;
}

WsCaptured *ws_captured_open(const WsTest *test, const WsBuiltProgram *built, const char *capture,
                             GError **error)
{
    g_autoptr(WsCaptured) captured = g_new0(WsCaptured, 1);
    const char *const *settings = (const char *const *)test->run->settings;
    captured->test = test;
    captured->capture = g_strdup(capture);
    captured->files = g_ptr_array_new_with_free_func(g_free);
    captured->device = ws_device_load(test->run->device, settings, error);
    if (captured->device != NULL)
        captured->program = load_kernels(built, captured->device, error);
    if (captured->program == NULL)
        return NULL;
    list_files(captured);
    return g_steal_pointer(&captured);
}

/* ---- what may stand in a launch file ----------------------------------------------------------
 */

static gboolean check_contents(const WsYamlTree *tree, const WsYamlNode *node, const char *what,
                               const char *const *keys, GError **error)
{
    static const char *const initial[] = {"file", NULL};
    if (node == NULL)
        return TRUE;
    if (!ws_yaml_expect_mapping(tree, node, what, NULL, error))
        return FALSE;
    for (guint i = 0; i < ws_yaml_count(node); i++) {
        const WsYamlNode *item = ws_yaml_item(node, i);
        if (!ws_yaml_expect_mapping(tree, item, what, keys, error))
            return FALSE;
        const WsYamlNode *init = ws_yaml_get(item, "init");
        if (init != NULL && init->kind == WS_YAML_SCALAR
                ? strcmp(init->text, "zero") != 0
                : init != NULL && !ws_yaml_expect_mapping(tree, init, "init", initial, error))
            return error != NULL && *error == NULL
                       ? ws_yaml_error(tree, init, error, "init: zero or a file is expected")
                       : FALSE;
    }
    return TRUE;
}

/* Nothing of it would change how the launch runs: no machine, no cache, no state of warps. */
static gboolean check_file(const WsYamlTree *tree, GError **error)
{
    static const char *const keys[] = {"version", "device",   "program", "buffers",
                                       "symbols", "launches", NULL};
    static const char *const buffer[] = {"type", "count", "address", "init", NULL};
    static const char *const symbol[] = {"type", "init", NULL};
    static const char *const launch[] = {"kernel", "grid", "block", "dynamic_shared_bytes",
                                         "params", NULL};
    const WsYamlNode *root = tree->root;
    if (!ws_yaml_expect_mapping(tree, root, "the launch file", keys, error) ||
        !check_contents(tree, ws_yaml_get(root, "buffers"), "buffers", buffer, error) ||
        !check_contents(tree, ws_yaml_get(root, "symbols"), "symbols", symbol, error))
        return FALSE;
    const WsYamlNode *launches = ws_yaml_require(tree, root, "the launch file", "launches", error);
    if (launches == NULL || !ws_yaml_expect_sequence(tree, launches, "launches", error))
        return FALSE;
    if (ws_yaml_count(launches) != 1)
        return ws_yaml_error(tree, launches, error, "launches: one is expected");
    const WsYamlNode *params = ws_yaml_get(ws_yaml_item(launches, 0), "params");
    if (!ws_yaml_expect_mapping(tree, ws_yaml_item(launches, 0), "a launch", launch, error))
        return FALSE;
    for (guint i = 0; params != NULL && i < ws_yaml_count(params); i++)
        if (ws_yaml_item(params, i)->kind != WS_YAML_MAPPING ||
            ws_yaml_get(ws_yaml_item(params, i), "buffer") != NULL)
            return ws_yaml_error(tree, params, error, "params: values are expected");
    return TRUE;
}

static WsProgram *give_kernels(void *data, const WsDevice *device, const WsCompileOptions *wanted,
                               GError **error)
{
    (void)device;
    (void)wanted;
    (void)error;
    return ws_program_ref(((WsCaptured *)data)->program);
}

WsJob *ws_captured_load(WsCaptured *captured, guint index, GError **error)
{
    const char *file = g_ptr_array_index(captured->files, index);
    g_autoptr(WsReadScope) scope = ws_read_scope_new(TRUE);
    ws_read_scope_add(scope, captured->capture);
    g_autoptr(WsYamlTree) tree = ws_yaml_read_in(scope, file, error);
    if (tree == NULL || !check_file(tree, error))
        return NULL;
    const WsGivenProgram given = {give_kernels, captured};
    const WsJobOptions options = {.device = captured->test->run->device,
                                  .settings = (const char *const *)captured->test->run->settings,
                                  .max_memory = captured->test->limits.memory,
                                  .bounds = {.confinement = WS_CONFINE_FOLDER},
                                  .program = &given};
    return ws_job_load(file, &options, error);
}

/* ---- what a launch is of ----------------------------------------------------------------------
 */

gboolean ws_is_kernel_name(const WsKernel *kernel, const char *name)
{
    const gsize length = strlen(name);
    return strcmp(kernel->display_name, name) == 0 || strcmp(kernel->name, name) == 0 ||
           (strncmp(kernel->display_name, name, length) == 0 &&
            kernel->display_name[length] == '<');
}

gboolean ws_launch_memory(const WsJob *job, guint parameter, const guint8 **ret, guint64 *ret_bytes)
{
    const WsLaunch *launch = &job->launches[0];
    if (parameter > launch->kernel->parameter_count)
        return FALSE;
    const guint32 offset = launch->kernel->parameters[parameter - 1].offset;
    for (guint32 i = 0; i < launch->reference_count; i++) {
        const WsReference *reference = &launch->references[i];
        const WsBuffer *buffer = &job->buffers[reference->buffer];
        if (reference->parameter_offset != offset || reference->byte_offset > buffer->bytes)
            continue;
        *ret = buffer->data + reference->byte_offset;
        *ret_bytes = buffer->bytes - reference->byte_offset;
        return TRUE;
    }
    return FALSE;
}
