/*
 * Dominators by Lengauer and Tarjan, "A Fast Algorithm for Finding Dominators in a Flowgraph", with
 * path compression alone: n log n for any graph. Nodes have their numbers of a depth-first search.
 */
#include "isa/flow/dominators.h"

#include <string.h>

typedef struct {
    guint32 *node;     /* by number */
    guint32 *number;   /* by node; WS_NO_NODE: not reached */
    guint32 *parent;   /* by number, and all that follow */
    guint32 *semi;     /* semidominator */
    guint32 *ancestor; /* in the forest of what has been linked, or WS_NO_NODE */
    guint32 *best;     /* with the least semidominator on the way up there */
    guint32 *bucket;   /* the first of those whose semidominator this is, or WS_NO_NODE */
    guint32 *next;     /* the next in the bucket */
    guint32 *dominator;
    guint32 *stack;
    guint32 count; /* numbers given */
} Search;

static void search_init(Search *s, guint32 nodes)
{
    gsize size = (gsize)nodes + 1;
    guint32 **arrays[] = {&s->node, &s->number, &s->parent, &s->semi,      &s->ancestor,
                          &s->best, &s->bucket, &s->next,   &s->dominator, &s->stack};
    guint32 *all = g_new(guint32, size * G_N_ELEMENTS(arrays));
    memset(all, 0xff, sizeof *all * size * G_N_ELEMENTS(arrays));
    for (guint i = 0; i < G_N_ELEMENTS(arrays); i++)
        *arrays[i] = all + size * i;
    s->count = 0;
}

static void search_clear(Search *s)
{
    g_free(s->node); /* the first of all */
}

static void number_node(Search *s, guint32 node, guint32 parent)
{
    guint32 n = s->count++;
    s->number[node] = n;
    s->node[n] = node;
    s->parent[n] = parent;
    s->semi[n] = s->best[n] = n;
}

static void number_nodes(Search *s, const WsGraph *graph, guint32 entry)
{
    g_autofree guint32 *next =
        g_memdup2(graph->first, sizeof *graph->first * ((gsize)graph->count + 1));
    guint32 depth = 0;
    number_node(s, entry, WS_NO_NODE);
    s->stack[depth++] = entry;
    while (depth > 0) {
        guint32 node = s->stack[depth - 1];
        if (next[node] == graph->first[node + 1]) {
            depth--;
            continue;
        }
        guint32 successor = graph->successors[next[node]++];
        if (s->number[successor] == WS_NO_NODE) {
            number_node(s, successor, s->number[node]);
            s->stack[depth++] = successor;
        }
    }
}

/* The one with the least semidominator on the way from n up to, not including, its root. */
static guint32 evaluate(Search *s, guint32 n)
{
    guint32 depth = 0;
    if (s->ancestor[n] == WS_NO_NODE)
        return n;
    for (guint32 at = n; s->ancestor[s->ancestor[at]] != WS_NO_NODE; at = s->ancestor[at])
        s->stack[depth++] = at;
    while (depth > 0) {
        guint32 at = s->stack[--depth], up = s->ancestor[at];
        if (s->semi[s->best[up]] < s->semi[s->best[at]])
            s->best[at] = s->best[up];
        s->ancestor[at] = s->ancestor[up];
    }
    return s->best[n];
}

static void empty_bucket(Search *s, guint32 parent)
{
    for (guint32 n = s->bucket[parent]; n != WS_NO_NODE; n = s->next[n]) {
        guint32 least = evaluate(s, n);
        s->dominator[n] = s->semi[least] < s->semi[n] ? least : parent;
    }
    s->bucket[parent] = WS_NO_NODE;
}

static void find_dominators(Search *s, const WsGraph *back)
{
    for (guint32 n = s->count; n-- > 1;) {
        guint32 node = s->node[n];
        for (guint32 e = back->first[node]; e < back->first[node + 1]; e++) {
            guint32 before = s->number[back->successors[e]];
            if (before != WS_NO_NODE)
                s->semi[n] = MIN(s->semi[n], s->semi[evaluate(s, before)]);
        }
        s->next[n] = s->bucket[s->semi[n]];
        s->bucket[s->semi[n]] = n;
        s->ancestor[n] = s->parent[n];
        empty_bucket(s, s->parent[n]);
    }
    s->dominator[0] = 0;
    for (guint32 n = 1; n < s->count; n++)
        if (s->dominator[n] != s->semi[n])
            s->dominator[n] = s->dominator[s->dominator[n]];
}

guint32 *ws_graph_dominators(const WsGraph *graph, guint32 entry)
{
    guint32 *dominators = g_new(guint32, (gsize)graph->count + 1);
    memset(dominators, 0xff, sizeof *dominators * ((gsize)graph->count + 1));
    if (graph->count == 0)
        return dominators;
    g_autoptr(WsGraph) back = ws_graph_reversed(graph);
    Search s;
    search_init(&s, graph->count);
    number_nodes(&s, graph, entry);
    find_dominators(&s, back);
    for (guint32 n = 0; n < s.count; n++)
        dominators[s.node[n]] = s.node[s.dominator[n]];
    search_clear(&s);
    return dominators;
}

/* ---- who dominates whom ------------------------------------------------------------------------
 */

/* Numbers of a walk through the tree: those of what a node dominates lie between its two. */
static void walk_tree(WsDominance *d, const guint32 *first_child, const guint32 *sibling,
                      guint32 root, guint32 *time)
{
    guint32 node = root;
    d->begin[node] = (*time)++;
    while (TRUE) {
        guint32 down = first_child[node];
        while (down == WS_NO_NODE) {
            d->end[node] = *time;
            if (node == root)
                return;
            down = sibling[node];
            if (down == WS_NO_NODE)
                node = d->up[node];
        }
        node = down;
        d->begin[node] = (*time)++;
    }
}

WsDominance *ws_dominance_new(const guint32 *immediate_dominators, guint32 count)
{
    WsDominance *d = g_new(WsDominance, 1);
    gsize size = (gsize)count + 1;
    g_autofree guint32 *first_child = g_new(guint32, size);
    g_autofree guint32 *sibling = g_new(guint32, size);
    guint32 time = 0;
    d->begin = g_new(guint32, size);
    d->end = g_new(guint32, size);
    d->up = immediate_dominators;
    memset(first_child, 0xff, sizeof *first_child * size);
    memset(sibling, 0xff, sizeof *sibling * size);
    for (guint32 n = 0; n < count; n++) {
        guint32 up = immediate_dominators[n];
        if (up == n || up == WS_NO_NODE)
            continue;
        sibling[n] = first_child[up];
        first_child[up] = n;
    }
    for (guint32 n = 0; n < count; n++)
        if (immediate_dominators[n] == n || immediate_dominators[n] == WS_NO_NODE)
            walk_tree(d, first_child, sibling, n, &time);
    return d;
}

void ws_dominance_free(WsDominance *dominance)
{
    if (dominance == NULL)
        return;
    g_free(dominance->begin);
    g_free(dominance->end);
    g_free(dominance);
}
