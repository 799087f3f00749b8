/* Reading launch files (docs/formats.md). The parts are in launch_buffers.c and its neighbours. */
#include "isa/input_file.h"
#include "sim/launch_reader.h"
#include "sim/target.h"

#include <string.h>

enum { MAX_LAUNCHES = 10000, MAX_COMPILE_ITEMS = 1000, LEAST_REGISTERS = 16, MOST_REGISTERS = 255 };

static const char *const file_keys[] = {
    "version", "program",  "device",   "compile", "buffers", "textures", "texrefs",
    "symbols", "launches", "expect",   "kernel",  "grid",    "block",    "dynamic_shared_bytes",
    "params",  "cache",    "carveout", "initial", NULL};
/* The last of them also stand in each item of `launches`. */
static const char *const *const launch_keys = file_keys + 10;

/* ---- program ----------------------------------------------------------------------------------
 */

/* The texts of a list, each `prefix`ed with the launch file's folder if that is wanted. */
static char **read_texts(const WsLaunchReader *reader, const WsYamlNode *list, const char *what,
                         gboolean are_paths, GError **error)
{
    if (list == NULL)
        return g_new0(char *, 1);
    if (!ws_yaml_expect_sequence(reader->tree, list, what, error))
        return NULL;
    if (ws_yaml_count(list) > MAX_COMPILE_ITEMS) {
        ws_yaml_error(reader->tree, list, error, "%s: at most %d items", what, MAX_COMPILE_ITEMS);
        return NULL;
    }
    g_auto(GStrv) texts = g_new0(char *, ws_yaml_count(list) + 1);
    for (guint i = 0; i < ws_yaml_count(list); i++) {
        const WsYamlNode *item = ws_yaml_item(list, i);
        const char *text = ws_yaml_text(reader->tree, item, what, error);
        if (text == NULL)
            return NULL;
        if (!are_paths && !g_ascii_isalpha(*text) && *text != '_') {
            ws_yaml_error(reader->tree, item, error, "%s: NAME or NAME=VALUE is expected", what);
            return NULL;
        }
        texts[i] = are_paths ? ws_path_in_folder(reader->folder, text) : g_strdup(text);
    }
    return g_steal_pointer(&texts);
}

static WsProgram *load_with_device(const char *path, const WsDevice *device,
                                   WsCompileOptions *options, GError **error)
{
    guint16 latencies[WS_CLASS_COUNT];
    for (guint i = 0; i < WS_CLASS_COUNT; i++)
        latencies[i] = device->classes[i].latency;
    options->parameter_base = (guint32)device->parameter_base;
    options->if_convert = device->if_convert == 1;
    options->load_constants = device->load_constants == 1;
    options->schedule = device->schedule == 1;
    options->class_latency = latencies;
    WsProgram *program = ws_program_load(path, options, error);
    options->class_latency = NULL;
    return program;
}

/* The program's path, or NULL. A file that is not there is an error of the line that names it. */
static char *find_program(const WsLaunchReader *reader, GError **error)
{
    const WsYamlTree *tree = reader->tree;
    const WsYamlNode *node = ws_yaml_require(tree, tree->root, "the launch file", "program", error);
    const char *name = node == NULL ? NULL : ws_yaml_text(tree, node, "program", error);
    if (name == NULL)
        return NULL;
    g_autofree char *shown = ws_printable(name);
    if (!ws_is_program_name(name)) {
        ws_yaml_error(tree, node, error,
                      "'%s' is not a program: the name must end in .cu, .ptx, .wsasm or .wsbin",
                      shown);
        return NULL;
    }
    g_autofree char *path = ws_path_in_folder(reader->folder, name);
    if (g_file_test(path, G_FILE_TEST_IS_REGULAR))
        return g_steal_pointer(&path);
    ws_yaml_error(tree, node, error, "program '%s': %s", shown,
                  g_file_test(path, G_FILE_TEST_EXISTS) ? "is not a regular file" : "no such file");
    return NULL;
}

/* What the program's kind has no use for is refused: it would be ignored without a word. */
static gboolean check_compile_keys(const WsYamlTree *tree, const WsYamlNode *compile,
                                   const char *path, GError **error)
{
    static const char *const keys[] = {"define", "include", "maxreg", NULL};
    if (!ws_yaml_expect_mapping(tree, compile, "compile", keys, error))
        return FALSE;
    gboolean cuda = g_str_has_suffix(path, ".cu"), ptx = g_str_has_suffix(path, ".ptx");
    for (guint i = 0; i < ws_yaml_count(compile); i++) {
        const WsYamlNode *key = ws_yaml_key(compile, i);
        gboolean registers = strcmp(key->text, "maxreg") == 0;
        if (!cuda && !(ptx && registers))
            return ws_yaml_error(tree, key, error, "compile.%s is for programs in %s", key->text,
                                 registers ? "CUDA C or PTX" : "CUDA C");
    }
    return TRUE;
}

static gboolean load_program(WsLaunchReader *reader, GError **error)
{
    const WsYamlTree *tree = reader->tree;
    g_autofree char *path = find_program(reader, error);
    if (path == NULL)
        return FALSE;
    WsCompileOptions options;
    ws_compile_options_init(&options);
    const WsYamlNode *compile = ws_yaml_get(tree->root, "compile");
    const WsYamlNode *maxreg = NULL, *define = NULL, *include = NULL;
    if (compile != NULL) {
        if (!check_compile_keys(tree, compile, path, error))
            return FALSE;
        maxreg = ws_yaml_get(compile, "maxreg");
        define = ws_yaml_get(compile, "define");
        include = ws_yaml_get(compile, "include");
    }
    guint64 registers = 0;
    if (maxreg != NULL && !ws_yaml_unsigned(tree, maxreg, "maxreg", LEAST_REGISTERS, MOST_REGISTERS,
                                            &registers, error))
        return FALSE;
    options.max_registers = (guint32)registers;
    g_auto(GStrv) defines = read_texts(reader, define, "define", FALSE, error);
    g_auto(GStrv) includes =
        defines == NULL ? NULL : read_texts(reader, include, "include", TRUE, error);
    if (includes == NULL)
        return FALSE;
    options.defines = (const char *const *)defines;
    options.includes = (const char *const *)includes;
    reader->job->max_registers = options.max_registers;
    reader->job->program = load_with_device(path, reader->job->device, &options, error);
    reader->job->defines = g_steal_pointer(&defines);
    reader->job->includes = g_steal_pointer(&includes);
    return reader->job->program != NULL;
}

static void prepare_images(WsJob *job)
{
    const WsProgram *program = job->program;
    job->module_data = g_malloc0(MAX(program->module_bytes, 1));
    job->constant_data = g_malloc0(WS_CONSTANT_BANK_BYTES);
    if (program->constant_bytes > 0)
        memcpy(job->constant_data, program->constants,
               MIN(program->constant_bytes, WS_CONSTANT_BANK_BYTES));
    for (guint32 i = 0; i < program->symbol_count; i++) {
        const WsSymbol *symbol = &program->symbols[i];
        if (symbol->space == WS_SYMBOL_GLOBAL && symbol->initial != NULL)
            memcpy(job->module_data + (symbol->address - WS_MODULE_WINDOW), symbol->initial,
                   symbol->size);
    }
}

/* ---- launches ---------------------------------------------------------------------------------
 */

/* One to three sizes, or one number; what is missing is 1. */
static gboolean read_sizes(const WsLaunchReader *reader, const WsYamlNode *node, const char *what,
                           guint32 sizes[3], GError **error)
{
    sizes[0] = sizes[1] = sizes[2] = 1;
    guint count = node->kind == WS_YAML_SCALAR ? 1 : ws_yaml_count(node);
    if (node->kind == WS_YAML_MAPPING || count < 1 || count > 3)
        return ws_yaml_error(reader->tree, node, error, "%s must be a number or a list of 1 to 3",
                             what);
    for (guint i = 0; i < count; i++) {
        const WsYamlNode *item = node->kind == WS_YAML_SCALAR ? node : ws_yaml_item(node, i);
        guint64 value;
        if (!ws_yaml_unsigned(reader->tree, item, what, 1, G_MAXUINT32, &value, error))
            return FALSE;
        sizes[i] = (guint32)value;
    }
    return TRUE;
}

/* The small values: shared memory, caches, carve-out. */
static gboolean read_options(const WsLaunchReader *reader, const WsYamlNode *node, WsLaunch *launch,
                             GError **error)
{
    static const char *const cache_names[] = {"cold", "keep", NULL};
    const WsYamlTree *tree = reader->tree;
    const WsYamlNode *shared = ws_yaml_get(node, "dynamic_shared_bytes");
    const WsYamlNode *cache = ws_yaml_get(node, "cache"), *carveout = ws_yaml_get(node, "carveout");
    guint64 bytes = 0;
    if (shared != NULL &&
        !ws_yaml_unsigned(tree, shared, "dynamic_shared_bytes", 0, G_MAXINT32, &bytes, error))
        return FALSE;
    launch->dynamic_shared_bytes = (guint32)bytes;
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
    if (!ws_launch_override(reader, node, index, NULL, error))
        return FALSE;
    const WsYamlNode *kernel = ws_yaml_require(tree, node, "a launch", "kernel", error);
    const WsYamlNode *grid =
        kernel == NULL ? NULL : ws_yaml_require(tree, node, "a launch", "grid", error);
    const WsYamlNode *block =
        grid == NULL ? NULL : ws_yaml_require(tree, node, "a launch", "block", error);
    if (block == NULL)
        return FALSE;
    WsLaunch read = {.kernel = ws_launch_find_kernel(reader, kernel, error)};
    if (read.kernel == NULL || !ws_launch_override(reader, node, index, read.kernel, error))
        return FALSE;
    g_array_append_val(reader->launches, read); /* from here on the job frees it */
    WsLaunch *launch = &g_array_index(reader->launches, WsLaunch, reader->launches->len - 1);
    if (!read_sizes(reader, grid, "grid", launch->grid, error) ||
        !read_sizes(reader, block, "block", launch->block, error) ||
        !read_options(reader, node, launch, error))
        return FALSE;
    WsPosition grid_position = ws_yaml_position(tree, grid);
    WsPosition block_position = ws_yaml_position(tree, block);
    return ws_launch_check(launch, reader->job->device, &grid_position, &block_position, error) &&
           ws_launch_read_parameters(reader, node, ws_yaml_get(node, "params"), launch, error) &&
           ws_launch_read_initial(reader, ws_yaml_get(node, "initial"), launch, error);
}

static gboolean read_launches(WsLaunchReader *reader, GError **error)
{
    const WsYamlTree *tree = reader->tree;
    const WsYamlNode *list = ws_yaml_get(tree->root, "launches");
    const WsYamlNode *shorthand = ws_yaml_get(tree->root, "kernel");
    if (list == NULL)
        return ws_launch_check_overrides(reader, 1, error) &&
               read_launch(reader, tree->root, 0, error);
    if (shorthand != NULL)
        return ws_yaml_error(tree, shorthand, error,
                             "'kernel' beside 'launches': write the launch in the list");
    if (!ws_yaml_expect_sequence(tree, list, "launches", error))
        return FALSE;
    guint count = ws_yaml_count(list);
    if (count < 1 || count > MAX_LAUNCHES)
        return ws_yaml_error(tree, list, error, "launches: 1 to %d are possible", MAX_LAUNCHES);
    if (!ws_launch_check_overrides(reader, count, error))
        return FALSE;
    for (guint i = 0; i < count; i++) {
        const WsYamlNode *node = ws_yaml_item(list, i);
        if (!ws_yaml_expect_mapping(tree, node, "a launch", launch_keys, error) ||
            !read_launch(reader, (WsYamlNode *)node, i, error))
            return FALSE;
    }
    return TRUE;
}

/* ---- the file ---------------------------------------------------------------------------------
 */

static gboolean load_device(WsLaunchReader *reader, GError **error)
{
    const WsYamlNode *node = ws_yaml_get(reader->tree->root, "device");
    const char *name = "h200";
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
            if (!g_file_test(path, G_FILE_TEST_EXISTS))
                return ws_yaml_error(reader->tree, node, error, "device '%s': no such file", shown);
        }
    }
    GError *failure = NULL;
    reader->job->device = ws_device_load(name, reader->options->settings, &failure);
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
        !load_device(reader, error) || !load_program(reader, error))
        return FALSE;
    prepare_images(reader->job);
    return ws_launch_read_buffers(reader, ws_yaml_get(root, "buffers"), error) &&
           ws_launch_read_textures(reader, ws_yaml_get(root, "textures"), error) &&
           ws_launch_read_texture_references(reader, ws_yaml_get(root, "texrefs"), error) &&
           ws_launch_read_symbols(reader, ws_yaml_get(root, "symbols"), error) &&
           read_launches(reader, error) &&
           ws_launch_read_expectations(reader, ws_yaml_get(root, "expect"), error);
}

/* Hands the arrays to the job, also after an error, so that the job frees them. */
static void finish(WsLaunchReader *reader)
{
    WsJob *job = reader->job;
    job->buffer_count = reader->buffers->len;
    job->buffers = (WsBuffer *)(void *)g_array_free(reader->buffers, FALSE);
    job->texture_count = reader->textures->len;
    job->textures = (WsTexture *)(void *)g_array_free(reader->textures, FALSE);
    job->launch_count = reader->launches->len;
    job->launches = (WsLaunch *)(void *)g_array_free(reader->launches, FALSE);
    job->expectation_count = reader->expectations->len;
    job->expectations = (WsExpectation *)(void *)g_array_free(reader->expectations, FALSE);
    g_clear_pointer(&reader->tree, ws_yaml_free);
    g_clear_pointer(&reader->override_sources, g_ptr_array_unref);
    g_free(reader->folder);
}

static gboolean read_job(WsJob *job, const WsTarget *target, const WsJobOptions *options,
                         GError **error)
{
    WsLaunchReader reader = {
        .options = options,
        .job = job,
        .folder = g_path_get_dirname(target->path),
        .buffers = g_array_new(FALSE, TRUE, sizeof(WsBuffer)),
        .textures = g_array_new(FALSE, TRUE, sizeof(WsTexture)),
        .launches = g_array_new(FALSE, TRUE, sizeof(WsLaunch)),
        .expectations = g_array_new(FALSE, TRUE, sizeof(WsExpectation)),
        .next_address = WS_BUFFER_BASE,
    };
    reader.tree = ws_yaml_read(target->path, error);
    gboolean ok = reader.tree != NULL && read_all(&reader, error);
    finish(&reader);
    return ok;
}

WsJob *ws_job_load(const char *target_text, const WsJobOptions *options, GError **error)
{
    static const WsJobOptions none;
    g_autoptr(WsTarget) target = ws_target_resolve(target_text, error);
    if (target == NULL)
        return NULL;
    if (target->is_program) {
        WsPosition position = {.file = target_text};
        ws_set_error_at(error, WS_ERROR_INPUT, &position,
                        "a program cannot be run by itself; write a launch file that names it");
        return NULL;
    }
    g_autoptr(WsJob) job = g_new0(WsJob, 1);
    job->path = ws_target_clean_text(target, target->path);
    if (!read_job(job, target, options != NULL ? options : &none, error)) {
        ws_target_clean_error(target, error);
        return NULL;
    }
    job->sources = ws_sources_load(job->program);
    ws_target_clean_program(target, job->program);
    return g_steal_pointer(&job);
}

void ws_job_free(WsJob *job)
{
    if (job == NULL)
        return;
    for (guint32 i = 0; i < job->buffer_count; i++) {
        g_free(job->buffers[i].name);
        g_free(job->buffers[i].data);
    }
    for (guint32 i = 0; i < job->texture_count; i++)
        g_free(job->textures[i].name);
    for (guint32 i = 0; i < job->launch_count; i++) {
        g_free(job->launches[i].parameters);
        g_free(job->launches[i].initial);
        g_free(job->launches[i].references);
    }
    for (guint32 i = 0; i < job->expectation_count; i++) {
        g_free(job->expectations[i].data);
        g_free(job->expectations[i].source);
    }
    g_free(job->buffers);
    g_free(job->textures);
    g_free(job->launches);
    g_free(job->expectations);
    g_strfreev(job->sources);
    g_strfreev(job->defines);
    g_strfreev(job->includes);
    g_free(job->module_data);
    g_free(job->constant_data);
    g_clear_pointer(&job->program, ws_program_unref);
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
    else if (given->max_registers != 0 &&
             (given->max_registers < LEAST_REGISTERS || given->max_registers > MOST_REGISTERS))
        ws_set_error(error, WS_ERROR_USAGE, "--maxreg must be from %d to %d", LEAST_REGISTERS,
                     MOST_REGISTERS);
    else
        return TRUE;
    return FALSE;
}

WsProgram *ws_target_load_program(const char *target_text, const WsDevice *device,
                                  const WsCompileOptions *given, char ***sources, GError **error)
{
    g_autoptr(WsTarget) target = ws_target_resolve(target_text, error);
    if (target == NULL || (given != NULL && !check_given(target, given, error)))
        return NULL;
    WsProgram *program = NULL;
    if (target->is_program) {
        WsCompileOptions options;
        ws_compile_options_init(&options);
        if (given != NULL) {
            options.defines = given->defines;
            options.includes = given->includes;
            options.max_registers = given->max_registers;
        }
        program = load_with_device(target->path, device, &options, error);
    } else {
        WsLaunchReader reader = {
            .folder = g_path_get_dirname(target->path),
            .job = g_new0(WsJob, 1),
        };
        reader.job->device = (WsDevice *)device;
        reader.tree = ws_yaml_read(target->path, error);
        if (reader.tree != NULL && load_program(&reader, error))
            program = g_steal_pointer(&reader.job->program);
        reader.job->device = NULL;
        ws_job_free(reader.job);
        ws_yaml_free(reader.tree);
        g_free(reader.folder);
    }
    if (program == NULL) {
        ws_target_clean_error(target, error);
        return NULL;
    }
    if (sources != NULL)
        *sources = ws_sources_load(program);
    ws_target_clean_program(target, program);
    return program;
}
