/* Functions of PTX: headers, bodies with their scopes, .loc, debug sections. */
#include "isa/ptx/parser.h"

#include <string.h>

/* ---- scopes ---- */

static void scope_free(gpointer data)
{
    WsPtxScope *scope = data;
    g_hash_table_unref(scope->registers);
    g_hash_table_unref(scope->ranges);
    g_hash_table_unref(scope->variables);
    g_hash_table_unref(scope->labels);
    g_array_unref(scope->pending);
    g_free(scope);
}

static gboolean push_scope(WsPtxParser *parser)
{
    if (parser->scopes->len >= WS_PTX_MAX_SCOPES)
        return ws_ptx_fail(parser, &parser->token.position, "more than %d nested scopes",
                           WS_PTX_MAX_SCOPES);
    WsPtxScope *scope = g_new0(WsPtxScope, 1);
    scope->registers = g_hash_table_new_full(g_str_hash, g_str_equal, NULL, g_free);
    scope->ranges = g_hash_table_new_full(g_str_hash, g_str_equal, NULL, g_free);
    scope->variables = g_hash_table_new(g_str_hash, g_str_equal);
    scope->labels = g_hash_table_new(g_str_hash, g_str_equal);
    scope->pending = g_array_new(FALSE, FALSE, sizeof(guint32));
    g_ptr_array_add(parser->scopes, scope);
    return TRUE;
}

/* Binds the names that are labels of this scope; the others may belong to an outer one. */
static gboolean pop_scope(WsPtxParser *parser)
{
    guint depth = parser->scopes->len;
    WsPtxScope *scope = g_ptr_array_index(parser->scopes, depth - 1);
    WsPtxScope *outer = depth > 1 ? g_ptr_array_index(parser->scopes, depth - 2) : NULL;
    for (guint i = 0; i < scope->pending->len; i++) {
        guint32 number = g_array_index(scope->pending, guint32, i);
        WsPtxOperand *operand = &g_array_index(parser->function->operands, WsPtxOperand, number);
        guint label = GPOINTER_TO_UINT(g_hash_table_lookup(scope->labels, operand->name));
        if (label != 0)
            operand->index = label - 1;
        else if (outer != NULL)
            g_array_append_val(outer->pending, number);
        else
            return ws_ptx_fail(parser, &operand->position, "'%s' is not declared", operand->name);
    }
    g_ptr_array_set_size(parser->scopes, (gint)depth - 1);
    return TRUE;
}

/* ---- .loc ---- */

static guint32 find_location(WsPtxParser *parser, const WsPtxLocation *place)
{
    g_autofree char *key = g_strdup_printf("%u:%u:%u", place->file, place->line, place->column);
    guint found = GPOINTER_TO_UINT(g_hash_table_lookup(parser->location_map, key));
    if (found != 0)
        return found;
    g_array_append_val(parser->module->locations, *place);
    guint32 index = parser->module->locations->len - 1;
    g_hash_table_insert(parser->location_map, g_steal_pointer(&key), GUINT_TO_POINTER(index));
    return index;
}

static gboolean take_place(WsPtxParser *parser, WsPtxLocation *ret)
{
    guint64 file, line, column;
    if (!ws_ptx_take_integer(parser, G_MAXINT32, &file) ||
        !ws_ptx_take_integer(parser, G_MAXINT32, &line) ||
        !ws_ptx_take_integer(parser, G_MAXINT32, &column))
        return FALSE;
    *ret = (WsPtxLocation){(guint32)file, (guint32)line, (guint32)column, 0};
    return TRUE;
}

/*
 * .loc 1 10 5, function_name $L__info_string0+4, inlined_at 1 20 3
 * The place after inlined_at is itself described by the last .loc that named it.
 */
gboolean ws_ptx_parse_location(WsPtxParser *parser)
{
    WsPtxLocation place;
    if (!ws_ptx_advance(parser) || !take_place(parser, &place))
        return FALSE;
    gboolean comma;
    gboolean inlined = FALSE;
    if (!ws_ptx_accept(parser, ',', &comma))
        return FALSE;
    while (comma) {
        const char *word;
        if (!ws_ptx_take_name(parser, "function_name or inlined_at", &word))
            return FALSE;
        if (strcmp(word, "function_name") == 0) {
            guint64 offset = 0;
            const char *name;
            if (!ws_ptx_take_name(parser, "a label", &name))
                return FALSE;
            if (ws_ptx_is(parser, '+') && !ws_ptx_take_offset(parser, &offset))
                return FALSE;
        } else {
            WsPtxLocation call;
            if (!take_place(parser, &call))
                return FALSE;
            place.parent = find_location(parser, &call);
            inlined = TRUE;
        }
        if (!ws_ptx_accept(parser, ',', &comma))
            return FALSE;
    }
    if (parser->module->locations->len > WS_PTX_MAX_STATEMENTS)
        return ws_ptx_fail(parser, &parser->token.position, "too many .loc directives");
    if (place.line == 0) /* line 0: the compiler knows none */
        parser->location = 0;
    else if (!inlined)
        parser->location = find_location(parser, &place);
    else {
        g_array_append_val(parser->module->locations, place);
        parser->location = parser->module->locations->len - 1;
        g_hash_table_insert(parser->location_map,
                            g_strdup_printf("%u:%u:%u", place.file, place.line, place.column),
                            GUINT_TO_POINTER(parser->location));
    }
    return TRUE;
}

gboolean ws_ptx_skip_section(WsPtxParser *parser)
{
    if (!ws_ptx_advance(parser))
        return FALSE;
    while (parser->token.kind != WS_PTX_TOKEN_END && !ws_ptx_is(parser, '{'))
        if (!ws_ptx_advance(parser))
            return FALSE;
    while (parser->token.kind != WS_PTX_TOKEN_END && !ws_ptx_is(parser, '}'))
        if (!ws_ptx_advance(parser))
            return FALSE;
    return ws_ptx_expect(parser, '}');
}

/* ---- header ---- */

static gboolean parse_parameter_list(WsPtxParser *parser, GPtrArray *list)
{
    gboolean comma = TRUE;
    if (!ws_ptx_expect(parser, '('))
        return FALSE;
    while (comma && !ws_ptx_is(parser, ')'))
        if (!ws_ptx_parse_parameter(parser, list) || !ws_ptx_accept(parser, ',', &comma))
            return FALSE;
    return ws_ptx_expect(parser, ')');
}

static gboolean parse_three(WsPtxParser *parser, guint32 ret[3])
{
    gboolean comma = TRUE;
    ret[0] = ret[1] = ret[2] = 1;
    for (int i = 0; i < 3 && comma; i++) {
        guint64 value;
        if (!ws_ptx_take_integer(parser, G_MAXUINT16, &value) ||
            !ws_ptx_accept(parser, ',', &comma))
            return FALSE;
        ret[i] = (guint32)value;
    }
    return TRUE;
}

static gboolean parse_limits(WsPtxParser *parser)
{
    WsPtxFunction *function = parser->function;
    while (parser->token.kind == WS_PTX_TOKEN_DOTTED) {
        WsPtxToken word = parser->token;
        guint64 value = 0;
        guint32 three[3];
        if (!ws_ptx_advance(parser))
            return FALSE;
        if (ws_ptx_token_is(&word, "maxntid") || ws_ptx_token_is(&word, "reqntid")) {
            if (!parse_three(parser, three))
                return FALSE;
            memcpy(word.text[0] == 'm' ? function->max_threads : function->required_block, three,
                   sizeof three);
        } else if (ws_ptx_token_is(&word, "minnctapersm") ||
                   ws_ptx_token_is(&word, "maxnctapersm")) {
            if (!ws_ptx_take_integer(parser, G_MAXUINT16, &value))
                return FALSE;
            if (word.text[1] == 'i')
                function->min_blocks = (guint32)value;
        } else if (ws_ptx_token_is(&word, "maxnreg")) {
            if (!ws_ptx_take_integer(parser, 1024, &value))
                return FALSE;
            function->max_registers = (guint32)value;
        } else if (ws_ptx_token_is(&word, "pragma")) {
            if (!ws_ptx_advance(parser) || !ws_ptx_expect(parser, ';'))
                return FALSE;
        } else if (!ws_ptx_token_is(&word, "noreturn")) {
            g_autofree char *text = g_strndup(word.text, word.length);
            return ws_ptx_fail(parser, &word.position, "directive '.%s' is not supported here",
                               text);
        }
    }
    return TRUE;
}

static WsPtxFunction *new_function(WsPtxParser *parser, gboolean is_entry)
{
    WsPtxFunction *function = g_new0(WsPtxFunction, 1);
    function->is_entry = is_entry;
    function->parameters = g_ptr_array_new();
    function->returns = g_ptr_array_new();
    function->variables = g_ptr_array_new_with_free_func(ws_ptx_variable_free);
    function->registers = g_array_new(FALSE, FALSE, 1);
    function->statements = g_array_new(FALSE, TRUE, sizeof(WsPtxStatement));
    function->operands = g_array_new(FALSE, TRUE, sizeof(WsPtxOperand));
    function->modifiers = g_ptr_array_new();
    function->labels = g_array_new(FALSE, TRUE, sizeof(WsPtxLabel));
    function->position = parser->token.position;
    g_ptr_array_add(parser->module->functions, function);
    return function;
}

/* ---- body ---- */

static gboolean parse_label(WsPtxParser *parser, const WsPtxToken *name)
{
    WsPtxScope *scope = g_ptr_array_index(parser->scopes, parser->scopes->len - 1);
    WsPtxLabel label = {ws_ptx_intern(parser, name), parser->function->statements->len};
    if (g_hash_table_contains(scope->labels, label.name))
        return ws_ptx_fail(parser, &name->position, "label '%s' is declared twice", label.name);
    g_array_append_val(parser->function->labels, label);
    guint number = parser->function->labels->len;
    g_hash_table_insert(scope->labels, (gpointer)label.name, GUINT_TO_POINTER(number));
    WsPtxStatement *statement = ws_ptx_new_statement(parser, WS_PTX_STATEMENT_LABEL);
    if (statement == NULL)
        return FALSE;
    statement->label = number - 1;
    statement->position = name->position;
    return ws_ptx_expect(parser, ':');
}

static gboolean skip_statement(WsPtxParser *parser)
{
    while (parser->token.kind != WS_PTX_TOKEN_END && !ws_ptx_is(parser, ';'))
        if (!ws_ptx_advance(parser))
            return FALSE;
    return ws_ptx_expect(parser, ';');
}

static gboolean parse_body_directive(WsPtxParser *parser)
{
    if (ws_ptx_is_dotted(parser, "reg"))
        return ws_ptx_parse_registers(parser);
    if (ws_ptx_is_dotted(parser, "loc"))
        return ws_ptx_parse_location(parser);
    if (ws_ptx_is_dotted(parser, "pragma") || ws_ptx_is_dotted(parser, "callprototype"))
        return skip_statement(parser);
    if (ws_ptx_is_dotted(parser, "branchtargets") || ws_ptx_is_dotted(parser, "calltargets"))
        return ws_ptx_parse_targets(parser);
    if (ws_ptx_is_dotted(parser, "section"))
        return ws_ptx_skip_section(parser);
    static const char *const spaces[] = {"local", "shared", "global", "const", "param"};
    for (guint i = 0; i < G_N_ELEMENTS(spaces); i++)
        if (ws_ptx_is_dotted(parser, spaces[i]))
            return ws_ptx_parse_variable(parser, FALSE, FALSE);
    gboolean is_extern = ws_ptx_is_dotted(parser, "extern");
    if (is_extern && ws_ptx_advance(parser))
        return ws_ptx_parse_variable(parser, TRUE, FALSE);
    g_autofree char *text = g_strndup(parser->token.text, parser->token.length);
    return ws_ptx_fail(parser, &parser->token.position, "directive '.%s' is not supported here",
                       text);
}

static gboolean parse_statement(WsPtxParser *parser)
{
    if (ws_ptx_is(parser, '{'))
        return push_scope(parser) && ws_ptx_advance(parser);
    if (ws_ptx_is(parser, '}'))
        return pop_scope(parser) && (parser->scopes->len == 0 || ws_ptx_advance(parser));
    if (ws_ptx_is(parser, ';'))
        return ws_ptx_advance(parser);
    if (parser->token.kind == WS_PTX_TOKEN_DOTTED)
        return parse_body_directive(parser);
    if (parser->token.kind == WS_PTX_TOKEN_NAME) {
        /* A name before ':' is a label; look one token ahead by copying the lexer. */
        WsPtxLexer lexer = parser->lexer;
        WsPtxToken name = parser->token;
        WsPtxToken next;
        if (!ws_ptx_lexer_next(&lexer, &next, parser->error))
            return FALSE;
        if (next.kind == WS_PTX_TOKEN_PUNCTUATION && next.punctuation == ':')
            return ws_ptx_advance(parser) && parse_label(parser, &name);
    }
    return ws_ptx_parse_instruction(parser);
}

static gboolean parse_body(WsPtxParser *parser)
{
    parser->function->has_body = TRUE;
    parser->location = 0;
    if (!ws_ptx_expect(parser, '{'))
        return FALSE;
    while (parser->scopes->len > 0) {
        if (parser->token.kind == WS_PTX_TOKEN_END)
            return ws_ptx_fail(parser, &parser->token.position,
                               "'}' expected: function '%s' is never closed",
                               parser->function->name);
        if (!parse_statement(parser))
            return FALSE;
    }
    return ws_ptx_expect(parser, '}');
}

static gboolean register_function(WsPtxParser *parser)
{
    WsPtxFunction *function = parser->function;
    GHashTable *map = parser->module->function_map;
    const WsPtxFunction *old = g_hash_table_lookup(map, function->name);
    if (old == NULL || !old->has_body)
        g_hash_table_insert(map, (gpointer)function->name, function);
    else if (ws_ptx_is(parser, '{'))
        return ws_ptx_fail(parser, &function->position, "function '%s' is defined twice",
                           function->name);
    return TRUE;
}

gboolean ws_ptx_parse_function(WsPtxParser *parser)
{
    if (parser->module->functions->len >= WS_PTX_MAX_FUNCTIONS)
        return ws_ptx_fail(parser, &parser->token.position, "more than %d functions",
                           WS_PTX_MAX_FUNCTIONS);
    parser->function = new_function(parser, ws_ptx_is_dotted(parser, "entry"));
    if (parser->scopes == NULL)
        parser->scopes = g_ptr_array_new_with_free_func(scope_free);
    if (!push_scope(parser) || !ws_ptx_advance(parser))
        return FALSE;
    if (ws_ptx_is(parser, '(') && !parse_parameter_list(parser, parser->function->returns))
        return FALSE;
    parser->function->position = parser->token.position;
    if (!ws_ptx_take_name(parser, "a function name", &parser->function->name))
        return FALSE;
    if (ws_ptx_is(parser, '(') && !parse_parameter_list(parser, parser->function->parameters))
        return FALSE;
    if (!parse_limits(parser) || !register_function(parser))
        return FALSE;
    gboolean good = ws_ptx_is(parser, '{') ? parse_body(parser) : ws_ptx_expect(parser, ';');
    g_ptr_array_set_size(parser->scopes, 0);
    parser->function = NULL;
    return good;
}
