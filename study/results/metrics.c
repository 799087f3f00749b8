#include "study/results/metrics.h"

#include <math.h>
#include <string.h>

#include "sim/memory/coalescer.h"
#include "sim/report/float_operations.h"
#include "sim/report/memory_use.h"

/* Behind the rows of metrics.def: the stall reasons, then why a point stopped. */
static const struct {
    const char *name, *unit, *meaning;
} rows[] = {
#define TEXT(name, meaning, value)             {#name, "", meaning},
#define COUNT(name, unit, meaning, value)      {#name, unit, meaning},
#define RATE(name, unit, meaning, part, whole) {#name, unit, meaning},
#include "study/results/metrics.def"
#undef TEXT
#undef COUNT
#undef RATE
};

static const char *const stall_columns[] = {
#define STALL(ENUM, name, ...) "stall_" name,
#include "sim/base/stall.def"
#undef STALL
};

guint ws_metric_count(void)
{
    return G_N_ELEMENTS(rows) + WS_STALL_COUNT + 1;
}

WsMetric ws_metric_at(guint index)
{
    if (index < G_N_ELEMENTS(rows))
        return (WsMetric){rows[index].name, rows[index].unit, rows[index].meaning};
    index -= G_N_ELEMENTS(rows);
    if (index < WS_STALL_COUNT)
        return (WsMetric){stall_columns[index], "warp-cycles", ws_stall_help((WsStall)index)};
    return (WsMetric){"error", "", "why the point stopped early or could not be run"};
}

int ws_metric_find(const char *name)
{
    for (guint i = 0; i < ws_metric_count(); i++)
        if (strcmp(ws_metric_at(i).name, name) == 0)
            return (int)i;
    return -1;
}

char *ws_metric_number(double value)
{
    char text[G_ASCII_DTOSTR_BUF_SIZE];
    if (isnan(value))
        return g_strdup("");
    for (int digits = 6; digits <= 17; digits++) {
        char format[8];
        g_snprintf(format, sizeof format, "%%.%dg", digits);
        g_ascii_formatd(text, sizeof text, format, value);
        if (g_ascii_strtod(text, NULL) == value)
            break;
    }
    return g_strdup(text);
}

static char *rate(double part, double whole)
{
    return ws_metric_number(whole == 0 ? (double)NAN : part / whole);
}

/* One line, which a table holds as it is. */
static char *one_line(const char *text)
{
    return g_strdelimit(g_utf8_make_valid(text, -1), "\r\n", ' ');
}

static char *limiters_of(const WsOccupancySummary *occupancy)
{
    return occupancy == NULL || occupancy->limiters == NULL ? g_strdup("")
                                                            : g_strjoinv(" ", occupancy->limiters);
}

/* Eight bytes at a time: some points take less time than a hash that withstands attacks. */
guint64 ws_results_hash(const WsJob *job)
{
    static const guint64 factor = G_GUINT64_CONSTANT(0x9e3779b97f4a7c15);
    enum { FOLD = 32 };
    guint64 hash = factor;
    for (guint32 i = 0; i < job->buffer_count; i++) {
        const WsBuffer *buffer = &job->buffers[i];
        hash = (hash ^ buffer->bytes) * factor;
        for (guint64 at = 0; at < buffer->bytes; at += sizeof hash) {
            guint64 word = 0;
            memcpy(&word, buffer->data + at, MIN(buffer->bytes - at, sizeof word));
            hash = (hash ^ word) * factor;
            hash ^= hash >> FOLD;
        }
    }
    return hash;
}

char **ws_metrics_of_run(const WsJob *job, const WsResult *result)
{
    const WsCounters *total = &result->total;
    const WsOccupancySummary *first =
        result->launch_count == 1 ? &result->launches[0].occupancy : NULL;
    const char *kernel = result->launch_count == 1 ? result->launches[0].kernel : "";
    const char *compiler = job->program->compiler != NULL ? job->program->compiler : "";
    g_autofree char *limiters = limiters_of(first);
    g_autofree char *hash = g_strdup_printf("%016" G_GINT64_MODIFIER "x", ws_results_hash(job));
    WsMemoryUse use;
    ws_memory_use(job, result, &use);
    g_autofree char *share = use.known ? ws_memory_use_share(&use) : g_strdup("");
    guint64 operations = ws_float_operations(job->program, result), registers = 0, failed = 0;
    guint64 least = G_MAXUINT64, most = 0;
    for (guint i = 0; i < job->device->sub_cores; i++) {
        least = MIN(least, total->sub_core_instructions[i]);
        most = MAX(most, total->sub_core_instructions[i]);
    }
    guint at = 0;
    for (guint32 i = 0; i < result->launch_count; i++)
        registers = MAX(registers, result->launches[i].registers_per_thread);
    for (guint32 i = 0; i < result->check_count; i++)
        failed += result->checks[i].passed ? 0 : 1;
    char **cells = g_new0(char *, ws_metric_count() + 1);
#define TEXT(name, meaning, value) cells[at++] = one_line(value);
#define COUNT(name, unit, meaning, value)                                                          \
    cells[at++] = g_strdup_printf("%" G_GUINT64_FORMAT, (guint64)(value));
#define RATE(name, unit, meaning, part, whole) cells[at++] = rate(part, whole);
#include "study/results/metrics.def"
#undef TEXT
#undef COUNT
#undef RATE
    for (guint i = 0; i < WS_STALL_COUNT; i++)
        cells[at++] = g_strdup_printf("%" G_GUINT64_FORMAT, total->stalls[i]);
    cells[at] = one_line(result->stop.message != NULL ? result->stop.message : "");
    return cells;
}

char **ws_metrics_of_error(const char *message)
{
    guint count = ws_metric_count();
    char **cells = g_new0(char *, count + 1);
    for (guint i = 0; i < count; i++)
        cells[i] = i == 0 ? g_strdup("error") : i + 1 == count ? one_line(message) : g_strdup("");
    return cells;
}
