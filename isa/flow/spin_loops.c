#include "isa/flow/spin_loops.h"

#include <string.h>

#include "isa/bytecode/accesses.h"
#include "isa/flow/control_flow.h"
#include "isa/flow/loops.h"

/* So deep an address may be put together in the loop itself. */
enum { MOST_STEPS = 8 };
/* Nor is looked further for what decides an exit: who waits waits for little. */
enum { MOST_FOLLOWED = 200 };

typedef enum { UNSEEN, ON_THE_WAY, DONE } Visit;

/* A walk from an exit of a loop back to what decides it. */
typedef struct {
    const WsInstruction *program;
    const WsControlFlow *flow;
    const WsLoops *loops;
    guint32 first, count, loop;
    guint8 *visits; /* [count]: Visit */
    GArray *reads;  /* of guint32: what has been found */
    guint followed;
    gboolean other; /* something else decides, too */
} Walk;

static gboolean in_loop(const Walk *walk, guint32 block)
{
    return ws_loop_holds(walk->loops, walk->loop, block);
}

static gboolean overlaps(const WsRegisterAccess *a, const WsRegisterAccess *b)
{
    return a->file == b->file && a->index < b->index + b->words && b->index < a->index + a->words;
}

static gboolean writes(const WsInstruction *instruction, const WsRegisterAccess *what)
{
    WsRegisterAccess accesses[WS_MAX_ACCESSES];
    guint count = ws_instruction_accesses(instruction, accesses);

    for (guint i = 0; i < count; i++)
        if (accesses[i].write && overlaps(&accesses[i], what))
            return TRUE;
    return FALSE;
}

/* The instructions of a block from `from` down to `to` that write it; TRUE: none before matters. */
static gboolean add_writers(const Walk *walk, guint32 from, guint32 to,
                            const WsRegisterAccess *what, GArray *ret)
{
    for (guint32 i = from; i-- > to;) {
        const WsInstruction *instruction = &walk->program[i];

        if (!writes(instruction, what))
            continue;
        g_array_append_val(ret, i);
        if (instruction->guard == WS_PT)
            return TRUE;
    }
    return FALSE;
}

/* Instructions of the loop whose result `what` may be at instruction `at`. */
static GArray *writers_of(const Walk *walk, guint32 at, const WsRegisterAccess *what)
{
    GArray *found = g_array_new(FALSE, FALSE, sizeof(guint32));
    guint32 own = walk->flow->block_of[at - walk->first];

    if (add_writers(walk, at, walk->flow->blocks[own].first, what, found))
        return found;
    for (guint32 b = 0; b < walk->flow->block_count; b++) {
        const WsBlock *block = &walk->flow->blocks[b];

        if (in_loop(walk, b))
            add_writers(walk, block->first + block->count, b == own ? at : block->first, what,
                        found);
    }
    return found;
}

static gboolean is_address(const WsInstruction *instruction, const WsRegisterAccess *access)
{
    return access->operand < WS_MAX_OPERANDS &&
           instruction->operand[access->operand].kind == WS_OPERAND_ADDRESS;
}

/* All turns of the loop find the same in the register, or make it anew of what is the same. */
static gboolean is_same(const Walk *walk, guint32 at, const WsRegisterAccess *what, guint depth)
{
    g_autoptr(GArray) writers = writers_of(walk, at, what);

    if (writers->len > 1 || depth == 0)
        return writers->len == 0;
    for (guint i = 0; i < writers->len; i++) {
        guint32 writer = g_array_index(writers, guint32, i);
        const WsInstruction *instruction = &walk->program[writer];
        WsRegisterAccess accesses[WS_MAX_ACCESSES];
        guint count = ws_instruction_accesses(instruction, accesses);

        if (ws_opcode_has(instruction->opcode, WS_FLAG_LOAD | WS_FLAG_ATOMIC))
            return FALSE;
        for (guint k = 0; k < count; k++)
            if (!accesses[k].write && !is_same(walk, writer, &accesses[k], depth - 1))
                return FALSE;
    }
    return TRUE;
}

/* Whether the instruction reads the same place of memory that others see, in all turns. */
static gboolean reads_one_place(const Walk *walk, guint32 at)
{
    const WsInstruction *instruction = &walk->program[at];
    WsRegisterAccess accesses[WS_MAX_ACCESSES];
    guint count = ws_instruction_accesses(instruction, accesses);

    if (ws_opcode_has(instruction->opcode, WS_FLAG_LOCAL))
        return FALSE;
    for (guint i = 0; i < count; i++)
        if (!accesses[i].write && is_address(instruction, &accesses[i]) &&
            !is_same(walk, at, &accesses[i], MOST_STEPS))
            return FALSE;
    return TRUE;
}

static void note_read(Walk *walk, guint32 at)
{
    for (guint i = 0; i < walk->reads->len; i++)
        if (g_array_index(walk->reads, guint32, i) == at)
            return;
    g_array_append_val(walk->reads, at);
}

static void follow(Walk *walk, guint32 at, gboolean values);

/* What makes the result of an instruction of the loop. */
static void follow_writer(Walk *walk, guint32 at)
{
    guint8 *visit = &walk->visits[at - walk->first];

    if (*visit == ON_THE_WAY || ++walk->followed > MOST_FOLLOWED) /* it counts, or the like */
        walk->other = TRUE;
    if (*visit != UNSEEN)
        return;
    if (ws_opcode_has(walk->program[at].opcode, WS_FLAG_LOAD | WS_FLAG_ATOMIC)) {
        *visit = DONE;
        if (reads_one_place(walk, at))
            note_read(walk, at);
        else
            walk->other = TRUE;
        return;
    }
    *visit = ON_THE_WAY;
    follow(walk, at, FALSE);
    *visit = DONE;
}

/* What makes the operands of an instruction; `values`: of a store, those alone that it stores. */
static void follow(Walk *walk, guint32 at, gboolean values)
{
    WsRegisterAccess accesses[WS_MAX_ACCESSES];
    guint count = ws_instruction_accesses(&walk->program[at], accesses);

    for (guint i = 0; i < count && !walk->other; i++) {
        g_autoptr(GArray) writers = NULL;

        if (accesses[i].write || accesses[i].file == WS_FILE_BARRIER ||
            (values && is_address(&walk->program[at], &accesses[i])))
            continue;
        writers = writers_of(walk, at, &accesses[i]);
        for (guint k = 0; k < writers->len && !walk->other; k++)
            follow_writer(walk, g_array_index(writers, guint32, k));
    }
}

/* Adds what decides at instruction `at`, if that is memory and nothing else. */
static void add_reads(Walk *walk, guint32 at, gboolean values, GArray *ret)
{
    memset(walk->visits, UNSEEN, walk->count);
    g_array_set_size(walk->reads, 0);
    walk->followed = 0;
    walk->other = FALSE;
    follow(walk, at, values);
    for (guint i = 0; i < walk->reads->len && !walk->other; i++) {
        guint32 read = g_array_index(walk->reads, guint32, i);
        gboolean known = FALSE;

        for (guint k = 0; k < ret->len; k++)
            known = known || g_array_index(ret, guint32, k) == read;
        if (!known)
            g_array_append_val(ret, read);
    }
}

/* The last instruction of a block may leave the loop, or stay in it. */
static gboolean may_leave(const Walk *walk, guint32 block)
{
    const WsBlock *b = &walk->flow->blocks[block];
    const WsGraph *graph = walk->flow->graph;
    const WsInstruction *last = &walk->program[b->first + b->count - 1];
    gboolean leaves = ws_is_kind(last, WS_KIND_EXIT), stays = FALSE;

    for (guint32 i = graph->first[block]; i < graph->first[block + 1]; i++) {
        gboolean inside = in_loop(walk, graph->successors[i]);

        stays = stays || inside;
        leaves = leaves || !inside;
    }
    return stays && leaves;
}

/*
 * What a loop waits for. Where it leaves by what its threads store for each other, as one that asks
 * for all of its block, what those wait for who store.
 */
static GArray *reads_of_loop(Walk *walk)
{
    const guint kept_apart = WS_FLAG_GLOBAL | WS_FLAG_SHARED;
    GArray *reads = g_array_new(FALSE, FALSE, sizeof(guint32));
    guint spaces = 0, exits;

    for (guint32 b = 0; b < walk->flow->block_count; b++)
        if (in_loop(walk, b) && may_leave(walk, b))
            add_reads(walk, walk->flow->blocks[b].first + walk->flow->blocks[b].count - 1, FALSE,
                      reads);
    exits = reads->len;
    for (guint i = 0; i < exits; i++)
        spaces |= ws_opcode_info(walk->program[g_array_index(reads, guint32, i)].opcode)->flags &
                  kept_apart;
    for (guint32 b = 0; b < walk->flow->block_count && exits != 0; b++)
        for (guint32 i = 0; i < walk->flow->blocks[b].count && in_loop(walk, b); i++) {
            guint32 at = walk->flow->blocks[b].first + i;
            guint flags = ws_opcode_info(walk->program[at].opcode)->flags;

            if ((flags & WS_FLAG_STORE) && (flags & spaces))
                add_reads(walk, at, TRUE, reads);
        }
    return reads;
}

/* The loops of one function of the kernel. */
static void look_at(WsSpinLoops *spin, const WsInstruction *program, const WsControlFlow *flow,
                    guint32 entry)
{
    g_autoptr(WsLoops) loops = ws_graph_loops(flow->graph, entry);
    g_autofree guint8 *visits = g_malloc(spin->count);
    g_autoptr(GArray) found = g_array_new(FALSE, FALSE, sizeof(guint32));

    for (guint32 loop = 0; loop < loops->loop_count; loop++) {
        Walk walk = {.program = program,
                     .flow = flow,
                     .loops = loops,
                     .first = spin->first,
                     .count = spin->count,
                     .loop = loop,
                     .visits = visits,
                     .reads = found};
        GArray *reads = reads_of_loop(&walk);

        if (reads->len == 0) {
            g_array_unref(reads);
            continue;
        }
        for (guint32 i = 0; i < spin->count; i++) /* inner loops come after those around them */
            if (in_loop(&walk, flow->block_of[i]))
                spin->loop[i] = spin->reads->len;
        g_ptr_array_add(spin->reads, reads);
    }
}

/* Most kernels have no loops, or load nothing in them. */
static gboolean may_spin(const WsInstruction *program, guint32 first, guint32 count)
{
    gboolean back = FALSE, reads = FALSE;

    for (guint32 i = first; i < first + count; i++) {
        guint32 target = ws_branch_target(&program[i]);

        back = back || (target != WS_NO_NODE && target <= i);
        reads = reads || ws_opcode_has(program[i].opcode, WS_FLAG_LOAD | WS_FLAG_ATOMIC);
    }
    return back && reads;
}

WsSpinLoops *ws_spin_loops_new(const WsInstruction *program, guint32 first, guint32 count)
{
    g_autoptr(WsControlFlow) flow = NULL;
    WsSpinLoops *spin = g_new0(WsSpinLoops, 1);

    spin->first = first;
    spin->count = count;
    spin->loop = g_new(guint32, MAX(count, 1));
    spin->reads = g_ptr_array_new_with_free_func((GDestroyNotify)g_array_unref);
    for (guint32 i = 0; i < count; i++)
        spin->loop[i] = WS_NO_NODE;
    if (!may_spin(program, first, count))
        return spin;
    flow = ws_control_flow_new(program, first, count);
    for (guint i = 0; i < flow->entries->len; i++)
        look_at(spin, program, flow, g_array_index(flow->entries, guint32, i));
    return spin;
}

void ws_spin_loops_free(WsSpinLoops *spin)
{
    if (spin == NULL)
        return;
    g_free(spin->loop);
    g_ptr_array_unref(spin->reads);
    g_free(spin);
}

const GArray *ws_spin_loop_reads(const WsSpinLoops *spin, guint32 instruction)
{
    guint32 loop = instruction - spin->first < spin->count ? spin->loop[instruction - spin->first]
                                                           : WS_NO_NODE;

    return loop == WS_NO_NODE ? NULL : g_ptr_array_index(spin->reads, loop);
}
