#include "sim/base/element.h"

#include "isa/base/half_float.h"

#include <math.h>
#include <string.h>

G_STATIC_ASSERT(G_BYTE_ORDER == G_LITTLE_ENDIAN);

/* In the order of WsType. */
static const char *const type_names[] = {"s8",  "u8",  "s16",  "u16", "s32", "u32", "s64",
                                         "u64", "f16", "bf16", "f32", "f64", NULL};

gboolean ws_element_is_float(WsType type)
{
    return type == WS_TYPE_F16 || type == WS_TYPE_BF16 || type == WS_TYPE_F32 ||
           type == WS_TYPE_F64;
}

gboolean ws_element_is_signed(WsType type)
{
    return type == WS_TYPE_S8 || type == WS_TYPE_S16 || type == WS_TYPE_S32 || type == WS_TYPE_S64;
}

const char *const *ws_element_type_names(void)
{
    return type_names;
}

gboolean ws_element_find_type(const char *name, WsType *ret)
{
    for (guint i = 0; type_names[i] != NULL; i++) {
        if (strcmp(type_names[i], name) == 0) {
            *ret = (WsType)i;
            return TRUE;
        }
    }
    return FALSE;
}

void ws_element_store_integer(WsType type, guint64 value, guint8 *ret)
{
    memcpy(ret, &value, ws_type_size(type));
}

void ws_element_store_double(WsType type, double value, guint8 *ret)
{
    guint16 half;
    float single = (float)value;
    switch (type) {
    case WS_TYPE_F16:
        half = ws_half_from_double(value);
        memcpy(ret, &half, 2);
        break;
    case WS_TYPE_BF16:
        half = ws_bfloat_from_double(value);
        memcpy(ret, &half, 2);
        break;
    case WS_TYPE_F32:
        memcpy(ret, &single, 4);
        break;
    default:
        memcpy(ret, &value, 8);
        break;
    }
}

guint64 ws_element_load_integer(WsType type, const guint8 *data)
{
    guint size = ws_type_size(type);
    guint64 value = 0;
    memcpy(&value, data, size);
    if (ws_element_is_signed(type) && size < 8 && (value >> (size * 8 - 1) & 1))
        value |= G_MAXUINT64 << (size * 8);
    return value;
}

double ws_element_load_double(WsType type, const guint8 *data)
{
    guint16 half;
    float single;
    double value;
    switch (type) {
    case WS_TYPE_F16:
        memcpy(&half, data, 2);
        return ws_half_to_double(half);
    case WS_TYPE_BF16:
        memcpy(&half, data, 2);
        return ws_bfloat_to_double(half);
    case WS_TYPE_F32:
        memcpy(&single, data, 4);
        return (double)single;
    case WS_TYPE_F64:
        memcpy(&value, data, 8);
        return value;
    default: {
        guint64 bits = ws_element_load_integer(type, data);
        return ws_element_is_signed(type) ? (double)(gint64)bits : (double)bits;
    }
    }
}

gboolean ws_element_read(const WsYamlTree *tree, const WsYamlNode *node, const char *what,
                         WsType type, guint8 *ret, GError **error)
{
    if (ws_element_is_float(type)) {
        double value;
        if (!ws_yaml_number(tree, node, what, &value, error))
            return FALSE;
        ws_element_store_double(type, value, ret);
        return TRUE;
    }
    guint bits = ws_type_size(type) * 8;
    if (ws_element_is_signed(type)) {
        gint64 value, limit = (gint64)(G_MAXUINT64 >> (65 - bits));
        if (!ws_yaml_signed(tree, node, what, -limit - 1, limit, &value, error))
            return FALSE;
        ws_element_store_integer(type, (guint64)value, ret);
        return TRUE;
    }
    guint64 value;
    if (!ws_yaml_unsigned(tree, node, what, 0, G_MAXUINT64 >> (64 - bits), &value, error))
        return FALSE;
    ws_element_store_integer(type, value, ret);
    return TRUE;
}

char *ws_element_text(WsType type, const guint8 *data)
{
    if (!ws_element_is_float(type)) {
        guint64 value = ws_element_load_integer(type, data);
        if (ws_element_is_signed(type))
            return g_strdup_printf("%" G_GINT64_FORMAT, (gint64)value);
        return g_strdup_printf("%" G_GUINT64_FORMAT, value);
    }
    double value = ws_element_load_double(type, data);
    if (isnan(value))
        return g_strdup("nan");
    char buffer[G_ASCII_DTOSTR_BUF_SIZE];
    for (int digits = 1; digits <= 17; digits++) {
        char format[8];
        g_snprintf(format, sizeof format, "%%.%dg", digits);
        g_ascii_formatd(buffer, sizeof buffer, format, value);
        guint8 again[8];
        ws_element_store_double(type, g_ascii_strtod(buffer, NULL), again);
        if (memcmp(again, data, ws_type_size(type)) == 0)
            break;
    }
    return g_strdup(buffer);
}
