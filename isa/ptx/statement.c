/* Instructions of PTX: guard, dotted opcode, operands. */
#include "isa/ptx/parser.h"

#include <string.h>

WsPtxStatement *ws_ptx_new_statement(WsPtxParser *parser, WsPtxStatementKind kind)
{
    if (parser->statement_count++ >= WS_PTX_MAX_STATEMENTS) {
        ws_ptx_fail(parser, &parser->token.position, "more than %d statements",
                    WS_PTX_MAX_STATEMENTS);
        return NULL;
    }
    WsPtxFunction *function = parser->function;
    g_array_set_size(function->statements, function->statements->len + 1);
    WsPtxStatement *statement =
        &g_array_index(function->statements, WsPtxStatement, function->statements->len - 1);
    statement->kind = (guint8)kind;
    statement->guard = WS_PTX_NO_REGISTER;
    statement->location = parser->location;
    statement->position = parser->token.position;
    statement->first_operand = function->operands->len;
    statement->first_modifier = function->modifiers->len;
    return statement;
}

static WsPtxStatement *last_statement(const WsPtxParser *parser)
{
    GArray *statements = parser->function->statements;
    return &g_array_index(statements, WsPtxStatement, statements->len - 1);
}

static gboolean add_operand(WsPtxParser *parser, const WsPtxOperand *operand)
{
    GArray *operands = parser->function->operands;
    const WsPtxStatement *statement = last_statement(parser);
    guint most =
        statement->kind == WS_PTX_STATEMENT_TARGETS ? WS_PTX_MAX_TARGETS : WS_PTX_MAX_OPERANDS * 64;
    if (operands->len - statement->first_operand >= most)
        return ws_ptx_fail(parser, &operand->position, "too many operands");
    g_array_append_val(operands, *operand);
    return TRUE;
}

/* A name that is no register, variable or function may be a label further down. */
static gboolean resolve_name(WsPtxParser *parser, const char *name, WsPtxOperand *operand)
{
    operand->name = name;
    const WsPtxVariable *variable = ws_ptx_find_variable(parser, name);
    if (strcmp(name, "_") == 0) {
        operand->kind = WS_PTX_SINK;
    } else if (ws_ptx_find_register(parser, name, &operand->index)) {
        operand->kind = WS_PTX_REGISTER;
    } else if (variable != NULL) {
        operand->kind = WS_PTX_VARIABLE;
        operand->variable = variable;
    } else if (name[0] == '%') {
        operand->kind = WS_PTX_SPECIAL;
    } else if (g_hash_table_contains(parser->module->function_map, name)) {
        operand->kind = WS_PTX_FUNCTION;
    } else {
        operand->kind = WS_PTX_LABEL;
    }
    return TRUE;
}

/* %tid, then .x */
static gboolean take_operand_name(WsPtxParser *parser, const char **ret)
{
    if (!ws_ptx_take_name(parser, "an operand", ret))
        return FALSE;
    if (parser->token.kind != WS_PTX_TOKEN_DOTTED)
        return TRUE;
    g_autofree char *part = g_strndup(parser->token.text, parser->token.length);
    g_autofree char *whole = g_strdup_printf("%s.%s", *ret, part);
    *ret = g_string_chunk_insert_const(parser->module->strings, whole);
    return ws_ptx_advance(parser);
}

/* !p, where !1 is a constant. */
static gboolean is_negated_name(const WsPtxParser *parser)
{
    WsPtxToken behind;
    return ws_ptx_is(parser, '!') && ws_ptx_peek(parser, &behind) &&
           behind.kind == WS_PTX_TOKEN_NAME && !ws_ptx_token_is(&behind, "WARP_SZ");
}

/* Register, name, constant, !p, p|q, name+4; no vector and no address. */
static gboolean parse_plain(WsPtxParser *parser, WsPtxOperand *operand)
{
    gboolean bar, negated = is_negated_name(parser);
    const char *name;
    if (ws_ptx_is_float(parser)) {
        gboolean wide;
        if (!ws_ptx_take_float(parser, &wide, &operand->value))
            return FALSE;
        operand->kind = wide ? WS_PTX_FLOAT64 : WS_PTX_FLOAT32;
        return TRUE;
    }
    if (!negated && (parser->token.kind != WS_PTX_TOKEN_NAME || ws_ptx_is_warp_size(parser))) {
        operand->kind = WS_PTX_INTEGER;
        return ws_ptx_take_constant(parser, &operand->value);
    }
    operand->negated = negated;
    if (negated && !ws_ptx_advance(parser))
        return FALSE;
    if (!take_operand_name(parser, &name) || !resolve_name(parser, name, operand))
        return FALSE;
    if (operand->kind == WS_PTX_VARIABLE && (ws_ptx_is(parser, '+') || ws_ptx_is(parser, '-')))
        return ws_ptx_take_offset(parser, &operand->value);
    if (!ws_ptx_accept(parser, '|', &bar))
        return FALSE;
    if (!bar)
        return TRUE;
    if (!ws_ptx_take_name(parser, "a predicate after '|'", &name))
        return FALSE;
    if (strcmp(name, "_") != 0 && !ws_ptx_find_register(parser, name, &operand->second))
        return ws_ptx_fail(parser, &operand->position, "register '%s' is not declared", name);
    return TRUE;
}

static gboolean add_pending_label(WsPtxParser *parser, guint32 number)
{
    const WsPtxOperand *operand = &g_array_index(parser->function->operands, WsPtxOperand, number);
    WsPtxScope *scope = g_ptr_array_index(parser->scopes, parser->scopes->len - 1);
    if (operand->kind == WS_PTX_LABEL)
        g_array_append_val(scope->pending, number);
    return TRUE;
}

static gboolean add_plain(WsPtxParser *parser)
{
    WsPtxOperand operand = {.second = WS_PTX_NO_REGISTER, .position = parser->token.position};
    return parse_plain(parser, &operand) && add_operand(parser, &operand) &&
           add_pending_label(parser, parser->function->operands->len - 1);
}

/* {a, b} and (a, b). The elements follow in the operand array behind all operands. */
static gboolean parse_list(WsPtxParser *parser, char close, GArray *elements)
{
    gboolean comma = !ws_ptx_is(parser, close);
    while (comma) {
        WsPtxOperand operand = {.second = WS_PTX_NO_REGISTER, .position = parser->token.position};
        if (elements->len >= WS_PTX_MAX_OPERANDS * 16)
            return ws_ptx_fail(parser, &operand.position, "too many elements");
        if (!parse_plain(parser, &operand) || !ws_ptx_accept(parser, ',', &comma))
            return FALSE;
        g_array_append_val(elements, operand);
    }
    return ws_ptx_expect(parser, close);
}

/*
 * The coordinates of a texture operand: {a, b}, or one alone. Forms with more behind them (samplers
 * of their own, tensor maps) stay unknown.
 */
static gboolean parse_coordinates(WsPtxParser *parser, WsPtxOperand *operand, GArray *elements)
{
    gboolean brace;
    operand->kind = WS_PTX_TEXTURE;
    operand->first = elements->len;
    if (!ws_ptx_accept(parser, '{', &brace))
        return FALSE;
    if (brace) {
        if (!parse_list(parser, '}', elements))
            return FALSE;
    } else {
        WsPtxOperand alone = {.second = WS_PTX_NO_REGISTER, .position = parser->token.position};
        if (!parse_plain(parser, &alone))
            return FALSE;
        g_array_append_val(elements, alone);
    }
    operand->count = elements->len - operand->first;
    if (ws_ptx_is(parser, ']'))
        return TRUE;
    operand->kind = WS_PTX_UNKNOWN;
    g_array_set_size(elements, operand->first);
    while (parser->token.kind != WS_PTX_TOKEN_END && !ws_ptx_is(parser, ']'))
        if (!ws_ptx_advance(parser))
            return FALSE;
    return TRUE;
}

/* [base], [base+4], [base+-4], [16]; a form with a comma is a texture operand. */
static gboolean parse_address(WsPtxParser *parser, WsPtxOperand *operand, GArray *elements)
{
    WsPtxOperand base = {.second = WS_PTX_NO_REGISTER};
    base.position = parser->token.position;
    if (parser->token.kind == WS_PTX_TOKEN_NAME && !ws_ptx_is_warp_size(parser)) {
        const char *name;
        if (!take_operand_name(parser, &name) || !resolve_name(parser, name, &base))
            return FALSE;
    } else {
        base.kind = WS_PTX_INTEGER;
        if (!ws_ptx_take_constant(parser, &base.value))
            return FALSE;
    }
    if (base.kind != WS_PTX_REGISTER && base.kind != WS_PTX_VARIABLE && base.kind != WS_PTX_INTEGER)
        return ws_ptx_fail(parser, &base.position, "'%s' is not declared", base.name);
    if ((ws_ptx_is(parser, '+') || ws_ptx_is(parser, '-')) &&
        !ws_ptx_take_offset(parser, &base.value))
        return FALSE;
    operand->kind = WS_PTX_ADDRESS;
    operand->base = base.kind;
    operand->index = base.index;
    operand->variable = base.variable;
    operand->value = base.value;
    operand->name = base.name;
    gboolean comma;
    if (!ws_ptx_accept(parser, ',', &comma) ||
        (comma && !parse_coordinates(parser, operand, elements)))
        return FALSE;
    return ws_ptx_expect(parser, ']');
}

static gboolean parse_operand(WsPtxParser *parser, GArray *elements)
{
    WsPtxOperand operand = {.second = WS_PTX_NO_REGISTER, .position = parser->token.position};
    gboolean brace, paren = FALSE, bracket;
    gboolean is_call = g_strcmp0(last_statement(parser)->opcode, "call") == 0;
    if (!ws_ptx_accept(parser, '{', &brace) || (is_call && !ws_ptx_accept(parser, '(', &paren)) ||
        !ws_ptx_accept(parser, '[', &bracket))
        return FALSE;
    if (brace || paren) {
        operand.kind = WS_PTX_VECTOR;
        operand.first = elements->len;
        if (!parse_list(parser, brace ? '}' : ')', elements))
            return FALSE;
        operand.count = elements->len - operand.first;
    } else if (bracket) {
        if (!parse_address(parser, &operand, elements))
            return FALSE;
    } else {
        return add_plain(parser);
    }
    return add_operand(parser, &operand);
}

static gboolean parse_operands(WsPtxParser *parser, GArray *elements)
{
    GArray *operands = parser->function->operands;
    guint32 first = operands->len;
    gboolean comma = !ws_ptx_is(parser, ';');
    while (comma)
        if (!parse_operand(parser, elements) || !ws_ptx_accept(parser, ',', &comma))
            return FALSE;
    WsPtxStatement *statement = last_statement(parser);
    statement->first_operand = first;
    statement->operand_count = operands->len - first;
    if (statement->operand_count > WS_PTX_MAX_OPERANDS &&
        statement->kind == WS_PTX_STATEMENT_INSTRUCTION)
        return ws_ptx_fail(parser, &statement->position, "too many operands");
    guint32 base = operands->len;
    for (guint32 i = first; i < base; i++) {
        WsPtxOperand *operand = &g_array_index(operands, WsPtxOperand, i);
        if (operand->kind == WS_PTX_VECTOR || operand->kind == WS_PTX_TEXTURE)
            operand->first += base;
    }
    for (guint i = 0; i < elements->len; i++) {
        g_array_append_val(operands, g_array_index(elements, WsPtxOperand, i));
        add_pending_label(parser, operands->len - 1);
    }
    return ws_ptx_expect(parser, ';');
}

static gboolean parse_opcode(WsPtxParser *parser)
{
    GPtrArray *modifiers = parser->function->modifiers;
    const char *name;
    g_autoptr(GString) full = g_string_new(NULL);
    WsPosition position = parser->token.position;
    if (!ws_ptx_take_name(parser, "an instruction", &name))
        return FALSE;
    g_string_append(full, name);
    guint32 first = modifiers->len;
    while (parser->token.kind == WS_PTX_TOKEN_DOTTED) {
        const char *modifier = ws_ptx_intern(parser, &parser->token);
        g_ptr_array_add(modifiers, (gpointer)modifier);
        g_string_append_printf(full, ".%s", modifier);
        if (modifiers->len - first > 16)
            return ws_ptx_fail(parser, &position, "too many modifiers");
        if (!ws_ptx_advance(parser))
            return FALSE;
    }
    WsPtxStatement *statement = last_statement(parser);
    statement->opcode = name;
    statement->full = g_string_chunk_insert_const(parser->module->strings, full->str);
    statement->position = position;
    statement->first_modifier = first;
    statement->modifier_count = (guint16)(modifiers->len - first);
    return TRUE;
}

static gboolean parse_guard(WsPtxParser *parser)
{
    gboolean at, negated;
    const char *name;
    if (!ws_ptx_accept(parser, '@', &at))
        return FALSE;
    if (!at)
        return TRUE;
    WsPosition position;
    if (!ws_ptx_accept(parser, '!', &negated))
        return FALSE;
    position = parser->token.position;
    if (!ws_ptx_take_name(parser, "a predicate", &name))
        return FALSE;
    WsPtxStatement *statement = last_statement(parser);
    if (!ws_ptx_find_register(parser, name, &statement->guard))
        return ws_ptx_fail(parser, &position, "register '%s' is not declared", name);
    if (g_array_index(parser->function->registers, guint8, statement->guard) != WS_PTX_PRED)
        return ws_ptx_fail(parser, &position, "guard '%s' is not a predicate", name);
    statement->guard_negated = negated;
    return TRUE;
}

gboolean ws_ptx_parse_instruction(WsPtxParser *parser)
{
    if (ws_ptx_new_statement(parser, WS_PTX_STATEMENT_INSTRUCTION) == NULL)
        return FALSE;
    g_autoptr(GArray) elements = g_array_new(FALSE, TRUE, sizeof(WsPtxOperand));
    return parse_guard(parser) && parse_opcode(parser) && parse_operands(parser, elements);
}

gboolean ws_ptx_parse_targets(WsPtxParser *parser)
{
    if (ws_ptx_new_statement(parser, WS_PTX_STATEMENT_TARGETS) == NULL)
        return FALSE;
    g_autoptr(GArray) elements = g_array_new(FALSE, TRUE, sizeof(WsPtxOperand));
    return ws_ptx_advance(parser) && parse_operands(parser, elements);
}
