#include "sim/base/number_list.h"

static gboolean read_number(const char **text, guint32 *ret)
{
    guint64 value = 0;

    if (!g_ascii_isdigit(**text))
        return FALSE;
    for (; g_ascii_isdigit(**text); (*text)++)
        value = MIN(10 * value + (guint64)(**text - '0'), G_MAXUINT32);
    *ret = (guint32)value;
    return TRUE;
}

GArray *ws_number_list_parse(const char *text)
{
    g_autoptr(GArray) list = g_array_new(FALSE, FALSE, sizeof(WsNumberRange));

    for (const char *at = text;; at++) {
        WsNumberRange range;

        if (!read_number(&at, &range.from))
            return NULL;
        range.to = range.from;
        if (*at == '-' && (at++, !read_number(&at, &range.to) || range.to < range.from))
            return NULL;
        g_array_append_val(list, range);
        if (*at == '\0')
            return g_steal_pointer(&list);
        if (*at != ',')
            return NULL;
    }
}

gboolean ws_number_list_has(const GArray *list, guint32 number)
{
    for (guint i = 0; list != NULL && i < list->len; i++) {
        const WsNumberRange *range = &g_array_index(list, WsNumberRange, i);

        if (number >= range->from && number <= range->to)
            return TRUE;
    }
    return list == NULL;
}
