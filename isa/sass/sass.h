/*
 * Machine code: a program from the SASS text that cuobjdump and nvdisasm write, an instruction of
 * the simulator for each of ptxas's, in its order and with its control fields.
 *
 * What the text lacks is not guessed. Parameters take their sizes from the launch
 * (WsKernel.open_parameters). A kernel that uses shared or local memory needs its sizes: nvdisasm
 * writes
 * ".nv.shared" sections, cuobjdump -res-usage all of them. Constants of the module (banks 2 to 4)
 * are not in the text; a kernel that reads them is refused, like one with an instruction that has
 * no row in isa/bytecode/instructions.def: it is noted in WsProgram.refused, and the others run.
 */
#ifndef WS_ISA_SASS_SASS_H
#define WS_ISA_SASS_SASS_H

#include "isa/bytecode/program.h"

enum { WS_MAX_SASS_BYTES = 64 * 1024 * 1024 };

/*
 * `path` is for messages and locations. Verified. Errors: WS_ERROR_INPUT with line: what
 * ws_sass_listing_parse() refuses, and the first kernel's reason if no kernel is left.
 */
WsProgram *ws_sass_program(const char *path, const char *text, gsize length, GError **error);

#endif
