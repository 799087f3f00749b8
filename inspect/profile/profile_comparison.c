#include "inspect/profile/profile_comparison.h"

#include "inspect/profile/compared_parts.h"
#include "inspect/profile/launch_match.h"
#include "inspect/profile/measured_value.h"

#include <math.h>
#include <string.h>

/* ---- notes --------------------------------------------------------------------------------------
 */

static void note(WsProfileComparison *comparison, const char *format, ...) G_GNUC_PRINTF(2, 3);
static void note(WsProfileComparison *comparison, const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    g_ptr_array_add(comparison->notes, g_strdup_vprintf(format, arguments));
    va_end(arguments);
}

/* The measured value of a metric, in base units; NaN where the profile has none. */
static double measured_value(const WsProfileComparison *comparison, const char *metric)
{
    for (guint i = 0; i < comparison->metrics->len; i++) {
        const WsComparedMetric *row = ws_compared_metric(comparison, i);

        if (row->mapped.status == WS_METRIC_MAPPED && strcmp(row->metric, metric) == 0)
            return row->value;
    }
    return (double)NAN;
}

static gboolean is_known(const guint32 shape[3])
{
    return shape[0] != 0;
}

static void note_shapes(WsProfileComparison *comparison, const WsLaunch *launch)
{
    const WsMeasuredLaunch *measured = comparison->measured;
    const guint32 *a = launch->grid, *b = measured->grid;

    if (is_known(b) && memcmp(a, b, sizeof launch->grid) != 0)
        note(comparison, "other grids: simulated (%u, %u, %u), measured (%u, %u, %u)", a[0], a[1],
             a[2], b[0], b[1], b[2]);
    a = launch->block;
    b = measured->block;
    if (is_known(b) && memcmp(a, b, sizeof launch->block) != 0)
        note(comparison, "other blocks: simulated (%u, %u, %u), measured (%u, %u, %u)", a[0], a[1],
             a[2], b[0], b[1], b[2]);
}

static void note_machines(WsProfileComparison *comparison, const WsDevice *device)
{
    enum { KHZ = 1000, GHZ_OF_KHZ = 1000000, MUCH = 20 };
    const WsMeasuredLaunch *measured = comparison->measured;
    g_autofree char *capability =
        g_strdup_printf("%u.%u", (guint)device->compute_major, (guint)device->compute_minor);
    double sms = measured_value(comparison, "launch__sm_count");
    double clock = measured_value(comparison, "gpc__cycles_elapsed.avg.per_second") / KHZ;
    double own = (double)device->clock_khz;

    if (measured->capability != NULL && *measured->capability != '\0' &&
        strcmp(measured->capability, capability) != 0)
        note(comparison,
             "other GPUs: simulated %s of compute capability %s, measured one of %s; choose by "
             "--device",
             device->name, capability, measured->capability);
    if (!isnan(sms) && sms != (double)device->sms)
        note(comparison,
             "other numbers of SMs: simulated %u, measured %.0f, so that sums and times of the GPU "
             "differ; simulate all by --sms %.0f",
             (guint)device->sms, sms, sms);
    if (!isnan(clock) && fabs(clock - own) > own / MUCH)
        note(comparison,
             "other clocks: simulated %.2f GHz, measured %.2f GHz; compare cycles, not times",
             own / GHZ_OF_KHZ, clock / GHZ_OF_KHZ);
}

static void note_kernel(WsProfileComparison *comparison, const WsKernel *kernel)
{
    const char *measured = comparison->measured->kernel;

    if (ws_kernel_likeness(kernel->name, kernel->display_name, measured) != WS_LIKE_NONE)
        return;
    g_autofree char *shown = ws_printable(measured);
    note(comparison, "other kernels: simulated %s, measured %s", kernel->display_name, shown);
}

/* ---- life ---------------------------------------------------------------------------------------
 */

static void clear_metric(gpointer row)
{
    g_free(((WsComparedMetric *)row)->metric);
}

static void clear_line(gpointer row)
{
    g_free(((WsComparedLine *)row)->file);
}

static void clear_opcode(gpointer row)
{
    g_free(((WsComparedOpcode *)row)->opcode);
}

static WsProfileComparison *new_empty(const WsMeasuredLaunch *measured, guint32 launch)
{
    WsProfileComparison *comparison = g_new0(WsProfileComparison, 1);

    comparison->measured = measured;
    comparison->launch = launch;
    comparison->notes = g_ptr_array_new_with_free_func(g_free);
    comparison->metrics = g_array_new(FALSE, FALSE, sizeof(WsComparedMetric));
    comparison->lines = g_array_new(FALSE, FALSE, sizeof(WsComparedLine));
    comparison->opcodes = g_array_new(FALSE, FALSE, sizeof(WsComparedOpcode));
    comparison->columns = g_array_new(FALSE, FALSE, sizeof(WsComparedColumn));
    g_array_set_clear_func(comparison->metrics, clear_metric);
    g_array_set_clear_func(comparison->lines, clear_line);
    g_array_set_clear_func(comparison->opcodes, clear_opcode);
    return comparison;
}

WsProfileComparison *ws_profile_comparison_new(const WsJob *job, const WsResult *result,
                                               guint32 launch, const WsMeasuredLaunch *measured,
                                               GError **error)
{
    g_autoptr(WsSimulatedLaunch) simulated = ws_simulated_launch_new(job, result, launch);
    g_autoptr(WsProfileComparison) comparison = new_empty(measured, launch);

    comparison->kernel = g_strdup(result->launches[launch].kernel);
    if (!ws_compare_metrics(comparison, simulated, error))
        return NULL;
    ws_compare_source(comparison, simulated);
    note_kernel(comparison, simulated->launch->kernel);
    note_shapes(comparison, simulated->launch);
    note_machines(comparison, job->device);
    return g_steal_pointer(&comparison);
}

void ws_profile_comparison_free(WsProfileComparison *comparison)
{
    if (comparison == NULL)
        return;
    g_free(comparison->kernel);
    g_ptr_array_unref(comparison->notes);
    g_array_unref(comparison->metrics);
    g_array_unref(comparison->lines);
    g_array_unref(comparison->opcodes);
    g_array_unref(comparison->columns);
    g_free(comparison);
}
