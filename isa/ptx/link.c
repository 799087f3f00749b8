#include "isa/ptx/link.h"

#include "isa/base/kernel_names.h"
#include "isa/ptx/link_scan.h"

#include <string.h>

typedef struct {
    WsLinkScan scan;
    const WsPtxUnit *unit;
    guint number;         /* from 1 */
    GHashTable *own;      /* name -> name in the result, of those that are not the same */
    GHashTable *declared; /* name -> whether it is the unit's own, as 1, or not, as 2 */
    guint64 first_file;   /* that is added to its numbers */
} Part;

/* A definition that all units may mean. */
typedef struct {
    Part *part;
    const WsLinkRecord *record;
} Definition;

typedef struct {
    Part *parts;
    guint count;
    GHashTable *definitions; /* name -> Definition* */
    GString *wrong;          /* messages, with a line end behind each */
    GString *out;
} Link;

/* A function of the machine itself, which no unit defines. */
static gboolean is_given(const char *name)
{
    static const char *const names[] = {"vprintf",
                                        "__assertfail",
                                        "malloc",
                                        "free",
                                        "cudaGraphSetConditional",
                                        "cudaGetParameterBufferV2",
                                        "cudaLaunchDeviceV2"};
    for (guint i = 0; i < G_N_ELEMENTS(names); i++)
        if (strcmp(names[i], name) == 0)
            return TRUE;
    return g_str_has_prefix(name, "__cudaCDP2"); /* launches by kernels */
}

static const WsPtxToken *token_at(const Part *part, guint number)
{
    return &g_array_index(part->scan.tokens, WsPtxToken, number);
}

static const WsLinkRecord *record_at(const Part *part, guint number)
{
    return &g_array_index(part->scan.records, WsLinkRecord, number);
}

static char *name_of(const Part *part, const WsLinkRecord *record)
{
    const WsPtxToken *token = token_at(part, record->name);
    return g_strndup(token->text, token->length);
}

static gboolean has_name(const WsLinkRecord *record)
{
    return record->kind == WS_LINK_KERNEL || record->kind == WS_LINK_FUNCTION ||
           record->kind == WS_LINK_VARIABLE;
}

/*
 * Whether C++ gives the mangled name to its unit alone: a static, as in _ZL1x, _ZN1aL1xE and the
 * locals of one, and whatever has to do with a namespace without a name. clang makes those .visible
 * that host code names, and all kernels.
 */
static gboolean is_internal(const char *name)
{
    if (name[0] != '_' || name[1] != 'Z')
        return FALSE;
    if (strstr(name, "12_GLOBAL__N_1") != NULL)
        return TRUE;
    const char *at = name + 2;
    while (*at == 'Z' || *at == 'N')
        at++;
    for (;;) {
        char *end;
        if (*at == 'L')
            return TRUE;
        guint64 length = g_ascii_strtoull(at, &end, 10);
        if (end == at || length > strlen(end))
            return FALSE;
        at = end + length;
    }
}

static gboolean is_own(const WsLinkRecord *record, const char *name)
{
    return record->linkage == WS_LINK_OWN ||
           (record->linkage != WS_LINK_EXTERN && is_internal(name));
}

static const char *keyword_of(const WsLinkRecord *record)
{
    static const char *const kinds[] = {"a kernel", "a function"};
    if (record->kind != WS_LINK_VARIABLE)
        return kinds[record->kind];
    return strcmp(record->space, "const") == 0    ? "__constant__"
           : strcmp(record->space, "shared") == 0 ? "__shared__"
                                                  : "__device__";
}

static char *shown(const WsLinkRecord *record, const char *name)
{
    return record->kind == WS_LINK_VARIABLE ? ws_variable_display_name(name)
                                            : ws_kernel_signature(name);
}

static void G_GNUC_PRINTF(4, 5)
    complain(Link *link, const WsLinkRecord *record, const char *name, const char *format, ...)
{
    g_autofree char *readable = shown(record, name);
    va_list arguments;
    va_start(arguments, format);
    g_string_append_printf(link->wrong, "'%s' ", readable);
    g_string_append_vprintf(link->wrong, format, arguments);
    g_string_append_c(link->wrong, '\n');
    va_end(arguments);
}

/* ---- what is meant by a name ----------------------------------------------------------------- */

static gboolean is_weak(const WsLinkRecord *record)
{
    return record->linkage == WS_LINK_WEAK || record->kind == WS_LINK_KERNEL;
}

static void define(Link *link, Part *part, const WsLinkRecord *record, char *name)
{
    Definition *old = g_hash_table_lookup(link->definitions, name);
    if (old == NULL) {
        old = g_new0(Definition, 1);
        g_hash_table_insert(link->definitions, g_strdup(name), old);
    } else if (is_weak(record)) {
        return;
    } else if (!is_weak(old->record)) {
        complain(link, record, name, "is defined in %s and in %s", old->part->unit->name,
                 part->unit->name);
        return;
    }
    *old = (Definition){part, record};
}

static void take_names(Link *link, Part *part)
{
    for (guint i = 0; i < part->scan.records->len; i++) {
        const WsLinkRecord *record = record_at(part, i);
        if (!has_name(record))
            continue;
        g_autofree char *name = name_of(part, record);
        const gboolean own = is_own(record, name);
        if (!own && record->is_definition)
            define(link, part, record, name);
        g_hash_table_insert(part->declared, g_steal_pointer(&name), GINT_TO_POINTER(own ? 1 : 2));
    }
}

/* Those of its own that another unit has too. */
static void rename_own(Link *link, Part *part)
{
    GHashTableIter names;
    gpointer name, whose;
    g_hash_table_iter_init(&names, part->declared);
    while (g_hash_table_iter_next(&names, &name, &whose)) {
        gboolean is_shared = FALSE;
        for (guint i = 0; i < link->count && GPOINTER_TO_INT(whose) == 1; i++)
            is_shared |=
                &link->parts[i] != part && g_hash_table_contains(link->parts[i].declared, name);
        if (is_shared)
            g_hash_table_insert(part->own, g_strdup(name),
                                g_strdup_printf("%s$%u", (char *)name, part->number));
    }
}

/* What a unit declares and does not define is defined elsewhere, in the same kind of memory. */
static void check_declared(Link *link, Part *part)
{
    for (guint i = 0; i < part->scan.records->len; i++) {
        const WsLinkRecord *record = record_at(part, i);
        if (!has_name(record) || record->linkage != WS_LINK_EXTERN ||
            g_strcmp0(record->space, "shared") == 0) /* extern __shared__: of the launch's size */
            continue;
        g_autofree char *name = name_of(part, record);
        const Definition *definition = g_hash_table_lookup(link->definitions, name);
        if (is_given(name))
            continue;
        if (definition == NULL)
            complain(link, record, name, "is used in %s and not defined in any file of the link",
                     part->unit->name);
        else if (definition->record->kind != record->kind ||
                 g_strcmp0(definition->record->space, record->space) != 0)
            complain(link, record, name, "is %s in %s and %s in %s", keyword_of(record),
                     part->unit->name, keyword_of(definition->record),
                     definition->part->unit->name);
    }
}

/* ---- the text ---------------------------------------------------------------------------------
 */

static gboolean is_word(const WsPtxToken *token, WsPtxTokenKind kind, const char *word)
{
    return token->kind == kind && token->length == strlen(word) &&
           memcmp(token->text, word, token->length) == 0;
}

/* Whether the number of a file comes behind the token. */
static gboolean is_before_file(const Part *part, guint number)
{
    const WsPtxToken *token = token_at(part, number);
    return is_word(token, WS_PTX_TOKEN_DOTTED, "loc") ||
           is_word(token, WS_PTX_TOKEN_DOTTED, "file") ||
           is_word(token, WS_PTX_TOKEN_NAME, "inlined_at");
}

/* The text before a token and the token, but for the names and numbers that change. */
static void put(Link *link, const Part *part, const char **from, const WsPtxToken *token,
                gboolean is_file)
{
    g_autofree char *name = g_strndup(token->text, token->length);
    const char *other =
        token->kind == WS_PTX_TOKEN_NAME ? g_hash_table_lookup(part->own, name) : NULL;
    if (other == NULL && !is_file)
        return;
    g_string_append_len(link->out, *from, token->text - *from);
    if (other != NULL)
        g_string_append(link->out, other);
    else
        g_string_append_printf(link->out, "%" G_GUINT64_FORMAT, token->value + part->first_file);
    *from = token->text + token->length;
}

/* Tokens from `first` up to `end`, with what stands before them from `from` on. */
static void put_tokens(Link *link, const Part *part, const char *from, guint first, guint end)
{
    for (guint i = first; i < end; i++)
        put(link, part, &from, token_at(part, i), i > first && is_before_file(part, i - 1));
    const WsPtxToken *last = token_at(part, end - 1);
    const gsize quote = last->kind == WS_PTX_TOKEN_STRING;
    const char *stop = last->text + last->length + quote;
    if (stop > from)
        g_string_append_len(link->out, from, stop - from);
}

static void put_record(Link *link, const Part *part, const WsLinkRecord *record)
{
    const WsPtxToken *first = token_at(part, record->first);
    const char *start = first->text - (first->kind == WS_PTX_TOKEN_DOTTED);
    if (record->kind == WS_LINK_SECTION &&
        (part->number > 1 || is_word(first, WS_PTX_TOKEN_DOTTED, "section")))
        return;
    if (has_name(record)) {
        g_autofree char *name = name_of(part, record);
        const Definition *definition = g_hash_table_lookup(link->definitions, name);
        if (record->is_definition && !is_own(record, name) && definition->record != record) {
            if (definition->part->number < part->number || record->kind == WS_LINK_KERNEL)
                return;
            g_string_append(link->out, ".extern ");
            start = token_at(part, record->inner)->text - 1;
            put_tokens(link, part, start, record->inner, record->body);
            g_string_append(link->out, ";\n");
            return;
        }
    }
    put_tokens(link, part, start, record->first, record->end);
    g_string_append_c(link->out, '\n');
}

static void put_part(Link *link, Part *part, guint64 *files)
{
    guint64 last = 0;
    part->first_file = *files;
    g_string_append_printf(link->out, "\n// of %s\n", part->unit->name);
    for (guint i = 0; i < part->scan.records->len; i++) {
        const WsLinkRecord *record = record_at(part, i);
        if (record->kind == WS_LINK_FILE)
            last = MAX(last, token_at(part, record->name)->value);
        put_record(link, part, record);
    }
    *files += last;
}

static gboolean scan_parts(Link *link, const WsPtxUnit *units, GError **error)
{
    for (guint i = 0; i < link->count; i++) {
        Part *part = &link->parts[i];
        part->unit = &units[i];
        part->number = i + 1;
        part->own = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, g_free);
        part->declared = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
        if (!ws_link_scan(&part->scan, units[i].name, units[i].text, units[i].length, error))
            return FALSE;
        take_names(link, part);
    }
    for (guint i = 0; i < link->count; i++) {
        rename_own(link, &link->parts[i]);
        check_declared(link, &link->parts[i]);
    }
    if (link->wrong->len == 0)
        return TRUE;
    g_string_truncate(link->wrong, link->wrong->len - 1);
    ws_set_error(error, WS_ERROR_INPUT, "the device code does not link: %s", link->wrong->str);
    return FALSE;
}

char *ws_ptx_link(const WsPtxUnit *units, guint count, GError **error)
{
    Link link = {.parts = g_new0(Part, count), .count = count};
    guint64 files = 0;
    link.definitions = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, g_free);
    link.wrong = g_string_new(NULL);
    link.out = g_string_new(NULL);
    const gboolean good = scan_parts(&link, units, error);
    for (guint i = 0; i < count; i++) {
        if (good)
            put_part(&link, &link.parts[i], &files);
        ws_link_scan_clear(&link.parts[i].scan);
        g_clear_pointer(&link.parts[i].own, g_hash_table_unref);
        g_clear_pointer(&link.parts[i].declared, g_hash_table_unref);
    }
    g_hash_table_unref(link.definitions);
    g_string_free(link.wrong, TRUE);
    g_free(link.parts);
    return g_string_free(link.out, !good);
}
