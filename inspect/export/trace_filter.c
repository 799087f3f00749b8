#include "inspect/export/trace_filter.h"

#include <string.h>

#include "isa/base/error.h"
#include "sim/base/number_list.h"

void ws_trace_filter_init(WsTraceFilter *ret)
{
    *ret = (WsTraceFilter){.to = G_MAXUINT64};
}

void ws_trace_filter_clear(WsTraceFilter *filter)
{
    g_clear_pointer(&filter->sms, g_array_unref);
    g_clear_pointer(&filter->warps, g_array_unref);
    g_clear_pointer(&filter->blocks, g_array_unref);
}

static char *known_kinds(void)
{
    GString *text = g_string_new(NULL);

    for (guint i = 0; i < WS_TRACE_COUNT; i++)
        g_string_append_printf(text, "%s%s", i == 0 ? "" : ", ", ws_trace_event_name(i));
    return g_string_free(text, FALSE);
}

gboolean ws_trace_kinds_parse(const char *option, const char *list, guint64 *ret, GError **error)
{
    g_auto(GStrv) names = NULL;

    *ret = 0;
    if (list == NULL)
        return TRUE;
    names = g_strsplit(list, ",", -1);
    for (guint i = 0; names[i] != NULL; i++) {
        guint kind = ws_trace_event_by_name(names[i]);

        if (strcmp(names[i], "all") == 0) {
            *ret |= WS_ALL_EVENTS;
        } else if (kind < WS_TRACE_COUNT) {
            *ret |= (guint64)1 << kind;
        } else {
            g_autofree char *shown = ws_printable(names[i]), *known = known_kinds();
            ws_set_error(error, WS_ERROR_USAGE, "%s: no event '%s'; there are %s, and all", option,
                         shown, known);
            return FALSE;
        }
    }
    if (*ret != 0)
        return TRUE;
    ws_set_error(error, WS_ERROR_USAGE, "%s: a list of events is expected", option);
    return FALSE;
}

static gboolean warp_passes(const WsTraceFilter *filter, const WsTraceEvent *event)
{
    return filter->warps == NULL ||
           (!ws_trace_is_of_block(event) && ws_number_list_has(filter->warps, event->warp));
}

gboolean ws_trace_filter_passes(const WsTraceFilter *filter, const WsTraceEvent *event)
{
    return warp_passes(filter, event) && event->cycle >= filter->from &&
           event->cycle <= filter->to &&
           (filter->sms == NULL || ws_number_list_has(filter->sms, event->sm)) &&
           (filter->blocks == NULL || ws_number_list_has(filter->blocks, event->block));
}
