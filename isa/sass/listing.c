#include "isa/sass/listing.h"

#include <string.h>

#include "isa/base/error.h"
#include "isa/base/escape.h"
#include "isa/bytecode/instruction.h"

enum { OLDEST = 80, NEWEST = 90, MAX_LINES = 1 << 20 };

typedef struct {
    const char *path;
    guint32 number; /* of the line */
    WsSassListing *listing;
    guint32 architecture;      /* of the code that is being read */
    WsSassFunction *function;  /* whose lines come, or NULL */
    WsSassFunction *described; /* whose figures come, or NULL */
    gboolean sizes_shared;     /* the next .zero is its shared memory */
    GHashTable *by_name;       /* of the functions kept */
    GHashTable *labels;        /* char* -> byte address + 1, of all functions kept */
    guint32 file, source;      /* //## in force */
} Reader;

static gboolean fail(const Reader *reader, guint32 line, GError **error, const char *format, ...)
    G_GNUC_PRINTF(4, 5);

static gboolean fail(const Reader *reader, guint32 line, GError **error, const char *format, ...)
{
    WsPosition position = {reader->path, line, 0};
    va_list arguments;
    va_start(arguments, format);
    g_autofree char *text = g_strdup_vprintf(format, arguments);
    va_end(arguments);
    ws_set_error_at(error, WS_ERROR_INPUT, &position, "%s", text);
    return FALSE;
}

/* ---- functions --------------------------------------------------------------------------------
 */

static void line_clear(gpointer line)
{
    g_free(((WsSassLine *)line)->text);
}

static void function_free(gpointer data)
{
    WsSassFunction *function = data;
    g_free(function->name);
    g_array_unref(function->lines);
    g_free(function);
}

/* What was read for an older GPU gives way to a newer one's. Figures may stand in front of the name
 * of their GPU, if there is one alone. */
static void start_architecture(Reader *reader, guint32 architecture)
{
    gboolean fits = architecture >= OLDEST && architecture <= NEWEST;
    reader->architecture = architecture;
    reader->function = NULL;
    if (fits && reader->listing->architecture == 0) {
        reader->listing->architecture = architecture;
    } else if (fits && architecture > reader->listing->architecture) {
        reader->listing->architecture = architecture;
        g_hash_table_remove_all(reader->by_name);
        g_hash_table_remove_all(reader->labels);
        g_ptr_array_set_size(reader->listing->functions, 0);
    }
}

/* The function of this name, made if it is new; NULL: its code is for a GPU that is not taken. */
static WsSassFunction *find_function(Reader *reader, const char *name)
{
    if (reader->architecture != reader->listing->architecture) {
        return NULL;
    }
    WsSassFunction *function = g_hash_table_lookup(reader->by_name, name);
    if (function == NULL) {
        function = g_new0(WsSassFunction, 1);
        function->name = g_strdup(name);
        function->line = reader->number;
        function->lines = g_array_new(FALSE, TRUE, sizeof(WsSassLine));
        g_array_set_clear_func(function->lines, line_clear);
        function->registers = function->stack = function->shared = WS_SASS_NOT_GIVEN;
        g_hash_table_insert(reader->by_name, function->name, function);
        g_ptr_array_add(reader->listing->functions, function);
    }
    return function;
}

static gboolean begin_function(Reader *reader, const char *name, GError **error)
{
    reader->function = find_function(reader, name);
    reader->source = 0;
    if (reader->function != NULL && reader->function->lines->len > 0) {
        g_autofree char *shown = ws_printable(name);
        return fail(reader, reader->number, error, "function '%s' is there twice", shown);
    }
    if (reader->function != NULL) {
        reader->function->line = reader->number;
        g_hash_table_replace(reader->labels, g_strdup(name), GUINT_TO_POINTER(1));
    }
    return TRUE;
}

/* ---- instructions -----------------------------------------------------------------------------
 */

/* Behind "/ *": hexadecimal digits up to "* /". */
static gboolean read_comment(const char *text, guint64 *ret, const char **ret_behind)
{
    char *end;
    if (!g_str_has_prefix(text, "/*")) {
        return FALSE;
    }
    text += 2;
    text += strspn(text, " ");
    if (!g_ascii_isxdigit(*text)) {
        return FALSE;
    }
    *ret = g_ascii_strtoull(text, &end, 16);
    end += strspn(end, " ");
    *ret_behind = end + 2;
    return g_str_has_prefix(end, "*/");
}

static void take_encoding(const char *text, WsSassLine *ret)
{
    const char *comment = strstr(text, "/* 0x"), *behind;
    ret->encoded = comment != NULL && read_comment(comment, &ret->word[0], &behind);
}

static gboolean add_instruction(Reader *reader, guint64 address, const char *text, GError **error)
{
    WsSassFunction *function = reader->function;
    WsSassLine line = {.line = reader->number, .file = reader->file, .source = reader->source};
    if (address != (guint64)function->lines->len * WS_INSTRUCTION_BYTES) {
        return fail(reader, reader->number, error,
                    "address 0x%" G_GINT64_MODIFIER
                    "x: expected 0x%x, as instructions have 16 bytes",
                    address, function->lines->len * WS_INSTRUCTION_BYTES);
    }
    if (function->lines->len == MAX_LINES) {
        return fail(reader, reader->number, error, "a function of more than %d instructions",
                    MAX_LINES);
    }
    const char *end = strchr(text, ';');
    if (end == NULL) {
        return fail(reader, reader->number, error, "the \";\" behind the instruction is missing");
    }
    line.text = g_strstrip(g_strndup(text, (gsize)(end - text)));
    take_encoding(end, &line);
    g_array_append_val(function->lines, line);
    return TRUE;
}

/* A line that starts with a comment: an instruction, or the second half of its encoding. */
static gboolean read_code(Reader *reader, const char *text, GError **error)
{
    guint64 value;
    const char *behind;
    if (reader->function == NULL || !read_comment(text, &value, &behind)) {
        return TRUE;
    }
    behind += strspn(behind, " \t");
    if (*behind != '\0') {
        return add_instruction(reader, value, behind, error);
    }
    GArray *lines = reader->function->lines;
    WsSassLine *last = lines->len > 0 ? &g_array_index(lines, WsSassLine, lines->len - 1) : NULL;
    if (last != NULL && last->encoded && last->word[1] == 0) {
        last->word[1] = value;
    }
    return TRUE;
}

/* ---- other lines ------------------------------------------------------------------------------
 */

/* The number behind `key` in the text. */
static gboolean find_number(const char *text, const char *key, guint32 *ret)
{
    const char *at = strstr(text, key);
    if (at == NULL) {
        return FALSE;
    }
    guint64 value = g_ascii_strtoull(at + strlen(key), NULL, 0);
    *ret = (guint32)MIN(value, WS_SASS_NOT_GIVEN - 1u);
    return TRUE;
}

/* "REG:24 STACK:8 SHARED:0 LOCAL:0 ...", below "Function name:" */
static void read_usage(Reader *reader, const char *text)
{
    WsSassFunction *function = reader->described;
    guint32 local = 0;
    find_number(text, "REG:", &function->registers);
    find_number(text, "STACK:", &function->stack);
    find_number(text, "SHARED:", &function->shared);
    if (find_number(text, "LOCAL:", &local) && function->stack != WS_SASS_NOT_GIVEN) {
        function->stack += local;
    }
    reader->described = NULL;
}

/* "//## File "k.cu", line 12" */
static void read_source(Reader *reader, const char *text)
{
    const char *begin = strchr(text, '"');
    const char *end = begin != NULL ? strchr(begin + 1, '"') : NULL;
    guint32 line;
    if (end == NULL || !find_number(end, ", line ", &line)) {
        return;
    }
    GPtrArray *files = reader->listing->files;
    g_autofree char *name = g_strndup(begin + 1, (gsize)(end - begin - 1));
    guint32 at = 1;
    while (at < files->len && strcmp(files->pdata[at], name) != 0) {
        at++;
    }
    if (at == files->len) {
        g_ptr_array_add(files, g_steal_pointer(&name));
    }
    reader->file = at;
    reader->source = line;
}

/* ".section .nv.shared.name,..." and the ".zero N" below it; ".text.name" ends with its code. */
static void read_section(Reader *reader, const char *text)
{
    static const char shared[] = ".nv.shared.";
    const char *name = text + strlen(".section");
    name += strspn(name, " \t");
    reader->function = NULL;
    reader->described = NULL;
    reader->sizes_shared = FALSE;
    if (g_str_has_prefix(name, shared)) {
        name += strlen(shared);
        g_autofree char *function = g_strndup(name, strcspn(name, ", \t"));
        reader->described = g_hash_table_lookup(reader->by_name, function);
        reader->sizes_shared = reader->described != NULL;
    }
}

static void read_zero(Reader *reader, const char *text)
{
    guint32 bytes;
    if (reader->sizes_shared && find_number(text, ".zero", &bytes)) {
        WsSassFunction *function = reader->described;
        function->shared = (function->shared == WS_SASS_NOT_GIVEN ? 0 : function->shared) + bytes;
    }
}

/* "name:" of nvdisasm. */
static gboolean read_label(Reader *reader, const char *text, gsize length, GError **error)
{
    static const char section[] = ".text.";
    g_autofree char *name = g_strndup(text, length - 1);
    if (g_str_has_prefix(name, section)) {
        return begin_function(reader, name + strlen(section), error);
    }
    if (reader->function != NULL) {
        guint32 address = reader->function->lines->len * WS_INSTRUCTION_BYTES;
        g_hash_table_replace(reader->labels, g_steal_pointer(&name), GUINT_TO_POINTER(address + 1));
    }
    return TRUE;
}

static gboolean read_function(Reader *reader, const char *text, GError **error)
{
    const char *name = text + strlen("Function");
    gsize length = strlen(text);
    name += strspn(name, " ");
    if (*name == ':') {
        name++;
        return begin_function(reader, name + strspn(name, " "), error);
    }
    if (text[length - 1] == ':') {
        g_autofree char *function = g_strndup(name, strlen(name) - 1);
        reader->described = find_function(reader, function);
        reader->sizes_shared = FALSE;
    }
    return TRUE;
}

static gboolean read_line(Reader *reader, const char *text, GError **error)
{
    guint32 architecture;
    gsize length = strlen(text);
    if (g_str_has_prefix(text, "/*")) {
        return read_code(reader, text, error);
    }
    if (g_str_has_prefix(text, "//##")) {
        read_source(reader, text);
    } else if ((g_str_has_prefix(text, "code for sm_") || g_str_has_prefix(text, ".target") ||
                g_str_has_prefix(text, "arch = sm_")) &&
               find_number(text, "sm_", &architecture)) {
        start_architecture(reader, architecture);
    } else if (g_str_has_prefix(text, "Function ")) {
        return read_function(reader, text, error);
    } else if (g_str_has_prefix(text, "REG:") && reader->described != NULL) {
        read_usage(reader, text);
    } else if (g_str_has_prefix(text, ".section")) {
        read_section(reader, text);
    } else if (g_str_has_prefix(text, ".zero")) {
        read_zero(reader, text);
    } else if (length > 1 && text[length - 1] == ':' && strpbrk(text, " \t\"") == NULL) {
        return read_label(reader, text, length, error);
    }
    return TRUE;
}

/* ---- the whole text ---------------------------------------------------------------------------
 */

/* "`(.L_x_3)" becomes "0x240". */
static gboolean resolve(const Reader *reader, WsSassLine *line, GError **error)
{
    const char *begin = strstr(line->text, "`(");
    const char *end = begin != NULL ? strchr(begin, ')') : NULL;
    if (end == NULL) {
        return TRUE;
    }
    g_autofree char *label = g_strndup(begin + 2, (gsize)(end - begin - 2));
    guint address = GPOINTER_TO_UINT(g_hash_table_lookup(reader->labels, label));
    if (address == 0) {
        g_autofree char *shown = ws_printable(label);
        return fail(reader, line->line, error, "there is no label '%s'", shown);
    }
    char *text =
        g_strdup_printf("%.*s0x%x%s", (int)(begin - line->text), line->text, address - 1, end + 1);
    g_free(line->text);
    line->text = text;
    return TRUE;
}

/* Leaves out what has figures and no code. */
static gboolean finish(const Reader *reader, GError **error)
{
    GPtrArray *functions = reader->listing->functions;
    for (guint f = functions->len; f-- > 0;) {
        WsSassFunction *function = functions->pdata[f];
        if (function->lines->len == 0) {
            g_ptr_array_remove_index(functions, f);
            continue;
        }
        for (guint i = 0; i < function->lines->len; i++) {
            if (!resolve(reader, &g_array_index(function->lines, WsSassLine, i), error)) {
                return FALSE;
            }
        }
    }
    if (functions->len > 0) {
        return TRUE;
    }
    if (reader->architecture != 0 && reader->listing->architecture == 0) {
        return fail(reader, 0, error, "the code is for sm_%u; sm_%d to sm_%d are supported",
                    reader->architecture, OLDEST, NEWEST);
    }
    return fail(reader, 0, error,
                "there is no machine code in this file: expected the output of cuobjdump -sass or "
                "nvdisasm");
}

WsSassListing *ws_sass_listing_parse(const char *path, const char *text, gsize length,
                                     GError **error)
{
    g_autoptr(WsSassListing) listing = g_new0(WsSassListing, 1);
    g_autoptr(GHashTable) by_name = g_hash_table_new(g_str_hash, g_str_equal);
    g_autoptr(GHashTable) labels = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
    Reader reader = {.path = path, .listing = listing, .by_name = by_name, .labels = labels};
    listing->functions = g_ptr_array_new_with_free_func(function_free);
    listing->files = g_ptr_array_new_with_free_func(g_free);
    g_ptr_array_add(listing->files, g_strdup(path));
    const char *end = text + length;
    while (text < end) {
        const char *newline = memchr(text, '\n', (gsize)(end - text));
        gsize size = (gsize)((newline != NULL ? newline : end) - text);
        g_autofree char *line = g_strstrip(g_strndup(text, size));
        reader.number++;
        if (!read_line(&reader, line, error)) {
            return NULL;
        }
        text += size + 1;
    }
    return finish(&reader, error) ? g_steal_pointer(&listing) : NULL;
}

void ws_sass_listing_free(WsSassListing *listing)
{
    g_ptr_array_unref(listing->functions);
    g_ptr_array_unref(listing->files);
    g_free(listing);
}
