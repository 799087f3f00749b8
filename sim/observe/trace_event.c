#include "sim/observe/trace_event.h"

#include <string.h>

static const char *const kinds[] = {
#define EVENT(enum, name, help) name,
#include "sim/observe/events.def"
#undef EVENT
};

const char *ws_trace_event_name(guint kind)
{
    return kind < WS_TRACE_COUNT ? kinds[kind] : "";
}

guint ws_trace_event_by_name(const char *name)
{
    guint kind = 0;

    while (kind < WS_TRACE_COUNT && strcmp(kinds[kind], name) != 0)
        kind++;
    return kind;
}
