/*
 * A kernel as the front end made it, kept while the passes rewrite it: what the values in the
 * registers of the finished code are told by (isa/debug/value_places.h).
 *
 * Each word of a register that an instruction of the reference writes has a number, its origin.
 * WsInstruction.origin of an instruction that was made of it says: the first word that I write is
 * that value, the next word the next one. A pass that keeps what an instruction computes keeps its
 * origin; a new instruction has none. Where nothing else is said the value is not known, so a pass
 * need not care.
 *
 * WsIrBlock.covers says which blocks of the reference a block stands for. A thread that runs
 * through it would run through these, in this order, and through no other.
 */
#ifndef WS_ISA_IR_REFERENCE_H
#define WS_ISA_IR_REFERENCE_H

#include "isa/ir/variables.h"

/* Flags of an entry of `covers`; the rest is the number of a block of the reference. */
enum {
    WS_COVER_SIDE = 1 << 27,       /* runs where a condition holds: a side of a branch begins */
    WS_COVER_OTHER_SIDE = 1 << 28, /* the same, where the side in front of it does not run */
    WS_COVER_MORE = 1 << 29,       /* goes on with the side in front of it */
    WS_COVER_CONTINUED = 1 << 30,  /* the block begins somewhere inside of it */
    WS_COVER_FLAGS = WS_COVER_SIDE | WS_COVER_OTHER_SIDE | WS_COVER_MORE | WS_COVER_CONTINUED,
    WS_COVER_LOST = WS_COVER_FLAGS /* nobody knows which */
};

/* Flag of WsInstruction.origin: holds for lanes too where the guard turns the instruction off. */
#define WS_ORIGIN_WHOLE (1u << 31)

typedef struct {
    guint32 first, count; /* in `instructions`; the branch of the block is the last one */
    guint32 first_successor, successor_count;
} WsReferenceBlock;

/* What an origin is: a word that an instruction writes. */
typedef struct {
    guint32 instruction;
    guint32 word; /* as in `variables`; WS_NO_WORD: the instruction writes no register */
} WsReferenceWord;

enum { WS_NO_WORD = G_MAXUINT32 };

typedef struct WsReference {
    GArray *instructions; /* of WsInstruction, block after block */
    GArray *blocks;       /* of WsReferenceBlock */
    GArray *successors;   /* of guint32 */
    GArray *words;        /* of WsReferenceWord, by origin; [0] is none */
    WsVariables variables;
} WsReference;

/* Keeps `function` as it is in function->reference, and numbers its instructions and blocks. */
void ws_reference_keep(WsIrFunction *function);
WsReference *ws_reference_ref(WsReference *reference);
void ws_reference_unref(WsReference *reference);

/* ---- for passes, where nothing is followed too --------------------------------------------------
 */

/* `block` runs `other` too, behind what it runs already. */
void ws_covers_append(WsIrBlock *block, const WsIrBlock *other);
/* The same where a condition holds; `flag` is WS_COVER_SIDE or WS_COVER_OTHER_SIDE. */
void ws_covers_append_side(WsIrBlock *block, const WsIrBlock *side, guint32 flag);
/* `rest` is the last part of `block`, which was split. */
void ws_covers_continue(WsIrBlock *rest, const WsIrBlock *block);

#endif
