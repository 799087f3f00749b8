#include "isa/ptx/link_scan.h"

#include <string.h>

typedef struct {
    const WsLinkScan *scan;
    guint at;
} Reader;

static const WsPtxToken *token_at(const Reader *reader)
{
    return &g_array_index(reader->scan->tokens, WsPtxToken, reader->at);
}

static gboolean is_end(const Reader *reader)
{
    return token_at(reader)->kind == WS_PTX_TOKEN_END;
}

static gboolean is(const Reader *reader, char punctuation)
{
    const WsPtxToken *token = token_at(reader);
    return token->kind == WS_PTX_TOKEN_PUNCTUATION && token->punctuation == punctuation;
}

static gboolean is_dotted(const Reader *reader, const char *name)
{
    const WsPtxToken *token = token_at(reader);
    return token->kind == WS_PTX_TOKEN_DOTTED && token->length == strlen(name) &&
           memcmp(token->text, name, token->length) == 0;
}

/* Goes behind the token, or the pair of brackets that begins with it. */
static void skip(Reader *reader)
{
    guint depth = 0;
    do {
        if (is(reader, '{') || is(reader, '(') || is(reader, '['))
            depth++;
        else if (is(reader, '}') || is(reader, ')') || is(reader, ']'))
            depth -= depth != 0;
        if (!is_end(reader))
            reader->at++;
    } while (depth != 0 && !is_end(reader));
}

static gboolean take_linkage(Reader *reader, WsLinkage *linkage)
{
    static const struct {
        const char *name;
        WsLinkage linkage;
    } words[] = {{"visible", WS_LINK_STRONG},
                 {"weak", WS_LINK_WEAK},
                 {"common", WS_LINK_WEAK},
                 {"extern", WS_LINK_EXTERN}};
    for (guint i = 0; i < G_N_ELEMENTS(words); i++)
        if (is_dotted(reader, words[i].name)) {
            *linkage = words[i].linkage;
            reader->at++;
            return TRUE;
        }
    return FALSE;
}

/* `.func (results) name (parameters) .noreturn {`, or `;` where the body is elsewhere. */
static void read_function(Reader *reader, WsLinkRecord *record)
{
    reader->at++;
    if (is(reader, '('))
        skip(reader);
    record->name = reader->at;
    while (!is_end(reader) && !is(reader, '{') && !is(reader, ';'))
        skip(reader);
    record->body = reader->at;
    record->is_definition = is(reader, '{');
    skip(reader);
}

/* `.global .align 4 .b8 name[16] = {1, 2};` */
static void read_variable(Reader *reader, WsLinkRecord *record)
{
    while (!is_end(reader) && token_at(reader)->kind != WS_PTX_TOKEN_NAME)
        skip(reader);
    record->name = reader->at;
    while (!is_end(reader) && !is(reader, '=') && !is(reader, ';'))
        skip(reader);
    record->body = reader->at;
    record->is_definition = record->linkage != WS_LINK_EXTERN;
    while (!is_end(reader) && !is(reader, ';'))
        skip(reader);
    skip(reader);
}

/* A directive that is neither: up to the next one of the module, which begins a line. */
static void read_other(Reader *reader, WsLinkRecord *record)
{
    record->kind = is_dotted(reader, "file") ? WS_LINK_FILE : WS_LINK_SECTION;
    const gboolean braces = is_dotted(reader, "section");
    const guint32 line = token_at(reader)->position.line;
    if (!is_end(reader))
        reader->at++;
    record->name = reader->at;
    if (braces)
        while (!is_end(reader) && !is(reader, '{'))
            reader->at++;
    if (braces)
        skip(reader);
    else
        while (!is_end(reader) && token_at(reader)->position.line == line)
            reader->at++;
}

static void read_directive(Reader *reader, GArray *records)
{
    static const char *const spaces[] = {"global", "const", "shared", "local"};
    WsLinkRecord record = {.kind = WS_LINK_SECTION, .first = reader->at};
    while (take_linkage(reader, &record.linkage))
        ;
    record.inner = reader->at;
    for (guint i = 0; i < G_N_ELEMENTS(spaces); i++)
        if (is_dotted(reader, spaces[i]))
            record.space = spaces[i];
    if (is_dotted(reader, "entry") || is_dotted(reader, "func")) {
        record.kind = is_dotted(reader, "entry") ? WS_LINK_KERNEL : WS_LINK_FUNCTION;
        read_function(reader, &record);
    } else if (record.space != NULL) {
        record.kind = WS_LINK_VARIABLE;
        read_variable(reader, &record);
    } else {
        read_other(reader, &record);
    }
    record.end = reader->at;
    g_array_append_val(records, record);
}

void ws_link_scan_clear(WsLinkScan *scan)
{
    g_clear_pointer(&scan->tokens, g_array_unref);
    g_clear_pointer(&scan->records, g_array_unref);
}

gboolean ws_link_scan(WsLinkScan *ret, const char *name, const char *text, gsize length,
                      GError **error)
{
    WsPtxLexer lexer;
    WsPtxToken token;
    *ret = (WsLinkScan){g_array_new(FALSE, FALSE, sizeof(WsPtxToken)),
                        g_array_new(FALSE, FALSE, sizeof(WsLinkRecord))};
    ws_ptx_lexer_init(&lexer, name, text, length);
    do {
        if (!ws_ptx_lexer_next(&lexer, &token, error)) {
            ws_link_scan_clear(ret);
            return FALSE;
        }
        if (token.length == 0) /* the lexer counts no number's */
            token.length = (gsize)(lexer.at - token.text);
        g_array_append_val(ret->tokens, token);
    } while (token.kind != WS_PTX_TOKEN_END);
    Reader reader = {ret, 0};
    while (!is_end(&reader)) {
        if (token_at(&reader)->kind == WS_PTX_TOKEN_DOTTED)
            read_directive(&reader, ret->records);
        else
            skip(&reader);
    }
    return TRUE;
}
