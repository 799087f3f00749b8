/* The constructs of the source (isa/bytecode/construct.h) in the binary form. */
#ifndef WS_ISA_CONTAINER_CONSTRUCT_FIELDS_H
#define WS_ISA_CONTAINER_CONSTRUCT_FIELDS_H

#include "isa/bytecode/program.h"
#include "isa/container/fields.h"

void ws_write_constructs(GByteArray *out, const WsProgram *program);
/* Indices are left to the verifier. */
void ws_read_constructs(WsFieldReader *reader, WsProgram *program);

#endif
