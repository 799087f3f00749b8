#include "sim/expression/syntax.h"

#include <string.h>

#include "sim/expression/tokens.h"

#define QUOTES "(inside { } and [ ] an expression with a comma needs quotes)"

enum { PRECEDENCE_CHOICE = 0, PRECEDENCE_NOT = 2, PRECEDENCE_COMPARES = 6, PRECEDENCE_UNARY = 11 };

typedef struct {
    const char *spelling, *word;
    WsOperator operator;
    guint precedence;
} Spelling;

static const Spelling unary[] = {
#define UNARY(name, sign) {sign, NULL, WS_OPERATOR_##name, PRECEDENCE_UNARY},
#define BINARY(name, sign, word, precedence)
#define FUNCTION(name, spelling)
#include "sim/expression/operators.def"
#undef UNARY
#undef BINARY
};
static const Spelling binary[] = {
#define UNARY(name, sign)
#define BINARY(name, sign, word, precedence) {sign, word, WS_OPERATOR_##name, precedence},
#include "sim/expression/operators.def"
#undef BINARY
#undef FUNCTION
};
static const Spelling functions[] = {
#define BINARY(name, sign, word, precedence)
#define FUNCTION(name, spelling) {spelling, NULL, WS_OPERATOR_##name, 0},
#include "sim/expression/operators.def"
#undef UNARY
#undef BINARY
#undef FUNCTION
};

/* ---- state ------------------------------------------------------------------------------------
 */

typedef struct {
    WsSyntax *syntax;
    GArray *nodes; /* of WsNode */
    const WsTypeNames *types;
    WsToken token; /* the next one */
    guint depth;
    char *problem;
    gsize problem_offset;
} Parser;

static gboolean parse(Parser *parser, guint precedence);

static gsize offset_of(const Parser *parser)
{
    return (gsize)(parser->token.start - parser->syntax->text);
}

static gboolean fail(Parser *parser, gsize offset, char *problem)
{
    g_free(parser->problem);
    parser->problem = problem;
    parser->problem_offset = offset;
    return FALSE;
}

static gboolean fail_here(Parser *parser, const char *problem)
{
    return fail(parser, offset_of(parser), g_strdup(problem));
}

static void skip(Parser *parser, gsize length)
{
    parser->token = ws_expression_token_at(parser->token.start + length, FALSE);
}

static gboolean take(Parser *parser, const char *sign)
{
    gboolean is = ws_expression_token_is(&parser->token, sign);

    if (is)
        skip(parser, strlen(sign));
    return is;
}

/* One more operation waits for its right side; `left` when it has it. */
static gboolean enter(Parser *parser, gsize offset)
{
    if (parser->depth == WS_EXPRESSION_DEPTH)
        return fail(
            parser, offset,
            g_strdup_printf("more than %d operations inside each other", WS_EXPRESSION_DEPTH));
    parser->depth++;
    return TRUE;
}

static gboolean leave(Parser *parser)
{
    parser->depth--;
    return TRUE;
}

static WsNode *node_at(const Parser *parser, guint index)
{
    return &g_array_index(parser->nodes, WsNode, index);
}

static guint last(const Parser *parser)
{
    return parser->nodes->len - 1;
}

/* Adds a node without operands, from the token. */
static WsNode *add_leaf(Parser *parser, WsNodeKind kind)
{
    WsNode node = {.kind = kind,
                   .first = parser->nodes->len,
                   .offset = offset_of(parser),
                   .start = offset_of(parser),
                   .end = offset_of(parser) + parser->token.length,
                   .number = parser->token.number,
                   .real = parser->token.real,
                   .suffix = parser->token.suffix};

    g_array_append_val(parser->nodes, node);
    return node_at(parser, last(parser));
}

/*
 * Adds a node whose operands begin with number `first` and end with the last one; `start` and `end`
 * are its bytes.
 */
static WsNode *add(Parser *parser, WsNodeKind kind, guint operand, gsize offset, gsize start,
                   gsize end)
{
    WsNode node = {.kind = kind,
                   .operand = {operand, last(parser)},
                   .first = node_at(parser, operand)->first,
                   .offset = offset,
                   .start = start,
                   .end = end};

    g_array_append_val(parser->nodes, node);
    return node_at(parser, last(parser));
}

static gsize end_of(const Parser *parser)
{
    return node_at(parser, last(parser))->end;
}

/* ---- operands ---------------------------------------------------------------------------------
 */

static const Spelling *find_function(const char *start, gsize length)
{
    for (guint i = 0; i < G_N_ELEMENTS(functions); i++)
        if (strlen(functions[i].spelling) == length &&
            strncmp(functions[i].spelling, start, length) == 0)
            return &functions[i];
    return NULL;
}

static gboolean parse_closing(Parser *parser, gsize open)
{
    if (take(parser, ")"))
        return leave(parser);
    if (parser->token.kind == WS_TOKEN_END)
        return fail(parser, open, g_strdup("the ) is missing " QUOTES));
    if (ws_expression_token_is(&parser->token, ","))
        return fail_here(parser, "a comma stands between the values of a function");
    return fail_here(parser, "an operator or ) is expected");
}

/* The arguments of min, max, ceil_div; the name has been read. */
static gboolean parse_function(Parser *parser, const Spelling *function, gsize start)
{
    gsize open = start;
    guint left;
    WsNode *node;

    skip(parser, 1);
    if (!enter(parser, start) || !parse(parser, PRECEDENCE_CHOICE))
        return FALSE;
    left = last(parser);
    if (ws_expression_token_is(&parser->token, ")"))
        return fail(parser, offset_of(parser),
                    g_strdup_printf("%s takes two values", function->spelling));
    if (!take(parser, ","))
        return parse_closing(parser, open);
    if (!parse(parser, PRECEDENCE_CHOICE))
        return FALSE;
    if (ws_expression_token_is(&parser->token, ","))
        return fail(parser, offset_of(parser),
                    g_strdup_printf("%s takes two values", function->spelling));
    node = add(parser, WS_NODE_BINARY, left, start, start, offset_of(parser) + 1);
    node->operator= function->operator;
    return parse_closing(parser, open);
}

/* at('text'); the name has been read. */
static gboolean parse_mark(Parser *parser, gsize start)
{
    guint text;

    skip(parser, 1);
    if (parser->token.kind != WS_TOKEN_TEXT || parser->token.problem != NULL)
        return fail_here(parser, "a text in quotes is expected");
    add_leaf(parser, WS_NODE_TEXT)->text =
        g_strndup(parser->token.start + 1, parser->token.length - 2);
    text = last(parser);
    skip(parser, parser->token.length);
    add(parser, WS_NODE_MARK, text, start, start, offset_of(parser) + 1);
    return take(parser, ")") || fail_here(parser, "the ) after the text is missing");
}

static gboolean parse_name(Parser *parser)
{
    gsize start = offset_of(parser), length = parser->token.length;
    const char *name = parser->token.start;
    const Spelling *function = find_function(name, length);
    WsNode *node = add_leaf(parser, WS_NODE_NAME);

    node->text = g_strndup(name, length);
    skip(parser, length);
    if (!ws_expression_token_is(&parser->token, "("))
        return function == NULL || ws_expression_token_is(&parser->token, ".") ||
               fail(parser, start,
                    g_strdup_printf("'%s' is a function: %s(a, b)", function->spelling,
                                    function->spelling));
    if (function == NULL && strcmp(node->text, "at") != 0)
        return fail(parser, start,
                    g_strdup_printf("no function is called '%s' (functions: min, max, "
                                    "ceil_div)",
                                    node->text));
    g_free(node->text);
    g_array_set_size(parser->nodes, parser->nodes->len - 1);
    return function != NULL ? parse_function(parser, function, start) : parse_mark(parser, start);
}

/* ---- casts ------------------------------------------------------------------------------------
 */

static gboolean is_base_word(const char *name)
{
    static const char *const base[] = {"int",  "unsigned", "signed", "long",  "short",  "char",
                                       "bool", "float",    "double", "const", "struct", NULL};

    return g_strv_contains(base, name);
}

/*
 * "(unsigned char **)" in front: its end, the words in `ret_words` and the number of stars. NULL:
 * there is no type.
 */
static const char *find_type(const Parser *parser, GString *ret_words, guint *ret_stars)
{
    WsToken token = ws_expression_token_at(parser->token.start + 1, FALSE);

    for (; token.kind == WS_TOKEN_NAME;
         token = ws_expression_token_at(token.start + token.length, FALSE)) {
        g_autofree char *word = g_strndup(token.start, token.length);
        gboolean base = is_base_word(word);

        if (!base && !parser->types->is_type(parser->types->data, word))
            return NULL;
        if (strcmp(word, "const") != 0 && strcmp(word, "struct") != 0)
            g_string_append_printf(ret_words, "%s%s", ret_words->len != 0 ? " " : "", word);
    }
    for (*ret_stars = 0; ws_expression_token_is(&token, "*"); ++*ret_stars)
        token = ws_expression_token_at(token.start + 1, FALSE);
    return ret_words->len != 0 && ws_expression_token_is(&token, ")") ? token.start + 1 : NULL;
}

/* A cast, or an expression in parentheses. */
static gboolean parse_parenthesis(Parser *parser)
{
    g_autoptr(GString) type = g_string_new(NULL);
    gsize start = offset_of(parser);
    guint stars;
    const char *end = parser->types != NULL ? find_type(parser, type, &stars) : NULL;

    if (!enter(parser, start))
        return FALSE;
    if (end == NULL) {
        skip(parser, 1);
        if (!parse(parser, PRECEDENCE_CHOICE))
            return FALSE;
        node_at(parser, last(parser))->enclosed = TRUE;
        return parse_closing(parser, start);
    }
    parser->token = ws_expression_token_at(end, FALSE);
    if (!parse(parser, PRECEDENCE_UNARY))
        return FALSE;
    WsNode *node = add(parser, WS_NODE_CAST, last(parser), start, start, end_of(parser));
    node->text = g_strdup(type->str);
    node->number = stars;
    return leave(parser);
}

/* ---- unary and what stands behind an operand ----------------------------------------------------
 */

static gboolean parse_member(Parser *parser, WsNodeKind kind, gsize sign_length)
{
    gsize offset = offset_of(parser);
    guint of = last(parser);
    gsize start = node_at(parser, of)->start;
    WsNode *node;

    parser->token = ws_expression_token_at(parser->token.start + sign_length, TRUE);
    if (parser->token.kind != WS_TOKEN_NAME)
        return fail(parser, offset, g_strdup("a name is expected after the point or arrow"));
    node = add(parser, kind, of, offset, start, offset_of(parser) + parser->token.length);
    node->text = g_strndup(parser->token.start, parser->token.length);
    skip(parser, parser->token.length);
    return TRUE;
}

static gboolean parse_index(Parser *parser)
{
    gsize offset = offset_of(parser);
    guint of = last(parser);
    gsize start = node_at(parser, of)->start;

    if (!enter(parser, offset))
        return FALSE;
    skip(parser, 1);
    if (!parse(parser, PRECEDENCE_CHOICE))
        return FALSE;
    if (!ws_expression_token_is(&parser->token, "]"))
        return fail(parser, parser->token.kind == WS_TOKEN_END ? offset : offset_of(parser),
                    g_strdup(parser->token.kind == WS_TOKEN_END ? "the ] is missing"
                                                                : "an operator or ] is expected"));
    add(parser, WS_NODE_INDEX, of, offset, start, offset_of(parser) + 1);
    skip(parser, 1);
    return leave(parser);
}

static gboolean parse_primary(Parser *parser)
{
    gboolean ok = TRUE, is_name = parser->token.kind == WS_TOKEN_NAME;
    WsTokenKind kind = parser->token.kind;

    for (guint i = 0; is_name && ws_expression_words[i] != NULL; i++)
        is_name = !ws_expression_token_is(&parser->token, ws_expression_words[i]);
    if (parser->token.problem != NULL && kind != WS_TOKEN_TEXT)
        return fail_here(parser, parser->token.problem);
    if (is_name) {
        ok = parse_name(parser);
    } else if (kind == WS_TOKEN_WHOLE || kind == WS_TOKEN_REAL) {
        add_leaf(parser, kind == WS_TOKEN_WHOLE ? WS_NODE_WHOLE : WS_NODE_REAL);
        skip(parser, parser->token.length);
    } else if (kind == WS_TOKEN_TEXT && parser->token.problem == NULL && parser->types != NULL) {
        add_leaf(parser, WS_NODE_TEXT)->text =
            g_strndup(parser->token.start + 1, parser->token.length - 2);
        skip(parser, parser->token.length);
    } else if (ws_expression_token_is(&parser->token, "(")) {
        ok = parse_parenthesis(parser);
    } else {
        return fail_here(parser, kind == WS_TOKEN_END ? "a value is missing at the end"
                                                      : "a number, a name or ( is expected");
    }
    while (ok) {
        gboolean places = parser->types != NULL;

        if (places && ws_expression_token_is(&parser->token, "->"))
            ok = parse_member(parser, WS_NODE_ARROW, 2);
        else if (ws_expression_token_is(&parser->token, "."))
            ok = parse_member(parser, WS_NODE_MEMBER, 1);
        else if (places && ws_expression_token_is(&parser->token, "["))
            ok = parse_index(parser);
        else
            return TRUE;
    }
    return FALSE;
}

static gboolean parse_after_unary(Parser *parser, WsOperator operator, gsize length,
                                  guint precedence)
{
    gsize offset = offset_of(parser);
    WsNode *node;

    if (!enter(parser, offset))
        return FALSE;
    skip(parser, length);
    if (!parse(parser, precedence))
        return FALSE;
    node = add(parser, WS_NODE_UNARY, last(parser), offset, offset, end_of(parser));
    node->operator= operator;
    return leave(parser);
}

static gboolean is_about_addresses(WsOperator operator)
{
    return operator== WS_OPERATOR_DEREFERENCE || operator== WS_OPERATOR_ADDRESS;
}

static gboolean parse_unary(Parser *parser, guint precedence)
{
    for (guint i = 0; i < G_N_ELEMENTS(unary); i++)
        if (ws_expression_token_is(&parser->token, unary[i].spelling) &&
            (parser->types != NULL || !is_about_addresses(unary[i].operator)))
            return parse_after_unary(parser, unary[i].operator, 1, PRECEDENCE_UNARY);
    if (precedence <= PRECEDENCE_NOT + 1 && ws_expression_token_is(&parser->token, "not"))
        return parse_after_unary(parser, WS_OPERATOR_NOT, strlen("not"), PRECEDENCE_NOT + 1);
    return parse_primary(parser);
}

/* ---- binary -------------------------------------------------------------------------------------
 */

/* The operator that the token begins with, and how long it is; the longest that fits. */
static const Spelling *find_binary(const WsToken *token, gsize *ret_length)
{
    const Spelling *found = NULL;

    *ret_length = 0;
    for (guint i = 0; i < G_N_ELEMENTS(binary); i++) {
        const Spelling *rule = &binary[i];
        gboolean word = rule->word != NULL && ws_expression_token_is(token, rule->word);
        gsize length = strlen(word ? rule->word : rule->spelling);

        if ((word || ws_expression_token_is(token, rule->spelling)) && length > *ret_length) {
            found = rule;
            *ret_length = length;
        }
    }
    return found;
}

static gboolean parse_choice(Parser *parser)
{
    gsize offset = offset_of(parser);
    guint condition = last(parser), first;
    gsize start = node_at(parser, condition)->start;
    WsNode *node;

    if (!enter(parser, offset))
        return FALSE;
    skip(parser, 1);
    if (!parse(parser, PRECEDENCE_CHOICE))
        return FALSE;
    first = last(parser);
    if (!ws_expression_token_is(&parser->token, ":"))
        return fail_here(parser, "the : of ? : is expected");
    skip(parser, 1);
    if (!parse(parser, PRECEDENCE_CHOICE))
        return FALSE;
    node = add(parser, WS_NODE_CHOICE, condition, offset, start, end_of(parser));
    node->operand[1] = first;
    node->operand[2] = last(parser) - 1;
    return leave(parser);
}

static gboolean is_comparison(const WsNode *node)
{
    return ws_operator_compares(node->operator) && !node->enclosed;
}

static gboolean parse_binary(Parser *parser, const Spelling *rule, gsize length)
{
    gsize offset = offset_of(parser);
    guint left = last(parser);
    WsNode node = *node_at(parser, left);
    WsNode *added;

    if (!enter(parser, offset))
        return FALSE;
    skip(parser, length);
    if (!parse(parser, rule->precedence + 1))
        return FALSE;
    if (ws_operator_compares(rule->operator) &&
        (is_comparison(&node) || is_comparison(node_at(parser, last(parser)))))
        return fail(parser, offset,
                    g_strdup("an operator is expected that is no comparison: join two of them "
                             "with && (and)"));
    added = add(parser, WS_NODE_BINARY, left, offset, node.start, end_of(parser));
    added->operator= rule->operator;
    return leave(parser);
}

static gboolean parse(Parser *parser, guint precedence)
{
    if (!parse_unary(parser, precedence))
        return FALSE;
    for (;;) {
        gsize length;
        const Spelling *rule = find_binary(&parser->token, &length);

        if (rule != NULL && rule->precedence >= precedence) {
            if (!parse_binary(parser, rule, length))
                return FALSE;
        } else if (precedence == PRECEDENCE_CHOICE && ws_expression_token_is(&parser->token, "?")) {
            if (!parse_choice(parser))
                return FALSE;
        } else {
            return TRUE;
        }
    }
}

/* What stands behind a whole expression. */
static gboolean parse_end(Parser *parser)
{
    if (parser->token.kind == WS_TOKEN_END)
        return TRUE;
    if (ws_expression_token_is(&parser->token, ")"))
        return fail_here(parser, "this ) has no (");
    if (ws_expression_token_is(&parser->token, ","))
        return fail_here(parser, "a comma stands between the values of a function");
    if (ws_expression_token_is(&parser->token, "="))
        return fail_here(parser, "an operator is expected: == compares");
    return fail_here(parser, "an operator is expected: + - * / % << >> < == && ? and so on, or a "
                             "parenthesis");
}

/* ---- trees --------------------------------------------------------------------------------------
 */

static void clear_node(gpointer node)
{
    g_free(((WsNode *)node)->text);
}

WsSyntax *ws_syntax_parse(const char *text, const WsTypeNames *types, char **ret_problem,
                          gsize *ret_offset)
{
    g_autoptr(WsSyntax) syntax = g_new0(WsSyntax, 1);
    Parser parser = {.syntax = syntax, .types = types};
    gboolean ok;

    syntax->text = g_strdup(text);
    parser.nodes = g_array_new(FALSE, FALSE, sizeof(WsNode));
    parser.token = ws_expression_token_at(syntax->text, FALSE);
    ok = strlen(text) <= WS_EXPRESSION_BYTES
             ? parse(&parser, PRECEDENCE_CHOICE) && parse_end(&parser)
             : fail(&parser, 0,
                    g_strdup_printf("an expression has at most %d bytes", WS_EXPRESSION_BYTES));
    syntax->count = parser.nodes->len;
    syntax->nodes = (WsNode *)(void *)g_array_free(parser.nodes, FALSE);
    if (ok)
        return g_steal_pointer(&syntax);
    *ret_problem = parser.problem;
    *ret_offset = parser.problem_offset;
    return NULL;
}

void ws_syntax_free(WsSyntax *syntax)
{
    if (syntax == NULL)
        return;
    for (guint i = 0; i < syntax->count; i++)
        clear_node(&syntax->nodes[i]);
    g_free(syntax->nodes);
    g_free(syntax->text);
    g_free(syntax);
}

char *ws_syntax_path(const WsSyntax *syntax, guint node)
{
    const WsNode *at = &syntax->nodes[node];
    g_autofree char *path = NULL;

    if (at->kind == WS_NODE_NAME)
        return g_strdup(at->text);
    if (at->kind != WS_NODE_MEMBER)
        return NULL;
    path = g_strdup(at->text);
    for (guint below = at->operand[0];; below = syntax->nodes[below].operand[0]) {
        const WsNode *part = &syntax->nodes[below];
        char *longer;

        if ((part->kind != WS_NODE_NAME && part->kind != WS_NODE_MEMBER) || part->enclosed)
            return NULL;
        longer = g_strconcat(part->text, ".", path, NULL);
        g_free(path);
        path = longer;
        if (part->kind == WS_NODE_NAME)
            return g_steal_pointer(&path);
    }
}
