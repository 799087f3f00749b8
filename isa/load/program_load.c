/* Loading a program by the ending of its file name. */
#include <string.h>

#include "isa/base/byte_order_mark.h"
#include "isa/base/error.h"
#include "isa/base/input_file.h"
#include "isa/codegen/code_generation.h"
#include "isa/container/binary.h"
#include "isa/debug/kept_registers.h"
#include "isa/debug/ptx_statements.h"
#include "isa/debug/variable_places.h"
#include "isa/ir/ir.h"
#include "isa/ptx/source_texts.h"
#include "isa/sass/sass.h"
#include "isa/source/construct_places.h"
#include "isa/text/assembler.h"

enum { MAX_PTX_BYTES = 64 * 1024 * 1024 };

/* `texts`: char*, a name in program->files -> char*. */
static void take_sources(WsProgram *program, GHashTable *texts)
{
    guint count = g_strv_length(program->files);
    program->sources = g_new0(char *, count + 1);
    for (guint i = 0; i < count; i++) {
        const char *text = g_hash_table_lookup(texts, program->files[i]);
        program->sources[i] = g_strdup(text != NULL ? text : "");
    }
}

/* A program that is a file it was made from; `texts` has others, or is NULL. */
static WsProgram *with_own_source(WsProgram *program, const char *path, const char *text,
                                  gsize length, GHashTable *texts)
{
    if (program == NULL) {
        return NULL;
    }
    g_autoptr(GHashTable) all =
        texts != NULL ? g_hash_table_ref(texts)
                      : g_hash_table_new_full(g_str_hash, g_str_equal, g_free, g_free);
    gsize mark = ws_byte_order_mark(text, length);
    g_hash_table_replace(all, g_strdup(path),
                         g_utf8_make_valid(text + mark, (gssize)(length - mark)));
    take_sources(program, all);
    return program;
}

static WsProgram *load_assembly(const char *path, const WsCompileOptions *options, GError **error)
{
    g_autoptr(GBytes) bytes =
        ws_read_input_file_in(options->scope, path, WS_MAX_ASSEMBLER_BYTES, NULL, error);
    if (bytes == NULL) {
        return NULL;
    }
    gsize length;
    const char *text = g_bytes_get_data(bytes, &length);
    return with_own_source(ws_assemble(path, text, length, options, error), path, text, length,
                           NULL);
}

static WsProgram *load_sass(const char *path, const WsCompileOptions *options, GError **error)
{
    g_autoptr(GBytes) bytes =
        ws_read_input_file_in(options->scope, path, WS_MAX_SASS_BYTES, NULL, error);
    if (bytes == NULL) {
        return NULL;
    }
    gsize length;
    const char *text = g_bytes_get_data(bytes, &length);
    return with_own_source(ws_sass_program(path, text, length, error), path, text, length, NULL);
}

static WsProgram *load_binary(const char *path, const WsCompileOptions *options, GError **error)
{
    g_autoptr(GBytes) bytes =
        ws_read_input_file_in(options->scope, path, WS_MAX_BINARY_BYTES, NULL, error);
    if (bytes == NULL) {
        return NULL;
    }
    gsize length;
    const guint8 *data = g_bytes_get_data(bytes, &length);
    return ws_program_from_binary(path, data, length, error);
}

/* PTX, and what is known of where it comes from. */
typedef struct {
    const char *path, *text;
    gsize length;
    GHashTable *sources; /* of what it was made from, or NULL */
    /* Of optimised CUDA C with variables: the same with debug information, and LLVM's dump; NULL.
     */
    const char *debug, *dump;
} Input;

static WsVariableTable *find_variables(const Input *input, const WsIrModule *module,
                                       const WsProgram *program, const GPtrArray *functions,
                                       const WsCompileOptions *options)
{
    WsCompiled compiled = {.module = module,
                           .program = program,
                           .functions = functions,
                           .ptx = input->text,
                           .sources = input->sources};
    if (input->debug == NULL)
        return ws_variables_of_module(&compiled, options);
    g_autoptr(WsMachineValues) values = ws_machine_values_new(input->dump, input->text);
    g_autofree guint32 *lines = ws_ptx_match_lines(input->text, input->debug, &compiled.line_count);
    compiled.values = values;
    compiled.lines = lines;
    compiled.ptx = input->debug;
    return ws_variables_of_module(&compiled, options);
}

static WsProgram *compile_ptx(const Input *input, const WsCompileOptions *options, GError **error)
{
    g_autoptr(GPtrArray) functions = NULL;
    g_autoptr(WsIrModule) module =
        ws_ptx_to_ir(input->path, input->text, input->length, options, error);
    if (module == NULL) {
        return NULL;
    }
    if (input->sources != NULL) {
        ws_name_constructs(module, input->sources);
    }
    if (options->variables && options->debug && !options->from_cuda)
        ws_keep_debug_registers(module, input->text);
    WsProgram *program = ws_ir_compile_kept(module, options, &functions, error);
    if (program != NULL && options->variables)
        program->variables = find_variables(input, module, program, functions, options);
    return program;
}

static WsProgram *load_ptx(const char *path, const WsCompileOptions *options, GError **error)
{
    g_autoptr(GBytes) bytes =
        ws_read_input_file_in(options->scope, path, MAX_PTX_BYTES, NULL, error);
    if (bytes == NULL) {
        return NULL;
    }
    gsize length;
    const char *text = g_bytes_get_data(bytes, &length);
    g_autoptr(GHashTable) sources = ws_ptx_sources(text, length);
    const Input input = {.path = path, .text = text, .length = length, .sources = sources};
    return with_own_source(compile_ptx(&input, options, error), path, text, length, sources);
}

/*
 * The PTX with debug information, LLVM's dump behind it; NULL if clang does not make it. It is for
 * looking at: the program is made of the PTX that it is made of without variables.
 */
static char *compile_to_look_at(const char *path, const WsCompileOptions *options, Input *input)
{
    char *text = ws_cuda_to_ptx(path, options, NULL, NULL, NULL);
    char *dump = text == NULL ? NULL : strstr(text, WS_IR_DUMP_MARK);
    if (dump != NULL) {
        *dump = '\0';
        input->debug = text;
        input->dump = dump + 1;
    }
    return text;
}

static WsProgram *load_cuda(const char *path, const WsCompileOptions *options, GError **error)
{
    const gboolean optimised = options->variables && !options->debug && !options->for_checks;
    WsCompileOptions from_cuda = *options, plain = *options;
    g_autoptr(GHashTable) sources = NULL;
    g_autofree char *looked_at = NULL, *compiler = NULL;
    plain.variables = options->variables && !optimised;
    from_cuda.from_cuda = TRUE;
    g_autofree char *text = ws_cuda_to_ptx(path, &plain, &sources, &compiler, error);
    if (text == NULL)
        return NULL;
    Input input = {.path = path, .text = text, .length = strlen(text), .sources = sources};
    if (optimised)
        looked_at = compile_to_look_at(path, options, &input);
    WsProgram *program = compile_ptx(&input, &from_cuda, error);
    if (program != NULL) {
        take_sources(program, sources);
        program->compiler = g_steal_pointer(&compiler);
    }
    return program;
}

/* The message about a function that a policy does not define, in these words of isa/lower. */
static gboolean is_missing(const char *message, const char *function)
{
    g_autofree char *text = g_strdup_printf(
        "calls of '%s' are not supported: it is not defined in this file", function);
    return strstr(message, text) != NULL;
}

static gboolean refuse_policy(const char *path, const char *message, GError **error)
{
    const WsPosition position = {.file = path};
    if (strstr(message, "policy_entries.h:") != NULL && strstr(message, "error: calls") == NULL) {
        ws_set_error_at(error, WS_ERROR_INPUT, &position,
                        "the file ends inside a function, or a function of a policy is not "
                        "declared as in <warpstep/policy.h>");
    } else if (is_missing(message, "pick")) {
        ws_set_error_at(error, WS_ERROR_INPUT, &position,
                        "a policy must define int pick(const ws_view *view)");
    } else {
        g_autofree char *text = g_strdup(message);
        char *entry = g_strrstr(text, " (kernel 'ws_policy_");
        if (entry != NULL) {
            *entry = '\0';
        }
        g_set_error_literal(error, WS_ERROR, WS_ERROR_INPUT, text);
    }
    return FALSE;
}

/* pick() is there, or its entry would be refused, and what is refused was not defined. */
static gboolean check_policy(const WsProgram *program, const char *path, GError **error)
{
    static const char *const optional[] = {"admit",    "warp_begin", "warp_end",  "l1_load",
                                           "l1_evict", "l1_bypass",  "l1_victim", "take_block"};
    for (guint32 i = 0; i < program->refused_count; i++) {
        const char *message = program->refused[i].message;
        gboolean missing = FALSE;
        for (guint n = 0; n < G_N_ELEMENTS(optional); n++) {
            missing = missing || is_missing(message, optional[n]);
        }
        if (!missing) {
            return refuse_policy(path, message, error);
        }
    }
    return TRUE;
}

static WsProgram *load_policy(const char *path, const WsCompileOptions *options, GError **error)
{
    g_autoptr(GError) failure = NULL;
    g_autoptr(WsProgram) program = load_cuda(path, options, &failure);
    if (program == NULL) {
        refuse_policy(path, failure->message, error);
        return NULL;
    }
    return check_policy(program, path, error) ? g_steal_pointer(&program) : NULL;
}

WsProgram *ws_program_load(const char *path, const WsCompileOptions *options, GError **error)
{
    static const struct {
        const char *ending;
        WsProgram *(*load)(const char *path, const WsCompileOptions *options, GError **error);
    } loaders[] = {{".cu", load_cuda},
                   {".ptx", load_ptx},
                   {".wsasm", load_assembly},
                   {".wsbin", load_binary},
                   {".sass", load_sass}};
    if (ws_is_policy_name(path)) {
        return load_policy(path, options, error);
    }
    for (guint i = 0; i < G_N_ELEMENTS(loaders); i++) {
        if (g_str_has_suffix(path, loaders[i].ending)) {
            return loaders[i].load(path, options, error);
        }
    }
    g_autoptr(GString) list = g_string_new(NULL);
    for (guint i = 0; i < G_N_ELEMENTS(loaders); i++) {
        g_string_append_printf(list, "%s%s", i == 0 ? "" : ", ", loaders[i].ending);
    }
    WsPosition position = {path, 0, 0};
    ws_set_error_at(error, WS_ERROR_INPUT, &position,
                    "the file extension determines the kind of program: %s", list->str);
    return NULL;
}
