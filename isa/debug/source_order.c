#include "isa/debug/source_order.h"

#include <string.h>

enum { ANY = G_MAXUINT32, LINES = 6 };

/* Lines of the next entries on a variable, on all ways without a jump back. */
typedef struct {
    guint32 line[LINES];
    guint32 count; /* more than LINES: any */
} Ahead;

/* Lines of all entries on a variable that come before. */
typedef struct {
    guint32 least, most; /* most 0: none */
    gboolean any;        /* one may be of any line */
} Behind;

struct WsSourceOrder {
    const WsMachineDump *dump;
    const WsMachineFunction *function;
    guint32 variables;
    WsAssignment *assignments; /* per entry */
    guint32 *inherited;        /* per entry: its location, or the one in front of it in the block */
    guint32 *end;              /* per block: behind its last entry */
    guint32 *rank;             /* per block: place in reverse post-order, 1 on; 0 = not reached */
    Ahead *ahead;              /* per block and variable: from its start on */
    Behind *behind;            /* likewise, of all entries on ways that come to its end */
    guint8 *repeats;  /* per block and variable: assigned twice alike, as unrolled loops do */
    guint32 *entries; /* on each variable */
    guint32 *unknown; /* of those, that say that it is nowhere */
};

static const WsMachineEntry *entry_at(const WsSourceOrder *o, guint32 i)
{
    return &g_array_index(o->dump->entries, WsMachineEntry, o->function->first_entry + i);
}

static const WsMachineBlock *block_at(const WsSourceOrder *o, guint32 b)
{
    return &g_array_index(o->dump->blocks, WsMachineBlock, o->function->first_block + b);
}

static guint32 block_of(const WsSourceOrder *o, guint32 i)
{
    return entry_at(o, i)->block - o->function->first_block;
}

/* ---- lines ------------------------------------------------------------------------------------
 */

/* The line of a place in the function that a variable belongs to; 0 if it is in another one. */
static guint32 line_for(const WsSourceOrder *o, guint32 location, guint32 variable)
{
    const WsMachineLocation *at = &g_array_index(o->dump->locations, WsMachineLocation, location);
    const GArray *own = g_array_index(o->dump->variables, WsMachineVariable, variable).calls;
    if (location == 0 || at->calls->len < own->len)
        return 0;
    const guint inner = at->calls->len - own->len;
    if (own->len > 0 && memcmp(&g_array_index(at->calls, WsMachineCall, inner), own->data,
                               own->len * sizeof(WsMachineCall)) != 0)
        return 0;
    return inner == 0 ? at->line : g_array_index(at->calls, WsMachineCall, inner - 1).line;
}

/* The line of statement `i` in the function that the variable belongs to; 0 = not known. */
static guint32 line_of_statement(const WsSourceOrder *order, guint32 i, guint32 variable)
{
    return line_for(order, order->inherited[i], variable);
}

static gboolean writes(const WsSourceOrder *o, const WsMachineEntry *entry, guint32 reg)
{
    for (guint32 r = 0; r < entry->register_count; r++)
        if (g_array_index(o->dump->registers, guint32, entry->first_register + r) == reg)
            return TRUE;
    return FALSE;
}

/* The instruction that made the value of entry `i`; ANY where ways may bring those of several. */
static guint32 maker_of(const WsSourceOrder *o, guint32 i)
{
    const WsMachineEntry *entry = entry_at(o, i);
    guint32 found = ANY, count = 0;
    for (guint32 k = i; k-- > 0 && block_of(o, k) == block_of(o, i);)
        if (writes(o, entry_at(o, k), entry->reg))
            return k;
    for (guint32 k = 0; k < o->function->entry_count; k++)
        if (writes(o, entry_at(o, k), entry->reg)) {
            found = k;
            count++;
        }
    return count == 1 ? found : (guint32)ANY;
}

/* Its line; 0 if that is not known. */
static guint32 line_of_maker(const WsSourceOrder *o, guint32 i)
{
    const guint32 maker = maker_of(o, i);
    return maker == ANY ? 0 : line_for(o, entry_at(o, maker)->location, entry_at(o, i)->variable);
}

/* The line of the next instruction of the block that has one. */
static guint32 line_behind(const WsSourceOrder *o, guint32 i)
{
    const guint32 variable = entry_at(o, i)->variable;
    for (guint32 k = i + 1; k < o->end[block_of(o, i)]; k++) {
        const guint32 line = line_for(o, entry_at(o, k)->location, variable);
        if (line != 0)
            return line;
    }
    return ANY;
}

/* Two entries of a block of one line, or of different numbers: copies of an unrolled loop. */
static gboolean is_repeat(const WsSourceOrder *o, guint32 i, guint32 k)
{
    const WsMachineEntry *x = entry_at(o, i), *y = entry_at(o, k);
    if (x->offset != y->offset || x->size != y->size)
        return FALSE;
    if (x->value == WS_MACHINE_NUMBER && y->value == WS_MACHINE_NUMBER)
        return x->number != y->number;
    return o->assignments[i].is_sure && o->assignments[k].is_sure &&
           o->assignments[i].line == o->assignments[k].line && x->reg != y->reg;
}

/*
 * LLVM drops the line of an instruction that it moves into another block. The entry goes along, and
 * may then stand behind a later assignment: where there is one. Of a parameter that is loaded later
 * one more entry stands at the start, which says that it is nowhere yet.
 */
static gboolean is_of_moved(const WsSourceOrder *o, guint32 i)
{
    const WsMachineEntry *entry = entry_at(o, i);
    const guint32 maker = maker_of(o, i);
    const guint32 others = o->entries[entry->variable] - 1;
    if (entry->value != WS_MACHINE_REGISTER || maker == ANY || block_of(o, maker) == 0 ||
        g_array_index(o->dump->locations, WsMachineLocation, entry_at(o, maker)->location).line !=
            0)
        return FALSE;
    return others > 1 ||
           (others == 1 && !(entry_at(o, maker)->is_parameter && o->unknown[entry->variable] == 1));
}

static guint32 line_of(const WsSourceOrder *o, const WsMachineEntry *entry)
{
    return g_array_index(o->dump->variables, WsMachineVariable, entry->variable).line;
}

static void note_assignment(const WsSourceOrder *o, guint32 i)
{
    const WsMachineEntry *entry = entry_at(o, i);
    WsAssignment *to = &o->assignments[i];
    to->from = line_of(o, entry);
    if (entry->value == WS_MACHINE_REGISTER)
        to->line = line_of_maker(o, i);
    to->is_sure = to->line != 0;
    if (to->is_sure)
        to->from = to->line;
    else
        to->line = entry->value == WS_MACHINE_UNKNOWN ? (guint32)ANY : line_behind(o, i);
    guint8 *repeats = &o->repeats[(gsize)block_of(o, i) * o->variables + entry->variable];
    to->any_before = is_of_moved(o, i);
    to->least_before = ANY;
    for (guint32 k = i; k-- > 0 && block_of(o, k) == block_of(o, i);) {
        const WsMachineEntry *other = entry_at(o, k);
        if (other->kind != WS_MACHINE_VARIABLE || other->variable != entry->variable)
            continue;
        const guint32 line = o->assignments[k].line;
        if (is_repeat(o, i, k))
            *repeats = TRUE;
        to->any_before = to->any_before || line == ANY;
        if (line != ANY) {
            to->least_before = MIN(to->least_before, line);
            to->most_before = MAX(to->most_before, line);
        }
    }
}

/* ---- ways -------------------------------------------------------------------------------------
 */

static guint32 block_numbered(const WsSourceOrder *o, guint32 number)
{
    for (guint32 b = 0; b < o->function->block_count; b++)
        if (block_at(o, b)->number == number)
            return b;
    return ANY;
}

static guint32 successor(const WsSourceOrder *o, guint32 b, guint32 n)
{
    return block_numbered(
        o, g_array_index(o->dump->successors, guint32, block_at(o, b)->first_successor + n));
}

/* Depth first, without recursion; blocks get their places from the last one on. */
static void rank_blocks(WsSourceOrder *o)
{
    const guint32 blocks = o->function->block_count;
    g_autofree guint32 *stack = g_new(guint32, blocks + 1), *next = g_new0(guint32, blocks + 1);
    g_autofree guint8 *seen = g_new0(guint8, blocks + 1);
    guint32 depth = 0, place = blocks;
    stack[depth++] = 0;
    seen[0] = TRUE;
    while (depth > 0) {
        const guint32 b = stack[depth - 1];
        if (next[b] == block_at(o, b)->successor_count) {
            o->rank[b] = place--;
            depth--;
            continue;
        }
        const guint32 to = successor(o, b, next[b]++);
        if (to != ANY && !seen[to]) {
            seen[to] = TRUE;
            stack[depth++] = to;
        }
    }
}

gboolean ws_source_order_is_back(const WsSourceOrder *order, guint32 from, guint32 to)
{
    return order->rank[to] <= order->rank[from];
}

static Ahead *ahead_of(const WsSourceOrder *o, guint32 b, guint32 variable)
{
    return &o->ahead[(gsize)b * o->variables + variable];
}

static void add_behind(Behind *to, const Behind *from)
{
    to->any = to->any || from->any;
    if (from->most == 0)
        return;
    to->least = to->most == 0 ? from->least : MIN(to->least, from->least);
    to->most = MAX(to->most, from->most);
}

static void add_line(Ahead *to, guint32 line)
{
    for (guint32 i = 0; i < MIN(to->count, LINES); i++)
        if (to->line[i] == line)
            return;
    if (to->count < LINES)
        to->line[to->count] = line;
    to->count = MIN(to->count + 1, LINES + 1);
}

static void add_ahead(Ahead *to, const Ahead *from)
{
    for (guint32 i = 0; i < MIN(from->count, LINES); i++)
        add_line(to, from->line[i]);
    if (from->count > LINES)
        to->count = LINES + 1;
}

/* The lines of an entry: of all instructions that make its value, where ways meet. */
static Ahead lines_of(const WsSourceOrder *o, guint32 i)
{
    const WsMachineEntry *entry = entry_at(o, i);
    Ahead ahead = {0};
    if (o->assignments[i].is_sure)
        add_line(&ahead, o->assignments[i].line);
    else if (entry->value == WS_MACHINE_REGISTER)
        for (guint32 k = 0; k < o->function->entry_count; k++) {
            const guint32 line = writes(o, entry_at(o, k), entry->reg)
                                     ? line_for(o, entry_at(o, k)->location, entry->variable)
                                     : 0;
            if (line != 0)
                add_line(&ahead, line);
        }
    return ahead;
}

/* What is ahead where block `b` ends. */
static Ahead behind_block(const WsSourceOrder *o, guint32 b, guint32 variable)
{
    Ahead ahead = {0};
    for (guint32 n = 0; n < block_at(o, b)->successor_count; n++) {
        const guint32 to = successor(o, b, n);
        if (to != ANY && !ws_source_order_is_back(o, b, to))
            add_ahead(&ahead, ahead_of(o, to, variable));
    }
    return ahead;
}

/* Blocks from the last one in reverse post-order on: each behind those that it leads to. */
static void look_ahead(WsSourceOrder *o)
{
    const guint32 blocks = o->function->block_count;
    g_autofree guint32 *order = g_new0(guint32, blocks + 1);
    for (guint32 b = 0; b < blocks; b++)
        if (o->rank[b] != 0)
            order[o->rank[b]] = b + 1;
    for (guint32 place = blocks; place > 0; place--) {
        if (order[place] == 0)
            continue;
        const guint32 b = order[place] - 1;
        for (guint32 v = 0; v < o->variables; v++)
            *ahead_of(o, b, v) = behind_block(o, b, v);
        for (guint32 i = o->end[b]; i-- > 0 && block_of(o, i) == b;) {
            const WsMachineEntry *entry = entry_at(o, i);
            if (entry->kind == WS_MACHINE_VARIABLE)
                *ahead_of(o, b, entry->variable) = lines_of(o, i);
        }
    }
}

/* Blocks in reverse post-order: each behind those that lead to it. */
static void look_behind(WsSourceOrder *o)
{
    const guint32 blocks = o->function->block_count;
    g_autofree guint32 *order = g_new0(guint32, blocks + 1);
    for (guint32 b = 0; b < blocks; b++)
        if (o->rank[b] != 0)
            order[o->rank[b]] = b + 1;
    for (guint32 place = 1; place <= blocks; place++) {
        if (order[place] == 0)
            continue;
        const guint32 b = order[place] - 1;
        Behind *own = &o->behind[(gsize)b * o->variables];
        for (guint32 i = 0; i < o->end[b]; i++) {
            const WsMachineEntry *entry = entry_at(o, i);
            WsAssignment *to = &o->assignments[i];
            if (block_of(o, i) != b || entry->kind != WS_MACHINE_VARIABLE)
                continue;
            if (own[entry->variable].most != 0) {
                to->least_before = MIN(to->least_before, own[entry->variable].least);
                to->most_before = MAX(to->most_before, own[entry->variable].most);
            }
            /* The value that a variable is declared with is its first. */
            to->any_before =
                to->any_before || (own[entry->variable].any && to->line <= line_of(o, entry));
            add_behind(&own[entry->variable], to->line != ANY ? &(Behind){to->line, to->line, FALSE}
                                                              : &(Behind){.any = TRUE});
        }
        for (guint32 n = 0; n < block_at(o, b)->successor_count; n++) {
            const guint32 to = successor(o, b, n);
            if (to == ANY || ws_source_order_is_back(o, b, to))
                continue;
            for (guint32 v = 0; v < o->variables; v++)
                add_behind(&o->behind[(gsize)to * o->variables + v], &own[v]);
        }
    }
}

/* ---- the whole --------------------------------------------------------------------------------
 */

static void note_entry(WsSourceOrder *o, const WsMachineEntry *entry)
{
    o->entries[entry->variable]++;
    o->unknown[entry->variable] += entry->value == WS_MACHINE_UNKNOWN;
}

static void read_entries(WsSourceOrder *o)
{
    for (guint32 i = 0; i < o->function->entry_count; i++) {
        const gboolean goes_on = i > 0 && block_of(o, i) == block_of(o, i - 1);
        o->inherited[i] = entry_at(o, i)->location;
        if (o->inherited[i] == 0 && goes_on)
            o->inherited[i] = o->inherited[i - 1];
        o->end[block_of(o, i)] = i + 1;
        if (entry_at(o, i)->kind == WS_MACHINE_VARIABLE)
            note_entry(o, entry_at(o, i));
    }
}

/*
 * A variable that is one number here and another one there counts the rounds of a loop that was
 * unrolled, as a rule, and LLVM drops some of its numbers.
 */
static void distrust_numbers(WsSourceOrder *o)
{
    g_autofree guint32 *first = g_new0(guint32, o->variables + 1); /* entry + 1 */
    g_autofree guint8 *mixed = g_new0(guint8, o->variables + 1);
    for (guint32 pass = 0; pass < 2; pass++)
        for (guint32 i = 0; i < o->function->entry_count; i++) {
            const WsMachineEntry *entry = entry_at(o, i);
            if (entry->kind != WS_MACHINE_VARIABLE || entry->value != WS_MACHINE_NUMBER)
                continue;
            if (first[entry->variable] == 0)
                first[entry->variable] = i + 1;
            const WsMachineEntry *other = entry_at(o, first[entry->variable] - 1);
            if (other->offset == entry->offset && other->number != entry->number)
                mixed[entry->variable] = TRUE;
            if (pass == 1 && mixed[entry->variable])
                o->assignments[i].any_before = TRUE;
        }
}

WsSourceOrder *ws_source_order_new(const WsMachineDump *dump, const WsMachineFunction *function)
{
    WsSourceOrder *o = g_new0(WsSourceOrder, 1);
    o->dump = dump;
    o->function = function;
    o->variables = dump->variables->len;
    o->assignments = g_new0(WsAssignment, function->entry_count + 1);
    o->inherited = g_new0(guint32, function->entry_count + 1);
    o->end = g_new0(guint32, function->block_count + 1);
    o->rank = g_new0(guint32, function->block_count + 1);
    o->behind = g_new0(Behind, (gsize)function->block_count * o->variables + 1);
    o->repeats = g_new0(guint8, (gsize)function->block_count * o->variables + 1);
    o->entries = g_new0(guint32, o->variables + 1);
    o->unknown = g_new0(guint32, o->variables + 1);
    o->ahead = g_new0(Ahead, (gsize)function->block_count * o->variables + 1);
    read_entries(o);
    for (guint32 i = 0; i < function->entry_count; i++)
        if (entry_at(o, i)->kind == WS_MACHINE_VARIABLE)
            note_assignment(o, i);
    distrust_numbers(o);
    rank_blocks(o);
    look_ahead(o);
    look_behind(o);
    return o;
}

void ws_source_order_free(WsSourceOrder *order)
{
    g_free(order->assignments);
    g_free(order->inherited);
    g_free(order->end);
    g_free(order->rank);
    g_free(order->ahead);
    g_free(order->behind);
    g_free(order->repeats);
    g_free(order->entries);
    g_free(order->unknown);
    g_free(order);
}

const WsAssignment *ws_source_order_assignment(const WsSourceOrder *order, guint32 i)
{
    return &order->assignments[i];
}

static gboolean is_between(guint32 line, guint32 from, guint32 to)
{
    return line == ANY || (line > from && line < to);
}

/* Whether an entry behind statement `i` is on an assignment in front of it. */
static gboolean is_late(const WsSourceOrder *o, guint32 i, guint32 variable, guint32 from,
                        guint32 line)
{
    const guint32 b = block_of(o, i);
    for (guint32 k = i + 1; k < o->end[b]; k++) {
        const WsMachineEntry *entry = entry_at(o, k);
        if (entry->kind == WS_MACHINE_VARIABLE && entry->variable == variable)
            return is_between(o->assignments[k].line, from, line);
    }
    const Ahead ahead = behind_block(o, b, variable);
    for (guint32 n = 0; n < MIN(ahead.count, LINES); n++)
        if (is_between(ahead.line[n], from, line))
            return TRUE;
    return ahead.count > LINES;
}

gboolean ws_source_order_holds(const WsSourceOrder *order, guint32 i, guint32 variable,
                               const WsAssignment *assignment, gboolean is_old)
{
    const guint32 line = line_of_statement(order, i, variable);
    if (order->repeats[(gsize)block_of(order, i) * order->variables + variable])
        return FALSE;
    if (line == 0 || (!is_old && assignment->is_sure && assignment->line > line))
        return FALSE;
    if (assignment->any_before ||
        (assignment->most_before > assignment->line && assignment->least_before < line))
        return FALSE;
    return !is_late(order, i, variable, assignment->from, line);
}
