#include "sim/starter/starter_reach.h"

#include "isa/bytecode/accesses.h"
#include "isa/bytecode/operand.h"
#include "sim/interpreter/interpreter.h"

enum { BITS_OF_LINE = 32 };

typedef struct {
    const WsProgram *program;
    const WsKernel *kernel;
    const guint8 *reached; /* NULL: all is */
} Code;

static const WsInstruction *instruction_at(const Code *code, guint32 index)
{
    return &code->program->instructions[index];
}

static guint32 end_of(const Code *code)
{
    return code->kernel->first + code->kernel->count;
}

static gboolean is_jump(const WsInstruction *instruction)
{
    WsKind kind = ws_opcode_info(instruction->opcode)->kind;
    return ws_kind_is_branch(kind) || kind == WS_KIND_EXIT;
}

/* A branch or an exit that no lane takes has been carried out as well. */
static gboolean is_done(const Code *code, guint32 index)
{
    guint8 enough =
        is_jump(instruction_at(code, index)) ? WS_REACHED_COME | WS_REACHED_DONE : WS_REACHED_DONE;
    return code->reached == NULL || (code->reached[index] & enough) != 0;
}

/* ---- lines ------------------------------------------------------------------------------------
 */

static gboolean is_shown(const Code *code, const WsLocation *location)
{
    char **sources = code->program->sources;
    return location->line != 0 && sources != NULL && sources[location->file][0] != '\0';
}

/* The innermost place that has a text to look at, or NULL. */
static const WsLocation *place_of(const Code *code, guint32 index)
{
    const WsLocation *all = code->program->locations;
    for (guint32 at = instruction_at(code, index)->location; at != 0; at = all[at].inlined_at)
        if (is_shown(code, &all[at]))
            return &all[at];
    return NULL;
}

/* What is not moved in front of a branch. */
static gboolean stays(const WsInstruction *instruction)
{
    WsKind kind = ws_opcode_info(instruction->opcode)->kind;
    return ws_kind_is_memory(kind) || kind == WS_KIND_SYSTEM || kind == WS_KIND_BARRIER ||
           ws_kind_is_trap(kind);
}

/*
 * A register gets what is there anyway. The compiler puts such copies on one of two ways that meet,
 * with the line of a statement behind the meeting.
 */
static gboolean copies(const WsInstruction *instruction)
{
    guint class = ws_opcode_info(instruction->opcode)->execution_class;

    return class == WS_CLASS_CONSTANT_LOAD || class == WS_CLASS_UNIFORM_LOAD ||
           ws_copied_operand(instruction) != NULL;
}

typedef struct {
    guint64 key;    /* file and line */
    guint32 index;  /* of its first instruction */
    gboolean works; /* it has more than copies, and jumps such as a closing brace has */
    gboolean stays, stays_done, done;
} Line;

static gint by_key(gconstpointer a, gconstpointer b)
{
    const Line *x = a, *y = b;
    return (x->key > y->key) - (x->key < y->key);
}

static GArray *lines_of(const Code *code)
{
    GArray *lines = g_array_new(FALSE, FALSE, sizeof(Line));
    g_autoptr(GHashTable) known = g_hash_table_new_full(g_int64_hash, g_int64_equal, g_free, NULL);
    for (guint32 i = code->kernel->first; i < end_of(code); i++) {
        const WsLocation *place = place_of(code, i);
        if (place == NULL)
            continue;
        gint64 key = (gint64)((guint64)place->file << BITS_OF_LINE | place->line);
        gpointer number;
        if (!g_hash_table_lookup_extended(known, &key, NULL, &number)) {
            const Line line = {.key = (guint64)key, .index = i};
            number = GUINT_TO_POINTER(lines->len);
            g_hash_table_insert(known, g_memdup2(&key, sizeof key), number);
            g_array_append_val(lines, line);
        }
        Line *line = &g_array_index(lines, Line, GPOINTER_TO_UINT(number));
        gboolean done = is_done(code, i);
        line->works =
            line->works || (!is_jump(instruction_at(code, i)) && !copies(instruction_at(code, i)));
        line->done = line->done || done;
        if (stays(instruction_at(code, i))) {
            line->stays_done = line->stays_done || done;
            if (!line->stays)
                line->index = i;
            line->stays = TRUE;
        }
    }
    g_array_sort(lines, by_key);
    return lines;
}

static gboolean is_reached(const Line *line)
{
    return line->stays ? line->stays_done : line->done;
}

guint32 ws_starter_count_reached(const WsProgram *program, const WsKernel *kernel,
                                 const guint8 *reached)
{
    const Code code = {program, kernel, reached};
    g_autoptr(GArray) lines = lines_of(&code);
    guint32 count = 0;
    for (guint32 i = kernel->first; i < end_of(&code); i++)
        count += stays(instruction_at(&code, i)) && is_done(&code, i);
    for (guint i = 0; i < lines->len; i++) {
        const Line *line = &g_array_index(lines, Line, i);
        count += line->works && is_reached(line);
    }
    return count;
}

/* ---- which branch -----------------------------------------------------------------------------
 */

static gboolean is_conditional(const WsInstruction *instruction)
{
    WsRegisterAccess accesses[WS_MAX_ACCESSES];
    if (!is_jump(instruction))
        return FALSE;
    guint count = ws_instruction_accesses(instruction, accesses);
    for (guint i = 0; i < count; i++)
        if (accesses[i].file == WS_FILE_PREDICATE || accesses[i].file == WS_FILE_UNIFORM_PREDICATE)
            return TRUE;
    return FALSE;
}

/* Where control goes from here; returns how many places. */
static guint successors(const Code *code, guint32 index, guint32 ret[2])
{
    const WsInstruction *instruction = instruction_at(code, index);
    guint count = 0;
    for (guint o = 0; o < instruction->operand_count; o++)
        if (instruction->operand[o].kind == WS_OPERAND_TARGET &&
            ws_kind_is_branch(ws_instruction_kind(instruction)))
            ret[count++] = instruction->operand[o].value;
    gboolean goes_on = !ws_opcode_ends_block(instruction->opcode) || is_conditional(instruction) ||
                       ws_is_kind(instruction, WS_KIND_CALL);
    if (goes_on && count < 2)
        ret[count++] = index + 1;
    return count;
}

/* Whether `to` is reached from `from` by instructions that no thread came to. */
static gboolean leads_to(const Code *code, guint32 from, guint32 to)
{
    g_autoptr(GArray) open = g_array_new(FALSE, FALSE, sizeof(guint32));
    g_autofree guint8 *seen = g_malloc0(code->kernel->count);
    g_array_append_val(open, from);
    while (open->len > 0) {
        guint32 at = g_array_index(open, guint32, open->len - 1), next[2];
        g_array_set_size(open, open->len - 1);
        if (at < code->kernel->first || at >= end_of(code) || code->reached[at] != 0 ||
            seen[at - code->kernel->first])
            continue;
        if (at == to)
            return TRUE;
        seen[at - code->kernel->first] = TRUE;
        guint count = successors(code, at, next);
        for (guint i = 0; i < count; i++)
            g_array_append_val(open, next[i]);
    }
    return FALSE;
}

/* The instruction whose condition keeps all threads from `to`; G_MAXUINT32 if none is found. */
static guint32 find_decision(const Code *code, guint32 to)
{
    if (code->reached[to] != 0)
        return to; /* its own guard */
    for (guint32 i = code->kernel->first; i < end_of(code); i++) {
        guint32 next[2];
        if (code->reached[i] == 0 || !is_conditional(instruction_at(code, i)))
            continue;
        guint count = successors(code, i, next);
        for (guint n = 0; n < count; n++)
            if (leads_to(code, next[n], to))
                return i;
    }
    return G_MAXUINT32;
}

/* ---- what it depends on -----------------------------------------------------------------------
 */

static void mark_parameter(const Code *code, const WsOperand *operand, gboolean *decisive)
{
    if (operand->kind != WS_OPERAND_CONSTANT || operand->bank != 0 ||
        operand->value < code->program->parameter_base)
        return;
    guint32 offset = operand->value - code->program->parameter_base;
    for (guint32 i = 0; i < code->kernel->parameter_count; i++) {
        const WsParameter *parameter = &code->kernel->parameters[i];
        if (offset >= parameter->offset && offset - parameter->offset < parameter->size)
            decisive[i] = TRUE;
    }
}

static gboolean writes(const WsInstruction *instruction, const WsRegisterAccess *wanted)
{
    WsRegisterAccess accesses[WS_MAX_ACCESSES];
    guint count = ws_instruction_accesses(instruction, accesses);
    for (guint i = 0; i < count; i++)
        if (accesses[i].write && accesses[i].file == wanted->file &&
            accesses[i].index < wanted->index + MAX(wanted->words, 1) &&
            wanted->index < accesses[i].index + MAX(accesses[i].words, 1))
            return TRUE;
    return FALSE;
}

/*
 * Those that may have written what is read: going back in the text, up to the first that surely
 * does. From the top on from the end: in loops it stands below. One too many does little harm.
 */
static void add_writers(const Code *code, guint32 from, const WsRegisterAccess *read, GArray *open)
{
    guint32 count = code->kernel->count, place = from - code->kernel->first;
    for (guint32 back = 1; back <= count; back++) {
        guint32 at = code->kernel->first + (place + count - back) % count;
        if (!writes(instruction_at(code, at), read))
            continue;
        g_array_append_val(open, at);
        if (!ws_is_guarded(instruction_at(code, at)))
            return;
    }
}

static void add_reads(const Code *code, guint32 index, gboolean condition_only, GArray *open)
{
    WsRegisterAccess accesses[WS_MAX_ACCESSES];
    const WsInstruction *instruction = instruction_at(code, index);
    guint count = ws_instruction_accesses(instruction, accesses);
    gboolean branches = is_jump(instruction);
    for (guint i = 0; i < count; i++)
        if (!accesses[i].write &&
            (!condition_only || branches || accesses[i].operand == WS_ACCESS_GUARD))
            add_writers(code, index, &accesses[i], open);
}

static void find_decisive(const Code *code, guint32 decision, gboolean *decisive)
{
    g_autoptr(GArray) open = g_array_new(FALSE, FALSE, sizeof(guint32));
    g_autofree guint8 *seen = g_malloc0(code->kernel->count);
    add_reads(code, decision, TRUE, open);
    while (open->len > 0) {
        guint32 at = g_array_index(open, guint32, open->len - 1);
        g_array_set_size(open, open->len - 1);
        if (seen[at - code->kernel->first])
            continue;
        seen[at - code->kernel->first] = TRUE;
        const WsInstruction *instruction = instruction_at(code, at);
        for (guint o = 0; o < instruction->operand_count; o++)
            mark_parameter(code, &instruction->operand[o], decisive);
        add_reads(code, at, FALSE, open);
    }
}

/* The last instruction above that may have set the guard of this one. */
static guint32 guard_writer(const Code *code, guint32 index)
{
    g_autoptr(GArray) writers = g_array_new(FALSE, FALSE, sizeof(guint32));
    add_reads(code, index, TRUE, writers);
    return writers->len > 0 ? g_array_index(writers, guint32, 0) : index;
}

/* ---- all --------------------------------------------------------------------------------------
 */

static void clear_lines(gpointer lines)
{
    g_free(((WsUnreachedLines *)lines)->decisive);
}

static WsUnreachedLines explain(const Code *code, const Line *line)
{
    guint32 number = (guint32)line->key;
    WsUnreachedLines lines = {
        .file = (guint32)(line->key >> BITS_OF_LINE),
        .first = number,
        .last = number,
        .decisive = g_new0(gboolean, MAX(code->kernel->parameter_count, 1)),
    };
    guint32 decision = find_decision(code, line->index);
    if (decision == G_MAXUINT32)
        return lines;
    guint32 condition = decision == line->index ? guard_writer(code, decision) : decision;
    const WsLocation *place = place_of(code, condition);
    lines.decided_at = place != NULL && place->file == lines.file ? place->line : 0;
    find_decisive(code, decision, lines.decisive);
    return lines;
}

GArray *ws_starter_find_unreached(const WsProgram *program, const WsKernel *kernel,
                                  const guint8 *reached)
{
    const Code code = {program, kernel, reached};
    GArray *found = g_array_new(FALSE, FALSE, sizeof(WsUnreachedLines));
    g_array_set_clear_func(found, clear_lines);
    g_autoptr(GArray) lines = lines_of(&code);
    gboolean follows = FALSE;
    for (guint i = 0; i < lines->len; i++) {
        const Line *line = &g_array_index(lines, Line, i);
        if (!line->works)
            continue;
        gboolean missing = !is_reached(line);
        WsUnreachedLines *last =
            found->len == 0 ? NULL : &g_array_index(found, WsUnreachedLines, found->len - 1);
        if (missing && follows && last->file == (guint32)(line->key >> BITS_OF_LINE)) {
            last->last = (guint32)line->key;
        } else if (missing) {
            WsUnreachedLines more = explain(&code, line);
            g_array_append_val(found, more);
        }
        follows = missing;
    }
    return found;
}
