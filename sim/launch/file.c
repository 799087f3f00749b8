/* Reading launch files (docs/reference/formats.md). The parts are in sim/launch/buffers.c and its
 * neighbours.
 */
#include "sim/launch/code_regions.h"
#include "sim/launch/kernel_list.h"
#include "sim/launch/reader.h"
#include "sim/launch/target.h"

#include <errno.h>
#include <string.h>

enum { MAX_LAUNCHES = 10000 };

static const char *const file_keys[] = {"version",     "program",
                                        "device",      "set",
                                        "let",         "compile",
                                        "buffers",     "textures",
                                        "texrefs",     "symbols",
                                        "launches",    "expect",
                                        "kernel",      "grid",
                                        "block",       "dynamic_shared_bytes",
                                        "stack_bytes", "params",
                                        "cache",       "carveout",
                                        "initial",     "dynamic_shared_arrays",
                                        NULL};
/* The last of them also stand in each item of `launches`. */
static const char *const *const launch_keys = file_keys + 12;

/* ---- launches ---------------------------------------------------------------------------------
 */

/* The small values: shared memory, caches, carve-out. */
static gboolean read_options(const WsLaunchReader *reader, const WsYamlNode *node, WsLaunch *launch,
                             GError **error)
{
    static const char *const cache_names[] = {"cold", "keep", NULL};
    const WsYamlTree *tree = reader->tree;
    const WsYamlNode *shared = ws_yaml_get(node, "dynamic_shared_bytes");
    const WsYamlNode *stack_node = ws_yaml_get(node, "stack_bytes");
    const WsYamlNode *cache = ws_yaml_get(node, "cache"), *carveout = ws_yaml_get(node, "carveout");
    guint64 bytes = 0;
    if (shared != NULL &&
        !ws_yaml_unsigned(tree, shared, "dynamic_shared_bytes", 0, G_MAXINT32, &bytes, error))
        return FALSE;
    launch->dynamic_shared_bytes = (guint32)bytes;
    guint64 stack = 0;
    if (stack_node != NULL &&
        !ws_yaml_unsigned(tree, stack_node, "stack_bytes", 1, WS_MAX_LOCAL_BYTES, &stack, error))
        return FALSE;
    launch->stack_bytes = (guint32)stack;
    if (!ws_launch_read_shared_parts(reader, ws_yaml_get(node, "dynamic_shared_arrays"),
                                     shared != NULL, launch, error))
        return FALSE;
    guint keep = 0;
    if (cache != NULL && !ws_yaml_choice(tree, cache, "cache", cache_names, &keep, error))
        return FALSE;
    launch->keep_caches = keep == 1;
    gint64 percent = -1;
    if (carveout != NULL && !ws_yaml_signed(tree, carveout, "carveout", -1, 100, &percent, error))
        return FALSE;
    launch->carveout = (gint32)percent;
    return TRUE;
}

static gboolean read_launch(WsLaunchReader *reader, WsYamlNode *node, guint index, GError **error)
{
    const WsYamlTree *tree = reader->tree;
    const WsYamlNode *kernel = ws_yaml_require(tree, node, "a launch", "kernel", error);
    if (kernel == NULL || !ws_launch_read_sizes(reader, node, error))
        return FALSE;
    WsLaunch read = {.kernel = ws_launch_find_kernel(reader, kernel, error)};
    if (read.kernel == NULL || !ws_launch_override(reader, node, index, read.kernel, error))
        return FALSE;
    memcpy(read.grid, reader->sizes.grid, sizeof read.grid);
    memcpy(read.block, reader->sizes.block, sizeof read.block);
    g_array_append_val(reader->launches, read); /* from here on the job frees it */
    WsLaunch *launch = &g_array_index(reader->launches, WsLaunch, reader->launches->len - 1);
    if (!read_options(reader, node, launch, error))
        return FALSE;
    WsPosition grid_position = ws_yaml_position(tree, ws_yaml_get(node, "grid"));
    WsPosition block_position = ws_yaml_position(tree, ws_yaml_get(node, "block"));
    return ws_launch_check(launch, reader->job->device, &grid_position, &block_position, error) &&
           ws_launch_read_parameters(reader, node, ws_yaml_get(node, "params"), launch, error) &&
           ws_launch_read_initial(reader, ws_yaml_get(node, "initial"), launch, error);
}

static gboolean read_launches(WsLaunchReader *reader, GError **error)
{
    for (guint i = 0; i < reader->launch_nodes->len; i++)
        if (!read_launch(reader, reader->launch_nodes->pdata[i], i, error))
            return FALSE;
    reader->inside_launch = reader->launches->len == 1;
    return ws_launch_check_override_uses(reader, error);
}

/* Finds where the launches are written: the list, or the top level. */
static gboolean find_launches(WsLaunchReader *reader, GError **error)
{
    const WsYamlTree *tree = reader->tree;
    const WsYamlNode *list = ws_yaml_get(tree->root, "launches");
    const WsYamlNode *shorthand = ws_yaml_get(tree->root, "kernel");
    if (list == NULL) {
        g_ptr_array_add(reader->launch_nodes, tree->root);
        return TRUE;
    }
    if (shorthand != NULL)
        return ws_yaml_error(tree, shorthand, error,
                             "'kernel' beside 'launches': write the launch in the list");
    if (!ws_yaml_expect_sequence(tree, list, "launches", error))
        return FALSE;
    guint count = ws_yaml_count(list);
    if (count < 1 || count > MAX_LAUNCHES)
        return ws_yaml_error(tree, list, error, "launches: 1 to %d are possible", MAX_LAUNCHES);
    for (guint i = 0; i < count; i++) {
        const WsYamlNode *node = ws_yaml_item(list, i);
        if (!ws_yaml_expect_mapping(tree, node, "a launch", launch_keys, error))
            return FALSE;
        g_ptr_array_add(reader->launch_nodes, (gpointer)node);
    }
    return TRUE;
}

/* What --launch gives comes into the tree, and `let` gets its values. */
static gboolean read_named_values(WsLaunchReader *reader, GError **error)
{
    if (!ws_launch_check_let(reader, error) || !ws_launch_check_overrides(reader, error) ||
        !ws_launch_override_let(reader, error) || !ws_launch_read_let(reader, error))
        return FALSE;
    for (guint i = 0; i < reader->launch_nodes->len; i++)
        if (!ws_launch_override(reader, reader->launch_nodes->pdata[i], i, NULL, error))
            return FALSE;
    return TRUE;
}

/* The sizes of a launch that is the only one have names in the whole file. */
static gboolean read_only_sizes(WsLaunchReader *reader, GError **error)
{
    const WsYamlNode *node = reader->launch_nodes->pdata[0];
    gboolean known = reader->launch_nodes->len == 1 && ws_yaml_get(node, "grid") != NULL &&
                     ws_yaml_get(node, "block") != NULL;
    return !known || ws_launch_read_sizes(reader, node, error);
}

/* ---- the file ---------------------------------------------------------------------------------
 */

static gboolean check_set(const WsYamlTree *tree, const WsYamlNode *set, GError **error)
{
    if (!ws_yaml_expect_mapping(tree, set, "set", NULL, error))
        return FALSE;
    const WsYamlNode *inherit = ws_yaml_get(set, "inherit");
    return inherit == NULL || ws_yaml_error(tree, inherit, error,
                                            "set: the device is chosen by 'device', not 'inherit'");
}

static gboolean load_device(WsLaunchReader *reader, GError **error)
{
    const WsYamlNode *node = ws_yaml_get(reader->tree->root, "device");
    const char *name = "h200";
    const WsReadScope *scope = NULL;
    g_autofree char *path = NULL;
    if (reader->options->device != NULL) {
        name = reader->options->device;
    } else if (node != NULL) {
        name = ws_yaml_text(reader->tree, node, "device", error);
        if (name == NULL)
            return FALSE;
        if (g_str_has_suffix(name, ".yaml")) {
            g_autofree char *shown = ws_printable(name);
            name = path = ws_path_in_folder(reader->folder, name);
            scope = reader->tree->scope;
            WsReadOutcome outcome = ws_read_scope_look(scope, path);
            if (outcome == WS_READ_FAILED && errno == ENOENT)
                return ws_yaml_error(reader->tree, node, error, "device '%s': no such file", shown);
            g_autofree char *why = ws_read_outcome_text(scope, outcome);
            if (outcome != WS_READ_DONE)
                return ws_yaml_error(reader->tree, node, error, "device '%s': %s", shown, why);
        }
    }
    GError *failure = NULL;
    const WsYamlNode *set = ws_yaml_get(reader->tree->root, "set");
    if (set != NULL && !check_set(reader->tree, set, error))
        return FALSE;
    reader->job->device =
        ws_device_load_with(scope, name, reader->tree, set, reader->options->settings, &failure);
    if (failure == NULL)
        return TRUE;
    /* A name that is not known has no place of its own: it is that of `device:`. */
    if (node != NULL && reader->options->device == NULL &&
        g_str_has_prefix(failure->message, "error: ")) {
        ws_yaml_error(reader->tree, node, error, "%s", failure->message + strlen("error: "));
        g_error_free(failure);
    } else {
        g_propagate_error(error, failure);
    }
    return FALSE;
}

static gboolean read_all(WsLaunchReader *reader, GError **error)
{
    const WsYamlNode *root = reader->tree->root;
    if (!ws_yaml_expect_mapping(reader->tree, root, "the launch file", file_keys, error))
        return FALSE;
    const WsYamlNode *version =
        ws_yaml_require(reader->tree, root, "the launch file", "version", error);
    guint64 number;
    if (version == NULL ||
        !ws_yaml_unsigned(reader->tree, version, "version", 1, 1, &number, error) ||
        !find_launches(reader, error) || !read_named_values(reader, error) ||
        !load_device(reader, error) || !read_only_sizes(reader, error) ||
        !ws_launch_load_program(reader, error) || !ws_launch_load_policy(reader, error))
        return FALSE;
    return ws_launch_read_buffers(reader, ws_yaml_get(root, "buffers"), error) &&
           ws_launch_read_textures(reader, ws_yaml_get(root, "textures"), error) &&
           ws_launch_read_texture_references(reader, ws_yaml_get(root, "texrefs"), error) &&
           ws_launch_read_symbols(reader, ws_yaml_get(root, "symbols"), error) &&
           read_launches(reader, error) &&
           ws_launch_read_expectations(reader, ws_yaml_get(root, "expect"), error) &&
           ws_launch_check_used(reader, error);
}

static void start(WsLaunchReader *reader, const WsTarget *target, const WsJobOptions *options)
{
    static const WsJobOptions none;
    *reader = (WsLaunchReader){
        .options = options != NULL ? options : &none,
        .folder = g_path_get_dirname(target->path),
        .job = g_new0(WsJob, 1),
        .launch_nodes = g_ptr_array_new(),
        .let = g_array_new(FALSE, TRUE, sizeof(WsLetEntry)),
        .let_uses = g_array_new(FALSE, TRUE, sizeof(WsLetUse)),
        .let_index = g_hash_table_new(g_str_hash, g_str_equal),
        .override_sources = g_ptr_array_new_with_free_func(g_free),
        .override_uses = g_byte_array_new(),
        .buffers = g_array_new(FALSE, TRUE, sizeof(WsBuffer)),
        .textures = g_array_new(FALSE, TRUE, sizeof(WsTexture)),
        .launches = g_array_new(FALSE, TRUE, sizeof(WsLaunch)),
        .expectations = g_array_new(FALSE, TRUE, sizeof(WsExpectation)),
        .reference_launches = g_array_new(FALSE, TRUE, sizeof(WsLaunch)),
        .next_address = WS_BUFFER_BASE,
    };
}

static void finish_let(WsLaunchReader *reader)
{
    WsJob *job = reader->job;
    job->let_count = reader->let->len;
    job->let = g_new0(WsNamedValue, MAX(job->let_count, 1));
    for (guint i = 0; i < job->let_count; i++)
        job->let[i] = g_array_index(reader->let, WsLetEntry, i).value;
    g_hash_table_unref(reader->let_index);
    g_array_unref(reader->let);
    g_array_unref(reader->let_uses);
}

/* Hands the arrays to the job, also after an error, so that the job frees them. */
static void finish(WsLaunchReader *reader)
{
    WsJob *job = reader->job;
    finish_let(reader);
    job->buffer_count = reader->buffers->len;
    job->buffers = (WsBuffer *)(void *)g_array_free(reader->buffers, FALSE);
    job->texture_count = reader->textures->len;
    job->textures = (WsTexture *)(void *)g_array_free(reader->textures, FALSE);
    job->launch_count = reader->launches->len;
    job->launches = (WsLaunch *)(void *)g_array_free(reader->launches, FALSE);
    job->expectation_count = reader->expectations->len;
    job->expectations = (WsExpectation *)(void *)g_array_free(reader->expectations, FALSE);
    job->reference_launch_count = reader->reference_launches->len;
    job->reference_launches = (WsLaunch *)(void *)g_array_free(reader->reference_launches, FALSE);
    g_clear_pointer(&reader->tree, ws_yaml_free);
    g_ptr_array_unref(reader->launch_nodes);
    g_ptr_array_unref(reader->override_sources);
    g_byte_array_unref(reader->override_uses);
    g_free(reader->folder);
}

/* What to do with a program that is to be run: it has these kernels, and needs a launch file. */
static void explain_program(const char *path, const WsJobOptions *options, GError **error)
{
    const char *name = options != NULL && options->device != NULL ? options->device : "h200";
    const WsPosition policy = {.file = path};
    if (ws_is_policy_name(path)) {
        ws_set_error_at(error, WS_ERROR_INPUT, &policy,
                        "a policy is run with a launch: --policy FILE.c beside it");
        return;
    }
    g_autoptr(WsDevice) device =
        ws_device_load(name, options != NULL ? options->settings : NULL, error);
    WsCompileOptions compile = {0};
    if (options != NULL)
        compile.bounds = options->bounds;
    g_autoptr(WsProgram) program =
        device == NULL ? NULL : ws_target_load_program(path, device, &compile, NULL, error);
    if (program == NULL)
        return;
    WsPosition position = {.file = path};
    g_autofree char *shown = ws_printable(path);
    g_autofree char *kernels = ws_kernel_list_text(program);
    ws_set_error_at(error, WS_ERROR_INPUT, &position,
                    "a program cannot be run by itself; write a launch file that names it\n"
                    "It has the kernel%s\n%s'warpstep init %s%s' makes a launch file to start from",
                    program->kernel_count == 1 ? "" : "s", kernels, shown,
                    program->kernel_count == 1 ? "" : " KERNEL");
}

static WsConfinement confinement_of(const WsJobOptions *options)
{
    return options != NULL ? options->bounds.confinement : WS_CONFINE_NOT;
}

/* The folders that the caller names are read in any case. */
static gboolean add_includes(const WsTarget *target, const WsJobOptions *options, GError **error)
{
    const char *const *folder = options != NULL ? options->includes : NULL;
    const WsPosition position = {.file = target->path};
    if (folder != NULL && *folder != NULL && target->built_in) {
        ws_set_error_at(error, WS_ERROR_INPUT, &position,
                        "-I is for programs on disk: a built-in workload has its headers with it");
        return FALSE;
    }
    for (; folder != NULL && *folder != NULL; folder++)
        ws_read_scope_add(target->scope, *folder);
    return TRUE;
}

static gboolean add_regions(WsJob *job, const char *const *lines, GError **error)
{
    if (!ws_job_find_regions(job, error))
        return FALSE;
    for (guint i = 0; lines != NULL && lines[i] != NULL; i++)
        if (!ws_job_add_region(job, "--lines", lines[i], error))
            return FALSE;
    return TRUE;
}

WsJob *ws_job_load(const char *target_text, const WsJobOptions *options, GError **error)
{
    g_autoptr(WsTarget) target = ws_target_resolve(target_text, confinement_of(options), error);
    if (target == NULL)
        return NULL;
    if (target->is_program) {
        explain_program(target_text, options, error);
        return NULL;
    }
    if (!add_includes(target, options, error))
        return NULL;
    if (options != NULL && options->digest != NULL)
        ws_read_scope_digest(target->scope, options->digest);
    WsLaunchReader reader;
    start(&reader, target, options);
    g_autoptr(WsJob) job = reader.job;
    job->path = g_strdup(target->path);
    job->max_memory = reader.options->max_memory;
    reader.tree = ws_yaml_read_in(target->scope, target->path, error);
    gboolean ok = reader.tree != NULL && read_all(&reader, error);
    finish(&reader);
    if (!ok)
        return NULL;
    job->sources = ws_sources_load(job->program);
    if (!add_regions(job, reader.options->lines, error))
        return NULL;
    return g_steal_pointer(&job);
}

static void free_launches(WsLaunch *launches, guint32 count)
{
    for (guint32 i = 0; i < count; i++) {
        g_free(launches[i].parameters);
        g_free(launches[i].initial);
        g_free(launches[i].references);
        for (guint32 p = 0; p < launches[i].part_count; p++)
            g_free(launches[i].parts[p].name);
        g_free(launches[i].parts);
    }
    g_free(launches);
}

void ws_job_free(WsJob *job)
{
    if (job == NULL)
        return;
    for (guint32 i = 0; i < job->let_count; i++)
        g_free(job->let[i].name);
    for (guint32 i = 0; i < job->buffer_count; i++) {
        g_free(job->buffers[i].name);
        g_free(job->buffers[i].data);
    }
    for (guint32 i = 0; i < job->texture_count; i++)
        g_free(job->textures[i].name);
    free_launches(job->launches, job->launch_count);
    free_launches(job->reference_launches, job->reference_launch_count);
    for (guint32 i = 0; i < job->expectation_count; i++) {
        g_free(job->expectations[i].data);
        g_free(job->expectations[i].source);
    }
    g_free(job->let);
    g_free(job->shown);
    ws_code_regions_free(job->regions, job->region_count);
    g_free(job->buffers);
    g_free(job->textures);
    g_free(job->expectations);
    g_strfreev(job->sources);
    g_strfreev(job->defines);
    g_strfreev(job->includes);
    g_free(job->module_data);
    g_free(job->constant_data);
    g_clear_pointer(&job->program, ws_program_unref);
    g_clear_pointer(&job->policy, ws_program_unref);
    ws_device_free(job->device);
    g_free(job->path);
    g_free(job);
}

/* What the target has no use for is refused, as in a launch file. */
static gboolean check_given(const WsTarget *target, const WsCompileOptions *given, GError **error)
{
    const WsPosition position = {.file = target->path};
    gboolean cuda = given->defines != NULL || given->includes != NULL;
    gboolean any = cuda || given->max_registers != 0;
    if (any && !target->is_program)
        ws_set_error_at(error, WS_ERROR_INPUT, &position,
                        "-D, -I and --maxreg are for programs; a launch file has `compile`");
    else if (cuda && !g_str_has_suffix(target->path, ".cu"))
        ws_set_error_at(error, WS_ERROR_INPUT, &position, "-D and -I are for programs in CUDA C");
    else if (any && !g_str_has_suffix(target->path, ".cu") &&
             !g_str_has_suffix(target->path, ".ptx"))
        ws_set_error_at(error, WS_ERROR_INPUT, &position,
                        "--maxreg is for programs in CUDA C or PTX");
    else if (given->max_registers != 0 && (given->max_registers < WS_LEAST_REGISTERS ||
                                           given->max_registers > WS_MOST_REGISTERS))
        ws_set_error(error, WS_ERROR_USAGE, "--maxreg must be from %d to %d", WS_LEAST_REGISTERS,
                     WS_MOST_REGISTERS);
    else
        return TRUE;
    return FALSE;
}

/* The program that a launch file names. Of the launches only their sizes count. */
static WsProgram *load_named_program(const WsTarget *target, const WsDevice *device,
                                     const WsJobOptions *options, GError **error)
{
    WsProgram *program = NULL;
    WsLaunchReader reader;
    start(&reader, target, options);
    WsJob *job = reader.job;
    job->device = (WsDevice *)device;
    reader.tree = ws_yaml_read_in(target->scope, target->path, error);
    if (reader.tree != NULL && find_launches(&reader, error) && read_named_values(&reader, error) &&
        read_only_sizes(&reader, error) && ws_launch_load_program(&reader, error))
        program = g_steal_pointer(&job->program);
    finish(&reader);
    job->device = NULL;
    ws_job_free(job);
    return program;
}

WsProgram *ws_target_load_program(const char *target_text, const WsDevice *device,
                                  const WsCompileOptions *given, char ***sources, GError **error)
{
    WsJobOptions job_options = {0};
    if (given != NULL)
        job_options.bounds = given->bounds;
    g_autoptr(WsTarget) target =
        ws_target_resolve(target_text, job_options.bounds.confinement, error);
    if (target == NULL || (given != NULL && !check_given(target, given, error)))
        return NULL;
    WsProgram *program;
    if (target->is_program) {
        WsCompileOptions options;
        ws_compile_options_init(&options);
        if (given != NULL) {
            options.defines = given->defines;
            options.includes = given->includes;
            options.max_registers = given->max_registers;
        }
        options.bounds = job_options.bounds;
        options.scope = target->scope;
        for (guint i = 0; options.includes != NULL && options.includes[i] != NULL; i++)
            ws_read_scope_add(target->scope, options.includes[i]);
        program = ws_launch_load_with_device(target->path, device, &options, NULL, error);
    } else {
        program = load_named_program(target, device, &job_options, error);
    }
    if (program != NULL && sources != NULL)
        *sources = ws_sources_load(program);
    return program;
}
