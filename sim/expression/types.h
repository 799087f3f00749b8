/* Types of the values of lanes: C's. */
#ifndef WS_SIM_EXPRESSION_TYPES_H
#define WS_SIM_EXPRESSION_TYPES_H

#include <glib.h>

typedef enum {
    WS_VALUE_VOID,
    WS_VALUE_BOOL,
    WS_VALUE_SIGNED,
    WS_VALUE_UNSIGNED,
    WS_VALUE_ENUM, /* a whole number with sign; members have its names */
    WS_VALUE_FLOAT,
    WS_VALUE_BRAIN, /* bf16 */
    WS_VALUE_POINTER,
    WS_VALUE_ARRAY,
    WS_VALUE_STRUCT /* and union */
} WsValueKind;

typedef struct WsValueType WsValueType;

/* Of a struct: a part of it. Of an enum: a name for the number `offset`. */
typedef struct {
    const char *name;
    gint64 offset; /* bytes */
    const WsValueType *type;
    guint8 bits, bit_offset; /* of a bit field; bits 0: it is none */
} WsValueMember;

struct WsValueType {
    WsValueKind kind;
    guint64 size;              /* bytes */
    const char *name;          /* as it is shown; NULL: made from `target` */
    const WsValueType *target; /* of a POINTER or ARRAY */
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
