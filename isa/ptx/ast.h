/*
 * A parsed PTX module: functions of statements whose registers, variables and labels are resolved.
 * isa/ptx/parser.c makes it, isa/lower/lower.c reads it. All strings belong to the module.
 */
#ifndef WS_ISA_PTX_AST_H
#define WS_ISA_PTX_AST_H

#include "isa/base/error.h"

/* TYPE(ENUM, "text", bits, kind) */
#define WS_PTX_TYPES(TYPE)                                                                         \
    TYPE(NONE, "", 0, OTHER)                                                                       \
    TYPE(S8, "s8", 8, SIGNED)                                                                      \
    TYPE(S16, "s16", 16, SIGNED)                                                                   \
    TYPE(S32, "s32", 32, SIGNED)                                                                   \
    TYPE(S64, "s64", 64, SIGNED)                                                                   \
    TYPE(U8, "u8", 8, UNSIGNED)                                                                    \
    TYPE(U16, "u16", 16, UNSIGNED)                                                                 \
    TYPE(U32, "u32", 32, UNSIGNED)                                                                 \
    TYPE(U64, "u64", 64, UNSIGNED)                                                                 \
    TYPE(B8, "b8", 8, BITS)                                                                        \
    TYPE(B16, "b16", 16, BITS)                                                                     \
    TYPE(B32, "b32", 32, BITS)                                                                     \
    TYPE(B64, "b64", 64, BITS)                                                                     \
    TYPE(B128, "b128", 128, BITS)                                                                  \
    TYPE(F16, "f16", 16, FLOAT)                                                                    \
    TYPE(F16X2, "f16x2", 32, FLOAT)                                                                \
    TYPE(BF16, "bf16", 16, FLOAT)                                                                  \
    TYPE(BF16X2, "bf16x2", 32, FLOAT)                                                              \
    TYPE(F32, "f32", 32, FLOAT)                                                                    \
    TYPE(F64, "f64", 64, FLOAT)                                                                    \
    TYPE(TF32, "tf32", 32, FLOAT)                                                                  \
    TYPE(S16X2, "s16x2", 32, SIGNED)                                                               \
    TYPE(U16X2, "u16x2", 32, UNSIGNED)                                                             \
    TYPE(TEXREF, "texref", 64, BITS)                                                               \
    TYPE(PRED, "pred", 1, OTHER)

typedef enum {
#define TYPE(name, ...) WS_PTX_##name,
    WS_PTX_TYPES(TYPE)
#undef TYPE
        WS_PTX_TYPE_COUNT
} WsPtxType;

typedef enum {
    WS_PTX_KIND_OTHER,
    WS_PTX_KIND_SIGNED,
    WS_PTX_KIND_UNSIGNED,
    WS_PTX_KIND_BITS,
    WS_PTX_KIND_FLOAT
} WsPtxKind;

guint ws_ptx_type_bits(WsPtxType type);
WsPtxKind ws_ptx_type_kind(WsPtxType type);
WsPtxType ws_ptx_type_find(const char *name); /* "u32"; WS_PTX_NONE if it is none */

typedef enum {
    WS_PTX_SPACE_GENERIC,
    WS_PTX_SPACE_REG,
    WS_PTX_SPACE_PARAM,
    WS_PTX_SPACE_GLOBAL,
    WS_PTX_SPACE_SHARED,
    WS_PTX_SPACE_LOCAL,
    WS_PTX_SPACE_CONST
} WsPtxSpace;

/* An address in an initialiser: `bytes` bytes at `offset` hold symbol + addend, shifted right. */
typedef struct {
    const char *symbol;
    guint64 offset;
    gint64 addend;
    guint8 bytes;
    guint8 shift;
    gboolean generic;
    WsPosition position;
} WsPtxRelocation;

typedef struct {
    const char *name;
    WsPtxSpace space;
    WsPtxType type;
    guint64 size; /* bytes; 0 for an array whose size is not given (extern) */
    guint32 align;
    gboolean is_extern;
    gboolean is_visible; /* outside of the module */
    guint32 serial;      /* order of declaration in the module */
    guint64 placed;      /* the address that code has for it, where it is not the module's; or 0 */
    guint32 reg;         /* of a .reg parameter: the register */
    GByteArray *initial; /* or NULL */
    GArray *relocations; /* of WsPtxRelocation, or NULL */
    WsPosition position;
} WsPtxVariable;

typedef enum {
    WS_PTX_REGISTER, /* `index` */
    WS_PTX_SPECIAL,  /* `name` */
    WS_PTX_INTEGER,  /* `value` */
    WS_PTX_FLOAT32,  /* `value`: bits */
    WS_PTX_FLOAT64,  /* `value`: bits */
    WS_PTX_VARIABLE, /* address of `variable` + value */
    WS_PTX_ADDRESS,  /* [base + value]; `base` is REGISTER, VARIABLE or INTEGER (absolute) */
    WS_PTX_TEXTURE,  /* [base, {coordinates}]: base as in ADDRESS, coordinates as in VECTOR */
    WS_PTX_VECTOR,   /* operands[first .. first + count) of the function */
    WS_PTX_LABEL,    /* `index`: label number */
    WS_PTX_FUNCTION, /* `name` */
    WS_PTX_SINK,     /* _ */
    WS_PTX_UNKNOWN   /* a form only unsupported instructions have */
} WsPtxOperandKind;

enum { WS_PTX_NO_REGISTER = G_MAXUINT32 };

typedef struct {
    guint8 kind;
    guint8 base;
    gboolean negated;
    guint32 index;
    guint32 second; /* register after '|', or WS_PTX_NO_REGISTER */
    guint32 first;
    guint32 count;
    guint64 value;
    const WsPtxVariable *variable;
    const char *name;
    WsPosition position;
} WsPtxOperand;

typedef enum {
    WS_PTX_STATEMENT_INSTRUCTION,
    WS_PTX_STATEMENT_LABEL,  /* `label` */
    WS_PTX_STATEMENT_TARGETS /* .branchtargets: operands are labels */
} WsPtxStatementKind;

typedef struct {
    guint8 kind;
    guint8 guard_negated;
    guint16 modifier_count;
    guint32 first_modifier; /* into modifiers of the function */
    const char *opcode;     /* "ld" */
    const char *full;       /* "ld.global.u32" */
    guint32 first_operand;
    guint32 operand_count;
    guint32 guard; /* register, or WS_PTX_NO_REGISTER */
    guint32 label;
    guint32 location; /* into locations of the module, 0 = none */
    WsPosition position;
} WsPtxStatement;

typedef struct {
    const char *name;
    guint32 statement;
} WsPtxLabel;

typedef struct {
    const char *name;
    gboolean is_entry;
    gboolean has_body;
    GPtrArray *parameters; /* of WsPtxVariable* */
    GPtrArray *returns;    /* of WsPtxVariable* */
    GPtrArray *variables;  /* of WsPtxVariable*: .local, .param; owned, parameters too */
    GArray *registers;     /* of guint8 WsPtxType */
    GArray *statements;    /* of WsPtxStatement */
    GArray *operands;      /* of WsPtxOperand */
    GPtrArray *modifiers;  /* of const char* */
    GArray *labels;        /* of WsPtxLabel */
    guint32 max_threads[3];
    guint32 required_block[3];
    guint32 min_blocks;
    guint32 max_registers;
    gboolean names_warp_size; /* its code has WARP_SZ */
    WsPosition position;
} WsPtxFunction;

/* A .loc. `parent` is the location of the call it was inlined at, 0 = none. */
typedef struct {
    guint32 file; /* PTX file number */
    guint32 line;
    guint32 column;
    guint32 parent;
} WsPtxLocation;

typedef struct {
    char *path;
    GStringChunk *strings;
    GPtrArray *functions;     /* of WsPtxFunction*, definitions and declarations, in order */
    GHashTable *function_map; /* name -> WsPtxFunction*, a definition wins */
    GPtrArray *variables;     /* of WsPtxVariable*: global, const, shared; of any scope */
    GHashTable *variable_map; /* name -> WsPtxVariable*, module scope */
    GArray *locations;        /* of WsPtxLocation; [0] is none */
    GHashTable *files;        /* PTX file number -> name */
    gboolean names_warp_size; /* an initialiser has WARP_SZ */
    guint64 launches;         /* address of the queue of launches by kernels; 0 = there is none */
} WsPtxModule;

/*
 * Parses a PTX text. `path` names it in messages. Errors: WS_ERROR_INPUT with file, line and
 * column.
 */
WsPtxModule *ws_ptx_parse(const char *path, const char *text, gsize length, GError **error);
void ws_ptx_module_free(WsPtxModule *module);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(WsPtxModule, ws_ptx_module_free)

#endif
