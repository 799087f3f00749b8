#include "isa/codegen/taken_registers.h"

void ws_taken_registers_init(WsTakenRegisters *taken, guint32 positions)
{
    taken->size = MAX(positions, 1);
    taken->nodes = g_new0(WsTakenNode, 2 * (gsize)taken->size);
}

void ws_taken_registers_clear(WsTakenRegisters *taken)
{
    g_clear_pointer(&taken->nodes, g_free);
}

/* What the nodes above one say of the register, from the bottom to the top. */
static void renew_above(WsTakenRegisters *taken, guint32 node, guint word, guint64 bit)
{
    for (node /= 2; node > 0; node /= 2) {
        WsTakenNode *at = &taken->nodes[node];
        guint64 below = taken->nodes[2 * node].any[word] | taken->nodes[2 * node + 1].any[word];
        at->any[word] = (at->any[word] & ~bit) | ((below | at->whole[word]) & bit);
    }
}

static void set_node(WsTakenRegisters *taken, guint32 node, guint word, guint64 bit, gboolean set)
{
    WsTakenNode *at = &taken->nodes[node];
    guint64 below = node < taken->size
                        ? taken->nodes[2 * node].any[word] | taken->nodes[2 * node + 1].any[word]
                        : 0;
    at->whole[word] = set ? at->whole[word] | bit : at->whole[word] & ~bit;
    at->any[word] = (at->any[word] & ~bit) | ((below | at->whole[word]) & bit);
}

static void change(WsTakenRegisters *taken, guint32 begin, guint32 end, guint place, gboolean set)
{
    guint word = place / 64;
    guint64 bit = G_GUINT64_CONSTANT(1) << (place % 64);
    if (begin >= end)
        return;
    guint32 left = begin + taken->size;
    guint32 right = end + taken->size;
    for (; left < right; left /= 2, right /= 2) {
        if (left % 2)
            set_node(taken, left++, word, bit, set);
        if (right % 2)
            set_node(taken, --right, word, bit, set);
    }
    renew_above(taken, begin + taken->size, word, bit);
    renew_above(taken, end - 1 + taken->size, word, bit);
}

void ws_taken_registers_enter(WsTakenRegisters *taken, guint32 begin, guint32 end, guint place)
{
    change(taken, begin, end, place, TRUE);
}

void ws_taken_registers_take_out(WsTakenRegisters *taken, guint32 begin, guint32 end, guint place)
{
    change(taken, begin, end, place, FALSE);
}

static void add_set(guint64 *to, const guint64 *from)
{
    for (guint w = 0; w < WS_REGISTER_SET_WORDS; w++)
        to[w] |= from[w];
}

void ws_taken_registers_ask(const WsTakenRegisters *taken, guint32 begin, guint32 end,
                            guint64 ret[WS_REGISTER_SET_WORDS])
{
    if (begin >= end)
        return;
    guint32 left = begin + taken->size;
    guint32 right = end + taken->size;
    for (guint32 above = left; above > 0; above /= 2)
        add_set(ret, taken->nodes[above].whole);
    for (guint32 above = right - 1; above > 0; above /= 2)
        add_set(ret, taken->nodes[above].whole);
    for (; left < right; left /= 2, right /= 2) {
        if (left % 2)
            add_set(ret, taken->nodes[left++].any);
        if (right % 2)
            add_set(ret, taken->nodes[--right].any);
    }
}
