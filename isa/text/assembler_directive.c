/* Directives of assembly text: kernels, their parameters and limits, variables. */
#include <string.h>

#include "isa/base/escape.h"
#include "isa/base/float_bits.h"
#include "isa/text/assembler_private.h"

enum {
    MAX_MODULE_BYTES = 64 * 1024 * 1024,
    MAX_SHARED_BYTES = 1024 * 1024,
    MAX_LOCAL_BYTES = 512 * 1024,
    MAX_KERNELS = 4096,
    MAX_VARIABLES = 16384,
    ARRAY_ALIGN = 16
};

static WsKernel *last_kernel(WsAssembler *assembler)
{
    return &g_array_index(assembler->kernels, WsKernel, assembler->kernels->len - 1);
}

const WsParameter *ws_assembler_find_parameter(const WsAssembler *assembler, const char *name)
{
    for (guint p = 0; p < assembler->parameters->len; p++) {
        const WsParameter *parameter = &g_array_index(assembler->parameters, WsParameter, p);
        if (strcmp(parameter->name, name) == 0) {
            return parameter;
        }
    }
    return NULL;
}

const WsSymbol *ws_assembler_find_symbol(const WsAssembler *assembler, const char *name)
{
    for (guint s = 0; s < assembler->symbols->len; s++) {
        const WsSymbol *symbol = &g_array_index(assembler->symbols, WsSymbol, s);
        if (strcmp(symbol->name, name) == 0) {
            return symbol;
        }
    }
    return NULL;
}

/* A new name. `*ret` is to be freed. */
static gboolean parse_name(WsAssembler *assembler, char **ret, GError **error)
{
    const WsToken *token = ws_assembler_peek(assembler);
    if (token->kind != WS_TOKEN_WORD || *token->text == '.') {
        return ws_assembler_fail_expected(assembler, "a name", error);
    }
    g_autofree char *name = ws_token_text(token);
    if (ws_word_is_register(name)) {
        return ws_assembler_fail(assembler, token, error, "\"%s\" is a register, not a name", name);
    }
    ws_assembler_take(assembler);
    *ret = g_steal_pointer(&name);
    return TRUE;
}

static gboolean parse_type(WsAssembler *assembler, WsType *ret, GError **error)
{
    const char *names[WS_TYPE_TEXREF + 2] = {NULL};
    for (guint type = 0; type <= WS_TYPE_TEXREF; type++) {
        names[type] = ws_type_name(type);
    }
    const WsToken *token = ws_assembler_peek(assembler);
    if (token->kind != WS_TOKEN_WORD) {
        return ws_assembler_fail_expected(assembler, "a type", error);
    }
    ws_assembler_take(assembler);
    g_autofree char *text = ws_token_text(token);
    const char *name = *text == '.' ? text + 1 : text; /* as PTX writes it */
    return ws_type_by_name(name, ret) ||
           ws_assembler_fail_unknown(assembler, token, "type", names, error);
}

/* type name[count] [align n] */
typedef struct {
    WsType type;
    char *name;
    gboolean is_array;
    guint32 count;
    guint32 align; /* 0 = not given */
    const WsToken *token;
} Declaration;

static gboolean parse_declaration(WsAssembler *assembler, guint32 max_count, Declaration *ret,
                                  GError **error)
{
    gint64 number;
    *ret = (Declaration){.count = 1};
    if (!parse_type(assembler, &ret->type, error)) {
        return FALSE;
    }
    ret->token = ws_assembler_peek(assembler);
    if (!parse_name(assembler, &ret->name, error)) {
        return FALSE;
    }
    if (ws_assembler_accept(assembler, '[')) {
        if (!ws_assembler_parse_integer(assembler, 1, max_count, &number, error) ||
            !ws_assembler_expect(assembler, ']', error)) {
            return FALSE;
        }
        ret->is_array = TRUE;
        ret->count = (guint32)number;
    }
    g_autofree char *word = ws_token_text(ws_assembler_peek(assembler));
    if (strcmp(word, "align") == 0) {
        ws_assembler_take(assembler);
        if (!ws_assembler_parse_integer(assembler, 1, 256, &number, error)) {
            return FALSE;
        }
        if ((number & (number - 1)) != 0) {
            return ws_assembler_fail(assembler, ret->token, error,
                                     "an alignment is a power of two");
        }
        ret->align = (guint32)number;
    }
    return TRUE;
}

static guint32 round_up(guint32 value, guint32 align)
{
    return (value + align - 1) / align * align;
}

static gboolean parse_param(WsAssembler *assembler, GError **error)
{
    Declaration declaration;
    gboolean done = parse_declaration(assembler, WS_MAX_PARAMETER_BYTES, &declaration, error);
    g_autofree char *name = declaration.name;
    if (!done) {
        return FALSE;
    }
    WsKernel *kernel = last_kernel(assembler);
    guint32 size = MAX(ws_type_size(declaration.type), 1);
    gboolean aggregate = declaration.is_array || declaration.type == WS_TYPE_BYTES;
    WsParameter parameter = {.type = aggregate ? WS_TYPE_BYTES : declaration.type,
                             .size = size * declaration.count,
                             .align = declaration.align != 0 ? declaration.align : size};
    parameter.offset = round_up(kernel->parameter_bytes, parameter.align);
    if (ws_assembler_find_parameter(assembler, name) != NULL) {
        return ws_assembler_fail(assembler, declaration.token, error,
                                 "there is already a parameter \"%s\"", name);
    }
    if (parameter.offset + parameter.size > WS_MAX_PARAMETER_BYTES) {
        return ws_assembler_fail(assembler, declaration.token, error,
                                 "parameters take more than %u bytes", WS_MAX_PARAMETER_BYTES);
    }
    parameter.name = g_steal_pointer(&name);
    kernel->parameter_bytes = parameter.offset + parameter.size;
    g_array_append_val(assembler->parameters, parameter);
    return TRUE;
}

static void store(guint8 *at, guint64 value, guint size)
{
    for (guint i = 0; i < size; i++) {
        at[i] = (guint8)(value >> (8 * i));
    }
}

/* One initial value; 16-bit floats are given by their bits. */
static gboolean parse_value(WsAssembler *assembler, WsType type, guint8 *at, GError **error)
{
    gboolean negative = ws_assembler_accept(assembler, '-');
    const WsToken *token = ws_assembler_peek(assembler);
    double number;
    guint64 integer;
    guint size = MAX(ws_type_size(type), 1);
    gboolean is_float = type == WS_TYPE_F32 || type == WS_TYPE_F64;
    if (is_float && ws_token_float(token, &number)) {
        number = negative ? -number : number;
        integer = type == WS_TYPE_F32 ? ws_float_bits((float)number) : ws_double_bits(number);
        store(at, integer, size);
    } else if (token->kind == WS_TOKEN_NUMBER && ws_token_integer(token, &integer)) {
        guint64 limit = size == 8 ? G_MAXUINT64 : (G_GUINT64_CONSTANT(1) << (8 * size)) - 1;
        if (integer > (negative ? limit / 2 + 1 : limit)) {
            return ws_assembler_fail(assembler, token, error, "this value does not fit a %s",
                                     ws_type_name(type));
        }
        store(at, negative ? 0 - integer : integer, size);
    } else {
        return ws_assembler_fail_expected(assembler, "a value", error);
    }
    ws_assembler_take(assembler);
    return TRUE;
}

static gboolean parse_values(WsAssembler *assembler, WsType type, guint32 count, guint8 *bytes,
                             GError **error)
{
    guint size = MAX(ws_type_size(type), 1);
    for (guint32 i = 0; i == 0 || ws_assembler_accept(assembler, ','); i++) {
        while (ws_assembler_peek(assembler)->kind == WS_TOKEN_NEWLINE && i > 0) {
            ws_assembler_take(assembler); /* a list may go on behind a comma */
        }
        if (i == count) {
            return ws_assembler_fail(assembler, ws_assembler_peek(assembler), error,
                                     "there are more values than the %u elements", count);
        }
        if (!parse_value(assembler, type, bytes + (gsize)i * size, error)) {
            return FALSE;
        }
    }
    return TRUE;
}

static gboolean parse_variable(WsAssembler *assembler, WsSymbolSpace space, GError **error)
{
    gboolean constant = space == WS_SYMBOL_CONSTANT;
    guint64 limit = constant ? WS_CONSTANT_BANK_BYTES : MAX_MODULE_BYTES;
    Declaration declaration;
    gboolean done = parse_declaration(assembler, (guint32)limit, &declaration, error);
    g_autofree char *name = declaration.name;
    if (!done) {
        return FALSE;
    }
    guint32 size = MAX(ws_type_size(declaration.type), 1);
    WsSymbol symbol = {.space = space,
                       .type = declaration.type == WS_TYPE_BYTES ? WS_TYPE_B8 : declaration.type,
                       .size = (guint64)size * declaration.count,
                       .align = declaration.align != 0 ? declaration.align
                                : declaration.is_array ? ARRAY_ALIGN
                                                       : size};
    guint64 used = constant ? assembler->constant_bytes : assembler->module_bytes;
    guint64 offset = round_up((guint32)used, symbol.align);
    if (ws_assembler_find_symbol(assembler, name) != NULL) {
        return ws_assembler_fail(assembler, declaration.token, error,
                                 "there is already a variable \"%s\"", name);
    }
    if (assembler->symbols->len == MAX_VARIABLES) {
        return ws_assembler_fail(assembler, declaration.token, error, "more than %d variables",
                                 MAX_VARIABLES);
    }
    if (offset + symbol.size > limit) {
        return ws_assembler_fail(assembler, declaration.token, error,
                                 "variables take more than %" G_GUINT64_FORMAT " bytes", limit);
    }
    symbol.address = constant ? offset : WS_MODULE_WINDOW + offset;
    g_autofree guint8 *initial = NULL;
    if (ws_assembler_accept(assembler, '=')) {
        initial = g_malloc0(symbol.size);
        if (!parse_values(assembler, symbol.type, declaration.count, initial, error)) {
            return FALSE;
        }
    }
    symbol.initial = g_steal_pointer(&initial);
    symbol.name = g_steal_pointer(&name);
    g_array_append_val(assembler->symbols, symbol);
    if (constant) {
        assembler->constant_bytes = (guint32)(offset + symbol.size);
    } else {
        assembler->module_bytes = offset + symbol.size;
    }
    return TRUE;
}

static gboolean parse_kernel(WsAssembler *assembler, GError **error)
{
    if (assembler->in_kernel && !ws_assembler_end_kernel(assembler, error)) {
        return FALSE;
    }
    const WsToken *token = ws_assembler_peek(assembler);
    g_autofree char *name = NULL;
    if (!parse_name(assembler, &name, error)) {
        return FALSE;
    }
    for (guint k = 0; k < assembler->kernels->len; k++) {
        if (strcmp(g_array_index(assembler->kernels, WsKernel, k).name, name) == 0) {
            return ws_assembler_fail(assembler, token, error, "there is already a kernel \"%s\"",
                                     name);
        }
    }
    if (assembler->kernels->len == MAX_KERNELS) {
        return ws_assembler_fail(assembler, token, error, "more than %d kernels", MAX_KERNELS);
    }
    WsKernel kernel = {.name = g_strdup(name),
                       .display_name = g_strdup(name),
                       .first = assembler->instructions->len};
    g_array_append_val(assembler->kernels, kernel);
    assembler->in_kernel = TRUE;
    assembler->manual = FALSE;
    assembler->given_registers = 0;
    assembler->kernel_place = (WsTextPlace){token->line, token->column};
    return TRUE;
}

static gboolean parse_loc(WsAssembler *assembler, GError **error)
{
    const WsToken *token = ws_assembler_peek(assembler);
    gint64 line;
    if (token->kind != WS_TOKEN_STRING) {
        return ws_assembler_fail_expected(assembler, "a file name in quotes", error);
    }
    ws_assembler_take(assembler);
    g_autofree char *file = ws_unescape_name(token->text, token->length);
    ws_assembler_accept(assembler, ',');
    if (!ws_assembler_parse_integer(assembler, 1, G_MAXINT32, &line, error)) {
        return FALSE;
    }
    guint at = 0;
    while (at < assembler->files->len && strcmp(assembler->files->pdata[at], file) != 0) {
        at++;
    }
    if (at == assembler->files->len) {
        g_ptr_array_add(assembler->files, g_steal_pointer(&file));
    }
    assembler->loc_file = at;
    assembler->loc_line = (guint32)line;
    return TRUE;
}

static gboolean parse_reconvergence(WsAssembler *assembler, GError **error)
{
    static const char *const names[] = {"manual", "automatic", NULL};
    const WsToken *token = ws_assembler_take(assembler);
    g_autofree char *text = ws_token_text(token);
    assembler->manual = strcmp(text, "manual") == 0;
    return assembler->manual || strcmp(text, "automatic") == 0 ||
           ws_assembler_fail_unknown(assembler, token, "reconvergence", names, error);
}

static gboolean parse_required_block(WsAssembler *assembler, guint32 *ret, GError **error)
{
    ret[0] = ret[1] = ret[2] = 1;
    for (guint i = 0; i < 3 && (i == 0 || ws_assembler_accept(assembler, ',')); i++) {
        gint64 number;
        if (!ws_assembler_parse_integer(assembler, 1, 1024, &number, error)) {
            return FALSE;
        }
        ret[i] = (guint32)number;
    }
    return TRUE;
}

/* Directives of a kernel that are one number. `*ret_known` is FALSE for other names. */
static gboolean parse_number_directive(WsAssembler *assembler, const char *name,
                                       gboolean *ret_known, GError **error)
{
    WsKernel *kernel = last_kernel(assembler);
    const struct {
        const char *name;
        guint32 *field;
        guint32 minimum, maximum;
    } fields[] = {{".registers", &assembler->given_registers, 1, 255},
                  {".shared", &kernel->static_shared_bytes, 0, MAX_SHARED_BYTES},
                  {".local", &kernel->local_bytes, 0, MAX_LOCAL_BYTES},
                  {".stack", &kernel->stack_bytes, 0, MAX_LOCAL_BYTES},
                  {".maxntid", &kernel->max_threads, 1, 1024},
                  {".minnctapersm", &kernel->min_blocks, 1, 64}};
    for (guint i = 0; i < G_N_ELEMENTS(fields); i++) {
        gint64 number;
        if (strcmp(name, fields[i].name) == 0) {
            *ret_known = TRUE;
            if (!ws_assembler_parse_integer(assembler, fields[i].minimum, fields[i].maximum,
                                            &number, error)) {
                return FALSE;
            }
            *fields[i].field = (guint32)number;
            return TRUE;
        }
    }
    *ret_known = FALSE;
    return TRUE;
}

static gboolean parse_kernel_directive(WsAssembler *assembler, const WsToken *token,
                                       const char *name, GError **error)
{
    static const char *const names[] = {".kernel",  ".global",  ".const",        ".loc",
                                        ".param",   ".shared",  ".local",        ".registers",
                                        ".reqntid", ".maxntid", ".minnctapersm", ".reconvergence",
                                        ".stack",   NULL};
    gboolean known = FALSE;
    for (guint i = 0; names[i] != NULL; i++) {
        known = known || strcmp(names[i], name) == 0;
    }
    if (!known) {
        return ws_assembler_fail_unknown(assembler, token, "directive", names, error);
    }
    if (!assembler->in_kernel) {
        return ws_assembler_fail(assembler, token, error, "%s belongs into a kernel: .kernel NAME",
                                 name);
    }
    if (strcmp(name, ".param") == 0) {
        return parse_param(assembler, error);
    }
    if (strcmp(name, ".reconvergence") == 0) {
        return parse_reconvergence(assembler, error);
    }
    if (strcmp(name, ".reqntid") == 0) {
        return parse_required_block(assembler, last_kernel(assembler)->required_block, error);
    }
    return parse_number_directive(assembler, name, &known, error);
}

gboolean ws_assembler_parse_directive(WsAssembler *assembler, GError **error)
{
    const WsToken *token = ws_assembler_take(assembler);
    g_autofree char *name = ws_token_text(token);
    if (strcmp(name, ".kernel") == 0) {
        return parse_kernel(assembler, error);
    }
    if (strcmp(name, ".global") == 0) {
        return parse_variable(assembler, WS_SYMBOL_GLOBAL, error);
    }
    if (strcmp(name, ".const") == 0) {
        return parse_variable(assembler, WS_SYMBOL_CONSTANT, error);
    }
    if (strcmp(name, ".loc") == 0) {
        return parse_loc(assembler, error);
    }
    return parse_kernel_directive(assembler, token, name, error);
}
