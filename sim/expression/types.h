/* Types of the values of lanes: C's. */
#ifndef WS_SIM_EXPRESSION_TYPES_H
#define WS_SIM_EXPRESSION_TYPES_H

#include <glib.h>

typedef enum {
    WS_CTYPE_VOID,
    WS_CTYPE_BOOL,
    WS_CTYPE_SIGNED,
    WS_CTYPE_UNSIGNED,
    WS_CTYPE_ENUM, /* a whole number with sign; members have its names */
    WS_CTYPE_FLOAT,
    WS_CTYPE_BRAIN, /* bf16 */
    WS_CTYPE_POINTER,
    WS_CTYPE_ARRAY,
    WS_CTYPE_STRUCT /* and union */
} WsCTypeKind;

typedef struct WsValueType WsValueType;

/* Of a struct: a part of it. Of an enum: a name for the number `offset`. */
typedef struct {
    const char *name;
    gint64 offset; /* bytes */
    const WsValueType *type;
} WsValueMember;

struct WsValueType {
    WsCTypeKind kind;
    guint64 size;              /* bytes */
    const char *name;          /* as it is shown; NULL: made from `target` */
    const WsValueType *target; /* of a POINTER or ARRAY */
    gboolean is_reference;     /* of a POINTER: what it leads to is meant wherever it is named */
    guint8 bits, bit_offset;   /* of a bit field, in `size` bytes, low ones first; 0: it is none */
    guint64 count;             /* of an ARRAY: elements */
    const WsValueMember *members;
    guint member_count;
};

typedef enum {
#define BASE_TYPE(name, spelling, kind, bytes) WS_BASE_##name,
#include "sim/expression/base_types.def"
#undef BASE_TYPE
    WS_BASE_COUNT
} WsBaseType;

const WsValueType *ws_base_type(WsBaseType type);
/*
 * "unsigned", "long long int", "size_t", "uint32_t", "f32", "u64" ...; NULL: it is none of them.
 */
const WsValueType *ws_base_type_by_name(const char *name);

/* BOOL to BRAIN: numbers; pointers too. */
gboolean ws_value_type_is_scalar(const WsValueType *type);
gboolean ws_value_type_is_whole(const WsValueType *type);
gboolean ws_value_type_is_float(const WsValueType *type);

/* "float *", "int [4][8]". g_free. */
char *ws_value_type_text(const WsValueType *type);

/* Types that are made on the way; they live as long as the store. */
typedef struct WsTypeStore WsTypeStore;
WsTypeStore *ws_type_store_new(void);
void ws_type_store_free(WsTypeStore *store);
const WsValueType *ws_pointer_type(WsTypeStore *store, const WsValueType *target);
const WsValueType *ws_array_type(WsTypeStore *store, const WsValueType *target, guint64 count);

#endif
