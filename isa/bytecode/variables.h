/*
 * The variables of a program's source, by name: their types, the scopes they live in, and where
 * each is at each instruction. A front end that knows them makes the table; WsProgram.variables
 * holds it. Plain numbered arrays: a number is an index into the array of its kind.
 *
 * Scopes are a forest: a kernel, the blocks inside of it, the calls that were inlined into these,
 * and so on. A function that is inlined twice has two scopes, each with variables of its own. The
 * scopes from the innermost one at an instruction up to the kernel, blocks left out, are the frames
 * of a thread that is there.
 *
 * A variable is where its places say: each covers a range of instructions, and holds when a thread
 * is about to issue one of them (all earlier instructions of the thread done). Where no place
 * covers an instruction, the value is not known there: it is optimised out, or not yet made. A
 * place is a list of pieces that follow each other in the variable's bytes, little-endian; together
 * they have as many bytes as the type.
 */
#ifndef WS_ISA_BYTECODE_VARIABLES_H
#define WS_ISA_BYTECODE_VARIABLES_H

#include <glib.h>

enum {
    WS_NO_SCOPE = G_MAXUINT32,    /* outside of all functions */
    WS_NO_VARIABLE = G_MAXUINT32, /* none of that name */
    WS_NO_TYPE = 0                /* types[0] is void */
};

typedef enum {
    WS_VALUE_VOID, /* also what has a type that is not supported: `name` says which */
    WS_VALUE_SIGNED,
    WS_VALUE_UNSIGNED,
    WS_VALUE_FLOAT, /* of 2, 4 or 8 bytes, IEEE */
    WS_VALUE_BOOL,
    WS_VALUE_CHAR, /* `is_signed` says whether it is */
    WS_VALUE_ENUM, /* members are its names, `value` their values; `target` is the type it is in */
    WS_VALUE_POINTER,   /* to `target`: a generic address */
    WS_VALUE_REFERENCE, /* to `target`, likewise */
    WS_VALUE_ARRAY,     /* `count` of `target`; arrays of arrays for more dimensions */
    WS_VALUE_STRUCT,
    WS_VALUE_UNION,
    WS_VALUE_KIND_COUNT
} WsValueKind;

/*
 * What a value is made of (elements, members, the type of an enum) has a smaller number than it;
 * the target of a pointer may have any.
 */
typedef struct {
    WsValueKind kind;
    char *name;    /* as the source has it, with const and typedefs: "const float", "Pair" */
    guint64 bytes; /* of a value; 0 if not known (void, an array without a size) */
    guint32 target;
    guint64 count; /* of an array: its elements, 0 = not known */
    gboolean is_signed;
    guint32 first_member, member_count; /* of a struct, a union, an enum: in `members` */
} WsSourceType;

/* A member of a struct or union, a base class, or a name of an enum. */
typedef struct {
    char *name; /* "" for a base class and for an anonymous struct: its members are the outer's */
    guint32 type;
    guint64 offset;               /* bytes from the start */
    guint32 bit_offset, bit_size; /* a bit field: bits from `offset` on; size 0 = is none */
    gint64 value;                 /* of a name of an enum */
} WsSourceMember;

typedef enum {
    WS_SOURCE_SCOPE_KERNEL,  /* has no parent */
    WS_SOURCE_SCOPE_INLINED, /* a function at one call of it */
    WS_SOURCE_SCOPE_BLOCK,
    WS_SOURCE_SCOPE_KIND_COUNT
} WsSourceScopeKind;

/* A range of instructions of the program. */
typedef struct {
    guint32 first, count;
} WsCodeRange;

typedef struct {
    WsSourceScopeKind kind;
    guint32 parent; /* smaller than its own number; WS_NO_SCOPE for a kernel */
    char *name;     /* of a kernel or function as in the source: "twice<float>"; "" for a block */
    guint32 file;   /* of its first line: into WsProgram.files, 0 = not known */
    guint32 line;   /* 0 = not known */
    guint32 call_file, call_line, call_column; /* INLINED: where it is called; 0 = not known */
    guint32 first_range,
        range_count; /* in `ranges`, by rising instruction, scopes inside counted */
} WsSourceScope;

typedef enum {
    WS_VARIABLE_PARAMETER,
    WS_VARIABLE_LOCAL,
    WS_VARIABLE_SHARED, /* __shared__ */
    WS_VARIABLE_DEVICE, /* __device__, __constant__, static const */
    WS_VARIABLE_KIND_COUNT
} WsSourceVariableKind;

typedef struct {
    char *name; /* as in the source: "sum"; "this" for the object of a method */
    WsSourceVariableKind kind;
    guint32 type;
    guint32 scope; /* WS_NO_SCOPE: of the whole program */
    guint32 file, line;
    guint32 first_place, place_count; /* in `places`, by rising instruction, none overlap */
} WsSourceVariable;

typedef enum {
    WS_PIECE_UNKNOWN,          /* this part of the variable is not known */
    WS_PIECE_REGISTER,         /* R `index` on, of the lane; more bytes go on in the next ones */
    WS_PIECE_UNIFORM_REGISTER, /* UR, likewise, of the warp */
    WS_PIECE_PREDICATE,        /* P `index`: 0 or 1; `negated` turns it round */
    WS_PIECE_CONSTANT,         /* bank `index`, byte `value` on */
    WS_PIECE_LOCAL,            /* byte `value` on of the thread's local memory, as LDL counts */
    WS_PIECE_SHARED,           /* byte `value` on of the block's shared memory, as LDS counts */
    WS_PIECE_ADDRESS,          /* at the generic address `value`, of global or constant memory */
    WS_PIECE_IMMEDIATE,        /* the number `value` itself, 8 bytes at most */
    WS_PIECE_KIND_COUNT
} WsPieceKind;

typedef struct {
    WsPieceKind kind;
    guint32 bytes; /* of the variable */
    guint32 index;
    gboolean negated;
    guint64 value;
} WsVariablePiece;

typedef struct {
    WsCodeRange code;
    guint32 first_piece, piece_count; /* in `pieces` */
} WsVariablePlace;

typedef struct WsVariableTable {
    char *reason;      /* why the program has no variables, as a message; NULL if it has */
    gboolean debug;    /* of a debug compile: every variable lives in memory until its scope ends */
    GArray *types;     /* of WsSourceType; [0] is void */
    GArray *members;   /* of WsSourceMember */
    GArray *scopes;    /* of WsSourceScope */
    GArray *ranges;    /* of WsCodeRange */
    GArray *variables; /* of WsSourceVariable */
    GArray *places;    /* of WsVariablePlace */
    GArray *pieces;    /* of WsVariablePiece */
} WsVariableTable;

/* A table with void alone. Strings in its arrays belong to it. */
WsVariableTable *ws_variable_table_new(void);
void ws_variable_table_free(WsVariableTable *table);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(WsVariableTable, ws_variable_table_free)

/* ---- by number --------------------------------------------------------------------------------
 */

const WsSourceType *ws_variable_table_type(const WsVariableTable *table, guint32 type);
const WsSourceMember *ws_variable_table_member(const WsVariableTable *table, guint32 member);
const WsSourceScope *ws_variable_table_scope(const WsVariableTable *table, guint32 scope);
const WsSourceVariable *ws_variable_table_variable(const WsVariableTable *table, guint32 variable);
const WsVariablePiece *ws_variable_table_piece(const WsVariableTable *table, guint32 piece);

/* ---- at an instruction of the program ---------------------------------------------------------
 */

/* The innermost scope, or WS_NO_SCOPE. */
guint32 ws_variable_table_scope_at(const WsVariableTable *table, guint32 instruction);

/*
 * The variables that a name may mean there: those of the innermost scope, then those around it up
 * to the kernel's, each scope's in the order of the source, then those of the program. guint32;
 * g_array_unref. One that is hidden by another of its name is in the list too, behind that.
 */
GArray *ws_variable_table_at(const WsVariableTable *table, guint32 instruction);

/* What `name` means there, or WS_NO_VARIABLE. */
guint32 ws_variable_table_find(const WsVariableTable *table, guint32 instruction, const char *name);

/* Where the variable is there; NULL if that is not known. */
const WsVariablePlace *ws_variable_table_place(const WsVariableTable *table, guint32 variable,
                                               guint32 instruction);

/* ---- types ------------------------------------------------------------------------------------
 */

/*
 * The member `name` of a struct or union, of its base classes and anonymous members too; `offset`
 * in the result counts from the start of `type`. FALSE if it has none.
 */
gboolean ws_source_type_member(const WsVariableTable *table, guint32 type, const char *name,
                               WsSourceMember *ret);

/* The first name of an enum for a value, or NULL. */
const char *ws_source_type_enumerator(const WsVariableTable *table, guint32 type, gint64 value);

/* ---- for those who make tables ----------------------------------------------------------------
 */

/* The program that a table is checked against. */
typedef struct {
    guint32 instruction_count, file_count;
} WsVariableBounds;

/*
 * NULL if all numbers are in range, parents, ranges and places in order, and pieces as long as
 * their types; else what is wrong, in words.
 */
const char *ws_variable_table_fault(const WsVariableTable *table, const WsVariableBounds *bounds);

#endif
