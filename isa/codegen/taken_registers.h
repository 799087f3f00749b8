/*
 * Which physical registers are taken at which positions of a function: a segment tree over the
 * positions. A life of any length is entered, taken out and asked about in so many steps as its
 * length has binary digits.
 */
#ifndef WS_ISA_CODEGEN_TAKEN_REGISTERS_H
#define WS_ISA_CODEGEN_TAKEN_REGISTERS_H

#include <glib.h>

enum { WS_REGISTER_SET_WORDS = 4 /* 64-bit words of a set of registers */ };

typedef struct {
    guint64 whole[WS_REGISTER_SET_WORDS]; /* entered for all positions of the node */
    guint64 any[WS_REGISTER_SET_WORDS];   /* taken at some position of the node */
} WsTakenNode;

typedef struct {
    guint32 size;       /* positions; nodes n and 2n, 2n + 1 below it; position p is size + p */
    WsTakenNode *nodes; /* [2 * size] */
} WsTakenRegisters;

void ws_taken_registers_init(WsTakenRegisters *taken, guint32 positions);
void ws_taken_registers_clear(WsTakenRegisters *taken);

/*
 * Register `place` is taken at positions begin .. end - 1, or free again there: only what was
 * entered with the same bounds may be taken out.
 */
void ws_taken_registers_enter(WsTakenRegisters *taken, guint32 begin, guint32 end, guint place);
void ws_taken_registers_take_out(WsTakenRegisters *taken, guint32 begin, guint32 end, guint place);

/* Adds to the set `ret` what is taken at some of the positions begin .. end - 1. */
void ws_taken_registers_ask(const WsTakenRegisters *taken, guint32 begin, guint32 end,
                            guint64 ret[WS_REGISTER_SET_WORDS]);

#endif
