/*
 * The functions, blocks and variables that DWARF entries describe. Lines are those of the PTX text
 * (isa/debug/debug_text.h); what is not understood is left out or has no place.
 */
#ifndef WS_ISA_DEBUG_DWARF_ENTRIES_H
#define WS_ISA_DEBUG_DWARF_ENTRIES_H

#include "isa/bytecode/variables.h"
#include "isa/debug/debug_text.h"
#include "isa/debug/machine_values.h"

/* Lines of the PTX text. */
typedef struct {
    guint32 first, end; /* end: the first behind them */
} WsDebugRange;

typedef struct {
    WsSourceScopeKind kind; /* KERNEL: a function of its own, be it a kernel or not */
    guint32 parent;         /* WS_NO_SCOPE for such a function */
    char *name;
    char *linkage_name; /* of a function: in the PTX */
    guint32 file, line; /* file: number of a .file, 0 = not known */
    guint32 call_file, call_line, call_column;
    guint32 body; /* of a function: line of the PTX behind its prologue */
    guint32 first_range, range_count;
} WsDebugScope;

typedef enum {
    WS_DEBUG_NOWHERE,
    WS_DEBUG_SYMBOL,    /* at `value` bytes behind the start of symbol `symbol` */
    WS_DEBUG_IMMEDIATE, /* `value` itself */
    WS_DEBUG_VALUES     /* registers and numbers: WsDebugEntries.values */
} WsDebugPlaceKind;

typedef struct {
    char *name;
    gboolean is_parameter;
    guint32 ordinal; /* of a parameter: how many of its scope come before it */
    guint32 type;
    guint32 scope; /* WS_NO_SCOPE: of the program */
    guint32 file, line;
    WsDebugPlaceKind place;
    guint32 symbol; /* index in WsDebugText.symbols */
    guint64 value;
} WsDebugVariable;

typedef struct {
    GArray *scopes;          /* of WsDebugScope */
    GArray *ranges;          /* of WsDebugRange */
    GArray *variables;       /* of WsDebugVariable */
    WsMachineValues *values; /* those of variable n here are those of variable n there */
} WsDebugEntries;

/* Types go to `table`. */
WsDebugEntries *ws_debug_entries_new(const WsDebugText *text, WsVariableTable *table);
/* Whether line `line` of the PTX is code of scope `scope`. */
gboolean ws_debug_scope_holds(const WsDebugEntries *entries, guint32 scope, guint32 line);
/* The function whose code that line is; WS_NO_SCOPE if there is none. */
guint32 ws_debug_entries_function(const WsDebugEntries *entries, guint32 line);
void ws_debug_entries_free(WsDebugEntries *entries);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(WsDebugEntries, ws_debug_entries_free)

#endif
