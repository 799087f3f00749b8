#include "isa/ir/shared_maps.h"

#include <string.h>

enum { LEAF = 64 };

/* The two halves of a map above the leaves. */
typedef struct {
    guint32 half[2]; /* nodes, or leaves at level 0; 0 = no number has a value */
} Node;

typedef struct {
    guint32 value[LEAF];
} Leaf;

struct WsSharedMaps {
    const WsSharedSets *sets;
    guint levels;  /* above the leaves */
    GArray *nodes; /* of Node */
    GArray *leaves;
};

WsSharedMaps *ws_shared_maps_new(const WsSharedSets *sets)
{
    WsSharedMaps *maps = g_new0(WsSharedMaps, 1);
    maps->sets = sets;
    maps->levels = ws_shared_sets_levels(sets);
    maps->nodes = g_array_new(FALSE, TRUE, sizeof(Node));
    maps->leaves = g_array_new(FALSE, TRUE, sizeof(Leaf));
    g_array_set_size(maps->nodes, 1);
    g_array_set_size(maps->leaves, 1);
    return maps;
}

void ws_shared_maps_free(WsSharedMaps *maps)
{
    if (maps == NULL)
        return;
    g_array_unref(maps->nodes);
    g_array_unref(maps->leaves);
    g_free(maps);
}

static Node node_at(const WsSharedMaps *maps, guint32 node)
{
    return g_array_index(maps->nodes, Node, node);
}

static const guint32 *values_of(const WsSharedMaps *maps, guint32 leaf)
{
    return g_array_index(maps->leaves, Leaf, leaf).value;
}

static guint half_of(guint level, guint32 number)
{
    return number >> (level + 5) & 1;
}

guint32 ws_shared_map_get(const WsSharedMaps *maps, WsSharedMap map, guint32 number)
{
    for (guint level = maps->levels; level > 0; level--)
        map = node_at(maps, map).half[half_of(level, number)];
    return values_of(maps, map)[number % LEAF];
}

static guint32 set(WsSharedMaps *maps, guint level, guint32 at, guint32 number, guint32 value)
{
    if (level == 0) {
        Leaf leaf = g_array_index(maps->leaves, Leaf, at);
        leaf.value[number % LEAF] = value;
        g_array_append_val(maps->leaves, leaf);
        return maps->leaves->len - 1;
    }
    Node node = node_at(maps, at);
    guint half = half_of(level, number);
    node.half[half] = set(maps, level - 1, node.half[half], number, value);
    g_array_append_val(maps->nodes, node);
    return maps->nodes->len - 1;
}

WsSharedMap ws_shared_map_set(WsSharedMaps *maps, WsSharedMap map, guint32 number, guint32 value)
{
    return ws_shared_map_get(maps, map, number) == value
               ? map
               : set(maps, maps->levels, map, number, value);
}

typedef struct {
    const WsSharedMaps *maps;
    void (*visit)(guint32, guint32, gpointer);
    gpointer data;
} Comparison;

static void compare(const Comparison *comparison, guint level, guint32 a, guint32 b, guint32 within)
{
    if (a == b || a == 0 || b == 0 || within == 0)
        return;
    const WsSharedMaps *maps = comparison->maps;
    guint64 word = ws_shared_sets_word(maps->sets, within);
    if (level > 0) {
        Node x = node_at(maps, a), y = node_at(maps, b);
        compare(comparison, level - 1, x.half[0], y.half[0], (guint32)word);
        compare(comparison, level - 1, x.half[1], y.half[1], (guint32)(word >> 32));
        return;
    }
    for (; word != 0; word &= word - 1) {
        guint bit = (guint)__builtin_ctzll(word);
        guint32 x = values_of(maps, a)[bit], y = values_of(maps, b)[bit];
        if (x != y && x != WS_SHARED_MAP_NOTHING && y != WS_SHARED_MAP_NOTHING)
            comparison->visit(x, y, comparison->data);
    }
}

void ws_shared_map_compare(const WsSharedMaps *maps, WsSharedMap a, WsSharedMap b,
                           WsSharedSet within, void (*visit)(guint32, guint32, gpointer),
                           gpointer data)
{
    Comparison comparison = {maps, visit, data};
    compare(&comparison, maps->levels, a, b, within);
}
