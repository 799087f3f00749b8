/*
 * A set of blocks that costs what is in it: a byte a block to ask, and a list to walk through and
 * to empty. One is filled again and again, so that small regions of a large function stay cheap.
 */
#ifndef WS_ISA_IR_BLOCK_SET_H
#define WS_ISA_IR_BLOCK_SET_H

#include <glib.h>

typedef struct {
    guint8 *has;   /* [blocks] */
    guint32 *list; /* [blocks]: the first `count` of it, in the order added, each once */
    guint32 count;
} WsBlockSet;

static inline void ws_block_set_init(WsBlockSet *set, guint32 blocks)
{
    set->has = g_new0(guint8, (gsize)blocks + 1);
    set->list = g_new(guint32, (gsize)blocks + 1);
    set->count = 0;
}

static inline void ws_block_set_clear(WsBlockSet *set)
{
    g_clear_pointer(&set->has, g_free);
    g_clear_pointer(&set->list, g_free);
}

static inline void ws_block_set_add(WsBlockSet *set, guint32 block)
{
    if (set->has[block])
        return;
    set->has[block] = TRUE;
    set->list[set->count++] = block;
}

static inline void ws_block_set_empty(WsBlockSet *set)
{
    for (guint i = 0; i < set->count; i++)
        set->has[set->list[i]] = FALSE;
    set->count = 0;
}

/* A set that stays: a bit a block from the lowest to the highest in it. */
typedef struct {
    guint32 first, count; /* blocks that have a bit; `first` is a multiple of 64 */
    guint64 *bits;
} WsBlockBits;

static inline WsBlockBits ws_block_bits_of(const WsBlockSet *set)
{
    guint32 low = G_MAXUINT32, high = 0;
    for (guint i = 0; i < set->count; i++) {
        low = MIN(low, set->list[i]);
        high = MAX(high, set->list[i] + 1);
    }
    WsBlockBits ret = {.first = low < high ? low / 64 * 64 : 0};
    ret.count = high - ret.first;
    ret.bits = g_new0(guint64, ret.count / 64 + 1);
    for (guint i = 0; i < set->count; i++) {
        guint32 at = set->list[i] - ret.first;
        ret.bits[at / 64] |= G_GUINT64_CONSTANT(1) << (at % 64);
    }
    return ret;
}

static inline gboolean ws_block_bits_has(const WsBlockBits *set, guint32 block)
{
    guint32 at = block - set->first; /* wraps below the first */
    return at < set->count && (set->bits[at / 64] >> (at % 64) & 1);
}

/* The first block of the set from `block` on, or G_MAXUINT32. */
static inline guint32 ws_block_bits_next(const WsBlockBits *set, guint32 block)
{
    guint32 at = block > set->first ? block - set->first : 0;
    if (at >= set->count)
        return G_MAXUINT32;
    guint64 rest = set->bits[at / 64] >> (at % 64) << (at % 64);
    for (guint32 word = at / 64;; rest = set->bits[word]) {
        if (rest != 0)
            return set->first + word * 64 + (guint32)__builtin_ctzll(rest);
        if (++word > (set->count - 1) / 64)
            return G_MAXUINT32;
    }
}

#endif
