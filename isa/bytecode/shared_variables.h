/*
 * The __shared__ variables of a kernel, by name and place, so that messages can name them. Front
 * ends that know them fill WsKernel.shared; the text of the assembler has no names and leaves it
 * empty.
 */
#ifndef WS_ISA_BYTECODE_SHARED_VARIABLES_H
#define WS_ISA_BYTECODE_SHARED_VARIABLES_H

#include "isa/bytecode/program.h"

/* A copy of WsKernel.shared with names of its own, NULL for none; ws_shared_variables_free(). */
WsSharedVariable *ws_shared_variables_copy(const WsSharedVariable *from, guint32 count);
void ws_shared_variables_free(WsSharedVariable *variables, guint32 count);

#endif
