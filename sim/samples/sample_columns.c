#include "sim/samples/sample_columns.h"

#include <math.h>
#include <string.h>

static const WsSampleColumn columns[] = {
#define KEY(name, unit, meaning, value)               {#name, unit, meaning, TRUE, TRUE, FALSE},
#define COUNT(name, unit, meaning, value)             {#name, unit, meaning, TRUE, FALSE, FALSE},
#define MEMORY_COUNT(name, unit, meaning, value)      {#name, unit, meaning, TRUE, FALSE, TRUE},
#define RATE(name, unit, meaning, part, whole)        {#name, unit, meaning, FALSE, FALSE, FALSE},
#define MEMORY_RATE(name, unit, meaning, part, whole) {#name, unit, meaning, FALSE, FALSE, TRUE},
#include "sim/samples/sample_columns.def"
#undef KEY
#undef COUNT
#undef MEMORY_COUNT
#undef RATE
#undef MEMORY_RATE
#define STALL(ENUM, name, letter, when) {"stall_" name, "warp-cycles", when, TRUE, FALSE, FALSE},
#include "sim/base/stall.def"
#undef STALL
};

enum { FIRST_STALL = G_N_ELEMENTS(columns) - WS_STALL_COUNT };

guint ws_sample_column_count(void)
{
    return G_N_ELEMENTS(columns);
}

WsSampleColumn ws_sample_column_at(guint index)
{
    return columns[index];
}

int ws_sample_column_find(const char *name)
{
    for (guint i = 0; i < G_N_ELEMENTS(columns); i++)
        if (strcmp(columns[i].name, name) == 0)
            return (int)i;
    return -1;
}

enum {
#define KEY(name, ...)          COLUMN_##name,
#define COUNT(name, ...)        COLUMN_##name,
#define MEMORY_COUNT(name, ...) COLUMN_##name,
#define RATE(name, ...)         COLUMN_##name,
#define MEMORY_RATE(name, ...)  COLUMN_##name,
#include "sim/samples/sample_columns.def"
#undef KEY
#undef COUNT
#undef MEMORY_COUNT
#undef RATE
#undef MEMORY_RATE
};

static double ratio(guint64 part, guint64 whole)
{
    return whole != 0 ? (double)part / (double)whole : (double)NAN;
}

double ws_sample_value(guint index, const WsSample *sample, const WsDevice *device)
{
    const WsCounters *count = &sample->counters;

    if (index >= FIRST_STALL)
        return (double)count->stalls[index - FIRST_STALL];
    switch (index) {
#define VALUE(name, value)                                                                         \
    case COLUMN_##name:                                                                            \
        return (double)(gint64)(value);
#define KEY(name, unit, meaning, value)          VALUE(name, value)
#define COUNT(name, unit, meaning, value)        VALUE(name, value)
#define MEMORY_COUNT(name, unit, meaning, value) VALUE(name, value)
#define RATE(name, unit, meaning, part, whole)                                                     \
    case COLUMN_##name:                                                                            \
        return ratio(part, whole);
#define MEMORY_RATE RATE
#include "sim/samples/sample_columns.def"
#undef KEY
#undef COUNT
#undef MEMORY_COUNT
#undef RATE
#undef MEMORY_RATE
    default:
        break;
    }
    return (double)NAN;
}

void ws_sample_add(WsSample *sample, guint index, double value)
{
    WsCounters *count = &sample->counters;

    if (index >= FIRST_STALL)
        count->stalls[index - FIRST_STALL] += (guint64)value;
    switch (index) {
#define ADD(name, place)                                                                           \
    case COLUMN_##name:                                                                            \
        place += (guint64)value;                                                                   \
        break;
#define KEY(name, unit, meaning, value)
#define COUNT(name, unit, meaning, place)        ADD(name, place)
#define MEMORY_COUNT(name, unit, meaning, place) ADD(name, place)
#define RATE(name, unit, meaning, part, whole)
#define MEMORY_RATE(name, unit, meaning, part, whole)
#include "sim/samples/sample_columns.def"
    default:
        break;
    }
}
