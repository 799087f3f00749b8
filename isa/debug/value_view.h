/* What the files that find places of values share. Not for users: see isa/debug/value_places.h. */
#ifndef WS_ISA_DEBUG_VALUE_VIEW_H
#define WS_ISA_DEBUG_VALUE_VIEW_H

#include "isa/debug/value_places.h"

enum {
    WS_VALUE_REGISTERS = 256,
    WS_VALUE_MASKS = WS_VALUE_REGISTERS / 64,
    WS_VALUE_NOWHERE = G_MAXUINT32, /* no position in the reference */
    WS_VALUE_DEPTH = 16             /* blocks without code in a row */
};

/* Keys of places: kind, then what it is; in the order in which they are entered and preferred. */
#define WS_KEY_KIND(key)     ((key) >> 60)
#define WS_KEY_IMMEDIATE     G_GUINT64_CONSTANT(1)
#define WS_KEY_CONSTANT      G_GUINT64_CONSTANT(2)
#define WS_KEY_REGISTER      G_GUINT64_CONSTANT(3)
#define WS_MAKE_KEY(kind, x) ((kind) << 60 | (guint64)(x))

/* A word of the reference has its value in a place. */
typedef struct {
    guint32 word;
    guint64 key;
} WsValuePair;

/* A value: who made it does not matter any more, only which it is. */
typedef struct {
    guint64 fixed;                   /* key of a place that nothing writes over, 0 = none */
    guint64 holders[WS_VALUE_MASKS]; /* registers that it is in */
    gboolean of_side;                /* made in a side: only lanes that run that have it */
} WsValue;

/* In the reference, a word gets a value. */
typedef struct {
    guint32 at, word, value;
    guint32 previous; /* change of that word + 1, 0 = none in these blocks */
} WsValueChange;

/* A side of a branch that runs where a condition holds: which values meet behind it. */
typedef struct {
    guint32 before, made, meet; /* values: without the side, of the side, behind it */
    guint32 other; /* value of the side in front, if this one runs where that does not; else 0 */
} WsValueMeeting;

struct WsValueView {
    const WsIrFunction *placed;
    const WsReference *reference;
    GArray **in;    /* per block: of WsValuePair, by word and key; NULL = not reached yet */
    guint32 *start; /* per block: block of the reference that it begins with, or WS_VALUE_NOWHERE */
    guint8 *is_covered; /* per block of the reference */
    /* of the block at hand */
    GArray *values;                   /* of WsValue; [0] is none */
    GHashTable *fixed;                /* key -> value */
    GArray *changes;                  /* of WsValueChange */
    guint32 *last;                    /* per word: change + 1, or 0 */
    guint32 *entry;                   /* per word: value where the block begins, or 0 */
    guint32 *made;                    /* per origin: value, or 0 */
    guint32 *position;                /* per instruction of the reference: + 1, or 0 */
    GArray *touched;                  /* of guint32: words with an entry value */
    GArray *meetings;                 /* of WsValueMeeting */
    GArray *held[WS_VALUE_REGISTERS]; /* of guint32: values */
    guint32 now;
    gboolean in_side;
};

static inline const WsReferenceBlock *ws_value_reference_block(const WsValueView *v, guint32 block)
{
    return &g_array_index(v->reference->blocks, WsReferenceBlock, block);
}

static inline const WsInstruction *ws_value_reference_instruction(const WsValueView *v, guint32 i)
{
    return &g_array_index(v->reference->instructions, WsInstruction, i);
}

static inline guint32 ws_value_cover_at(const WsIrBlock *block, guint i)
{
    return g_array_index(block->covers, guint32, i);
}

static inline guint ws_value_cover_count(const WsIrBlock *block)
{
    return block->covers == NULL ? 0 : block->covers->len;
}

/* Whether it runs always, or as what side. */
static inline guint32 ws_value_cover_side(guint32 cover)
{
    return cover & (WS_COVER_SIDE | WS_COVER_OTHER_SIDE | WS_COVER_MORE);
}

static inline guint32 ws_value_cover_block(guint32 cover)
{
    return cover & ~(guint32)WS_COVER_FLAGS;
}

static inline gboolean ws_value_is_lost(const WsIrBlock *block)
{
    for (guint i = 0; i < ws_value_cover_count(block); i++)
        if ((ws_value_cover_at(block, i) & WS_COVER_FLAGS) == WS_COVER_LOST)
            return TRUE;
    return FALSE;
}

/* Whether register `r` has the value. */
static inline gboolean ws_value_holds(const WsValueView *v, guint32 r, guint32 value)
{
    return g_array_index(v->values, WsValue, value).holders[r / 64] >> (r % 64) & 1;
}

/* isa/debug/value_block.c: runs the block; `visitor` may be NULL. Where words are behind it. */
GArray *ws_value_run_block(WsValueView *v, guint32 b, WsValueVisitor visitor, gpointer data);
gint ws_value_compare_pairs(gconstpointer a, gconstpointer b);
/* Of an operand that a MOV copies: key of a place that nothing writes over, 0 = none. */
guint64 ws_value_fixed_key(const WsOperand *from);

/* isa/debug/value_ways.c: the block of the reference that a block of the code begins with. */
guint32 ws_value_find_start(const WsValueView *v, guint32 b);
/* Where words are when the code goes from block `b`, with `state` at its end, to `to`. */
GArray *ws_value_go(const WsValueView *v, guint32 b, guint32 to, const GArray *state);
/* What both lists of pairs have. */
GArray *ws_value_met(const GArray *a, const GArray *b);

#endif
