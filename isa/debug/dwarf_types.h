/* Types of DWARF entries as those of a table of variables. */
#ifndef WS_ISA_DEBUG_DWARF_TYPES_H
#define WS_ISA_DEBUG_DWARF_TYPES_H

#include "isa/bytecode/variables.h"

#include <elfutils/libdw.h>

typedef struct {
    Dwarf *dwarf;
    WsVariableTable *table;
    GHashTable *known; /* offset of an entry -> number of the type + 1; 0 while it is made */
    GArray *targets;   /* Dwarf_Off a type: entry of what a pointer points to, 0 = none */
    guint steps;       /* from entry to entry so far */
} WsDwarfTypes;

void ws_dwarf_types_init(WsDwarfTypes *ret, Dwarf *dwarf, WsVariableTable *table);
void ws_dwarf_types_clear(WsDwarfTypes *types);

/* The type that attribute DW_AT_type of the entry names; void if it has none. */
guint32 ws_dwarf_type_of(WsDwarfTypes *types, Dwarf_Die *entry);

/* Makes the targets of pointers, after which the table's types are whole. */
void ws_dwarf_types_finish(WsDwarfTypes *types);

/* ---- of any entry: what an attribute holds, through DW_AT_abstract_origin ----------------------
 */

/* The entry's name; "" if it has none or none that can be shown. Free with g_free. */
char *ws_dwarf_name(Dwarf_Die *entry);
guint64 ws_dwarf_number(Dwarf_Die *entry, guint attribute, guint64 otherwise);

/*
 * The entry behind `entry` on its level; FALSE at the last. Only such as come later, and not more
 * than a program has: what walks over entries always ends.
 */
gboolean ws_dwarf_next(WsDwarfTypes *types, Dwarf_Die *entry);

#endif
