/*
 * Where the values of a kernel's reference (isa/ir/reference.h) are in its finished code.
 *
 * What must hold is proved from what is there alone: the finished code is followed along its
 * blocks, and beside it the reference along those that each block stands for. An instruction whose
 * origin the block stands for makes that value; it is in the register until something writes over
 * it. Behind a block, a word of the reference is where its value at the end is. Where ways meet, it
 * is where all of them have it. The order of instructions in a block does not matter: a value is
 * known by who made it, not by when.
 */
#ifndef WS_ISA_DEBUG_VALUE_PLACES_H
#define WS_ISA_DEBUG_VALUE_PLACES_H

#include "isa/ir/reference.h"

/* A word of 32 bits: a register (REGISTER), in a constant bank (CONSTANT), or a number. */
typedef struct {
    WsPieceKind kind; /* UNKNOWN, REGISTER, CONSTANT or IMMEDIATE */
    guint32 index;    /* register or bank */
    guint32 value;    /* byte in the bank, or the number */
} WsWordPlace;

/* Where things are when a lane is about to run an instruction. */
typedef struct WsValueView WsValueView;

/*
 * Tells of each instruction of `placed`, which has been allocated registers and emitted, in the
 * order of the blocks. `block` and `i` name it as in ws_ir_instruction().
 */
typedef void (*WsValueVisitor)(const WsValueView *view, guint32 block, guint i, gpointer data);
void ws_value_places_visit(const WsIrFunction *placed, WsValueVisitor visitor, gpointer data);

/* Whether the code at hand stands for the block of instruction `at` of the reference. */
gboolean ws_value_view_covers(const WsValueView *view, guint32 at);

/*
 * The place of the value that word `word` of the reference has right in front of its instruction
 * `at`. UNKNOWN where the code at hand does not stand for that.
 */
WsWordPlace ws_value_view_word(const WsValueView *view, guint32 word, guint32 at);

#endif
