/*
 * Functions of virtual registers from text, for tests of single passes. A block a line:
 *
 *     MOV R1, R0; ISETP.GE P0, R1, 4 -> P0 ? 2 : 1
 *
 * Instructions as the assembler reads them; R0 and P0 are virtual. A register is as wide as it is
 * used. "-> 3" goes on in block 3, "-> exit" ends; without one the block goes on in the next.
 */
#ifndef WS_TESTS_IR_TEXT_H
#define WS_TESTS_IR_TEXT_H

#include "isa/ir/ir.h"

WsIrFunction *ir_from_text(const char *text);

/* The instructions of a block in that language, "; " between them, its end left out. g_free. */
char *ir_block_text(const WsIrFunction *function, guint32 block);

/* How many instructions of all blocks have this name: "MOV". */
guint ir_count(const WsIrFunction *function, const char *mnemonic);

#endif
