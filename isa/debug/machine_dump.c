#include "isa/debug/machine_dump.h"

#include <string.h>

enum {
    MAX_REGISTER = 1 << 24,
    MAX_VARIABLES = 1 << 16,
    MAX_CALLS = 64 /* inlined in each other */
};

typedef struct {
    WsMachineDump *out;
    gboolean inside;       /* of a function */
    char *function;        /* its name */
    GHashTable *variables; /* text that tells variables apart -> number + 1 */
    GHashTable *locations; /* text -> number */
    GHashTable *parts;     /* of variables that have an entry */
} Reader;

static WsMachineFunction *last_function(Reader *reader)
{
    return &g_array_index(reader->out->functions, WsMachineFunction,
                          reader->out->functions->len - 1);
}

/* ---- text -------------------------------------------------------------------------------------
 */

static gboolean take_number(const char **at, guint64 *ret)
{
    char *end;
    if (!g_ascii_isdigit(**at))
        return FALSE;
    *ret = g_ascii_strtoull(*at, &end, 10);
    *at = end;
    return TRUE;
}

static gboolean take_word(const char **at, const char *word)
{
    if (!g_str_has_prefix(*at, word))
        return FALSE;
    *at += strlen(word);
    return TRUE;
}

/* "%12:int32regs" or "%12". */
static gboolean take_register(const char **at, guint32 *ret)
{
    const char *from = *at;
    guint64 number;
    if (!take_word(&from, "%") || !take_number(&from, &number) || number > MAX_REGISTER)
        return FALSE;
    if (*from == ':')
        from +=
            1 + strspn(from + 1, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_");
    *ret = (guint32)number;
    *at = from;
    return TRUE;
}

/* ---- variables --------------------------------------------------------------------------------
 */

/* "k.cu:16:13" or "k.cu:0": the last numbers of what stands in front of `end`. */
static void take_place(const char *from, const char *end, WsMachineCall *ret)
{
    guint32 numbers[2] = {0, 0};
    guint count = 0;
    while (count < 2) {
        const char *at = end;
        while (at > from && g_ascii_isdigit(at[-1]))
            at--;
        if (at == end || at == from || at[-1] != ':')
            break;
        numbers[count++] = (guint32)g_ascii_strtoull(at, NULL, 10);
        end = at - 1;
    }
    *ret = count == 2 ? (WsMachineCall){numbers[1], numbers[0]} : (WsMachineCall){numbers[0], 0};
}

/* " @[ k.cu:16:16 @[ k.cu:30:4 ] ]", `end`: where the text ends. */
static GArray *take_calls(const char *from, const char *end)
{
    GArray *calls = g_array_new(FALSE, FALSE, sizeof(WsMachineCall));
    while (calls->len < MAX_CALLS) {
        const char *begin = g_strstr_len(from, end - from, " @[ ");
        if (begin == NULL)
            break;
        begin += strlen(" @[ ");
        const char *next = g_strstr_len(begin, end - begin, " @[ ");
        const char *stop = next != NULL ? next : g_strstr_len(begin, end - begin, " ]");
        WsMachineCall call = {0};
        take_place(begin, stop != NULL ? stop : end, &call);
        g_array_append_val(calls, call);
        from = stop != NULL ? stop : end;
    }
    return calls;
}

/* `name` with its length, declared in `line`, in the calls of the text up to `end`. */
static guint32 find_variable(Reader *reader, const char *name, gsize length, guint32 line,
                             const char *from, const char *end)
{
    WsMachineVariable variable = {.name = g_strndup(name, length), .line = line};
    g_autoptr(GString) key = g_string_new(NULL);
    g_string_append_printf(key, "%s\n%u\n%s", variable.name, line, reader->function);
    variable.calls = take_calls(from, end);
    for (guint i = 0; i < variable.calls->len; i++) {
        const WsMachineCall *call = &g_array_index(variable.calls, WsMachineCall, i);
        g_string_append_printf(key, "\n%u %u", call->line, call->column);
    }
    guint number = GPOINTER_TO_UINT(g_hash_table_lookup(reader->variables, key->str));
    if (number != 0 || reader->out->variables->len == MAX_VARIABLES) {
        g_free(variable.name);
        g_array_unref(variable.calls);
        return number;
    }
    variable.function = g_strdup(reader->function);
    g_array_append_val(reader->out->variables, variable);
    number = reader->out->variables->len;
    g_hash_table_insert(reader->variables, g_string_free(g_steal_pointer(&key), FALSE),
                        GUINT_TO_POINTER(number));
    return number;
}

/* ---- entries ----------------------------------------------------------------------------------
 */

static guint64 float_bits(const char *at, gboolean wide)
{
    guint64 bits;
    double value;
    if (g_str_has_prefix(at, "0x")) { /* those of a double, for a float too */
        bits = g_ascii_strtoull(at + 2, NULL, 16);
        memcpy(&value, &bits, sizeof value);
    } else {
        value = g_ascii_strtod(at, NULL);
    }
    if (!wide) {
        const float narrow = (float)value;
        guint32 word;
        memcpy(&word, &narrow, sizeof word);
        return word;
    }
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

/* The first operand of a DBG_VALUE. */
static void read_value(const char *at, WsMachineEntry *entry)
{
    if (take_register(&at, &entry->reg)) {
        entry->value = WS_MACHINE_REGISTER;
    } else if (g_ascii_isdigit(*at) || *at == '-') {
        entry->number = (guint64)g_ascii_strtoll(at, NULL, 10);
        entry->value = WS_MACHINE_NUMBER;
    } else if (take_word(&at, "float 0x") || take_word(&at, "float ")) {
        entry->number = float_bits(at[-1] == 'x' ? at - 2 : at, FALSE);
        entry->value = WS_MACHINE_NUMBER;
    } else if (take_word(&at, "double 0x") || take_word(&at, "double ")) {
        entry->number = float_bits(at[-1] == 'x' ? at - 2 : at, TRUE);
        entry->value = WS_MACHINE_NUMBER;
    }
    if (*at != ',' && entry->value == WS_MACHINE_REGISTER)
        entry->value = WS_MACHINE_UNKNOWN;
}

/* "" or "DW_OP_LLVM_fragment, 32, 32": all else is computed, and not followed. */
static gboolean read_expression(const char *at, const char *end, WsMachineEntry *entry)
{
    const char *fragment = g_strstr_len(at, end - at, "DW_OP_LLVM_fragment, ");
    if (fragment != NULL) {
        guint64 offset, size;
        const char *from = fragment + strlen("DW_OP_LLVM_fragment, ");
        if (!take_number(&from, &offset) || !take_word(&from, ", ") || !take_number(&from, &size) ||
            offset > G_MAXINT32 || size > G_MAXINT32 || size == 0)
            return FALSE;
        entry->offset = (guint32)offset;
        entry->size = (guint32)size;
    }
    return fragment != NULL ? fragment == at : at == end;
}

/* An entry on the variable, or on that part, is there already. */
static void note_change(Reader *reader, const WsMachineEntry *entry)
{
    g_autofree char *whole = g_strdup_printf("%u whole", entry->variable);
    g_autofree char *any = g_strdup_printf("%u any", entry->variable);
    char *part = g_strdup_printf("%u %u", entry->variable, entry->offset);
    if (g_hash_table_contains(reader->parts, whole) || g_hash_table_contains(reader->parts, part) ||
        (entry->size == 0 && g_hash_table_contains(reader->parts, any)))
        g_array_index(reader->out->variables, WsMachineVariable, entry->variable).is_changed = TRUE;
    if (entry->size == 0)
        g_hash_table_add(reader->parts, g_steal_pointer(&whole));
    g_hash_table_add(reader->parts, g_steal_pointer(&any));
    g_hash_table_add(reader->parts, part);
}

/*
 * DBG_VALUE %5:int32regs, $noreg, !"n", !DIExpression(), debug-location !9; k.cu:0 @[ k.cu:16:16 ]
 * line no:6
 * The second operand is $noreg where the value itself is meant, not what it points to.
 */
static void read_variable(Reader *reader, const char *text, guint32 block)
{
    WsMachineEntry entry = {.kind = WS_MACHINE_VARIABLE, .block = block};
    const char *value = text + strcspn(text, " ") + 1;
    const char *name = strstr(text, "!\""), *declared = g_strrstr(text, " line no:");
    const char *expression = strstr(text, "!DIExpression(");
    const char *place = strstr(text, ", debug-location ");
    if (name == NULL || declared == NULL || expression == NULL || place == NULL || declared < place)
        return;
    name += 2;
    expression += strlen("!DIExpression(");
    place += strcspn(place, ";");
    const char *end = strchr(expression, ')');
    const guint64 line = g_ascii_strtoull(declared + strlen(" line no:"), NULL, 10);
    const guint32 number =
        find_variable(reader, name, strcspn(name, "\""), (guint32)line, place, declared);
    if (number == 0 || end == NULL)
        return;
    entry.variable = number - 1;
    if (block != last_function(reader)->first_block)
        g_array_index(reader->out->variables, WsMachineVariable, number - 1).is_changed = TRUE;
    const gboolean plain = g_str_has_prefix(text, "DBG_VALUE ") &&
                           strstr(declared, " indirect") == NULL &&
                           strstr(text, ", $noreg, !\"") != NULL;
    if (read_expression(expression, end, &entry) && plain)
        read_value(value, &entry);
    note_change(reader, &entry);
    g_array_append_val(reader->out->entries, entry);
}

/* "..., debug-location !85; k.cu:5:55 @[ k.cu:16:16 ]" */
static guint32 find_location(Reader *reader, const char *text)
{
    const char *at = strstr(text, " debug-location ");
    at = at == NULL ? NULL : strstr(at, "; ");
    if (at == NULL)
        return 0;
    at += 2;
    const guint known = GPOINTER_TO_UINT(g_hash_table_lookup(reader->locations, at));
    if (known != 0)
        return known;
    const char *end = at + strlen(at), *calls = g_strstr_len(at, end - at, " @[ ");
    WsMachineCall place = {0};
    take_place(at, calls == NULL ? end : calls, &place);
    const WsMachineLocation location = {place.line, take_calls(at, end)};
    g_array_append_val(reader->out->locations, location);
    const guint number = reader->out->locations->len - 1;
    g_hash_table_insert(reader->locations, g_strdup(at), GUINT_TO_POINTER(number));
    return number;
}

/*
 * "LD_i32_areg_64 0, 1, 1, 0, 8, %19:int64regs": the fifth operand says how many bits are loaded.
 * "INT_PTX_LDG_GLOBAL_i8areg64 %19:int64regs": the name does.
 */
static guint32 read_loaded_bits(const char *at)
{
    enum { WIDTH = 5 };
    guint64 bits = 0;
    if (take_word(&at, "INT_PTX_LDG_GLOBAL_i") || take_word(&at, "INT_PTX_LDU_GLOBAL_i"))
        return take_number(&at, &bits) ? (guint32)MIN(bits, G_MAXUINT32) : 0;
    if (!g_str_has_prefix(at, "LD_") && !g_str_has_prefix(at, "LDV_"))
        return 0;
    at += strcspn(at, " ");
    for (guint i = 0; i < WIDTH; i++)
        if ((!take_word(&at, " ") && !take_word(&at, ", ")) || !take_number(&at, &bits))
            return 0;
    return (guint32)MIN(bits, G_MAXUINT32);
}

/* "dead early-clobber %23:int32regs" */
static gboolean take_written(Reader *reader, const char **at)
{
    static const char digits[] = "%0123456789";
    guint32 reg;
    while (take_word(at, "dead ") || take_word(at, "early-clobber ") ||
           take_word(at, "renamable ") || take_word(at, "undef "))
        ;
    const char *begin = *at;
    if (!take_register(at, &reg))
        return FALSE;
    begin += strspn(begin, digits);
    begin += *begin == ':';
    g_array_append_val(reader->out->registers, reg);
    g_ptr_array_add(reader->out->classes,
                    g_string_chunk_insert_len(reader->out->words, begin, (gssize)(*at - begin)));
    return TRUE;
}

/*
 * INLINEASM &"add.s32 $0, $1, $2;" [attdialect], $0:[regdef:Int32Regs], def %23:int32regs, ...
 * Strings have their quotes as \22.
 */
static void read_asm(Reader *reader, const char *text, guint32 block)
{
    WsMachineEntry entry = {
        .kind = WS_MACHINE_ASM, .block = block, .first_register = reader->out->registers->len};
    const char *begin = strchr(text, '"');
    const char *at = begin == NULL ? NULL : strchr(begin + 1, '"');
    at = at == NULL ? text : at;
    entry.location = find_location(reader, at);
    while ((at = strstr(at, "def ")) != NULL) {
        at += strlen("def ");
        (void)take_written(reader, &at);
    }
    entry.register_count = reader->out->registers->len - entry.first_register;
    g_array_append_val(reader->out->entries, entry);
}

/* "ADDi32rr" of "nsw ADDi32rr %1:int32regs, ...": words of lower case in front of it are flags. */
static const char *read_opcode(Reader *reader, const char *at)
{
    const char *next = at;
    gsize length;
    do {
        at = next;
        length = strcspn(at, " ,");
        next = at + length;
        next += strspn(next, " ");
    } while (g_ascii_islower(*at) && (g_ascii_isalpha(*next) || *next == '_'));
    return g_string_chunk_insert_len(reader->out->words, at, (gssize)length);
}

/* Registers in front of " = ". */
static void read_code(Reader *reader, const char *text, guint32 block)
{
    WsMachineEntry entry = {
        .kind = WS_MACHINE_CODE, .block = block, .first_register = reader->out->registers->len};
    const char *at = text;
    while (take_written(reader, &at) && take_word(&at, ", "))
        ;
    if (take_word(&at, " = "))
        entry.register_count = reader->out->registers->len - entry.first_register;
    if (g_str_has_prefix(at, "IMPLICIT_DEF") || g_str_has_prefix(at, "KILL"))
        return; /* no statement */
    entry.opcode = read_opcode(reader, at);
    entry.location = find_location(reader, at);
    entry.loaded_bits = read_loaded_bits(at);
    entry.is_parameter = entry.loaded_bits != 0 && strstr(at, "_param_") != NULL;
    g_array_append_val(reader->out->entries, entry);
}

static void read_entry(Reader *reader, const char *text)
{
    const guint32 block = reader->out->blocks->len - 1;
    if (g_str_has_prefix(text, "DBG_VALUE")) {
        read_variable(reader, text, block);
    } else if (g_str_has_prefix(text, "INLINEASM")) {
        read_asm(reader, text, block);
    } else if (!g_str_has_prefix(text, "DBG_")) {
        read_code(reader, text, block);
    }
}

/* ---- functions --------------------------------------------------------------------------------
 */

static void begin_function(Reader *reader, const char *name)
{
    const char *end = strchr(name, ':');
    WsMachineFunction function = {
        .name = g_strndup(name, end == NULL ? strlen(name) : (gsize)(end - name)),
        .first_block = reader->out->blocks->len,
        .first_entry = reader->out->entries->len};
    reader->inside = TRUE;
    reader->function = function.name;
    g_array_append_val(reader->out->functions, function);
}

static void begin_block(Reader *reader, const char *at)
{
    guint64 number = 0;
    take_number(&at, &number);
    const WsMachineBlock block = {.number = (guint32)number,
                                  .first_successor = reader->out->successors->len};
    g_array_append_val(reader->out->blocks, block);
}

/* "successors: %bb.1(0x40000000), %bb.5(0x40000000); ..." */
static void read_successors(Reader *reader, const char *at)
{
    WsMachineBlock *block =
        &g_array_index(reader->out->blocks, WsMachineBlock, reader->out->blocks->len - 1);
    const char *end = at + strcspn(at, ";");
    for (const char *next; (next = g_strstr_len(at, end - at, "%bb.")) != NULL;) {
        guint64 number;
        at = next + strlen("%bb.");
        if (!take_number(&at, &number))
            break;
        const guint32 to = (guint32)number;
        g_array_append_val(reader->out->successors, to);
        block->successor_count++;
    }
}

static void read_line(Reader *reader, const char *text)
{
    const char *at = text;
    if (take_word(&at, "# Machine code for function ")) {
        begin_function(reader, at);
    } else if (g_str_has_prefix(text, "# End machine code")) {
        if (reader->inside) {
            WsMachineFunction *function = last_function(reader);
            function->block_count = reader->out->blocks->len - function->first_block;
            function->entry_count = reader->out->entries->len - function->first_entry;
        }
        reader->inside = FALSE;
    } else if (!reader->inside) {
        return;
    } else if (take_word(&at, "bb.")) {
        begin_block(reader, at);
    } else if (take_word(&at, "  ") && *at != ' ' && *at != '\0' &&
               reader->out->blocks->len > last_function(reader)->first_block) {
        if (take_word(&at, "successors: "))
            read_successors(reader, at);
        else if (!g_str_has_prefix(at, "liveins: "))
            read_entry(reader, at);
    }
}

static void clear_function(gpointer function)
{
    g_free(((WsMachineFunction *)function)->name);
}

static void clear_variable(gpointer data)
{
    WsMachineVariable *variable = data;
    g_free(variable->function);
    g_free(variable->name);
    g_array_unref(variable->calls);
}

static void clear_location(gpointer location)
{
    if (((WsMachineLocation *)location)->calls != NULL)
        g_array_unref(((WsMachineLocation *)location)->calls);
}

WsMachineDump *ws_machine_dump_new(const char *text)
{
    WsMachineDump *out = g_new0(WsMachineDump, 1);
    Reader reader = {.out = out};
    g_autoptr(GString) line = g_string_new(NULL);
    out->functions = g_array_new(FALSE, FALSE, sizeof(WsMachineFunction));
    g_array_set_clear_func(out->functions, clear_function);
    out->blocks = g_array_new(FALSE, FALSE, sizeof(WsMachineBlock));
    out->successors = g_array_new(FALSE, FALSE, sizeof(guint32));
    out->entries = g_array_new(FALSE, FALSE, sizeof(WsMachineEntry));
    out->registers = g_array_new(FALSE, FALSE, sizeof(guint32));
    out->classes = g_ptr_array_new();
    out->words = g_string_chunk_new(4096);
    out->variables = g_array_new(FALSE, FALSE, sizeof(WsMachineVariable));
    g_array_set_clear_func(out->variables, clear_variable);
    out->locations = g_array_new(FALSE, TRUE, sizeof(WsMachineLocation));
    g_array_set_size(out->locations, 1);
    g_array_set_clear_func(out->locations, clear_location);
    reader.parts = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
    reader.locations = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
    reader.variables = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
    while (*text != '\0') {
        const gsize length = strcspn(text, "\n");
        g_string_truncate(line, 0);
        g_string_append_len(line, text, (gssize)length);
        read_line(&reader, g_str_has_prefix(line->str, "//") ? line->str + 2 : line->str);
        text += length + (text[length] == '\n');
    }
    g_hash_table_unref(reader.variables);
    g_hash_table_unref(reader.locations);
    g_hash_table_unref(reader.parts);
    return out;
}

void ws_machine_dump_free(WsMachineDump *dump)
{
    if (dump == NULL)
        return;
    g_array_unref(dump->functions);
    g_array_unref(dump->blocks);
    g_array_unref(dump->successors);
    g_array_unref(dump->entries);
    g_array_unref(dump->registers);
    g_ptr_array_unref(dump->classes);
    g_string_chunk_free(dump->words);
    g_array_unref(dump->locations);
    g_array_unref(dump->variables);
    g_free(dump);
}
