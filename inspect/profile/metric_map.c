#include "inspect/profile/metric_map.h"

#include "inspect/profile/metric_form.h"

#include <math.h>
#include <string.h>

struct WsMetricMap {
    const WsSimulatedLaunch *launch;
    GArray *rows;        /* of WsMetricRow, in the order of the table */
    GHashTable *by_name; /* name -> place + 1 */
};

const char *ws_metric_status_name(WsMetricStatus status)
{
    static const char *const names[] = {"mapped", "not measured", "not modelled", "no counterpart",
                                        "unknown name"};

    return names[status];
}

const char *ws_metric_group_name(WsMetricGroup group)
{
    static const char *const names[] = {
#define GROUP(name, heading) heading,
#include "inspect/profile/metric_groups.def"
#undef GROUP
    };

    return names[group];
}

/* ---- the table ----------------------------------------------------------------------------------
 */

enum { SECTOR = 32 };

static double ratio(double part, double whole)
{
    return whole == 0 ? (double)NAN : part / whole;
}

static double threads_of(const WsSimulatedLaunch *s)
{
    return (double)s->launch->block[0] * s->launch->block[1] * s->launch->block[2];
}

static double shared_bytes(const WsSimulatedLaunch *s)
{
    return (double)ws_kernel_shared_asked(s->launch->kernel) + s->launch->dynamic_shared_bytes +
           (double)s->device->reserved_shared_bytes;
}

static double limit_of(const WsSimulatedLaunch *s, WsOccupancyLimit limit)
{
    return s->occupancy.limits[limit] == WS_OCCUPANCY_UNLIMITED ? (double)NAN
                                                                : s->occupancy.limits[limit];
}

/* The counter has atomics and reductions too. */
static double store_requests(const WsSimulatedLaunch *s)
{
    return (double)s->counters->global_store_requests -
           (double)s->classes[WS_CLASS_GLOBAL_ATOMIC].issued -
           (double)s->classes[WS_CLASS_GLOBAL_REDUCTION].issued;
}

/* Bytes that all channels of DRAM move in a cycle of the SM. */
static double dram_peak(const WsSimulatedLaunch *s)
{
    enum { MILLI = 1000 };

    return (double)SECTOR * MILLI / (double)s->device->dram_interval_milli *
           (double)s->device->dram_channels;
}

static void add_row(WsMetricMap *map, char *name, const WsMetricRow *row)
{
    WsMetricRow copy = *row;

    copy.name = name;
    g_array_append_val(map->rows, copy);
    g_hash_table_insert(map->by_name, name, GUINT_TO_POINTER(map->rows->len));
}

#define C(counter)         ((double)s->counters->counter)
#define CLASS(name, sum)   ((double)s->classes[WS_CLASS_##name].sum)
#define PIPE(name, sum)    ((double)s->pipes[WS_PIPE_##name].sum)
#define OP(name, sum)      ((double)ws_simulated_opcode(s, name)->sum)
#define STALL_CYCLES(name) C(stalls[WS_STALL_##name])
#define THREADS            threads_of
#define SHARED_BYTES       shared_bytes
#define RATIO              ratio
#define LIMIT(s, name)     limit_of(s, WS_OCCUPANCY_##name)
#define DRAM_PEAK          dram_peak
/* As Nsight Compute counts them: with joins and exits. */
#define BRANCHES(s)  (C(branches_executed) + CLASS(EXIT, issued) + OP("BSYNC", issued))
#define SUM_ONLY     WS_SUM_ONLY
#define AVERAGE_ONLY WS_AVERAGE_ONLY
/* Warp instructions of the class that an SM issues in a cycle. */
#define ISSUE_RATE(name) (s->sub_cores / (double)s->device->classes[WS_CLASS_##name].interval)
#define STORE_REQUESTS   store_requests
#define BYTES_OF_SECTOR(name)                                                                      \
    (SECTOR * ratio(CLASS(name, sectors) - CLASS(name, extra_sectors), CLASS(name, sectors)))
#define GLOBAL(s, sum)                                                                             \
    (CLASS(GLOBAL_LOAD, sum) + CLASS(GLOBAL_STORE, sum) + CLASS(GLOBAL_ATOMIC, sum) +              \
     CLASS(GLOBAL_REDUCTION, sum))

static void add_table(WsMetricMap *map, const WsSimulatedLaunch *s)
{
#define COUNTER(name, section, figure, unit, form, instances, total, peak, most, note)             \
    add_row(map, g_strdup(name),                                                                   \
            &(WsMetricRow){NULL, WS_GROUP_OF_##section, figure, unit, note, form, TRUE, FALSE,     \
                           (double)(instances), (double)(total), (double)(peak), (double)(most)});
#define PART(name, section, figure, unit, value, full, note)                                       \
    add_row(map, g_strdup(name),                                                                   \
            &(WsMetricRow){NULL, WS_GROUP_OF_##section, figure, unit, note, "", FALSE, FALSE, 1,   \
                           (double)(value), (double)(full), (double)NAN});
/* Only a ratio, which has no unit, is a share of 1. */
#define VALUE(name, section, figure, unit, value, note)                                            \
    PART(name, section, figure, unit, value, *unit == '\0' ? 1 : 0, note)
#include "inspect/profile/ncu_metrics.def"
#undef COUNTER
#undef VALUE
#undef PART
}

/* The metrics of a stall reason. */
static void add_stall(WsMetricMap *map, const WsSimulatedLaunch *s, const char *name, WsStall stall)
{
    double cycles = (double)s->counters->stalls[stall];
    const char *figure = ws_stall_name(stall);
    WsMetricRow row = {
        .group = WS_GROUP_OF_STALLS,
        .figure = figure,
        .unit = "cycle",
        .note = "",
        .form = "",
        .instances = s->sms * s->sub_cores,
        .most = (double)NAN,
    };

    row.total = ratio(cycles, (double)s->counters->warp_instructions);
    add_row(map, g_strdup_printf("smsp__average_warps_issue_stalled_%s_per_issue_active", name),
            &row);
    row.total = ratio(cycles, (double)s->counters->warp_cycles);
    row.unit = "";
    row.peak = 1;
    add_row(map, g_strdup_printf("smsp__warp_issue_stalled_%s_per_warp_active", name), &row);
    row.unit = "sample";
    row.samples = TRUE;
    add_row(map, g_strdup_printf("smsp__pcsamp_warps_issue_stalled_%s", name), &row);
    row.unit = "warp";
    row.samples = FALSE;
    row.counts = TRUE;
    row.peak = 0;
    row.total = cycles;
    row.form = "avg.per_cycle_active";
    add_row(map, g_strdup_printf("smsp__warps_issue_stalled_%s", name), &row);
}

static void clear_row(gpointer row)
{
    g_free(((WsMetricRow *)row)->name);
}

WsMetricMap *ws_metric_map_new(const WsSimulatedLaunch *launch)
{
    WsMetricMap *map = g_new0(WsMetricMap, 1);

    map->launch = launch;
    map->rows = g_array_new(FALSE, FALSE, sizeof(WsMetricRow));
    g_array_set_clear_func(map->rows, clear_row);
    map->by_name = g_hash_table_new(g_str_hash, g_str_equal);
    add_table(map, launch);
#define NCU_STALL(ours, name, column, other) add_stall(map, launch, name, WS_STALL_##ours);
#include "inspect/profile/ncu_stalls.def"
#undef NCU_STALL
    return map;
}

void ws_metric_map_free(WsMetricMap *map)
{
    if (map == NULL)
        return;
    g_hash_table_unref(map->by_name);
    g_array_unref(map->rows);
    g_free(map);
}

/* ---- looking up ---------------------------------------------------------------------------------
 */

static const struct {
    const char *pattern; /* of a whole name; "*" stands for any text */
    WsMetricStatus status;
    const char *why;
} unmapped[] = {
#define UNMAPPED(pattern, status, why) {pattern, WS_METRIC_##status, why},
#include "inspect/profile/ncu_unmapped.def"
#undef UNMAPPED
};

static void find_unmapped(const char *name, WsMappedMetric *ret)
{
    for (guint i = 0; i < G_N_ELEMENTS(unmapped); i++)
        if (g_pattern_match_simple(unmapped[i].pattern, name)) {
            ret->status = unmapped[i].status;
            ret->why = unmapped[i].why;
            return;
        }
    ret->status = WS_METRIC_UNKNOWN;
    ret->why = "no row of the table of metrics has this name";
}

void ws_metric_map_find(const WsMetricMap *map, const char *name, WsMappedMetric *ret)
{
    const char *unit_end = strstr(name, "__");
    const char *dot = strchr(unit_end != NULL ? unit_end : name, '.');
    g_autofree char *base = dot != NULL ? g_strndup(name, (gsize)(dot - name)) : g_strdup(name);
    guint place = GPOINTER_TO_UINT(g_hash_table_lookup(map->by_name, base));

    *ret = (WsMappedMetric){.status = WS_METRIC_MAPPED, .why = "", .simulated = (double)NAN};
    if (place == 0) {
        find_unmapped(name, ret);
        return;
    }
    const WsMetricRow *row = &g_array_index(map->rows, WsMetricRow, place - 1);
    ret->row = place - 1;
    ret->group = row->group;
    ret->figure = row->figure;
    ret->note = row->note;
    ret->samples = row->samples;
    ret->shown = !row->counts || strcmp(dot != NULL ? dot + 1 : "", row->form) == 0;
    ret->why = ws_metric_form(row, map->launch, dot != NULL ? dot + 1 : "", ret);
    if (ret->why != NULL)
        ret->status = WS_METRIC_NO_COUNTERPART;
}
