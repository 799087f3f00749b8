#include "isa/ptx/parser.h"

#include "isa/base/escape.h"

#include <string.h>

static const struct {
    const char *name;
    guint8 bits;
    guint8 kind;
} types[WS_PTX_TYPE_COUNT] = {
#define TYPE(name, text, bits, kind) {text, bits, WS_PTX_KIND_##kind},
    WS_PTX_TYPES(TYPE)
#undef TYPE
};

guint ws_ptx_type_bits(WsPtxType type)
{
    return types[type].bits;
}

WsPtxKind ws_ptx_type_kind(WsPtxType type)
{
    return types[type].kind;
}

WsPtxType ws_ptx_type_find(const char *name)
{
    for (guint i = 1; i < WS_PTX_TYPE_COUNT; i++)
        if (strcmp(types[i].name, name) == 0)
            return (WsPtxType)i;
    return WS_PTX_NONE;
}

/* ---- tokens ---- */

gboolean ws_ptx_fail(WsPtxParser *parser, const WsPosition *position, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    g_autofree char *text = g_strdup_vprintf(format, arguments);
    va_end(arguments);
    ws_set_error_at(parser->error, WS_ERROR_INPUT, position, "%s", text);
    return FALSE;
}

gboolean ws_ptx_advance(WsPtxParser *parser)
{
    return ws_ptx_lexer_next(&parser->lexer, &parser->token, parser->error);
}

gboolean ws_ptx_is(const WsPtxParser *parser, char punctuation)
{
    return parser->token.kind == WS_PTX_TOKEN_PUNCTUATION &&
           parser->token.punctuation == punctuation;
}

gboolean ws_ptx_token_is(const WsPtxToken *token, const char *text)
{
    return strlen(text) == token->length && memcmp(text, token->text, token->length) == 0;
}

gboolean ws_ptx_is_dotted(const WsPtxParser *parser, const char *name)
{
    return parser->token.kind == WS_PTX_TOKEN_DOTTED && ws_ptx_token_is(&parser->token, name);
}

static gboolean fail_expected(WsPtxParser *parser, const char *what)
{
    if (parser->token.kind == WS_PTX_TOKEN_END)
        return ws_ptx_fail(parser, &parser->token.position, "%s expected at the end of the text",
                           what);
    g_autofree char *text = g_strndup(parser->token.text, MAX(parser->token.length, 1));
    g_autofree char *printable = ws_printable(text);
    return ws_ptx_fail(parser, &parser->token.position, "%s expected before '%s'", what, printable);
}

gboolean ws_ptx_expect(WsPtxParser *parser, char punctuation)
{
    char what[] = {'\'', punctuation, '\'', '\0'};
    if (!ws_ptx_is(parser, punctuation))
        return fail_expected(parser, what);
    return ws_ptx_advance(parser);
}

gboolean ws_ptx_accept(WsPtxParser *parser, char punctuation, gboolean *ret_taken)
{
    *ret_taken = ws_ptx_is(parser, punctuation);
    return !*ret_taken || ws_ptx_advance(parser);
}

const char *ws_ptx_intern(WsPtxParser *parser, const WsPtxToken *token)
{
    g_autofree char *text = g_strndup(token->text, token->length);
    return g_string_chunk_insert_const(parser->module->strings, text);
}

gboolean ws_ptx_take_name(WsPtxParser *parser, const char *what, const char **ret)
{
    if (parser->token.kind != WS_PTX_TOKEN_NAME)
        return fail_expected(parser, what);
    *ret = ws_ptx_intern(parser, &parser->token);
    return ws_ptx_advance(parser);
}

gboolean ws_ptx_take_integer(WsPtxParser *parser, guint64 maximum, guint64 *ret)
{
    if (parser->token.kind != WS_PTX_TOKEN_INTEGER)
        return fail_expected(parser, "a number");
    if (parser->token.value > maximum)
        return ws_ptx_fail(parser, &parser->token.position,
                           "%" G_GUINT64_FORMAT " is over the limit of %" G_GUINT64_FORMAT,
                           parser->token.value, maximum);
    *ret = parser->token.value;
    return ws_ptx_advance(parser);
}

gboolean ws_ptx_take_offset(WsPtxParser *parser, guint64 *value)
{
    gboolean plus;
    guint64 offset;
    if (!ws_ptx_accept(parser, '+', &plus) || !ws_ptx_take_constant(parser, &offset))
        return FALSE;
    *value += offset;
    return TRUE;
}

gboolean ws_ptx_peek(const WsPtxParser *parser, WsPtxToken *ret)
{
    WsPtxLexer lexer = parser->lexer;
    return ws_ptx_lexer_next(&lexer, ret, NULL);
}

gboolean ws_ptx_is_float(const WsPtxParser *parser)
{
    WsPtxToken token = parser->token;
    if (ws_ptx_is(parser, '-') && !ws_ptx_peek(parser, &token))
        return FALSE;
    return token.kind == WS_PTX_TOKEN_FLOAT32 || token.kind == WS_PTX_TOKEN_FLOAT64;
}

gboolean ws_ptx_take_float(WsPtxParser *parser, gboolean *ret_wide, guint64 *ret)
{
    gboolean negative;
    if (!ws_ptx_accept(parser, '-', &negative))
        return FALSE;
    *ret_wide = parser->token.kind == WS_PTX_TOKEN_FLOAT64;
    guint64 sign = G_GUINT64_CONSTANT(1) << (*ret_wide ? 63 : 31);
    *ret = parser->token.value ^ (negative ? sign : 0);
    return ws_ptx_advance(parser);
}

/* ---- module ---- */

void ws_ptx_variable_free(gpointer data)
{
    WsPtxVariable *variable = data;
    g_clear_pointer(&variable->initial, g_byte_array_unref);
    g_clear_pointer(&variable->relocations, g_array_unref);
    g_free(variable);
}

static void function_free(gpointer data)
{
    WsPtxFunction *function = data;
    g_ptr_array_unref(function->parameters);
    g_ptr_array_unref(function->returns);
    g_ptr_array_unref(function->variables);
    g_array_unref(function->registers);
    g_array_unref(function->statements);
    g_array_unref(function->operands);
    g_ptr_array_unref(function->modifiers);
    g_array_unref(function->labels);
    g_free(function);
}

static WsPtxModule *module_new(const char *path)
{
    WsPtxModule *module = g_new0(WsPtxModule, 1);
    module->path = g_strdup(path);
    module->strings = g_string_chunk_new(4096);
    module->functions = g_ptr_array_new_with_free_func(function_free);
    module->function_map = g_hash_table_new(g_str_hash, g_str_equal);
    module->variables = g_ptr_array_new_with_free_func(ws_ptx_variable_free);
    module->variable_map = g_hash_table_new(g_str_hash, g_str_equal);
    module->locations = g_array_new(FALSE, TRUE, sizeof(WsPtxLocation));
    g_array_set_size(module->locations, 1);
    module->files = g_hash_table_new(NULL, NULL);
    return module;
}

void ws_ptx_module_free(WsPtxModule *module)
{
    if (module == NULL)
        return;
    g_hash_table_unref(module->function_map);
    g_hash_table_unref(module->variable_map);
    g_hash_table_unref(module->files);
    g_ptr_array_unref(module->functions);
    g_ptr_array_unref(module->variables);
    g_array_unref(module->locations);
    g_string_chunk_free(module->strings);
    g_free(module->path);
    g_free(module);
}

static gboolean parse_file(WsPtxParser *parser)
{
    guint64 number = 0;
    if (!ws_ptx_advance(parser) || !ws_ptx_take_integer(parser, G_MAXINT32, &number))
        return FALSE;
    if (parser->token.kind != WS_PTX_TOKEN_STRING)
        return fail_expected(parser, "a file name in quotes");
    g_autofree char *name = ws_unescape_name(parser->token.text, parser->token.length);
    g_hash_table_insert(parser->module->files, GUINT_TO_POINTER((guint)number),
                        g_string_chunk_insert_const(parser->module->strings, name));
    if (!ws_ptx_advance(parser))
        return FALSE;
    for (int i = 0; i < 2; i++) { /* time stamp and size */
        gboolean comma;
        guint64 ignored;
        if (!ws_ptx_accept(parser, ',', &comma))
            return FALSE;
        if (comma && !ws_ptx_take_integer(parser, G_MAXUINT64, &ignored))
            return FALSE;
    }
    return TRUE;
}

/* .version 8.0, .target sm_80, debug, .address_size 64 */
static gboolean parse_header(WsPtxParser *parser)
{
    gboolean address_size = ws_ptx_is_dotted(parser, "address_size");
    gboolean target = ws_ptx_is_dotted(parser, "target");
    if (!ws_ptx_advance(parser))
        return FALSE;
    if (address_size) {
        WsPosition position = parser->token.position;
        guint64 size;
        if (!ws_ptx_take_integer(parser, G_MAXUINT32, &size))
            return FALSE;
        return size == 64 || ws_ptx_fail(parser, &position, "only .address_size 64 is supported");
    }
    if (!target) {
        if (parser->token.kind != WS_PTX_TOKEN_FLOAT64)
            return fail_expected(parser, "a version such as 7.0");
        return ws_ptx_advance(parser);
    }
    gboolean comma = TRUE;
    while (comma) {
        const char *name;
        if (!ws_ptx_take_name(parser, "a target", &name) || !ws_ptx_accept(parser, ',', &comma))
            return FALSE;
    }
    return TRUE;
}

/*
 * "warpstep: NAME at ADDRESS", from the runtime: a managed variable that was declared before is
 * where host code has it, or the queue of launches by kernels is there. Other texts mean nothing
 * here.
 */
static gboolean take_pragma(WsPtxParser *parser, const WsPtxToken *token)
{
    static const char mark[] = "warpstep: ";
    g_autofree char *text = g_strndup(token->text, token->length);
    char *at = strstr(text, " at ");
    if (!g_str_has_prefix(text, mark) || at == NULL)
        return TRUE;
    *at = '\0';
    WsPtxVariable *variable =
        g_hash_table_lookup(parser->module->variable_map, text + strlen(mark));
    const gboolean is_queue = strcmp(text + strlen(mark), "device launches") == 0;
    guint64 address;
    if (!is_queue && (variable == NULL || variable->space != WS_PTX_SPACE_GLOBAL))
        return TRUE;
    if (!g_ascii_string_to_unsigned(at + strlen(" at "), 16, 1, G_MAXINT64, &address, NULL))
        return ws_ptx_fail(parser, &token->position, "an address is expected");
    if (is_queue)
        parser->module->launches = address;
    else
        variable->placed = address;
    return TRUE;
}

/* .pragma "text", "text"; */
static gboolean parse_pragma(WsPtxParser *parser)
{
    gboolean comma = TRUE;
    if (!ws_ptx_advance(parser))
        return FALSE;
    while (comma) {
        if (parser->token.kind != WS_PTX_TOKEN_STRING)
            return fail_expected(parser, "a string");
        if (!take_pragma(parser, &parser->token) || !ws_ptx_advance(parser) ||
            !ws_ptx_accept(parser, ',', &comma))
            return FALSE;
    }
    return ws_ptx_expect(parser, ';');
}

static gboolean is_one_of(const WsPtxParser *parser, const char *const *names)
{
    for (; *names != NULL; names++)
        if (ws_ptx_is_dotted(parser, *names))
            return TRUE;
    return FALSE;
}

static gboolean parse_directive(WsPtxParser *parser)
{
    static const char *const linkage[] = {"visible", "weak", "common", NULL};
    static const char *const header[] = {"version", "target", "address_size", NULL};
    static const char *const spaces[] = {"global", "const", "shared", "local", NULL};
    gboolean is_extern = FALSE, is_visible = FALSE;
    for (;;) {
        if (ws_ptx_is_dotted(parser, "extern"))
            is_extern = TRUE;
        else if (ws_ptx_is_dotted(parser, "visible"))
            is_visible = TRUE;
        else if (!is_one_of(parser, linkage))
            break;
        if (!ws_ptx_advance(parser))
            return FALSE;
    }
    if (is_one_of(parser, header))
        return parse_header(parser);
    if (ws_ptx_is_dotted(parser, "file"))
        return parse_file(parser);
    if (ws_ptx_is_dotted(parser, "section"))
        return ws_ptx_skip_section(parser);
    if (ws_ptx_is_dotted(parser, "pragma"))
        return parse_pragma(parser);
    if (ws_ptx_is_dotted(parser, "loc"))
        return ws_ptx_parse_location(parser);
    if (ws_ptx_is_dotted(parser, "entry") || ws_ptx_is_dotted(parser, "func"))
        return ws_ptx_parse_function(parser);
    if (is_one_of(parser, spaces))
        return ws_ptx_parse_variable(parser, is_extern, is_visible);
    g_autofree char *text = g_strndup(parser->token.text, parser->token.length);
    return ws_ptx_fail(parser, &parser->token.position, "directive '.%s' is not supported here",
                       text);
}

static gboolean parse_module(WsPtxParser *parser)
{
    if (!ws_ptx_advance(parser))
        return FALSE;
    while (parser->token.kind != WS_PTX_TOKEN_END) {
        if (parser->token.kind == WS_PTX_TOKEN_DOTTED) {
            if (!parse_directive(parser))
                return FALSE;
        } else if (ws_ptx_is(parser, ';')) {
            if (!ws_ptx_advance(parser))
                return FALSE;
        } else {
            return fail_expected(parser, "a directive");
        }
    }
    return TRUE;
}

WsPtxModule *ws_ptx_parse(const char *path, const char *text, gsize length, GError **error)
{
    g_autoptr(WsPtxModule) module = module_new(path);
    WsPtxParser parser = {.module = module, .error = error};
    parser.location_map = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
    ws_ptx_lexer_init(&parser.lexer, module->path, text, length);
    gboolean good = parse_module(&parser);
    g_hash_table_unref(parser.location_map);
    if (parser.scopes != NULL)
        g_ptr_array_unref(parser.scopes);
    return good ? g_steal_pointer(&module) : NULL;
}
