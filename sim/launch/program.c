/* `program:` and `compile:` of a launch file. */
#include "sim/device/target.h"
#include "sim/launch/reader.h"
#include "sim/launch/target.h"

#include <errno.h>
#include <string.h>

enum { MAX_COMPILE_ITEMS = 1000 };

/* "NAME=5" of an item {NAME: EXPRESSION}. */
static char *read_definition(const WsLaunchReader *reader, const WsYamlNode *item, GError **error)
{
    gint64 value;
    if (ws_yaml_count(item) != 1) {
        ws_yaml_error(reader->tree, item, error,
                      "define: one name and its value are expected, as in {N: 32 * warps}");
        return NULL;
    }
    const WsYamlNode *name = ws_yaml_key(item, 0);
    g_autofree char *shown = ws_printable(name->text);
    if (!ws_launch_is_name(name->text, G_MAXSIZE)) {
        ws_yaml_error(reader->tree, name, error, "define: '%s' is not a macro's name", shown);
        return NULL;
    }
    if (!ws_yaml_signed(reader->tree, ws_yaml_item(item, 0), name->text, G_MININT64, G_MAXINT64,
                        &value, error))
        return NULL;
    return g_strdup_printf("%s=%" G_GINT64_FORMAT, name->text, value);
}

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
        if (!are_paths && item->kind == WS_YAML_MAPPING) {
            texts[i] = read_definition(reader, item, error);
            if (texts[i] == NULL)
                return NULL;
            continue;
        }
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

WsProgram *ws_launch_load_with_device(const char *path, const WsDevice *device,
                                      WsCompileOptions *options, WsProgramStore *programs,
                                      GError **error)
{
    WsCodeTarget target = {0};
    ws_code_target_of_device(device, &target);
    options->parameter_base = (guint32)device->parameter_base;
    options->if_convert = device->if_convert == 1;
    options->load_constants = device->load_constants == 1;
    options->schedule = device->schedule == 1;
    options->target = &target;
    WsProgram *program = ws_program_store_load(programs, path, options, error);
    options->target = NULL;
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
        ws_yaml_error(
            tree, node, error,
            "'%s' is not a program: the name must end in .cu, .ptx, .wsasm, .wsbin or .sass",
            shown);
        return NULL;
    }
    g_autofree char *path = ws_path_in_folder(reader->folder, name);
    WsReadOutcome outcome = ws_read_scope_look(tree->scope, path);
    if (outcome == WS_READ_DONE)
        return g_steal_pointer(&path);
    gboolean absent = outcome == WS_READ_FAILED && errno == ENOENT;
    g_autofree char *why = ws_read_outcome_text(tree->scope, outcome);
    ws_yaml_error(tree, node, error, "program '%s': %s", shown, absent ? "no such file" : why);
    return NULL;
}

/* What the program's kind has no use for is refused: it would be ignored without a word. */
static gboolean check_compile_keys(const WsYamlTree *tree, const WsYamlNode *compile,
                                   const char *path, GError **error)
{
    static const char *const keys[] = {"debug", "define", "include", "maxreg", NULL};
    if (!ws_yaml_expect_mapping(tree, compile, "compile", keys, error))
        return FALSE;
    gboolean cuda = g_str_has_suffix(path, ".cu"), ptx = g_str_has_suffix(path, ".ptx");
    for (guint i = 0; i < ws_yaml_count(compile); i++) {
        const WsYamlNode *key = ws_yaml_key(compile, i);
        gboolean for_ptx = strcmp(key->text, "maxreg") == 0 || strcmp(key->text, "debug") == 0;
        if (!cuda && !(ptx && for_ptx))
            return ws_yaml_error(tree, key, error, "compile.%s is for programs in %s", key->text,
                                 for_ptx ? "CUDA C or PTX" : "CUDA C");
    }
    return TRUE;
}

/* Length of the macro's name in "NAME", "NAME=VALUE" or "NAME(x)=VALUE". */
static gsize name_length(const char *define)
{
    return strcspn(define, "=(");
}

/* Those of the file, and `given` instead of ones of the same name. */
static char **override_defines(char **defines, const char *const *given)
{
    GStrvBuilder *builder = g_strv_builder_new();
    for (char **define = defines; *define != NULL; define++) {
        gboolean replaced = FALSE;
        for (guint i = 0; given != NULL && given[i] != NULL; i++)
            replaced = replaced || (name_length(given[i]) == name_length(*define) &&
                                    strncmp(given[i], *define, name_length(*define)) == 0);
        if (!replaced)
            g_strv_builder_add(builder, *define);
    }
    for (; given != NULL && *given != NULL; given++)
        g_strv_builder_add(builder, *given);
    char **all = g_strv_builder_end(builder);
    g_strv_builder_unref(builder);
    g_strfreev(defines);
    return all;
}

/* Those of the file, then those that are `given`. */
static char **with_given(char **includes, const char *const *given)
{
    g_autoptr(GStrvBuilder) builder = g_strv_builder_new();
    g_strv_builder_addv(builder, (const char **)includes);
    if (given != NULL)
        g_strv_builder_addv(builder, (const char **)given);
    g_strfreev(includes);
    return g_strv_builder_end(builder);
}

/* What the command line gives, for the kind of program that it is; macros may be the policy's. */
static gboolean check_given(const WsLaunchReader *reader, const char *path, GError **error)
{
    const WsJobOptions *given = reader->options;
    const WsPosition position = {.file = path};
    gboolean cuda = g_str_has_suffix(path, ".cu");
    if (given->defines != NULL && given->defines[0] != NULL && !given->spare_defines && !cuda &&
        reader->job->device->policy != WS_POLICY_FILE)
        ws_set_error_at(error, WS_ERROR_INPUT, &position,
                        "macros (-D) are for programs in CUDA C and policies in C");
    else if (given->includes != NULL && given->includes[0] != NULL && !cuda)
        ws_set_error_at(error, WS_ERROR_INPUT, &position,
                        "folders of headers (-I) are for programs in CUDA C");
    else if (given->max_registers != 0 && !cuda && !g_str_has_suffix(path, ".ptx"))
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

void ws_program_images(const WsProgram *program, guint8 **ret_module, guint8 **ret_constants)
{
    *ret_module = g_malloc0(MAX(program->module_bytes, 1)); /* at most 64 MiB */
    *ret_constants = g_malloc0(WS_CONSTANT_BANK_BYTES);
    if (program->constant_bytes > 0)
        memcpy(*ret_constants, program->constants,
               MIN(program->constant_bytes, WS_CONSTANT_BANK_BYTES));
    for (guint32 i = 0; i < program->symbol_count; i++) {
        const WsSymbol *symbol = &program->symbols[i];
        if (symbol->space == WS_SYMBOL_GLOBAL && symbol->initial != NULL)
            memcpy(*ret_module + (symbol->address - WS_MODULE_WINDOW), symbol->initial,
                   symbol->size);
    }
}

static WsProgram *load(const WsLaunchReader *reader, const char *path, WsCompileOptions *options,
                       GError **error)
{
    const WsGivenProgram *given = reader->options->program;
    if (given != NULL)
        return given->load(given->data, reader->job->device, options, error);
    return ws_launch_load_with_device(path, reader->job->device, options, reader->options->programs,
                                      error);
}

/* The program of --program. */
static char *check_program_file(const char *path, GError **error)
{
    WsPosition position = {.file = path};
    if (ws_is_program_name(path))
        return g_strdup(path);
    ws_set_error_at(error, WS_ERROR_INPUT, &position,
                    "this is not a program: the name must end in .cu, .ptx, .wsasm, .wsbin or "
                    ".sass");
    return NULL;
}

/* The name of the file, not to be found, if another program is run in its place. */
static char *program_path(const WsLaunchReader *reader, GError **error)
{
    if (reader->options->program_file != NULL)
        return check_program_file(reader->options->program_file, error);
    if (reader->options->program == NULL)
        return find_program(reader, error);
    const WsYamlNode *node =
        ws_yaml_require(reader->tree, reader->tree->root, "the launch file", "program", error);
    return node == NULL ? NULL : g_strdup(ws_yaml_text(reader->tree, node, "program", error));
}

/* Where the files of --program lie: whoever names it there trusts its folder. NULL: as the
 * target's. */
static WsReadScope *given_scope(const WsLaunchReader *reader)
{
    const char *path = reader->options->program_file;
    if (path == NULL)
        return NULL;
    g_autofree char *folder = g_path_get_dirname(path);
    WsReadScope *scope = ws_read_scope_new(reader->options->bounds.confinement != WS_CONFINE_NOT);
    ws_read_scope_add(scope, folder);
    return scope;
}

gboolean ws_launch_load_program(WsLaunchReader *reader, GError **error)
{
    const WsYamlTree *tree = reader->tree;
    g_autofree char *path = program_path(reader, error);
    if (path == NULL)
        return FALSE;
    WsCompileOptions options;
    ws_compile_options_init(&options);
    /* How the file's own program is compiled says nothing of one that is compiled already. */
    gboolean compiled = reader->options->program_file != NULL && !g_str_has_suffix(path, ".cu");
    const WsYamlNode *compile = compiled ? NULL : ws_yaml_get(tree->root, "compile");
    const WsYamlNode *maxreg = NULL, *define = NULL, *include = NULL, *debug = NULL;
    if (compile != NULL) {
        if (!check_compile_keys(tree, compile, path, error))
            return FALSE;
        maxreg = ws_yaml_get(compile, "maxreg");
        define = ws_yaml_get(compile, "define");
        include = ws_yaml_get(compile, "include");
        debug = ws_yaml_get(compile, "debug");
    }
    guint64 registers = 0;
    if (maxreg != NULL && !ws_yaml_unsigned(tree, maxreg, "maxreg", WS_LEAST_REGISTERS,
                                            WS_MOST_REGISTERS, &registers, error))
        return FALSE;
    options.max_registers = (guint32)registers;
    if (debug != NULL && !ws_yaml_boolean(tree, debug, "debug", &options.debug, error))
        return FALSE;
    g_auto(GStrv) defines = read_texts(reader, define, "define", FALSE, error);
    g_auto(GStrv) includes =
        defines == NULL ? NULL : read_texts(reader, include, "include", TRUE, error);
    if (includes == NULL || !check_given(reader, path, error))
        return FALSE;
    includes = with_given(g_steal_pointer(&includes), reader->options->includes);
    defines = override_defines(g_steal_pointer(&defines), reader->options->defines);
    if (reader->options->max_registers != 0)
        options.max_registers = reader->options->max_registers;
    g_autoptr(WsReadScope) own = given_scope(reader);
    options.scope = own != NULL ? own : tree->scope;
    options.bounds = reader->options->bounds;
    options.for_checks = reader->options->for_checks;
    options.debug = options.debug || reader->options->debug;
    options.variables = options.debug || reader->options->variables;
    options.debug = options.debug && !options.for_checks;
    if (g_str_has_suffix(path, ".cu"))
        options.defines = (const char *const *)defines;
    options.includes = (const char *const *)includes;
    reader->job->max_registers = options.max_registers;
    reader->job->program = load(reader, path, &options, error);
    reader->job->defines = g_steal_pointer(&defines);
    reader->job->includes = g_steal_pointer(&includes);
    if (reader->job->program == NULL)
        return FALSE;
    reader->job->host_bytes += reader->job->program->module_bytes;
    ws_program_images(reader->job->program, &reader->job->module_data, &reader->job->constant_data);
    return TRUE;
}
