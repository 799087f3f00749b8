#include "isa/debug/debug_text.h"

#include "isa/base/escape.h"

#include <string.h>

const char *const ws_debug_section_names[WS_DEBUG_SECTION_COUNT] = {
    ".debug_abbrev", ".debug_info", ".debug_str", ".debug_ranges", ".debug_loc"};

enum { NO_SECTION = WS_DEBUG_SECTION_COUNT, OTHER_SECTION };

/* A value that waits for its names: name - minus + addend, in `bytes` bytes. */
typedef struct {
    guint section, offset, bytes;
    char *name, *minus;
    guint64 addend;
} Fixup;

typedef struct {
    WsDebugText *out;
    GHashTable *labels; /* name -> guint64*: line of code, or offset in its section */
    GArray *fixups;     /* of Fixup */
    guint section;
    guint32 line;
} Reader;

static void clear_fixup(gpointer data)
{
    Fixup *fixup = data;
    g_free(fixup->name);
    g_free(fixup->minus);
}

/* ---- words ------------------------------------------------------------------------------------
 */

static gboolean is_name_character(char c)
{
    return g_ascii_isalnum(c) || c == '_' || c == '$' || c == '.' || c == '%';
}

static void skip_blanks(const char **at)
{
    while (**at == ' ' || **at == '\t')
        ++*at;
}

/* The length of a name that begins at `at`; 0 if none does. */
static gsize name_length(const char *at)
{
    gsize length = 0;
    while (!g_ascii_isdigit(*at) && is_name_character(at[length]))
        length++;
    return length;
}

static gboolean take_number(const char **at, guint64 *ret)
{
    char *end;
    skip_blanks(at);
    if (!g_ascii_isdigit(**at))
        return FALSE;
    *ret = g_ascii_strtoull(*at, &end, 0);
    *at = end;
    return TRUE;
}

static gboolean take_word(const char **at, const char *word)
{
    gsize length = strlen(word);
    if (strncmp(*at, word, length) != 0 || is_name_character((*at)[length]))
        return FALSE;
    *at += length;
    return TRUE;
}

/* ---- lines ------------------------------------------------------------------------------------
 */

static void append_value(GByteArray *bytes, guint64 value, guint count)
{
    for (guint i = 0; i < count; i++) {
        guint8 byte = i < sizeof value ? (guint8)(value >> (8 * i)) : 0;
        g_byte_array_append(bytes, &byte, 1);
    }
}

/* 12, -1, name, name+4, name-other: FALSE at what is none. */
static gboolean take_value(Reader *reader, const char **at, guint bytes)
{
    Fixup fixup = {
        reader->section, reader->out->sections[reader->section]->len, bytes, NULL, NULL, 0};
    gboolean minus = FALSE;
    for (gboolean more = TRUE; more;) {
        guint64 number = 0;
        skip_blanks(at);
        if (**at == '-' || **at == '+')
            minus = *(*at)++ == '-';
        skip_blanks(at);
        gsize length = name_length(*at);
        char **name = minus ? &fixup.minus : &fixup.name;
        if (length > 0 && *name == NULL) {
            *name = g_strndup(*at, length);
            *at += length;
        } else if (take_number(at, &number)) {
            fixup.addend += minus ? -number : number;
        } else {
            clear_fixup(&fixup);
            return FALSE;
        }
        skip_blanks(at);
        more = **at == '-' || **at == '+';
        minus = FALSE;
    }
    append_value(reader->out->sections[reader->section], fixup.addend, bytes);
    if (fixup.name != NULL || fixup.minus != NULL)
        g_array_append_val(reader->fixups, fixup);
    return TRUE;
}

/* .b8 1, 2, 3 */
static void read_data(Reader *reader, const char *at)
{
    static const struct {
        const char *word;
        guint bytes;
    } sizes[] = {{".b8", 1}, {".b16", 2}, {".b32", 4}, {".b64", 8}};
    for (guint i = 0; i < G_N_ELEMENTS(sizes); i++) {
        const char *list = at;
        if (!take_word(&list, sizes[i].word))
            continue;
        while (take_value(reader, &list, sizes[i].bytes) && *list == ',')
            list++;
    }
}

static void note_label(Reader *reader, const char *name, gsize length)
{
    guint64 value =
        reader->section == NO_SECTION ? reader->line : reader->out->sections[reader->section]->len;
    g_hash_table_insert(reader->labels, g_strndup(name, length), g_memdup2(&value, sizeof value));
}

/* FALSE if the line does not begin with a label. */
static gboolean read_label(Reader *reader, const char **at)
{
    gsize length = name_length(*at);
    if (length == 0 || (*at)[length] != ':' || reader->section == OTHER_SECTION)
        return FALSE;
    note_label(reader, *at, length);
    *at += length + 1;
    skip_blanks(at);
    return TRUE;
}

static void read_file(Reader *reader, const char *at)
{
    guint64 number;
    if (!take_number(&at, &number) || number > G_MAXINT32)
        return;
    skip_blanks(&at);
    const char *end = *at == '"' ? ws_end_of_name(at + 1, at + strlen(at)) : NULL;
    if (end != NULL)
        g_hash_table_insert(reader->out->files, GUINT_TO_POINTER((guint)number),
                            ws_unescape_name(at + 1, (gsize)(end - at - 1)));
}

static void read_loc(Reader *reader, const char *at)
{
    guint64 file, line, column;
    if (take_number(&at, &file) && take_number(&at, &line) && take_number(&at, &column)) {
        const WsDebugLine entry = {reader->line, (guint32)file, (guint32)line, (guint32)column};
        g_array_append_val(reader->out->lines, entry);
    }
}

static void begin_section(Reader *reader, const char *at)
{
    skip_blanks(&at);
    reader->section = OTHER_SECTION;
    for (guint s = 0; s < WS_DEBUG_SECTION_COUNT; s++)
        if (take_word(&at, ws_debug_section_names[s]))
            reader->section = s;
    if (strchr(at, '}') != NULL)
        reader->section = NO_SECTION;
}

static void read_line(Reader *reader, const char *at)
{
    skip_blanks(&at);
    if (reader->section == NO_SECTION && take_word(&at, ".file")) {
        read_file(reader, at);
    } else if (reader->section == NO_SECTION && take_word(&at, ".loc")) {
        read_loc(reader, at);
    } else if (reader->section == NO_SECTION && take_word(&at, ".section")) {
        begin_section(reader, at);
    } else if (*at == '}') {
        reader->section = NO_SECTION;
    } else {
        read_label(reader, &at);
        if (reader->section < NO_SECTION)
            read_data(reader, at);
    }
}

/* ---- names ------------------------------------------------------------------------------------
 */

static guint64 value_of(Reader *reader, GHashTable *numbers, const char *name)
{
    if (name == NULL)
        return 0;
    const guint64 *label = g_hash_table_lookup(reader->labels, name);
    if (label != NULL)
        return *label;
    if (g_str_has_prefix(name, ".debug_")) /* the start of a section */
        return 0;
    GPtrArray *symbols = reader->out->symbols;
    guint number = GPOINTER_TO_UINT(g_hash_table_lookup(numbers, name));
    if (number == 0) {
        g_ptr_array_add(symbols, g_strdup(name));
        number = symbols->len;
        g_hash_table_insert(numbers, g_ptr_array_index(symbols, number - 1),
                            GUINT_TO_POINTER(number));
    }
    return number * WS_DEBUG_SYMBOL_UNIT;
}

static void resolve(Reader *reader)
{
    g_autoptr(GHashTable) numbers = g_hash_table_new(g_str_hash, g_str_equal);
    for (guint i = 0; i < reader->fixups->len; i++) {
        const Fixup *fixup = &g_array_index(reader->fixups, Fixup, i);
        guint64 value = value_of(reader, numbers, fixup->name) -
                        value_of(reader, numbers, fixup->minus) + fixup->addend;
        guint8 *bytes = reader->out->sections[fixup->section]->data + fixup->offset;
        for (guint b = 0; b < fixup->bytes; b++)
            bytes[b] = (guint8)(value >> (8 * b));
    }
}

WsDebugText *ws_debug_text_new(const char *ptx)
{
    WsDebugText *text = g_new0(WsDebugText, 1);
    for (guint s = 0; s < WS_DEBUG_SECTION_COUNT; s++)
        text->sections[s] = g_byte_array_new();
    text->symbols = g_ptr_array_new_with_free_func(g_free);
    text->files = g_hash_table_new_full(NULL, NULL, NULL, g_free);
    text->lines = g_array_new(FALSE, FALSE, sizeof(WsDebugLine));
    Reader reader = {.out = text, .section = NO_SECTION};
    reader.labels = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, g_free);
    reader.fixups = g_array_new(FALSE, FALSE, sizeof(Fixup));
    g_array_set_clear_func(reader.fixups, clear_fixup);
    g_autoptr(GString) line = g_string_new(NULL);
    for (const char *at = ptx; *at != '\0';) {
        gsize length = strcspn(at, "\n");
        reader.line++;
        g_string_truncate(line, 0);
        g_string_append_len(line, at, (gssize)length);
        read_line(&reader, line->str);
        at += length + (at[length] == '\n');
    }
    resolve(&reader);
    g_hash_table_unref(reader.labels);
    g_array_unref(reader.fixups);
    return text;
}

void ws_debug_text_free(WsDebugText *text)
{
    if (text == NULL)
        return;
    for (guint s = 0; s < WS_DEBUG_SECTION_COUNT; s++)
        g_byte_array_unref(text->sections[s]);
    g_ptr_array_unref(text->symbols);
    g_hash_table_unref(text->files);
    g_array_unref(text->lines);
    g_free(text);
}
