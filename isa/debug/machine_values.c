#include "isa/debug/machine_values.h"

#include "isa/base/number_set.h"
#include "isa/debug/machine_dump.h"
#include "isa/debug/ptx_statements.h"
#include "isa/debug/source_order.h"

#include <string.h>

enum { MAX_STATES = 1 << 21 /* of blocks and parts of variables */ };

/* A variable or a part of one. */
typedef struct {
    guint32 variable, offset, size;
    guint32 next; /* of the variable, + 1, 0 = last */
} Slot;

/* Where a slot is: 0 = unknown, else number of a place + 1. */
typedef struct {
    WsMachineValueKind kind;
    guint32 reg;
    guint64 number;
    WsAssignment assignment; /* that put it there; none of several */
    gboolean is_old;         /* that was before a jump back, or may have been */
} Place;

typedef struct {
    const WsMachineDump *dump;
    const WsPtxStatements *ptx;
    WsMachineValues *out;
    GHashTable *printed; /* opcode or class of LLVM -> mnemonic or class of the PTX, seen so far */
    /* of the function */
    const WsMachineFunction *function;
    const WsPtxFunctionLines *lines;
    guint32 *line_of; /* per entry of the function: its line in `ptx->lines` + 1, 0 = not known */
    GHashTable *registers; /* LLVM's number + 1 -> name in the PTX */
    GHashTable *loaded;    /* LLVM's number + 1 -> least bits that a load writes to it */
    GArray *slots, *places;
    GHashTable *slot_of; /* text -> slot + 1 */
    guint32 *first_slot; /* per variable + 1 */
    guint32 **in;        /* per block: place per slot; NULL = not reached */
    WsSourceOrder *order;
    guint32 joined; /* places from here on were made where ways meet */
} Aligner;

static const WsMachineEntry *entry_at(const Aligner *a, guint32 i)
{
    return &g_array_index(a->dump->entries, WsMachineEntry, a->function->first_entry + i);
}

static const WsPtxLine *line_at(const Aligner *a, guint32 i)
{
    return &g_array_index(a->ptx->lines, WsPtxLine, a->lines->first + i);
}

/* ---- which instruction is which statement -----------------------------------------------------
 */

/* TRUE if LLVM's word has been printed as this word of `length` wherever it was met. */
static gboolean is_printed_as(const Aligner *a, const char *word, const char *as, gsize length)
{
    const char *known = g_hash_table_lookup(a->printed, word);
    if (known == NULL)
        g_hash_table_insert(a->printed, (gpointer)word, g_strndup(as, length));
    return known == NULL || (strlen(known) == length && strncmp(known, as, length) == 0);
}

static guint32 number_of_name(const char *name)
{
    return (guint32)g_ascii_strtoull(name + strcspn(name, "0123456789"), NULL, 10);
}

/* "%rd" of "%rd12" */
static gsize class_length(const char *name)
{
    return strcspn(name, "0123456789");
}

/* TRUE if the instruction writes what the statement does, as far as names are known. */
static gboolean match_registers(Aligner *a, const WsMachineEntry *entry, const WsPtxLine *line)
{
    if (entry->register_count != line->register_count ||
        (entry->opcode != NULL &&
         !is_printed_as(a, entry->opcode, line->mnemonic, strlen(line->mnemonic))))
        return FALSE;
    for (guint32 r = 0; r < entry->register_count; r++) {
        const guint32 reg = g_array_index(a->dump->registers, guint32, entry->first_register + r);
        const char *name = g_ptr_array_index(a->ptx->registers, line->first_register + r);
        const char *known = g_hash_table_lookup(a->registers, GUINT_TO_POINTER(reg + 1));
        const char *kind = g_ptr_array_index(a->dump->classes, entry->first_register + r);
        if ((known != NULL && strcmp(known, name) != 0) ||
            (*kind != '\0' && !is_printed_as(a, kind, name, class_length(name))))
            return FALSE;
        g_hash_table_insert(a->registers, GUINT_TO_POINTER(reg + 1), (gpointer)name);
    }
    return TRUE;
}

static void note_loads(Aligner *a)
{
    for (guint32 i = 0; i < a->function->entry_count; i++) {
        const WsMachineEntry *entry = entry_at(a, i);
        for (guint32 r = 0; entry->loaded_bits != 0 && r < entry->register_count; r++) {
            const guint32 reg =
                g_array_index(a->dump->registers, guint32, entry->first_register + r);
            const gpointer key = GUINT_TO_POINTER(reg + 1);
            const guint32 known = GPOINTER_TO_UINT(g_hash_table_lookup(a->loaded, key));
            if (known == 0 || entry->loaded_bits < known)
                g_hash_table_insert(a->loaded, key, GUINT_TO_POINTER(entry->loaded_bits));
        }
    }
}

/* Of the register of a place. */
static guint32 loaded_bits(const Aligner *a, const Place *place)
{
    return place->kind == WS_MACHINE_REGISTER
               ? GPOINTER_TO_UINT(g_hash_table_lookup(a->loaded, GUINT_TO_POINTER(place->reg + 1)))
               : 0;
}

/* The PTX has the registers of each class in the order of LLVM's numbers. */
static gboolean registers_rise(const Aligner *a)
{
    g_autoptr(GHashTable) last = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
    g_autoptr(GArray) numbers = g_array_new(FALSE, FALSE, sizeof(guint32));
    GHashTableIter iterator;
    gpointer key;
    g_hash_table_iter_init(&iterator, a->registers);
    while (g_hash_table_iter_next(&iterator, &key, NULL)) {
        const guint32 number = GPOINTER_TO_UINT(key);
        g_array_append_val(numbers, number);
    }
    ws_number_set(numbers);
    for (guint i = 0; i < numbers->len; i++) {
        const char *name =
            g_hash_table_lookup(a->registers, GUINT_TO_POINTER(g_array_index(numbers, guint32, i)));
        g_autofree char *kind = g_strndup(name, class_length(name));
        const guint32 number = number_of_name(name);
        if (GPOINTER_TO_UINT(g_hash_table_lookup(last, kind)) >= number + 1)
            return FALSE;
        g_hash_table_insert(last, g_steal_pointer(&kind), GUINT_TO_POINTER(number + 1));
    }
    return TRUE;
}

static gboolean is_statement(const WsMachineEntry *entry)
{
    return entry->kind == WS_MACHINE_CODE;
}

/*
 * What stands between two statements that write registers: of the same number, they are the same
 * one by one; else nobody knows which is which.
 */
static void align_between(Aligner *a, guint32 first, guint32 end, guint32 line, guint32 end_line)
{
    guint32 count = 0;
    for (guint32 i = first; i < end; i++)
        count += is_statement(entry_at(a, i));
    if (count != end_line - line)
        return;
    for (guint32 i = first; i < end; i++)
        if (is_statement(entry_at(a, i)))
            a->line_of[i] = ++line;
}

static gboolean align(Aligner *a)
{
    guint32 line = 0, behind = 0, behind_line = 0;
    for (guint32 i = 0; i < a->function->entry_count; i++) {
        const WsMachineEntry *entry = entry_at(a, i);
        if (!is_statement(entry) || entry->register_count == 0)
            continue;
        while (line < a->lines->count && line_at(a, line)->register_count == 0)
            line++;
        if (line == a->lines->count || !match_registers(a, entry, line_at(a, line)))
            return FALSE;
        align_between(a, behind, i, behind_line, line);
        a->line_of[i] = ++line;
        behind = i + 1;
        behind_line = line;
    }
    for (; line < a->lines->count; line++)
        if (line_at(a, line)->register_count > 0)
            return FALSE;
    align_between(a, behind, a->function->entry_count, behind_line, a->lines->count);
    return registers_rise(a);
}

/* ---- where variables are ----------------------------------------------------------------------
 */

static guint32 find_slot(Aligner *a, const WsMachineEntry *entry)
{
    g_autofree char *key = g_strdup_printf("%u %u %u", entry->variable, entry->offset, entry->size);
    guint found = GPOINTER_TO_UINT(g_hash_table_lookup(a->slot_of, key));
    if (found == 0) {
        const Slot slot = {entry->variable, entry->offset, entry->size,
                           a->first_slot[entry->variable]};
        g_array_append_val(a->slots, slot);
        found = a->slots->len;
        a->first_slot[entry->variable] = found;
        g_hash_table_insert(a->slot_of, g_steal_pointer(&key), GUINT_TO_POINTER(found));
    }
    return found - 1;
}

static gboolean overlap(const Slot *x, const Slot *y)
{
    return x->size == 0 || y->size == 0 ||
           (x->offset < y->offset + y->size && y->offset < x->offset + x->size);
}

static guint32 place_number(Aligner *a, guint32 i)
{
    const WsMachineEntry *entry = entry_at(a, i);
    const Place place = {.kind = entry->value,
                         .reg = entry->reg,
                         .number = entry->number,
                         .assignment = *ws_source_order_assignment(a->order, i)};
    if (entry->value == WS_MACHINE_UNKNOWN)
        return 0;
    g_array_append_val(a->places, place);
    return a->places->len;
}

/* From an entry on: what was in a register that is written is nowhere. */
static void pass(Aligner *a, guint32 i, guint32 place, guint32 *state)
{
    const WsMachineEntry *entry = entry_at(a, i);
    if (entry->kind == WS_MACHINE_VARIABLE) {
        const guint32 number = find_slot(a, entry);
        const Slot *slot = &g_array_index(a->slots, Slot, number);
        for (guint32 s = a->first_slot[entry->variable]; s != 0;) {
            const Slot *other = &g_array_index(a->slots, Slot, s - 1);
            if (overlap(slot, other))
                state[s - 1] = 0;
            s = other->next;
        }
        state[number] = place;
        return;
    }
    for (guint32 r = 0; r < entry->register_count; r++) {
        const guint32 reg = g_array_index(a->dump->registers, guint32, entry->first_register + r);
        for (guint32 s = 0; s < a->slots->len; s++) {
            const Place *at = state[s] == 0 ? NULL : &g_array_index(a->places, Place, state[s] - 1);
            if (at != NULL && at->kind == WS_MACHINE_REGISTER && at->reg == reg)
                state[s] = 0;
        }
    }
}

static guint32 block_numbered(const Aligner *a, guint32 number)
{
    for (guint32 b = 0; b < a->function->block_count; b++)
        if (g_array_index(a->dump->blocks, WsMachineBlock, a->function->first_block + b).number ==
            number)
            return b;
    return G_MAXUINT32;
}

static gboolean same_place(const Aligner *a, guint32 x, guint32 y)
{
    if (x == 0 || y == 0)
        return x == y;
    const Place *p = &g_array_index(a->places, Place, x - 1);
    const Place *q = &g_array_index(a->places, Place, y - 1);
    return p->kind == q->kind && p->reg == q->reg && p->number == q->number;
}

static gboolean same_details(const Place *x, const Place *y)
{
    const WsAssignment *a = &x->assignment, *b = &y->assignment;
    return x->kind == y->kind && x->reg == y->reg && x->number == y->number &&
           x->is_old == y->is_old && a->from == b->from && a->line == b->line &&
           a->is_sure == b->is_sure && a->least_before == b->least_before &&
           a->most_before == b->most_before && a->any_before == b->any_before;
}

static guint32 add_place(Aligner *a, const Place *place)
{
    for (guint32 p = a->places->len; p > a->joined; p--) {
        const Place *known = &g_array_index(a->places, Place, p - 1);
        if (same_details(known, place))
            return p;
    }
    g_array_append_vals(a->places, place, 1);
    return a->places->len;
}

/* The same place by another way: of several assignments, none is known to be the last. */
static guint32 joined_place(Aligner *a, guint32 x, guint32 y)
{
    Place place = g_array_index(a->places, Place, x - 1);
    const Place *other = &g_array_index(a->places, Place, y - 1);
    if (place.assignment.line != other->assignment.line ||
        place.assignment.is_sure != other->assignment.is_sure)
        place.assignment =
            (WsAssignment){.from = MIN(place.assignment.from, other->assignment.from),
                           .least_before = G_MAXUINT32};
    place.assignment.any_before |= other->assignment.any_before;
    place.is_old = place.is_old && other->is_old;
    return same_details(&place, &g_array_index(a->places, Place, x - 1)) ? x : add_place(a, &place);
}

static guint32 aged_place(Aligner *a, guint32 x)
{
    Place place = x == 0 ? (Place){0} : g_array_index(a->places, Place, x - 1);
    if (x == 0 || place.is_old)
        return x;
    place.is_old = TRUE;
    return add_place(a, &place);
}

/* TRUE if block `b` has another state than before. `is_back`: it comes by a jump back. */
static gboolean join(Aligner *a, guint32 b, const guint32 *state, gboolean is_back)
{
    gboolean changed = a->in[b] == NULL;
    const gboolean first = changed;
    if (first)
        a->in[b] = g_new0(guint32, a->slots->len + 1);
    for (guint32 s = 0; s < a->slots->len; s++) {
        const guint32 before = a->in[b][s], come = is_back ? aged_place(a, state[s]) : state[s];
        guint32 now = first ? come : 0;
        if (!first && before != 0 && same_place(a, before, come))
            now = joined_place(a, before, come);
        changed = changed || now != before;
        a->in[b][s] = now;
    }
    return changed;
}

/* ---- ranges of lines --------------------------------------------------------------------------
 */

/* What a slot is from which line on. */
typedef struct {
    guint32 place, line;
} Open;

static guint32 line_of_place(const Place *place)
{
    const WsAssignment *from = &place->assignment;
    return from->line == 0 || from->line == G_MAXUINT32 ? from->from : from->line;
}

static gboolean same_assignment(const Aligner *a, guint32 x, guint32 y)
{
    return x == y || (x != 0 && y != 0 && same_place(a, x, y) &&
                      line_of_place(&g_array_index(a->places, Place, x - 1)) ==
                          line_of_place(&g_array_index(a->places, Place, y - 1)));
}

static void end_range(Aligner *a, guint32 s, Open *open, guint32 line)
{
    const Slot *slot = &g_array_index(a->slots, Slot, s);
    const Place *place =
        open->place == 0 ? NULL : &g_array_index(a->places, Place, open->place - 1);
    const char *name = place == NULL || place->kind == WS_MACHINE_NUMBER
                           ? NULL
                           : g_hash_table_lookup(a->registers, GUINT_TO_POINTER(place->reg + 1));
    if (place != NULL && open->line < line && (name != NULL || place->kind == WS_MACHINE_NUMBER)) {
        const WsMachineValue value = {.variable = slot->variable,
                                      .first = open->line,
                                      .end = line,
                                      .offset = slot->offset,
                                      .size = slot->size,
                                      .reg = g_strdup(name),
                                      .number = place->number,
                                      .loaded_bits = loaded_bits(a, place),
                                      .assigned = line_of_place(place)};
        g_array_append_val(a->out->values, value);
    }
    *open = (Open){0, line};
}

static void close_all(Aligner *a, Open *open, guint32 line)
{
    for (guint32 s = 0; s < a->slots->len; s++)
        end_range(a, s, &open[s], line);
}

static guint32 place_in_order(const Aligner *a, guint32 i, guint32 s, guint32 place)
{
    const Place *at = place == 0 ? NULL : &g_array_index(a->places, Place, place - 1);
    return at != NULL &&
                   ws_source_order_holds(a->order, i, g_array_index(a->slots, Slot, s).variable,
                                         &at->assignment, at->is_old)
               ? place
               : 0;
}

/* In front of the statement of entry `i`. */
static void note_statement(Aligner *a, guint32 i, const guint32 *state, Open *open, guint32 *last)
{
    const guint32 index = a->line_of[i] - 1, line = line_at(a, index)->line;
    if (index != *last + 1) /* between them is what nobody knows */
        close_all(a, open, *last == G_MAXUINT32 ? line : line_at(a, *last)->line + 1);
    for (guint32 s = 0; s < a->slots->len; s++) {
        const guint32 place = place_in_order(a, i, s, state[s]);
        if (!same_assignment(a, open[s].place, place)) {
            end_range(a, s, &open[s], line);
            open[s] = (Open){place, line};
        }
    }
    *last = index;
}

/* Runs over the entries of block `b`; notes ranges if `open` is not NULL. */
static guint32 *run_block(Aligner *a, guint32 b, const guint32 *places, const guint32 *begin,
                          Open *open, guint32 *last)
{
    guint32 *state = g_memdup2(a->in[b], (a->slots->len + 1) * sizeof *state);
    for (guint32 i = begin[b]; i < begin[b + 1]; i++) {
        if (open != NULL && a->line_of[i] != 0)
            note_statement(a, i, state, open, last);
        pass(a, i, places[i], state);
    }
    return state;
}

static void solve(Aligner *a, const guint32 *places, const guint32 *begin)
{
    const guint32 blocks = a->function->block_count;
    g_autofree guint8 *is_due = g_new0(guint8, blocks + 1);
    a->in[0] = g_new0(guint32, a->slots->len + 1);
    is_due[0] = TRUE;
    for (gboolean changed = TRUE; changed;) {
        changed = FALSE;
        for (guint32 b = 0; b < blocks; b++) {
            const WsMachineBlock *block =
                &g_array_index(a->dump->blocks, WsMachineBlock, a->function->first_block + b);
            if (!is_due[b])
                continue;
            is_due[b] = FALSE;
            changed = TRUE;
            g_autofree guint32 *out = run_block(a, b, places, begin, NULL, NULL);
            for (guint32 n = 0; n < block->successor_count; n++) {
                const guint32 to = block_numbered(
                    a, g_array_index(a->dump->successors, guint32, block->first_successor + n));
                if (to != G_MAXUINT32 && join(a, to, out, ws_source_order_is_back(a->order, b, to)))
                    is_due[to] = TRUE;
            }
        }
    }
}

/* The first entry of each block. */
static guint32 *find_blocks(const Aligner *a)
{
    guint32 *begin = g_new(guint32, a->function->block_count + 1);
    guint32 b = 0;
    for (guint32 i = 0; i < a->function->entry_count; i++)
        while (b <= entry_at(a, i)->block - a->function->first_block)
            begin[b++] = i;
    while (b <= a->function->block_count)
        begin[b++] = a->function->entry_count;
    return begin;
}

static void find_values(Aligner *a)
{
    const guint32 entries = a->function->entry_count;
    g_autofree guint32 *begin = find_blocks(a);
    g_autofree guint32 *places = g_new0(guint32, entries + 1);
    a->order = ws_source_order_new(a->dump, a->function);
    for (guint32 i = 0; i < entries; i++)
        if (entry_at(a, i)->kind == WS_MACHINE_VARIABLE) {
            find_slot(a, entry_at(a, i));
            places[i] = place_number(a, i);
        }
    a->joined = a->places->len;
    a->in = g_new0(guint32 *, a->function->block_count + 1);
    solve(a, places, begin);
    g_autofree Open *open = g_new0(Open, a->slots->len + 1);
    guint32 last = G_MAXUINT32, end = 0;
    for (guint32 b = 0; b < a->function->block_count; b++)
        if (a->in[b] != NULL)
            g_free(run_block(a, b, places, begin, open, &last));
    if (last != G_MAXUINT32)
        end = line_at(a, last)->line + 1;
    close_all(a, open, end);
    for (guint32 b = 0; b < a->function->block_count; b++)
        g_free(a->in[b]);
    g_free(a->in);
    ws_source_order_free(a->order);
}

static void read_function(Aligner *a)
{
    a->line_of = g_new0(guint32, a->function->entry_count + 1);
    a->registers = g_hash_table_new(NULL, NULL);
    a->loaded = g_hash_table_new(NULL, NULL);
    note_loads(a);
    a->slots = g_array_new(FALSE, FALSE, sizeof(Slot));
    a->places = g_array_new(FALSE, FALSE, sizeof(Place));
    a->slot_of = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
    a->first_slot = g_new0(guint32, a->dump->variables->len + 1);
    if (a->function->block_count > 0 &&
        (guint64)a->dump->variables->len * a->function->block_count <= MAX_STATES && align(a))
        find_values(a);
    g_free(a->line_of);
    g_free(a->first_slot);
    g_hash_table_unref(a->registers);
    g_hash_table_unref(a->loaded);
    g_hash_table_unref(a->slot_of);
    g_array_unref(a->slots);
    g_array_unref(a->places);
}

static const WsPtxFunctionLines *find_lines(const WsPtxStatements *ptx, const char *name)
{
    for (guint f = 0; f < ptx->functions->len; f++) {
        const WsPtxFunctionLines *lines = &g_array_index(ptx->functions, WsPtxFunctionLines, f);
        if (strcmp(lines->name, name) == 0)
            return lines;
    }
    return NULL;
}

static gint compare_values(gconstpointer a, gconstpointer b)
{
    const WsMachineValue *x = a, *y = b;
    if (x->variable != y->variable)
        return x->variable < y->variable ? -1 : 1;
    return x->first < y->first ? -1 : x->first > y->first;
}

static void clear_value(gpointer value)
{
    g_free(((WsMachineValue *)value)->reg);
}

WsMachineValues *ws_machine_values_new_empty(void)
{
    WsMachineValues *out = g_new0(WsMachineValues, 1);
    out->variables = g_array_new(FALSE, FALSE, sizeof(WsMachineVariable));
    out->values = g_array_new(FALSE, FALSE, sizeof(WsMachineValue));
    g_array_set_clear_func(out->values, clear_value);
    return out;
}

WsMachineValues *ws_machine_values_new(const char *text, const char *ptx)
{
    WsMachineValues *out = ws_machine_values_new_empty();
    g_autoptr(WsMachineDump) dump = ws_machine_dump_new(text);
    g_autoptr(WsPtxStatements) statements = ws_ptx_statements_new(ptx);
    g_autoptr(GHashTable) printed = g_hash_table_new_full(g_str_hash, g_str_equal, NULL, g_free);
    for (guint f = 0; f < dump->functions->len; f++) {
        Aligner a = {.dump = dump, .ptx = statements, .out = out, .printed = printed};
        a.function = &g_array_index(dump->functions, WsMachineFunction, f);
        a.lines = find_lines(statements, a.function->name);
        if (a.lines != NULL)
            read_function(&a);
    }
    g_array_sort(out->values, compare_values);
    g_array_unref(out->variables);
    out->variables = g_array_ref(dump->variables);
    return out;
}

void ws_machine_values_free(WsMachineValues *values)
{
    if (values == NULL)
        return;
    g_array_unref(values->variables);
    g_array_unref(values->values);
    g_free(values);
}
