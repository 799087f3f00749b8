#include "inspect/session/choices.h"

typedef struct {
    guint32 sm;
    WsTraceEvent *choices;
} Choices;

static guint64 note_choice(void *data, const WsSm *sm, const WsTraceEvent *event)
{
    Choices *choices = data;

    if (event->sm == choices->sm)
        choices->choices[event->sub_core] = *event;
    return WS_NEVER;
}

gboolean ws_find_choices(WsTimeline *timeline, guint32 sm, WsTraceEvent ret[WS_MAX_SUB_CORES],
                         GError **error)
{
    Choices choices = {.sm = sm, .choices = ret};
    WsQuery query = {.kinds = WS_TRACE_BIT(CHOICE), .find = note_choice, .data = &choices};
    WsFinding finding;

    for (guint i = 0; i < WS_MAX_SUB_CORES; i++)
        ret[i] = (WsTraceEvent){.kind = WS_TRACE_ISSUE};
    return ws_timeline_look_ahead(timeline, &query, 1, &finding, error);
}
