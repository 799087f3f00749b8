/*
 * An instruction as NVIDIA's disassemblers write it, rewritten as isa/text reads it. The table of
 * what is spelt otherwise is spellings.def.
 */
#ifndef WS_ISA_SASS_SPELLING_H
#define WS_ISA_SASS_SPELLING_H

#include <glib.h>

/*
 * "LDG.E.64.CONSTANT R2, desc[UR4][R2.64+0x8]" becomes "LDG.E.64.CONSTANT R2, [R2.64+0x8]". Text
 * that is not understood stays as it is: the assembler says what it does not know. Free with
 * g_free.
 */
char *ws_sass_spelling(const char *text);

#endif
