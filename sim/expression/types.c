#include "sim/expression/types.h"

#include <string.h>

static const WsValueType base[] = {
#define BASE_TYPE(enumerator, spelling, value_kind, bytes)                                         \
    {.kind = WS_CTYPE_##value_kind, .size = bytes, .name = spelling},
#include "sim/expression/base_types.def"
#undef BASE_TYPE
};

const WsValueType *ws_base_type(WsBaseType type)
{
    return &base[type];
}

/* ---- names --------------------------------------------------------------------------------------
 */

static const struct {
    const char *name;
    WsBaseType type;
} names[] = {
    {"s8", WS_BASE_CHAR},
    {"u8", WS_BASE_UNSIGNED_CHAR},
    {"s16", WS_BASE_SHORT},
    {"u16", WS_BASE_UNSIGNED_SHORT},
    {"s32", WS_BASE_INT},
    {"u32", WS_BASE_UNSIGNED},
    {"s64", WS_BASE_LONG},
    {"u64", WS_BASE_UNSIGNED_LONG},
    {"b8", WS_BASE_UNSIGNED_CHAR},
    {"b16", WS_BASE_UNSIGNED_SHORT},
    {"b32", WS_BASE_UNSIGNED},
    {"b64", WS_BASE_UNSIGNED_LONG},
    {"f16", WS_BASE_HALF},
    {"bf16", WS_BASE_BFLOAT},
    {"f32", WS_BASE_FLOAT},
    {"f64", WS_BASE_DOUBLE},
    {"int8_t", WS_BASE_CHAR},
    {"uint8_t", WS_BASE_UNSIGNED_CHAR},
    {"int16_t", WS_BASE_SHORT},
    {"uint16_t", WS_BASE_UNSIGNED_SHORT},
    {"int32_t", WS_BASE_INT},
    {"uint32_t", WS_BASE_UNSIGNED},
    {"int64_t", WS_BASE_LONG},
    {"uint64_t", WS_BASE_UNSIGNED_LONG},
    {"size_t", WS_BASE_UNSIGNED_LONG},
    {"half", WS_BASE_HALF},
    {"__half", WS_BASE_HALF},
    {"__nv_bfloat16", WS_BASE_BFLOAT},
    {"bool", WS_BASE_BOOL},
    {"float", WS_BASE_FLOAT},
    {"double", WS_BASE_DOUBLE},
    {"void", WS_BASE_VOID},
};

/* Whole types of C's words, in any order: "long unsigned int". */
static const WsValueType *whole_type(const char *name)
{
    g_auto(GStrv) words = g_strsplit(name, " ", -1);
    guint longs = 0, shorts = 0, chars = 0, is_unsigned = 0;

    for (guint i = 0; words[i] != NULL; i++) {
        if (strcmp(words[i], "long") == 0)
            longs++;
        else if (strcmp(words[i], "short") == 0)
            shorts++;
        else if (strcmp(words[i], "char") == 0)
            chars++;
        else if (strcmp(words[i], "unsigned") == 0)
            is_unsigned++;
        else if (strcmp(words[i], "signed") != 0 && strcmp(words[i], "int") != 0)
            return NULL;
    }
    if (longs > 2 || (longs != 0) + (shorts != 0) + (chars != 0) > 1)
        return NULL;
    return &base[(longs != 0    ? WS_BASE_LONG
                  : shorts != 0 ? WS_BASE_SHORT
                  : chars != 0  ? WS_BASE_CHAR
                                : WS_BASE_INT) +
                 (is_unsigned != 0 ? 1 : 0)];
}

const WsValueType *ws_base_type_by_name(const char *name)
{
    for (guint i = 0; i < G_N_ELEMENTS(names); i++)
        if (strcmp(names[i].name, name) == 0)
            return &base[names[i].type];
    return *name == '\0' ? NULL : whole_type(name);
}

/* ---- kinds --------------------------------------------------------------------------------------
 */

gboolean ws_value_type_is_scalar(const WsValueType *type)
{
    return type->kind != WS_CTYPE_VOID && type->kind != WS_CTYPE_ARRAY &&
           type->kind != WS_CTYPE_STRUCT;
}

gboolean ws_value_type_is_whole(const WsValueType *type)
{
    return type->kind >= WS_CTYPE_BOOL && type->kind <= WS_CTYPE_ENUM;
}

gboolean ws_value_type_is_float(const WsValueType *type)
{
    return type->kind == WS_CTYPE_FLOAT || type->kind == WS_CTYPE_BRAIN;
}

char *ws_value_type_text(const WsValueType *type)
{
    g_autoptr(GString) sizes = g_string_new(NULL);
    g_autofree char *target = NULL;

    if (type->name != NULL)
        return g_strdup(type->name);
    if (type->kind == WS_CTYPE_POINTER) {
        target = ws_value_type_text(type->target);
        return g_strdup_printf("%s%s*", target, g_str_has_suffix(target, "*") ? "" : " ");
    }
    for (; type->kind == WS_CTYPE_ARRAY; type = type->target)
        g_string_append_printf(sizes, "[%" G_GUINT64_FORMAT "]", type->count);
    target = ws_value_type_text(type);
    return g_strdup_printf("%s %s", target, sizes->str);
}

/* ---- made types ---------------------------------------------------------------------------------
 */

struct WsTypeStore {
    GPtrArray *types; /* of WsValueType */
};

WsTypeStore *ws_type_store_new(void)
{
    WsTypeStore *store = g_new0(WsTypeStore, 1);

    store->types = g_ptr_array_new_with_free_func(g_free);
    return store;
}

void ws_type_store_free(WsTypeStore *store)
{
    if (store == NULL)
        return;
    g_ptr_array_unref(store->types);
    g_free(store);
}

static const WsValueType *make(WsTypeStore *store, WsValueType type)
{
    WsValueType *made = g_memdup2(&type, sizeof type);

    g_ptr_array_add(store->types, made);
    return made;
}

const WsValueType *ws_pointer_type(WsTypeStore *store, const WsValueType *target)
{
    return make(store, (WsValueType){.kind = WS_CTYPE_POINTER, .size = 8, .target = target});
}

const WsValueType *ws_array_type(WsTypeStore *store, const WsValueType *target, guint64 count)
{
    return make(store, (WsValueType){.kind = WS_CTYPE_ARRAY,
                                     .size = target->size * count,
                                     .target = target,
                                     .count = count});
}
