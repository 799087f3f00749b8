/*
 * The variables of a program's source as objects of expressions. What a name means depends on the
 * scope that a thread is in, where a variable lies on the instruction that it is about to issue.
 */
#ifndef WS_INSPECT_SESSION_SOURCE_VARIABLES_H
#define WS_INSPECT_SESSION_SOURCE_VARIABLES_H

#include "inspect/session/lane_memory.h"
#include "isa/bytecode/variables.h"

typedef struct WsSourceVariables WsSourceVariables;

/*
 * The kinds of such objects, behind those of memory: a variable, `index` its number in the table;
 * a name of an enum, `base` its value.
 */
enum { WS_SOURCE_VARIABLE = WS_MEMORY_KINDS, WS_SOURCE_ENUMERATOR };

/* The program must live longer; it may know of no variables. */
WsSourceVariables *ws_source_variables_new(const WsProgram *program);
void ws_source_variables_free(WsSourceVariables *variables);

/* NULL: it knows of none. */
const WsVariableTable *ws_source_variables_table(const WsSourceVariables *variables);
/* Why the program has none, and how one gets to see some; NULL if it has. g_free. */
char *ws_source_variables_lacking(const WsSourceVariables *variables);

/* ---- names --------------------------------------------------------------------------------------
 */

/* threadIdx and so on: what CUDA itself has a name for is no variable of the program. */
gboolean ws_is_built_in_name(const char *name);
/* The innermost scope at an instruction, or WS_NO_SCOPE. */
guint32 ws_source_variables_scope(const WsSourceVariables *variables, guint32 pc);
/* The innermost scope there inside of a function that the instruction is in, by its scope;
 * WS_NO_SCOPE if it is in none. Without a function (WS_NO_SCOPE) as above. */
guint32 ws_source_variables_scope_in(const WsSourceVariables *variables, guint32 pc,
                                     guint32 function);
/* Whether a variable is called so anywhere in the program. */
gboolean ws_source_variables_has(const WsSourceVariables *variables, const char *name);
/* What the name means in a scope. */
gboolean ws_source_variables_find(const WsSourceVariables *variables, guint32 scope,
                                  const char *name, WsObject *ret);
void ws_source_variables_object(const WsSourceVariables *variables, guint32 variable,
                                WsObject *ret);
/* A name of an enum of the program. */
gboolean ws_source_variables_find_enumerator(const WsSourceVariables *variables, const char *name,
                                             WsObject *ret);
const WsValueType *ws_source_variables_type(const WsSourceVariables *variables, const char *name);
/*
 * Where a variable that is not in scope at the instruction lives: "'c' is not in scope at k.cu:12;
 * it lives in lines 20-31"; the line is that of `function`, unless that is WS_NO_SCOPE. NULL: no
 * variable is called so. g_free.
 */
char *ws_source_variables_explain(const WsSourceVariables *variables, guint32 pc, guint32 function,
                                  const char *name);
/* The kernel or inlined function that a scope is of, or WS_NO_SCOPE. */
guint32 ws_source_variables_function(const WsSourceVariables *variables, guint32 scope);

/* ---- values -------------------------------------------------------------------------------------
 */

/* As WsScope.load. */
void ws_source_variables_load(const WsSourceVariables *variables, const WsGlobalMemory *contents,
                              const WsLanePlace *place, const WsObject *object,
                              const WsValueType *type, const WsRow *offset, guint64 mask,
                              WsRow *ret);
/* Its generic address at the place; FALSE: it lies in registers, or nowhere. */
gboolean ws_source_variables_address(const WsSourceVariables *variables, guint32 pc,
                                     guint32 variable, guint64 *ret);
/* Some bytes of a variable, all in one register, predicate or memory. */
typedef struct {
    guint kind; /* as in lane_names.h, lane_memory.h */
    guint32 index;
    guint64 at;          /* in memory; of a register: the first byte of it */
    guint32 from, bytes; /* of the bytes that were asked for */
    gboolean negated;
} WsSourcePart;

/*
 * Where `count` bytes from `from` on lie, in `most` parts or less; returns how many. 0: they are
 * not all kept, in more parts, or where nothing can be written.
 */
guint ws_source_variables_parts(const WsSourceVariables *variables, guint32 pc, guint32 variable,
                                guint64 from, guint32 count, guint most, WsSourcePart *ret);
/* Whether a piece of it is of such a kind, anywhere. */
gboolean ws_source_variables_lies_in(const WsSourceVariables *variables, guint32 variable,
                                     WsPieceKind kind);

#endif
