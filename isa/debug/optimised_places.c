#include "isa/debug/optimised_places.h"

#include "isa/debug/assigned_names.h"
#include "isa/debug/value_flow.h"
#include "isa/debug/value_places.h"

#include <string.h>

enum {
    WORD = 4,
    BITS = 8,
    MAX_BYTES = 256,      /* of a variable that is looked for */
    MAX_PLACES = 1 << 20, /* of a program */
    NOWHERE = G_MAXUINT32
};

/* A variable and what is known of it so far. */
typedef struct {
    WsOptimisedVariable of;
    guint64 bytes;
    guint32 first_value, value_count; /* in WsMachineValues.values */
    guint32 range;                    /* of its scope: the one at hand */
    GArray *places;                   /* of WsVariablePlace */
    GArray *assigned;                 /* of guint32: lines of the source that assign it */
    guint8 *is_doubted;               /* per value: a number that the source does not assign */
    guint calls;                      /* that its function is inlined in */
    guint32 *flow; /* of exact values: per instruction of the reference, the one in front of it */
} Seeker;

typedef struct {
    const WsCompiled *compiled;
    WsVariableTable *table;
    const WsIrFunction *function;
    GHashTable *statements; /* frame and line of the PTX -> GArray of guint32: instructions of the
                               reference, the first of it in each block */
    GArray *seekers;        /* of Seeker */
} Finder;

guint32 ws_machine_variable_find(const WsMachineValues *values, const char *function,
                                 const WsMachineVariable *like)
{
    for (guint32 v = 0; v < values->variables->len; v++) {
        const WsMachineVariable *variable = &g_array_index(values->variables, WsMachineVariable, v);
        if (variable->line == like->line && variable->calls->len == like->calls->len &&
            strcmp(variable->name, like->name) == 0 && strcmp(variable->function, function) == 0 &&
            (like->calls->len == 0 || memcmp(variable->calls->data, like->calls->data,
                                             like->calls->len * sizeof(WsMachineCall)) == 0))
            return v;
    }
    return WS_NO_VARIABLE;
}

/* ---- pieces -----------------------------------------------------------------------------------
 */

static void append_piece(GArray *pieces, const WsVariablePiece *piece)
{
    WsVariablePiece *last =
        pieces->len == 0 ? NULL : &g_array_index(pieces, WsVariablePiece, pieces->len - 1);
    const gboolean whole_words = last != NULL && last->bytes % WORD == 0;
    const gboolean alike = last != NULL && last->kind == piece->kind;
    if (alike && piece->kind == WS_PIECE_UNKNOWN)
        last->bytes += piece->bytes;
    else if (alike && whole_words && piece->kind == WS_PIECE_REGISTER &&
             piece->index == last->index + last->bytes / WORD)
        last->bytes += piece->bytes;
    else if (alike && whole_words && piece->kind == WS_PIECE_CONSTANT &&
             piece->index == last->index && piece->value == last->value + last->bytes)
        last->bytes += piece->bytes;
    else
        g_array_append_vals(pieces, piece, 1);
}

static void append_unknown(GArray *pieces, guint32 bytes)
{
    const WsVariablePiece piece = {.kind = WS_PIECE_UNKNOWN, .bytes = bytes};
    if (bytes > 0)
        append_piece(pieces, &piece);
}

static void append_number(GArray *pieces, guint64 number, guint32 bytes)
{
    enum { MOST = 8 };
    const guint64 mask = bytes >= MOST ? G_MAXUINT64 : (G_GUINT64_CONSTANT(1) << BITS * bytes) - 1;
    const WsVariablePiece piece = {
        .kind = WS_PIECE_IMMEDIATE, .bytes = bytes, .value = number & mask};
    if (bytes > MOST)
        append_unknown(pieces, bytes);
    else
        append_piece(pieces, &piece);
}

/* The first word of the reference for a register of the PTX, and how many it has; 0 = not known. */
static guint words_of_register(const Finder *finder, guint32 frame, const char *name,
                               guint32 *ret_first)
{
    const WsIrFrame *noted = &g_array_index(finder->compiled->module->frames, WsIrFrame, frame);
    const guint32 number = noted->registers == NULL
                               ? 0
                               : GPOINTER_TO_UINT(g_hash_table_lookup(noted->registers, name));
    if (number < WS_VIRTUAL_BASE)
        return 0;
    const guint32 *first = finder->function->reference->variables.first;
    *ret_first = first[number - WS_VIRTUAL_BASE];
    return first[number - WS_VIRTUAL_BASE + 1] - *ret_first;
}

static void append_register(const Finder *finder, const WsValueView *view, guint32 frame,
                            const char *name, guint32 at, guint32 bytes, GArray *pieces)
{
    guint32 first = 0;
    const guint words = words_of_register(finder, frame, name, &first);
    if (bytes > words * WORD) {
        append_unknown(pieces, bytes);
        return;
    }
    for (guint32 w = 0; w * WORD < bytes; w++) {
        const WsWordPlace place = ws_value_view_word(view, first + w, at);
        WsVariablePiece piece = {.kind = place.kind,
                                 .bytes = MIN(bytes - w * WORD, WORD),
                                 .index = place.index,
                                 .value = place.value};
        if (piece.kind == WS_PIECE_REGISTER && piece.index >= WS_RZ)
            piece.kind = WS_PIECE_UNKNOWN; /* written to nowhere, as nobody reads it */
        if (piece.kind == WS_PIECE_IMMEDIATE && piece.bytes < WORD)
            piece.value &= (1u << BITS * piece.bytes) - 1;
        append_piece(pieces, &piece);
    }
}

static void append_value(const Finder *finder, const WsValueView *view, guint32 frame,
                         const WsMachineValue *value, guint32 at, guint32 bytes, GArray *pieces)
{
    if (value->reg != NULL && value->loaded_bits != 0 && value->loaded_bits < bytes * BITS)
        append_unknown(pieces, bytes); /* LLVM may have left the upper part out */
    else if (value->reg == NULL)
        append_number(pieces, value->number, bytes);
    else
        append_register(finder, view, frame, value->reg, at, bytes, pieces);
}

static gint compare_offsets(gconstpointer a, gconstpointer b)
{
    const WsMachineValue *const *x = a, *const *y = b;
    return (*x)->offset < (*y)->offset ? -1 : (*x)->offset > (*y)->offset;
}

/* The source has an assignment between the one of the value and a line, which LLVM has dropped. */
static gboolean is_outdated(const Seeker *seeker, const WsMachineValue *value, guint32 line)
{
    for (guint i = 0; i < seeker->assigned->len; i++) {
        const guint32 other = g_array_index(seeker->assigned, guint32, i);
        if (other > value->assigned && other < line)
            return TRUE;
    }
    return FALSE;
}

static const WsMachineValue *value_number(const Finder *finder, guint32 number)
{
    return &g_array_index(finder->compiled->values->values, WsMachineValue, number);
}

/*
 * The values of a variable, or of parts of it, in front of a line of the PTX and of the source, and
 * of instruction `at` of the reference.
 */
static GPtrArray *values_at(const Finder *finder, const Seeker *seeker, guint32 line,
                            guint32 source_line, guint32 at)
{
    GPtrArray *found = g_ptr_array_new();
    if (seeker->flow != NULL) {
        if (seeker->flow[at] != WS_NO_VALUE)
            g_ptr_array_add(found, (gpointer)value_number(finder, seeker->flow[at]));
        return found;
    }
    for (guint32 i = seeker->first_value; i < seeker->first_value + seeker->value_count; i++) {
        const WsMachineValue *value = value_number(finder, i);
        if (value->first <= line && line < value->end &&
            !seeker->is_doubted[i - seeker->first_value] &&
            !is_outdated(seeker, value, source_line))
            g_ptr_array_add(found, (gpointer)value);
    }
    g_ptr_array_sort(found, compare_offsets);
    return found;
}

/* The pieces of a variable at an instruction; none if no part is known. */
static void find_pieces(const Finder *finder, const WsValueView *view, const Seeker *seeker,
                        guint32 line, guint32 source_line, guint32 at, GArray *pieces)
{
    g_autoptr(GPtrArray) values = values_at(finder, seeker, line, source_line, at);
    guint64 next = 0;
    for (guint i = 0; i < values->len; i++) {
        const WsMachineValue *value = values->pdata[i];
        const guint64 begin = value->offset / BITS;
        const guint64 bytes = value->size == 0 ? seeker->bytes : value->size / BITS;
        if (value->offset % BITS != 0 || value->size % BITS != 0 || begin < next ||
            begin + bytes > seeker->bytes)
            continue;
        append_unknown(pieces, (guint32)(begin - next));
        append_value(finder, view, seeker->of.frame, value, at, (guint32)bytes, pieces);
        next = begin + bytes;
    }
    append_unknown(pieces, (guint32)(seeker->bytes - next));
    gboolean known = FALSE;
    for (guint i = 0; i < pieces->len; i++)
        known = known || g_array_index(pieces, WsVariablePiece, i).kind != WS_PIECE_UNKNOWN;
    if (!known)
        g_array_set_size(pieces, 0);
}

/* ---- places -----------------------------------------------------------------------------------
 */

/* The instruction follows the last place, which has the same pieces. */
static gboolean extend(const Finder *finder, Seeker *seeker, guint32 instruction,
                       const GArray *pieces)
{
    if (seeker->places->len == 0)
        return FALSE;
    WsVariablePlace *last =
        &g_array_index(seeker->places, WsVariablePlace, seeker->places->len - 1);
    if (last->code.first + last->code.count != instruction || last->piece_count != pieces->len)
        return FALSE;
    for (guint i = 0; i < pieces->len; i++) {
        const WsVariablePiece *x = &g_array_index(pieces, WsVariablePiece, i);
        const WsVariablePiece *y = ws_variable_table_piece(finder->table, last->first_piece + i);
        if (x->kind != y->kind || x->bytes != y->bytes || x->index != y->index ||
            x->value != y->value)
            return FALSE;
    }
    last->code.count++;
    return TRUE;
}

static void note_place(const Finder *finder, Seeker *seeker, guint32 instruction,
                       const GArray *pieces)
{
    if (pieces->len == 0 || extend(finder, seeker, instruction, pieces) ||
        finder->table->pieces->len >= MAX_PLACES)
        return;
    const WsVariablePlace place = {{instruction, 1}, finder->table->pieces->len, pieces->len};
    g_array_append_vals(finder->table->pieces, pieces->data, pieces->len);
    g_array_append_val(seeker->places, place);
}

/* Instructions come by rising number. */
static gboolean is_in_scope(const Finder *finder, Seeker *seeker, guint32 instruction)
{
    const WsSourceVariable *variable =
        ws_variable_table_variable(finder->table, seeker->of.variable);
    const WsSourceScope *scope = ws_variable_table_scope(finder->table, variable->scope);
    for (; seeker->range < scope->range_count; seeker->range++) {
        const WsCodeRange *range =
            &g_array_index(finder->table->ranges, WsCodeRange, scope->first_range + seeker->range);
        if (instruction < range->first)
            return FALSE;
        if (instruction - range->first < range->count)
            return TRUE;
    }
    return FALSE;
}

/* ---- where an instruction stands --------------------------------------------------------------
 */

static const WsLocation *module_location(const Finder *finder, guint32 number)
{
    return &g_array_index(finder->compiled->module->locations, WsLocation, number);
}

static gint64 statement_key(guint32 frame, guint32 line)
{
    return (gint64)((guint64)frame << 32 | line);
}

/* The first instruction of the reference that the code has for a statement of the PTX, or NOWHERE.
 */
static guint32 find_statement(const Finder *finder, const WsValueView *view, guint32 frame,
                              guint32 line)
{
    const gint64 key = statement_key(frame, line);
    const GArray *list = g_hash_table_lookup(finder->statements, &key);
    for (guint i = 0; list != NULL && i < list->len; i++)
        if (ws_value_view_covers(view, g_array_index(list, guint32, i)))
            return g_array_index(list, guint32, i);
    return NOWHERE;
}

static void note_statement(Finder *finder, guint32 i)
{
    const WsReference *reference = finder->function->reference;
    const WsLocation *at =
        module_location(finder, g_array_index(reference->instructions, WsInstruction, i).location);
    const gint64 key = statement_key(at->frame, at->ptx_line);
    GArray *list = g_hash_table_lookup(finder->statements, &key);
    if (at->ptx_line == 0)
        return;
    if (list == NULL) {
        list = g_array_new(FALSE, FALSE, sizeof(guint32));
        g_hash_table_insert(finder->statements, g_memdup2(&key, sizeof key), list);
    }
    g_array_append_val(list, i);
}

static void note_statements(Finder *finder)
{
    const WsReference *reference = finder->function->reference;
    for (guint b = 0; b < reference->blocks->len; b++) {
        const WsReferenceBlock *block = &g_array_index(reference->blocks, WsReferenceBlock, b);
        for (guint32 i = block->first; i < block->first + block->count; i++)
            if (i == block->first ||
                g_array_index(reference->instructions, WsInstruction, i).location !=
                    g_array_index(reference->instructions, WsInstruction, i - 1).location)
                note_statement(finder, i);
    }
}

/*
 * The line of the PTX at which a frame is while an instruction of its own or of what it calls runs;
 * 0 if it is not in that frame.
 */
static guint32 line_of_frame(const Finder *finder, const WsLocation *location, guint32 frame)
{
    guint32 line = location->ptx_line;
    for (guint32 f = location->frame; f != 0;) {
        const WsIrFrame *noted = &g_array_index(finder->compiled->module->frames, WsIrFrame, f);
        if (f == frame)
            return line;
        line = noted->call == 0 ? 0 : module_location(finder, noted->call)->ptx_line;
        f = noted->caller;
    }
    return 0;
}

/* An instruction that has the line of another one is shown where its own statement is not. */
static gboolean has_own_line(const Finder *finder, const WsLocation *location, guint32 at)
{
    const WsInstruction *own =
        &g_array_index(finder->function->reference->instructions, WsInstruction, at);
    const WsLocation *place = module_location(finder, own->location);
    return place->line == location->line && place->file == location->file && place->line != 0;
}

/* The line in the function that the variable belongs to; any line if that is not known. */
static guint32 source_line_of(const WsProgram *program, const WsLocation *location,
                              const Seeker *seeker)
{
    guint depth = 0;
    for (const WsLocation *at = location; at->inlined_at != 0;
         at = &program->locations[at->inlined_at])
        depth++;
    for (; depth > seeker->calls; depth--)
        location = &program->locations[location->inlined_at];
    return depth == seeker->calls ? location->line : G_MAXUINT32;
}

static void visit(const WsValueView *view, guint32 b, guint i, gpointer data)
{
    Finder *finder = data;
    const WsProgram *program = finder->compiled->program;
    const guint32 instruction = ws_ir_block(finder->function, b)->first + i;
    /* a branch to the block behind is not emitted */
    if (instruction >= program->instruction_count ||
        (b + 1 < finder->function->blocks->len &&
         instruction >= ws_ir_block(finder->function, b + 1)->first))
        return;
    const WsLocation *location = &program->locations[program->instructions[instruction].location];
    const guint32 at = find_statement(finder, view, location->frame, location->ptx_line);
    if (at == NOWHERE || !has_own_line(finder, location, at))
        return;
    g_autoptr(GArray) pieces = g_array_new(FALSE, FALSE, sizeof(WsVariablePiece));
    for (guint s = 0; s < finder->seekers->len; s++) {
        Seeker *seeker = &g_array_index(finder->seekers, Seeker, s);
        const guint32 line = is_in_scope(finder, seeker, instruction)
                                 ? line_of_frame(finder, location, seeker->of.frame)
                                 : 0;
        if (line == 0)
            continue;
        g_array_set_size(pieces, 0);
        find_pieces(finder, view, seeker, line, source_line_of(program, location, seeker), at,
                    pieces);
        note_place(finder, seeker, instruction, pieces);
    }
}

/* ---- the whole --------------------------------------------------------------------------------
 */

static void find_values(const Finder *finder, Seeker *seeker)
{
    const GArray *values = finder->compiled->values->values;
    guint32 low = 0, high = values->len;
    while (low < high) {
        const guint32 middle = low + (high - low) / 2;
        if (g_array_index(values, WsMachineValue, middle).variable < seeker->of.machine)
            low = middle + 1;
        else
            high = middle;
    }
    seeker->first_value = low;
    while (low < values->len &&
           g_array_index(values, WsMachineValue, low).variable == seeker->of.machine)
        low++;
    seeker->value_count = low - seeker->first_value;
}

/*
 * LLVM gives a variable a number also where the code needs no more than some of its bits, and those
 * are known (InstCombine, demanded bits): 0 for `(unsigned long long)x << 33` if only the lower
 * half is used. So a number holds only where the text assigns one.
 */
static void doubt_numbers(const Finder *finder, Seeker *seeker, const char *text, const char *name)
{
    seeker->is_doubted = g_new0(guint8, seeker->value_count + 1);
    for (guint32 i = 0; i < seeker->value_count; i++) {
        const WsMachineValue *value = &g_array_index(finder->compiled->values->values,
                                                     WsMachineValue, seeker->first_value + i);
        seeker->is_doubted[i] = value->reg == NULL &&
                                (text == NULL || !ws_name_gets_number(text, value->assigned, name));
    }
}

/* A location without bounds is none that begins with an assignment; parts are not followed. */
static void follow_values(const Finder *finder, Seeker *seeker)
{
    gboolean has_parts = FALSE;
    for (guint32 v = 0; v < seeker->value_count; v++)
        has_parts = has_parts || value_number(finder, seeker->first_value + v)->size != 0;
    if (seeker->value_count > 1 && !has_parts)
        seeker->flow =
            ws_value_flow(finder->function->reference, finder->compiled->module, seeker->of.frame,
                          finder->compiled->values, seeker->first_value, seeker->value_count);
}

static void find_assignments(const Finder *finder, Seeker *seeker)
{
    const WsSourceVariable *variable =
        ws_variable_table_variable(finder->table, seeker->of.variable);
    const char *file = finder->compiled->program->files[variable->file];
    const char *text = finder->compiled->sources == NULL
                           ? NULL
                           : g_hash_table_lookup(finder->compiled->sources, file);
    seeker->assigned = g_array_new(FALSE, FALSE, sizeof(guint32));
    if (finder->compiled->values->is_exact) {
        seeker->is_doubted = g_new0(guint8, seeker->value_count + 1);
        follow_values(finder, seeker);
        return;
    }
    seeker->calls =
        g_array_index(finder->compiled->values->variables, WsMachineVariable, seeker->of.machine)
            .calls->len;
    if (text != NULL)
        ws_name_assigned_lines(text, variable->line, variable->name, seeker->assigned);
    doubt_numbers(finder, seeker, text, variable->name);
}

static void add_seekers(Finder *finder, const GArray *variables)
{
    for (guint i = 0; i < variables->len; i++) {
        Seeker seeker = {.of = g_array_index(variables, WsOptimisedVariable, i)};
        const WsSourceVariable *variable =
            ws_variable_table_variable(finder->table, seeker.of.variable);
        seeker.bytes = ws_variable_table_type(finder->table, variable->type)->bytes;
        find_values(finder, &seeker);
        if (seeker.bytes == 0 || seeker.bytes > MAX_BYTES || seeker.value_count == 0)
            continue;
        find_assignments(finder, &seeker);
        seeker.places = g_array_new(FALSE, FALSE, sizeof(WsVariablePlace));
        g_array_append_val(finder->seekers, seeker);
    }
}

static void take_places(Finder *finder)
{
    for (guint s = 0; s < finder->seekers->len; s++) {
        Seeker *seeker = &g_array_index(finder->seekers, Seeker, s);
        WsSourceVariable *variable =
            &g_array_index(finder->table->variables, WsSourceVariable, seeker->of.variable);
        variable->first_place = finder->table->places->len;
        variable->place_count = seeker->places->len;
        g_array_append_vals(finder->table->places, seeker->places->data, seeker->places->len);
        g_array_unref(seeker->places);
        g_array_unref(seeker->assigned);
        g_free(seeker->is_doubted);
        g_free(seeker->flow);
    }
}

void ws_optimised_places_add(const WsCompiled *compiled, guint32 kernel, const GArray *variables,
                             WsVariableTable *table)
{
    Finder finder = {.compiled = compiled,
                     .table = table,
                     .function = g_ptr_array_index(compiled->functions, kernel)};
    if (finder.function->reference == NULL || variables->len == 0)
        return;
    finder.statements =
        g_hash_table_new_full(g_int64_hash, g_int64_equal, g_free, (GDestroyNotify)g_array_unref);
    finder.seekers = g_array_new(FALSE, FALSE, sizeof(Seeker));
    note_statements(&finder);
    add_seekers(&finder, variables);
    if (finder.seekers->len > 0)
        ws_value_places_visit(finder.function, visit, &finder);
    take_places(&finder);
    g_array_unref(finder.seekers);
    g_hash_table_unref(finder.statements);
}
