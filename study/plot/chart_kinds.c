#include "study/plot/chart_kind.h"
#include "study/plot/drawing.h"

#include <string.h>

const WsChartKind *const ws_chart_kinds[] = {
#define KIND(name, summary) &ws_chart_##name,
#include "study/plot/chart_kinds.def"
#undef KIND
    NULL};

const WsChartKind *ws_chart_kind(const char *name)
{
    for (guint i = 0; ws_chart_kinds[i] != NULL; i++)
        if (strcmp(ws_chart_kinds[i]->name, name) == 0)
            return ws_chart_kinds[i];
    return NULL;
}

char *ws_chart_text(const WsChart *chart, guint width, guint rows)
{
    return chart->kind->text(chart, width, rows);
}

char *ws_chart_vega(const WsChart *chart)
{
    return chart->kind->vega(chart);
}
