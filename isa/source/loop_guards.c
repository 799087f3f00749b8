#include "isa/source/loop_guards.h"

#include "isa/flow/graph.h"
#include "isa/flow/loops.h"
#include "isa/ir/walk.h"

/* Blocks that only lead on, one after the other, looked at. */
enum { MAX_CHAIN = 8 };

typedef struct {
    WsIrModule *module;
    WsIrFunction *function;
    WsLoops *loops;
    guint32
        *places; /* per loop: location of a test of it that names the loop's construct, 0 = none */
} Guards;

static WsLocation *location_at(const Guards *guards, guint32 index)
{
    return &g_array_index(guards->module->locations, WsLocation, index);
}

static const WsConstruct *construct_at(const Guards *guards, guint32 location)
{
    return &g_array_index(guards->module->constructs, WsConstruct,
                          location_at(guards, location)->construct);
}

/* Of each loop, from the branches that end it; one that goes back to the header says it first. */
static void find_places(Guards *guards)
{
    g_autofree guint8 *from_latch = g_new0(guint8, guards->loops->loop_count + 1);
    for (guint32 b = 0; b < guards->function->blocks->len; b++) {
        const WsIrBlock *block = ws_ir_block(guards->function, b);
        guint32 loop = guards->loops->innermost[b];
        if (loop == WS_NO_NODE || !ws_ir_is_conditional(block) ||
            !ws_construct_is_loop(construct_at(guards, block->branch.location)->kind))
            continue;
        gboolean latch = FALSE, leaves = FALSE;
        for (guint n = 0; n < ws_ir_successor_count(block); n++) {
            guint32 to = ws_ir_successor(block, n);
            latch |= to == guards->loops->loops[loop].header;
            leaves |= !ws_loop_holds(guards->loops, loop, to);
        }
        if (from_latch[loop] || (!latch && !leaves))
            continue;
        from_latch[loop] = latch;
        guards->places[loop] = block->branch.location;
    }
}

/* The end of the way from block `b` that has no branches: at most MAX_CHAIN blocks. */
static guint32 end_of_chain(const Guards *guards, guint32 b, guint32 stop)
{
    for (guint step = 0; step < MAX_CHAIN && b != stop; step++) {
        const WsIrBlock *block = ws_ir_block(guards->function, b);
        if (ws_ir_successor_count(block) != 1)
            break;
        b = ws_ir_successor(block, 0);
    }
    return b;
}

/* Whether lanes that leave the loop come to where those go that do not enter it. */
static gboolean meets_exit(const Guards *guards, guint32 loop, guint32 around)
{
    guint32 end = end_of_chain(guards, around, WS_NO_NODE);
    for (guint32 b = 0; b < guards->function->blocks->len; b++) {
        if (!ws_loop_holds(guards->loops, loop, b))
            continue;
        const WsIrBlock *block = ws_ir_block(guards->function, b);
        for (guint n = 0; n < ws_ir_successor_count(block); n++) {
            guint32 to = ws_ir_successor(block, n);
            if (!ws_loop_holds(guards->loops, loop, to) &&
                (to == around || end_of_chain(guards, to, around) == around ||
                 end_of_chain(guards, to, end) == end))
                return TRUE;
        }
    }
    return FALSE;
}

/* The loop that the branch at the end of block `b` lets lanes into or past, or WS_NO_NODE. */
static guint32 guarded_loop(const Guards *guards, guint32 b)
{
    const WsIrBlock *block = ws_ir_block(guards->function, b);
    for (guint side = 0; side < 2; side++) {
        guint32 to = ws_ir_successor(block, side);
        for (guint step = 0; step < MAX_CHAIN; step++) {
            guint32 loop = guards->loops->innermost[to];
            if (loop != WS_NO_NODE && guards->loops->loops[loop].header == to &&
                !ws_loop_holds(guards->loops, loop, b))
                return meets_exit(guards, loop, ws_ir_successor(block, 1 - side)) ? loop
                                                                                  : WS_NO_NODE;
            if (ws_ir_successor_count(ws_ir_block(guards->function, to)) != 1)
                break;
            to = ws_ir_successor(ws_ir_block(guards->function, to), 0);
        }
    }
    return WS_NO_NODE;
}

static gboolean lies_inside(const Guards *guards, const WsLocation *at, guint32 place)
{
    const WsConstruct *loop = construct_at(guards, place);
    if (at->line == 0)
        return TRUE;
    if (at->file != loop->file || at->line < loop->line || at->line > loop->end_line)
        return FALSE;
    /* In the loop's own head its line is right, and the loop is what it belongs to. */
    const WsConstruct *own = &g_array_index(guards->module->constructs, WsConstruct, at->construct);
    return at->construct == 0 || own->line > loop->line ||
           own->parent == location_at(guards, place)->construct;
}

static guint32 place_in(Guards *guards, guint32 location, guint32 place)
{
    WsLocation moved = *location_at(guards, place);
    moved.ptx_line = location_at(guards, location)->ptx_line;
    g_array_append_val(guards->module->locations, moved);
    return guards->module->locations->len - 1;
}

/* The comparison, if clang places it as the branch. */
static void move_comparison(Guards *guards, WsIrBlock *block, const WsLocation *old, guint32 place)
{
    for (guint i = 0; i < block->instructions->len; i++) {
        WsInstruction *instruction = &g_array_index(block->instructions, WsInstruction, i);
        const WsLocation *at = location_at(guards, instruction->location);
        if (at->line == old->line && at->column == old->column && at->file == old->file &&
            old->line != 0)
            instruction->location = place_in(guards, instruction->location, place);
    }
}

static void place_branch(Guards *guards, guint32 b)
{
    WsIrBlock *block = ws_ir_block(guards->function, b);
    if (!ws_ir_is_conditional(block) || ws_ir_successor_count(block) != 2)
        return;
    guint32 loop = guarded_loop(guards, b);
    if (loop == WS_NO_NODE || guards->places[loop] == 0)
        return;
    const WsLocation old = *location_at(guards, block->branch.location);
    if (old.construct == location_at(guards, guards->places[loop])->construct ||
        !lies_inside(guards, &old, guards->places[loop]))
        return;
    block->branch.location = place_in(guards, block->branch.location, guards->places[loop]);
    move_comparison(guards, block, &old, guards->places[loop]);
}

void ws_place_loop_guards(WsIrModule *module, WsIrFunction *function)
{
    g_autoptr(WsGraph) graph = ws_ir_graph(function);
    Guards guards = {.module = module, .function = function};
    guards.loops = ws_graph_loops(graph, 0);
    guards.places = g_new0(guint32, guards.loops->loop_count + 1);
    if (guards.loops->loop_count > 0) {
        find_places(&guards);
        for (guint32 b = 0; b < function->blocks->len; b++)
            place_branch(&guards, b);
    }
    ws_loops_free(guards.loops);
    g_free(guards.places);
}
