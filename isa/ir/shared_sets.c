#include "isa/ir/shared_sets.h"

/* 512 KiB, which a core's own cache holds: with more of them the search costs more than it saves.
 */
enum { MOST_REMEMBERED = 1 << 15 };

typedef enum { OP_UNION, OP_INTERSECTION } Operation;

/* What an operation gave for two nodes of one level. */
typedef struct {
    guint32 a, b;
    guint32 key; /* level and operation + 1; 0 = none yet */
    guint32 result;
} Remembered;

/*
 * A node is a word: at level 0 the bits of 64 numbers, above that its two halves, the upper one in
 * the upper 32 bits. What a node means is told by the level at which it is met, so that one may
 * stand at several. Node 0 is the empty set of every level.
 */
struct WsSharedSets {
    guint levels;   /* above level 0 */
    GArray *nodes;  /* of guint64 */
    guint32 *index; /* nodes by their word, open addressing; 0 = free */
    guint32 index_mask;
    Remembered *remembered; /* by hash; a newer entry replaces an older one */
    guint32 remembered_mask;
};

static inline guint64 word_of(const WsSharedSets *sets, guint32 node)
{
    return g_array_index(sets->nodes, guint64, node);
}

static inline guint32 lower(guint64 word)
{
    return (guint32)word;
}

static inline guint32 upper(guint64 word)
{
    return (guint32)(word >> 32);
}

/* The finalizer of splitmix64 (Steele, Lea and Flood 2014). */
static inline guint64 mix(guint64 x)
{
    x = (x ^ (x >> 30)) * G_GUINT64_CONSTANT(0xbf58476d1ce4e5b9);
    x = (x ^ (x >> 27)) * G_GUINT64_CONSTANT(0x94d049bb133111eb);
    return x ^ (x >> 31);
}

static guint32 *find_slot(const WsSharedSets *sets, guint64 word)
{
    guint32 at = (guint32)mix(word) & sets->index_mask;
    while (sets->index[at] != 0 && word_of(sets, sets->index[at]) != word)
        at = (at + 1) & sets->index_mask;
    return &sets->index[at];
}

/* Room for `size` / 2 nodes; `size` is a power of two. */
static void set_sizes(WsSharedSets *sets, guint32 size)
{
    g_free(sets->index);
    sets->index = g_new0(guint32, size);
    sets->index_mask = size - 1;
    for (guint32 node = 1; node < sets->nodes->len; node++)
        *find_slot(sets, word_of(sets, node)) = node;
    guint32 remembered = MIN(size, MOST_REMEMBERED);
    if (sets->remembered != NULL && sets->remembered_mask == remembered - 1)
        return;
    g_free(sets->remembered);
    sets->remembered = g_new0(Remembered, remembered);
    sets->remembered_mask = remembered - 1;
}

static guint32 node_of(WsSharedSets *sets, guint64 word)
{
    if (word == 0)
        return WS_SHARED_SET_EMPTY;
    guint32 *slot = find_slot(sets, word);
    if (*slot != 0)
        return *slot;
    guint32 node = sets->nodes->len;
    *slot = node;
    g_array_append_val(sets->nodes, word);
    if (node >= sets->index_mask / 2)
        set_sizes(sets, 2 * (sets->index_mask + 1));
    return node;
}

WsSharedSets *ws_shared_sets_new(guint32 limit)
{
    enum { FIRST_SIZE = 64 };
    WsSharedSets *sets = g_new0(WsSharedSets, 1);
    guint64 none = 0;
    while (((guint64)64 << sets->levels) < limit)
        sets->levels++;
    sets->nodes = g_array_new(FALSE, FALSE, sizeof(guint64));
    g_array_append_val(sets->nodes, none);
    set_sizes(sets, FIRST_SIZE);
    return sets;
}

void ws_shared_sets_free(WsSharedSets *sets)
{
    if (sets == NULL)
        return;
    g_array_unref(sets->nodes);
    g_free(sets->index);
    g_free(sets->remembered);
    g_free(sets);
}

static guint64 change_word(guint64 word, const guint32 *numbers, guint count, gboolean add)
{
    guint64 bits = 0;
    for (guint i = 0; i < count; i++)
        bits |= G_GUINT64_CONSTANT(1) << (numbers[i] % 64);
    return add ? word | bits : word & ~bits;
}

static guint32 change(WsSharedSets *sets, guint level, guint32 node, const guint32 *numbers,
                      guint count, gboolean add)
{
    if (count == 0 || (node == WS_SHARED_SET_EMPTY && !add))
        return node;
    guint64 word = word_of(sets, node);
    guint64 changed;
    if (level == 0) {
        changed = change_word(word, numbers, count, add);
    } else {
        guint below = 0;
        while (below < count && !(numbers[below] >> (level + 5) & 1))
            below++;
        guint64 low = change(sets, level - 1, lower(word), numbers, below, add);
        guint64 high = change(sets, level - 1, upper(word), numbers + below, count - below, add);
        changed = low | high << 32;
    }
    return changed == word ? node : node_of(sets, changed);
}

WsSharedSet ws_shared_set_with(WsSharedSets *sets, WsSharedSet set, const guint32 *numbers,
                               guint count)
{
    return change(sets, sets->levels, set, numbers, count, TRUE);
}

WsSharedSet ws_shared_set_without(WsSharedSets *sets, WsSharedSet set, const guint32 *numbers,
                                  guint count)
{
    return change(sets, sets->levels, set, numbers, count, FALSE);
}

/* As node_of(). It is most often one of the two that were combined, and need not be searched. */
static guint32 node_like(WsSharedSets *sets, guint64 word, guint32 a, guint32 b)
{
    return word == word_of(sets, a) ? a : word == word_of(sets, b) ? b : node_of(sets, word);
}

static guint32 combine(WsSharedSets *sets, Operation operation, guint level, guint32 a, guint32 b)
{
    if (a == b)
        return a;
    if (a == WS_SHARED_SET_EMPTY || b == WS_SHARED_SET_EMPTY)
        return operation == OP_UNION ? a | b : WS_SHARED_SET_EMPTY;
    guint64 x = word_of(sets, a);
    guint64 y = word_of(sets, b);
    if (level == 0)
        return node_like(sets, operation == OP_UNION ? x | y : x & y, a, b);
    guint32 key = 2 * level + operation + 1;
    guint64 hash = mix((a | (guint64)b << 32) + key);
    const Remembered *known = &sets->remembered[hash & sets->remembered_mask];
    if (known->a == a && known->b == b && known->key == key)
        return known->result;
    guint64 low = combine(sets, operation, level - 1, lower(x), lower(y));
    guint64 high = combine(sets, operation, level - 1, upper(x), upper(y));
    guint32 result = node_like(sets, low | high << 32, a, b);
    sets->remembered[hash & sets->remembered_mask] = (Remembered){a, b, key, result};
    return result;
}

WsSharedSet ws_shared_set_union(WsSharedSets *sets, WsSharedSet a, WsSharedSet b)
{
    return combine(sets, OP_UNION, sets->levels, MIN(a, b), MAX(a, b));
}

WsSharedSet ws_shared_set_intersection(WsSharedSets *sets, WsSharedSet a, WsSharedSet b)
{
    return combine(sets, OP_INTERSECTION, sets->levels, MIN(a, b), MAX(a, b));
}

gboolean ws_shared_set_contains(const WsSharedSets *sets, WsSharedSet set, guint32 number)
{
    if (number >> sets->levels >= 64)
        return FALSE;
    for (guint level = sets->levels; level > 0 && set != 0; level--) {
        guint64 word = word_of(sets, set);
        set = number >> (level + 5) & 1 ? upper(word) : lower(word);
    }
    return word_of(sets, set) >> (number % 64) & 1;
}

static void list(const WsSharedSets *sets, guint level, guint32 a, guint32 b, guint32 base,
                 GArray *ret)
{
    if (a == b || a == 0)
        return;
    guint64 x = word_of(sets, a);
    guint64 y = word_of(sets, b);
    if (level > 0) {
        list(sets, level - 1, lower(x), lower(y), base, ret);
        list(sets, level - 1, upper(x), upper(y), base + ((guint32)32 << level), ret);
        return;
    }
    for (guint64 rest = x & ~y; rest != 0; rest &= rest - 1) {
        guint32 number = base + (guint32)__builtin_ctzll(rest);
        g_array_append_val(ret, number);
    }
}

void ws_shared_set_list(const WsSharedSets *sets, WsSharedSet a, WsSharedSet b, GArray *ret)
{
    list(sets, sets->levels, a, b, 0, ret);
}

guint ws_shared_sets_levels(const WsSharedSets *sets)
{
    return sets->levels;
}

guint64 ws_shared_sets_word(const WsSharedSets *sets, WsSharedSet set)
{
    return word_of(sets, set);
}
