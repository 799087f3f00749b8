#include "study/results/region_metrics.h"

#include <math.h>
#include <string.h>

#include "sim/launch/code_regions.h"

/* The figures of one region. A rate is part / whole. */
typedef struct {
    const char *name, *unit, *meaning;
    gboolean is_rate;
} Row;

static const Row rows[] = {
    {"cycles", "cycles", "with a warp inside, of the SM that has most", FALSE},
    {"us", "us", "the same at the device's clock", TRUE},
    {"warp_cycles", "warp-cycles", "inside, summed over warps", FALSE},
    {"time", "share", "of all warp-cycles", TRUE},
    {"warp_instructions", "instructions", "issued", FALSE},
    {"thread_instructions", "instructions", "their active lanes", FALSE},
    {"lane_efficiency", "share", "share of the lanes that are active", TRUE},
    {"divergent", "instructions", "split the active lanes", FALSE},
};

static const char *const stalls[] = {
#define STALL(ENUM, name, ...) "stall_" name,
#include "sim/base/stall.def"
#undef STALL
};

guint ws_region_metric_count(void)
{
    return G_N_ELEMENTS(rows) + WS_STALL_COUNT;
}

WsMetric ws_region_metric_at(guint index)
{
    if (index < G_N_ELEMENTS(rows))
        return (WsMetric){rows[index].name, rows[index].unit, rows[index].meaning};
    index -= G_N_ELEMENTS(rows);
    return (WsMetric){stalls[index], "warp-cycles", ws_stall_help((WsStall)index)};
}

char *ws_region_column(const char *region, guint index)
{
    return g_strdup_printf("region_%s_%s", region, ws_region_metric_at(index).name);
}

static double rate(double part, double whole)
{
    return whole == 0 ? (double)NAN : part / whole;
}

static char *count_text(guint64 count)
{
    return g_strdup_printf("%" G_GUINT64_FORMAT, count);
}

/* In the order of `rows`, then the stalls. */
static void add_region(GPtrArray *cells, const WsJob *job, const WsResult *result,
                       const WsRegionResult *region)
{
    const WsInstructionCounters *counters = &region->counters;
    const struct {
        guint64 count;
        double rate;
    } values[G_N_ELEMENTS(rows)] = {
        {.count = region->cycles},
        {.rate = rate(1e3 * (double)region->cycles, (double)job->device->clock_khz)},
        {.count = region->warp_cycles},
        {.rate = rate((double)region->warp_cycles, (double)result->total.warp_cycles)},
        {.count = counters->issued},
        {.count = counters->lanes},
        {.rate = rate((double)counters->lanes,
                      (double)job->device->warp_size * (double)counters->issued)},
        {.count = counters->divergent},
    };

    for (guint i = 0; i < G_N_ELEMENTS(rows); i++)
        g_ptr_array_add(cells, rows[i].is_rate ? ws_metric_number(values[i].rate)
                                               : count_text(values[i].count));
    for (guint i = 0; i < WS_STALL_COUNT; i++)
        g_ptr_array_add(cells, count_text(counters->stalls[i]));
}

char **ws_region_metrics_of_run(const WsJob *job, const WsResult *result, char *const *regions)
{
    GPtrArray *cells = g_ptr_array_new();

    for (; regions != NULL && *regions != NULL; regions++) {
        guint before = cells->len;

        for (guint32 i = 0; result->regions != NULL && i < job->region_count; i++)
            if (strcmp(job->regions[i].name, *regions) == 0)
                add_region(cells, job, result, &result->regions[i]);
        while (cells->len < before + ws_region_metric_count())
            g_ptr_array_add(cells, g_strdup(""));
    }
    g_ptr_array_add(cells, NULL);
    return (char **)g_ptr_array_free(cells, FALSE);
}
