/*
 * Natural loops. Headers are taken from the last to the first, so inner loops before those around
 * them; a loop that is done stands as its header in the walks that follow, so that each block is
 * walked once.
 */
#include "isa/flow/loops.h"

#include "isa/flow/dominators.h"

#include <string.h>

typedef struct {
    const WsGraph *back; /* edges turned round */
    const guint32 *dominators;
    WsLoops *out;
    guint32 *outer; /* a node's loop's header, and so on; itself if no loop has been done */
    guint32 *stack;
    guint32 depth; /* of the stack */
} Finder;

static guint32 outermost(Finder *f, guint32 node)
{
    guint32 root = node;
    while (f->outer[root] != root)
        root = f->outer[root];
    while (f->outer[node] != root) {
        guint32 up = f->outer[node];
        f->outer[node] = root;
        node = up;
    }
    return root;
}

static void push_into(Finder *f, guint32 node, guint32 header, guint32 loop)
{
    WsLoops *out = f->out;
    node = outermost(f, node);
    if (node == header)
        return;
    if (f->dominators[node] == WS_NO_NODE) { /* leads in from where nothing comes */
        if (out->innermost[node] != WS_NO_NODE)
            return;
    } else {
        f->outer[node] = header;
    }
    if (out->innermost[node] == WS_NO_NODE)
        out->innermost[node] = loop;
    else
        out->loops[out->innermost[node]].parent = loop;
    f->stack[f->depth++] = node;
}

static void collect_loop(Finder *f, guint32 loop, const WsDominance *dominance)
{
    const WsGraph *back = f->back;
    guint32 header = f->out->loops[loop].header;
    f->depth = 0;
    for (guint32 e = back->first[header]; e < back->first[header + 1]; e++)
        if (ws_dominance_holds(dominance, header, back->successors[e]))
            push_into(f, back->successors[e], header, loop);
    f->out->innermost[header] = loop;
    while (f->depth > 0) {
        guint32 node = f->stack[--f->depth];
        for (guint32 e = back->first[node]; e < back->first[node + 1]; e++)
            push_into(f, back->successors[e], header, loop);
    }
}

static gboolean has_back_edge(const Finder *f, const WsDominance *dominance, guint32 node)
{
    for (guint32 e = f->back->first[node]; e < f->back->first[node + 1]; e++)
        if (ws_dominance_holds(dominance, node, f->back->successors[e]))
            return TRUE;
    return FALSE;
}

/* Of the loop: the nearest dominator that lies in fewer loops. Those of loops before it are known.
 */
static guint32 find_home(const WsLoops *loops, const guint32 *dominators, guint32 loop)
{
    guint32 home = dominators[loops->loops[loop].header];
    while (ws_loop_depth(loops, home) >= loops->loops[loop].depth && dominators[home] != home)
        home = loops->loops[loops->innermost[home]].home;
    return home;
}

static void measure_loops(WsLoops *loops, const guint32 *dominators)
{
    for (guint32 l = 0; l < loops->loop_count; l++) {
        WsLoop *loop = &loops->loops[l];
        loop->depth = loop->parent == WS_NO_NODE ? 1 : loops->loops[loop->parent].depth + 1;
        if (loop->parent != WS_NO_NODE)
            loops->loops[loop->parent].has_inner = TRUE;
    }
    for (guint32 l = 0; l < loops->loop_count; l++)
        loops->loops[l].home = find_home(loops, dominators, l);
}

WsLoops *ws_graph_loops(const WsGraph *graph, guint32 entry)
{
    WsLoops *ret = g_new0(WsLoops, 1);
    gsize size = (gsize)graph->count + 1;
    ret->innermost = g_new(guint32, size);
    memset(ret->innermost, 0xff, sizeof(guint32) * size);
    ret->loops = g_new0(WsLoop, size);
    guint32 reached;
    g_autofree guint32 *order = ws_graph_reverse_post_order(graph, entry, &reached);
    g_autofree guint32 *dominators = ws_graph_dominators(graph, entry);
    g_autoptr(WsDominance) dominance = ws_dominance_new(dominators, graph->count);
    g_autoptr(WsGraph) back = ws_graph_reversed(graph);
    g_autofree guint32 *outer = g_new(guint32, size);
    g_autofree guint32 *stack = g_new(guint32, size);
    Finder f = {.back = back, .dominators = dominators, .out = ret, .outer = outer, .stack = stack};
    for (guint32 n = 0; n < graph->count; n++)
        outer[n] = n;
    for (guint32 i = 0; i < reached; i++)
        if (has_back_edge(&f, dominance, order[i]))
            ret->loops[ret->loop_count++] = (WsLoop){.header = order[i], .parent = WS_NO_NODE};
    for (guint32 loop = ret->loop_count; loop-- > 0;)
        collect_loop(&f, loop, dominance);
    measure_loops(ret, dominators);
    return ret;
}

void ws_loops_free(WsLoops *loops)
{
    if (loops != NULL) {
        g_free(loops->loops);
        g_free(loops->innermost);
        g_free(loops);
    }
}

guint32 ws_loop_depth(const WsLoops *loops, guint32 node)
{
    guint32 loop = loops->innermost[node];
    return loop == WS_NO_NODE ? 0 : loops->loops[loop].depth;
}

gboolean ws_loop_holds(const WsLoops *loops, guint32 loop, guint32 node)
{
    guint32 at = loops->innermost[node];
    while (at != WS_NO_NODE && loops->loops[at].depth > loops->loops[loop].depth)
        at = loops->loops[at].parent;
    return at == loop;
}

guint32 ws_loop_hoist_node(const WsLoops *loops, guint32 node)
{
    guint32 loop = loops->innermost[node];
    return loop == WS_NO_NODE || loops->loops[loop].has_inner ? node : loops->loops[loop].home;
}
