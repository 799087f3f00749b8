#include "inspect/profile/metric_form.h"

#include <math.h>
#include <string.h>

static const char *const no_form = "the simulator does not compute this form of the metric";

static void set_unit(WsMappedMetric *ret, const char *unit, const char *per)
{
    g_snprintf(ret->unit, sizeof ret->unit, "%s%s", unit, per);
}

/* Over all instances, or of the average one. */
typedef struct {
    double value; /* of the metric */
    double peak;  /* what it can be in a cycle; 0: not known */
} Rolled;

static const char *const other_instances =
    "the measured GPU may have another number of such units than the simulated one";
static const char *const own_clock = "the model has no clock of its own for L2 and DRAM";

/* The first part of a form: which instances. */
static const char *roll_up(const WsMetricRow *row, const char *how, gsize length, Rolled *ret)
{
    gboolean sum = length == 3 && strncmp(how, "sum", length) == 0;
    gboolean average = length == 3 && strncmp(how, "avg", length) == 0;
    gboolean most = length == 3 && strncmp(how, "max", length) == 0;

    if (sum) {
        *ret = (Rolled){row->total, row->peak * MAX(row->instances, 1)};
        return row->instances == WS_AVERAGE_ONLY ? other_instances : NULL;
    }
    *ret = (Rolled){average ? row->total / MAX(row->instances, 1) : row->most, row->peak};
    if (average)
        return row->instances == WS_SUM_ONLY && strstr(how, "pct_of_peak") == NULL ? other_instances
                                                                                   : NULL;
    if (most)
        return isnan(row->most) ? "the simulator keeps the sum over all instances, not the largest"
                                : NULL;
    return length == 3 && strncmp(how, "min", length) == 0
               ? "the simulator keeps the sum over all instances, not the smallest"
               : no_form;
}

/* `part` of the peak of so many cycles. */
static const char *of_peak(const Rolled *rolled, double cycles, gboolean share, WsMappedMetric *ret)
{
    if (rolled->peak == 0)
        return "the peak rate of this unit is not known to the simulator";
    ret->simulated = share ? 100 * rolled->value / (rolled->peak * cycles) : rolled->peak * cycles;
    return NULL;
}

static const char *counter_form(const WsMetricRow *row, const WsSimulatedLaunch *launch,
                                const char *form, WsMappedMetric *ret)
{
    gsize length = strcspn(form, ".");
    const char *rest = form[length] == '.' ? form + length + 1 : "";
    Rolled rolled;
    const char *why = roll_up(row, form, length, &rolled);

    if (why != NULL)
        return why;
    set_unit(ret, row->unit, "");
    ret->simulated = rolled.value;
    if (*rest == '\0')
        return NULL;
    if (row->instances == WS_SUM_ONLY &&
        (g_str_has_prefix(rest, "per_cycle") || g_str_has_prefix(rest, "peak_sustained")))
        return own_clock;
    if (strcmp(rest, "per_second") == 0) {
        set_unit(ret, row->unit, "/second");
        ret->simulated = rolled.value / launch->seconds;
    } else if (strcmp(rest, "per_cycle_active") == 0 || strcmp(rest, "per_cycle_elapsed") == 0) {
        set_unit(ret, row->unit, "/cycle");
        ret->simulated =
            rolled.value / (g_str_has_suffix(rest, "active") ? launch->active : launch->elapsed);
    } else if (strcmp(rest, "peak_sustained") == 0) {
        set_unit(ret, row->unit, "/cycle");
        return of_peak(&rolled, 1, FALSE, ret);
    } else if (strcmp(rest, "peak_sustained_active") == 0) {
        return of_peak(&rolled, launch->active, FALSE, ret);
    } else if (strcmp(rest, "peak_sustained_elapsed") == 0) {
        return of_peak(&rolled, launch->elapsed, FALSE, ret);
    } else if (strcmp(rest, "pct_of_peak_sustained_active") == 0) {
        set_unit(ret, "%", "");
        return of_peak(&rolled, launch->active, TRUE, ret);
    } else if (strcmp(rest, "pct_of_peak_sustained_elapsed") == 0) {
        set_unit(ret, "%", "");
        return of_peak(&rolled, launch->elapsed, TRUE, ret);
    } else {
        return no_form;
    }
    return NULL;
}

const char *ws_metric_form(const WsMetricRow *row, const WsSimulatedLaunch *launch,
                           const char *form, WsMappedMetric *ret)
{
    static const char *const plain[] = {"", "ratio", "sum", "avg", "max", "min"};

    if (row->counts)
        return counter_form(row, launch, form, ret);
    set_unit(ret, row->unit, "");
    ret->simulated = row->total;
    if (strcmp(form, "pct") == 0) {
        set_unit(ret, "%", "");
        ret->simulated = 100 * row->total / row->peak;
        return row->peak == 0 ? no_form : NULL;
    }
    if (strcmp(form, "max_rate") == 0) {
        ret->simulated = row->peak;
        return row->peak <= 1 ? no_form : NULL;
    }
    for (guint i = 0; i < G_N_ELEMENTS(plain); i++)
        if (strcmp(form, plain[i]) == 0)
            return NULL;
    return no_form;
}
