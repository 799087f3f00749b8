/* Loops that wait for memory to change. */
#include "isa/converge/convergence.h"
#include "isa/flow/loops.h"
#include "isa/ir/reference.h"

#include "isa/bytecode/opcode.h"
#include "isa/flow/lock_take.h"

typedef struct {
    WsIrFunction *function;
    WsGraph *graph;
    WsGraph *back; /* all edges turned round */
    WsLoops *loops;
    WsVariables variables;
    guint8 *member;     /* per block: in the loop at hand */
    GArray *members;    /* of guint32: those blocks, ascending */
    guint8 *tainted;    /* per variable: comes from what the loop watches */
    guint8 *written;    /* per variable: written in the loop */
    GArray *marked;     /* of guint32: variables with a mark in one of these */
    guint32 *overrides; /* per block: where to wait instead of at its join, or WS_NO_NODE */
    gsize room;         /* of member and overrides */
} Spinner;

static gboolean any_variable(const Spinner *spinner, const WsInstruction *instruction,
                             gboolean write, const guint8 *set)
{
    WsRegisterAccess accesses[WS_MAX_ACCESSES];
    guint count = ws_instruction_accesses(instruction, accesses);
    for (guint a = 0; a < count; a++) {
        guint32 first = 0;
        guint words = accesses[a].write == (write != FALSE)
                          ? ws_variables_of(&spinner->variables, &accesses[a], &first)
                          : 0;
        for (guint w = 0; w < words; w++) {
            if (set[first + w])
                return TRUE;
        }
    }
    return FALSE;
}

static gboolean mark_writes(Spinner *spinner, const WsInstruction *instruction, guint8 *set)
{
    gboolean changed = FALSE;
    WsRegisterAccess accesses[WS_MAX_ACCESSES];
    guint count = ws_instruction_accesses(instruction, accesses);
    for (guint a = 0; a < count; a++) {
        guint32 first = 0;
        guint words =
            accesses[a].write ? ws_variables_of(&spinner->variables, &accesses[a], &first) : 0;
        for (guint32 variable = first; variable < first + words; variable++) {
            if (set[variable])
                continue;
            changed = set[variable] = TRUE;
            g_array_append_val(spinner->marked, variable);
        }
    }
    return changed;
}

static gboolean is_changed_by_others(const WsInstruction *instruction)
{
    return ws_is_atomic(instruction) || (ws_is_load(instruction) && ws_is_volatile(instruction));
}

/* Atomics, volatile loads, and loads of shared memory from one place: what others may change. */
static gboolean is_watched(const Spinner *spinner, const WsInstruction *instruction)
{
    return is_changed_by_others(instruction) ||
           (instruction->opcode == WS_OP_LDS &&
            !any_variable(spinner, instruction, FALSE, spinner->written));
}

/* Without these no loop can wait for memory. */
static gboolean may_be_watched(const WsInstruction *instruction)
{
    return is_changed_by_others(instruction) || instruction->opcode == WS_OP_LDS;
}

static WsIrBlock *member_at(const Spinner *spinner, guint m)
{
    return ws_ir_block(spinner->function, g_array_index(spinner->members, guint32, m));
}

typedef gboolean (*Visit)(Spinner *spinner, const WsInstruction *instruction);

/* Calls `visit` for every instruction of the loop at hand; TRUE if any call was. */
static gboolean visit_loop(Spinner *spinner, Visit visit)
{
    gboolean any = FALSE;
    for (guint m = 0; m < spinner->members->len; m++) {
        WsIrBlock *block = member_at(spinner, m);
        for (guint i = 0; i < ws_ir_length(block); i++)
            any |= visit(spinner, ws_ir_instruction(block, i));
    }
    return any;
}

static gboolean note_written(Spinner *spinner, const WsInstruction *instruction)
{
    return mark_writes(spinner, instruction, spinner->written);
}

static gboolean spread_taint(Spinner *spinner, const WsInstruction *instruction)
{
    if (!is_watched(spinner, instruction) &&
        !any_variable(spinner, instruction, FALSE, spinner->tainted))
        return FALSE;
    return mark_writes(spinner, instruction, spinner->tainted);
}

static gboolean is_any_watched(Spinner *spinner, const WsInstruction *instruction)
{
    return is_watched(spinner, instruction);
}

static gboolean leaves_by_memory(const Spinner *spinner, guint32 b)
{
    WsIrBlock *block = ws_ir_block(spinner->function, b);
    if (ws_ir_successor_count(block) < 2 ||
        !any_variable(spinner, &block->branch, FALSE, spinner->tainted))
        return FALSE;
    for (guint n = 0; n < ws_ir_successor_count(block); n++) {
        if (!spinner->member[ws_ir_successor(block, n)])
            return TRUE;
    }
    return FALSE;
}

static void put_yields(Spinner *spinner, guint32 header)
{
    WsInstruction yield;
    ws_instruction_init(&yield, WS_OP_YIELD);
    for (guint m = 0; m < spinner->members->len; m++) {
        WsIrBlock *block = member_at(spinner, m);
        gboolean latch = FALSE;
        for (guint n = 0; n < ws_ir_successor_count(block); n++)
            latch |= ws_ir_successor(block, n) == header;
        guint length = block->instructions->len;
        if (!latch || (length > 0 && ws_ir_instruction(block, length - 1)->opcode == WS_OP_YIELD))
            continue;
        yield.location = block->branch.location;
        g_array_append_val(block->instructions, yield);
    }
}

static WsPlaceInBlock place_in(WsIrBlock *block, guint at)
{
    return (WsPlaceInBlock){ws_ir_instruction(block, 0), block->instructions->len, at};
}

static const WsOperand *address_of(const WsInstruction *instruction)
{
    for (guint n = 0; n < instruction->operand_count; n++) {
        if (instruction->operand[n].kind == WS_OPERAND_ADDRESS)
            return &instruction->operand[n];
    }
    return NULL;
}

/* The atomic that takes a lock in the loop at hand; `code` is NULL if there is none. */
static WsPlaceInBlock taker_of(const Spinner *spinner)
{
    for (guint m = 0; m < spinner->members->len; m++) {
        WsIrBlock *block = member_at(spinner, m);
        for (guint i = 0; i < block->instructions->len; i++) {
            const WsInstruction *instruction = ws_ir_instruction(block, i);
            if (ws_is_atomic(instruction) && address_of(instruction) != NULL)
                return place_in(block, i);
        }
    }
    return (WsPlaceInBlock){0};
}

static gboolean accesses_lock(const WsInstruction *instruction, const WsOperand *lock)
{
    const WsOperand *operand =
        ws_is_store(instruction) || ws_is_atomic(instruction) ? address_of(instruction) : NULL;
    return operand != NULL && operand->index == lock->index && operand->bank == lock->bank &&
           operand->value == lock->value && operand->uniform == lock->uniform;
}

/* Splits block `b` behind instruction `i`; returns the new block. */
static guint32 split_behind(WsIrFunction *function, guint32 b, guint i)
{
    guint32 rest = ws_ir_new_block(function);
    WsIrBlock *from = ws_ir_block(function, b);
    WsIrBlock *to = ws_ir_block(function, rest);
    g_array_append_vals(to->instructions, ws_ir_instruction(from, i + 1),
                        from->instructions->len - i - 1);
    g_array_set_size(from->instructions, i + 1);
    to->branch = from->branch;
    to->taken = from->taken;
    to->next = from->next;
    to->table = g_steal_pointer(&from->table);
    to->uniform = from->uniform;
    to->loop_depth = from->loop_depth;
    to->site = from->site;
    to->body = from->body;
    from->site = from->body = 0;
    ws_covers_continue(to, from);
    ws_instruction_init(&from->branch, WS_OP_NOP);
    from->taken = WS_IR_NO_BLOCK;
    from->next = rest;
    from->uniform = FALSE;
    return rest;
}

/* Blocks up the post-dominator tree from the exit of the loop: where is the lock given back? */
static guint32 split_after_release(Spinner *spinner, const guint32 *joins, guint32 exit_branch,
                                   const WsPlaceInBlock *taker)
{
    guint32 count = spinner->graph->count;
    const WsOperand lock = *address_of(&taker->code[taker->at]);
    for (guint32 b = joins[exit_branch]; b < count; b = joins[b]) {
        WsIrBlock *block = ws_ir_block(spinner->function, b);
        for (guint i = 0; i < block->instructions->len; i++) {
            WsPlaceInBlock place = place_in(block, i);
            if (!accesses_lock(ws_ir_instruction(block, i), &lock))
                continue;
            if (ws_takes_again(&place, taker))
                return WS_NO_NODE;
            if (i + 1 >= ws_ir_length(block) && block->next == WS_IR_NO_BLOCK)
                return WS_NO_NODE;
            guint32 rest = split_behind(spinner->function, b, i);
            spinner->overrides[rest] = spinner->overrides[b]; /* as its branch */
            spinner->overrides[b] = WS_NO_NODE;
            return rest;
        }
    }
    return WS_NO_NODE;
}

static void add_member(Spinner *spinner, guint32 b)
{
    spinner->member[b] = TRUE;
    g_array_append_val(spinner->members, b);
}

static gint compare_numbers(gconstpointer x, gconstpointer y)
{
    guint32 i = *(const guint32 *)x;
    guint32 j = *(const guint32 *)y;
    return i < j ? -1 : i > j;
}

/* Finds what reaches the back edge from `latch` without passing the header. */
static void find_members(Spinner *spinner, guint32 header, guint32 latch)
{
    for (guint m = 0; m < spinner->members->len; m++)
        spinner->member[g_array_index(spinner->members, guint32, m)] = FALSE;
    g_array_set_size(spinner->members, 0);
    add_member(spinner, header);
    if (latch != header)
        add_member(spinner, latch);
    /* The list is the queue as well. */
    for (guint m = 1; m < spinner->members->len; m++) {
        guint32 at = g_array_index(spinner->members, guint32, m);
        for (guint32 e = spinner->back->first[at]; e < spinner->back->first[at + 1]; e++) {
            guint32 from = spinner->back->successors[e];
            if (!spinner->member[from])
                add_member(spinner, from);
        }
    }
    g_array_sort(spinner->members, compare_numbers);
}

static void clear_marks(Spinner *spinner)
{
    for (guint i = 0; i < spinner->marked->len; i++) {
        guint32 variable = g_array_index(spinner->marked, guint32, i);
        spinner->tainted[variable] = spinner->written[variable] = FALSE;
    }
    g_array_set_size(spinner->marked, 0);
}

/* Looks for ways out of the loop at hand that depend on memory. TRUE if there are. */
static gboolean treat_members(Spinner *spinner, const guint32 *joins)
{
    clear_marks(spinner);
    visit_loop(spinner, note_written);
    if (!visit_loop(spinner, is_any_watched))
        return FALSE;
    while (visit_loop(spinner, spread_taint)) {
    }
    gboolean spins = FALSE;
    for (guint m = 0; m < spinner->members->len; m++) {
        guint32 b = g_array_index(spinner->members, guint32, m);
        if (!leaves_by_memory(spinner, b))
            continue;
        spins = TRUE;
        WsPlaceInBlock taker = taker_of(spinner);
        guint32 after =
            taker.code != NULL ? split_after_release(spinner, joins, b, &taker) : WS_NO_NODE;
        if (after != WS_NO_NODE)
            spinner->overrides[b] = after;
    }
    return spins;
}

/* Back edges to one header, each with its loop: an inner loop may share the header of an outer. */
static void treat_loop(Spinner *spinner, guint32 loop, const guint32 *joins)
{
    guint32 header = spinner->loops->loops[loop].header;
    for (guint32 e = spinner->back->first[header]; e < spinner->back->first[header + 1]; e++) {
        guint32 latch = spinner->back->successors[e];
        if (!ws_loop_holds(spinner->loops, loop, latch) ||
            spinner->function->blocks->len >= spinner->room / 2)
            continue;
        find_members(spinner, header, latch);
        if (treat_members(spinner, joins))
            put_yields(spinner, header);
    }
}

guint32 *ws_yield_in_spin_loops(WsIrFunction *function)
{
    g_autoptr(WsJoins) joins = ws_joins_new(function);
    Spinner spinner = {.function = function, .graph = joins->graph};
    guint32 blocks = function->blocks->len;
    g_autoptr(WsGraph) back = ws_graph_reversed(joins->graph);
    spinner.back = back;
    spinner.loops = ws_graph_loops(joins->graph, 0);
    ws_variables_init(&spinner.variables, function);
    /* Splitting adds at most one block for each exit of a loop. */
    spinner.room = 16 * (gsize)blocks + 16;
    spinner.member = g_new0(guint8, spinner.room);
    spinner.overrides = g_new(guint32, spinner.room);
    for (gsize b = 0; b < spinner.room; b++)
        spinner.overrides[b] = WS_NO_NODE;
    spinner.members = g_array_new(FALSE, FALSE, sizeof(guint32));
    spinner.marked = g_array_new(FALSE, FALSE, sizeof(guint32));
    spinner.tainted = g_new0(guint8, spinner.variables.count + 1);
    spinner.written = g_new0(guint8, spinner.variables.count + 1);
    gboolean any = ws_ir_has(function, may_be_watched);
    for (guint32 loop = 0; any && loop < spinner.loops->loop_count; loop++)
        treat_loop(&spinner, loop, joins->joins);
    g_free(spinner.member);
    g_array_unref(spinner.members);
    g_array_unref(spinner.marked);
    g_free(spinner.tainted);
    g_free(spinner.written);
    ws_loops_free(spinner.loops);
    ws_variables_clear(&spinner.variables);
    return spinner.overrides;
}
