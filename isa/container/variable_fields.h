/* The variables of the source in a container. */
#ifndef WS_ISA_CONTAINER_VARIABLE_FIELDS_H
#define WS_ISA_CONTAINER_VARIABLE_FIELDS_H

#include "isa/bytecode/variables.h"
#include "isa/container/fields.h"

/* `table` may be NULL. */
void ws_write_variables(GByteArray *out, const WsVariableTable *table);

/* NULL for none, and after errors: what does not hold together is one. */
WsVariableTable *ws_read_variables(WsFieldReader *reader, const WsVariableBounds *bounds);

#endif
