#include "isa/source/macro_table.h"

static void macro_free(gpointer data)
{
    WsSourceMacro *macro = data;
    if (macro->words != NULL)
        g_ptr_array_unref(macro->words);
    g_free(macro);
}

GHashTable *ws_macro_table_new(void)
{
    GHashTable *table = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, macro_free);
    /* The one of the system's headers that branches in kernels: <assert.h> is no source of the
     * user's. */
    WsSourceMacro *assertion = g_new0(WsSourceMacro, 1);
    assertion->takes_arguments = assertion->branches = TRUE;
    assertion->words = g_ptr_array_new_with_free_func(g_free);
    g_hash_table_insert(table, g_strdup("assert"), assertion);
    return table;
}

gboolean ws_source_branches(const WsSourceToken *token)
{
    static const char *const words[] = {"if", "for", "while", "do", "switch", "and", "or"};
    for (guint i = 0; i < G_N_ELEMENTS(words); i++)
        if (ws_source_is(token, words[i]))
            return TRUE;
    return token->kind == WS_SOURCE_MARK &&
           (token->mark == '?' || token->mark == WS_MARK_AND || token->mark == WS_MARK_OR);
}

static gboolean jumps(const WsSourceToken *token)
{
    return ws_source_is(token, "break") || ws_source_is(token, "continue") ||
           ws_source_is(token, "goto") || ws_source_is(token, "return");
}

static gboolean is_statement_word(const WsSourceToken *token)
{
    return token->kind == WS_SOURCE_WORD && ws_source_branches(token) &&
           !ws_source_is(token, "and") && !ws_source_is(token, "or");
}

static WsConstructKind head_kind(const WsSourceToken *token)
{
    if (ws_source_is(token, "for"))
        return WS_CONSTRUCT_FOR;
    if (ws_source_is(token, "while"))
        return WS_CONSTRUCT_WHILE;
    return ws_source_is(token, "if") ? WS_CONSTRUCT_IF : WS_CONSTRUCT_NONE;
}

/* Behind the parameters, of which the first bracket is taken. */
static void skip_parameters(WsSourceReader *reader)
{
    WsSourceToken token;
    while (ws_source_next(reader, &token) && !ws_source_is_mark(&token, ')'))
        continue;
}

static void read_body(WsSourceReader *reader, WsSourceMacro *macro)
{
    WsSourceToken token;
    guint statements = 0;
    gboolean first = TRUE, closed = FALSE;
    WsConstructKind heads = WS_CONSTRUCT_NONE;
    while (ws_source_next(reader, &token)) {
        if (first)
            heads = head_kind(&token);
        first = FALSE;
        macro->branches |= ws_source_branches(&token);
        macro->jumps |= jumps(&token);
        statements += is_statement_word(&token) || ws_source_is(&token, "else");
        closed = ws_source_is_mark(&token, ')');
        if (token.kind == WS_SOURCE_WORD)
            g_ptr_array_add(macro->words, g_strndup(token.text, token.length));
    }
    macro->heads =
        heads != WS_CONSTRUCT_NONE && statements == 1 && closed ? heads : WS_CONSTRUCT_NONE;
}

/* `#define NAME...`, the text of a directive. */
static void add_definition(GHashTable *table, const WsSourceToken *directive)
{
    WsSourceReader reader;
    WsSourceToken token, name;
    ws_source_reader_init(&reader, directive->text + 1, directive->length - 1);
    if (!ws_source_next(&reader, &token) || !ws_source_is(&token, "define") ||
        !ws_source_next(&reader, &name) || name.kind != WS_SOURCE_WORD)
        return;
    g_autofree char *key = g_strndup(name.text, name.length);
    WsSourceMacro *macro = g_hash_table_lookup(table, key);
    gboolean again = macro != NULL;
    WsConstructKind before = again ? macro->heads : WS_CONSTRUCT_NONE;
    if (!again) {
        macro = g_new0(WsSourceMacro, 1);
        macro->words = g_ptr_array_new_with_free_func(g_free);
        g_hash_table_insert(table, g_steal_pointer(&key), macro);
    }
    if (reader.at < reader.end && *reader.at == '(') {
        macro->takes_arguments = TRUE;
        skip_parameters(&reader);
    }
    read_body(&reader, macro);
    if (again && macro->heads != before)
        macro->heads = WS_CONSTRUCT_NONE;
}

void ws_macro_table_add(GHashTable *table, const char *text, gsize length)
{
    WsSourceReader reader;
    WsSourceToken token;
    ws_source_reader_init(&reader, text, length);
    while (ws_source_next(&reader, &token))
        if (token.kind == WS_SOURCE_DIRECTIVE)
            add_definition(table, &token);
}

static gboolean take_from_others(GHashTable *table, WsSourceMacro *macro)
{
    gboolean changed = FALSE;
    for (guint i = 0; i < macro->words->len; i++) {
        const WsSourceMacro *other = g_hash_table_lookup(table, macro->words->pdata[i]);
        if (other == NULL)
            continue;
        changed |= (other->branches && !macro->branches) || (other->jumps && !macro->jumps);
        macro->branches |= other->branches;
        macro->jumps |= other->jumps;
        if (other->heads != WS_CONSTRUCT_NONE)
            macro->heads = WS_CONSTRUCT_NONE;
    }
    return changed;
}

void ws_macro_table_finish(GHashTable *table)
{
    gboolean changed = TRUE;
    while (changed) {
        GHashTableIter iter;
        gpointer macro;
        changed = FALSE;
        g_hash_table_iter_init(&iter, table);
        while (g_hash_table_iter_next(&iter, NULL, &macro))
            changed |= take_from_others(table, macro);
    }
}

const WsSourceMacro *ws_macro_table_find(GHashTable *table, const WsSourceToken *token)
{
    if (g_hash_table_size(table) == 0)
        return NULL;
    g_autofree char *name = g_strndup(token->text, token->length);
    return g_hash_table_lookup(table, name);
}
