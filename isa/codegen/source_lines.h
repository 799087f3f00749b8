/* Source lines of instructions that the compiler gave none. Internal to code generation. */
#ifndef WS_ISA_CODEGEN_SOURCE_LINES_H
#define WS_ISA_CODEGEN_SOURCE_LINES_H

#include "isa/bytecode/instruction.h"

/*
 * Compilers give no line to what serves several of them: address arithmetic made once for all its
 * users, jumps between blocks, loads of parameters. Each such instruction of a laid out kernel
 * (`count` of them, branch targets counted from its first) gets a line here:
 *
 * 1. that of the first instruction behind it that reads what it makes;
 * 2. else that of the instruction before it in its basic block, else of the one after it;
 * 3. else, if it is a jump, that of the instruction it goes to;
 * 4. else that of `opening`, the location of the kernel's opening.
 *
 * Lines of the PTX stay as they are. New entries are added to `locations` (of WsLocation). A kernel
 * without any line keeps none. Nothing but the `location` of instructions changes.
 */
void ws_complete_source_lines(WsInstruction *code, guint32 count, GArray *locations,
                              guint32 opening);

#endif
