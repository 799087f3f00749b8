/* The types of a program's source (isa/bytecode/variables.h) as types of expressions. */
#ifndef WS_INSPECT_SESSION_SOURCE_TYPES_H
#define WS_INSPECT_SESSION_SOURCE_TYPES_H

#include "isa/bytecode/variables.h"
#include "sim/expression/types.h"

typedef struct WsSourceTypes WsSourceTypes;

/*
 * All types of the table, which must live longer. References are pointers that are followed, base
 * classes and anonymous structs have their members in the outer one. What the table does not know
 * the make of is WS_CTYPE_VOID and keeps its name.
 */
WsSourceTypes *ws_source_types_new(const WsVariableTable *table);
void ws_source_types_free(WsSourceTypes *types);

const WsValueType *ws_source_types_at(const WsSourceTypes *types, guint32 number);
/* The first one of the name, without const and volatile: "Pair"; NULL: there is none. */
const WsValueType *ws_source_types_find(const WsSourceTypes *types, const char *name);

#endif
