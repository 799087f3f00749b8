#include "study/results/effects.h"

#include "study/results/metrics.h"
#include "study/results/table_query.h"

#include <math.h>
#include <string.h>

static const WsFactor *factor_at(const WsEffects *effects, guint index)
{
    return &g_array_index(effects->factors, WsFactor, index);
}

/* ---- rows -------------------------------------------------------------------------------------
 */

/* Flags of the rows that `where` asks for; NULL after an error. */
static gboolean *wanted_rows(const WsTable *table, char *const *where, GError **error)
{
    g_autofree gboolean *wanted = g_new(gboolean, table->rows->len + 1);
    for (guint row = 0; row < table->rows->len; row++)
        wanted[row] = TRUE;
    for (; where != NULL && *where != NULL; where++) {
        int column;
        if (!ws_table_find_condition(table, *where, &column, error))
            return NULL;
        for (guint row = 0; row < table->rows->len; row++)
            wanted[row] = wanted[row] && ws_table_meets(table, row, column, *where);
    }
    return g_steal_pointer(&wanted);
}

/* ---- factors ----------------------------------------------------------------------------------
 */

/* The different values of a column, in the order of the rows. */
static GPtrArray *values_of(const WsTable *table, const gboolean *wanted, guint column)
{
    GPtrArray *values = g_ptr_array_new();
    for (guint row = 0; row < table->rows->len; row++) {
        const char *text = ws_table_cell(table, row, (int)column);
        if (wanted[row] && !g_ptr_array_find_with_equal_func(values, text, g_str_equal, NULL))
            g_ptr_array_add(values, (gpointer)text);
    }
    return values;
}

static gboolean find_factors(WsEffects *effects, const WsTable *table, const gboolean *wanted,
                             guint parameters, GError **error)
{
    for (guint i = 0; i < parameters; i++) {
        g_autoptr(GPtrArray) values = values_of(table, wanted, i);
        if (values->len < 2 || strcmp(table->columns[i], "target") == 0)
            continue;
        if (values->len > 2) {
            ws_set_error(error, WS_ERROR_USAGE,
                         "%s has %u values, and an effect is between two: give two with -P, or "
                         "choose with --where",
                         table->columns[i], values->len);
            return FALSE;
        }
        const WsFactor factor = {.name = g_strdup(table->columns[i]),
                                 .level = {values->pdata[0], values->pdata[1]}};
        g_array_append_val(effects->factors, factor);
    }
    if (effects->factors->len > 0 && effects->factors->len <= WS_MAX_FACTORS)
        return TRUE;
    ws_set_error(error, WS_ERROR_USAGE,
                 effects->factors->len == 0 ? "no parameter has two values"
                                            : "more than 16 parameters have two values");
    return FALSE;
}

/* The combination of a row: a bit for each factor that has its second value. */
static guint32 combination_of(const WsEffects *effects, const WsTable *table, guint row)
{
    guint32 bits = 0;
    for (guint i = 0; i < effects->factors->len; i++) {
        const WsFactor *factor = factor_at(effects, i);
        int column = ws_table_column(table, factor->name);
        bits |= (guint32)(strcmp(ws_table_cell(table, row, column), factor->level[1]) == 0) << i;
    }
    return bits;
}

/* "policy=gto, sms=2" */
static char *combination_name(const WsEffects *effects, guint32 bits)
{
    GString *name = g_string_new(NULL);
    for (guint i = 0; i < effects->factors->len; i++)
        g_string_append_printf(name, "%s%s=%s", i == 0 ? "" : ", ", factor_at(effects, i)->name,
                               factor_at(effects, i)->level[bits >> i & 1]);
    return g_string_free(name, FALSE);
}

/* ---- y ----------------------------------------------------------------------------------------
 */

/* Adds up y by combination. A row that did not end well says nothing of the others. */
static gboolean add_rows(WsEffects *effects, const WsTable *table, const gboolean *wanted,
                         int column, double *sums, guint *counts, GError **error)
{
    int status = ws_table_column(table, ws_metric_at(0).name);
    for (guint row = 0; row < table->rows->len; row++) {
        guint32 bits = wanted[row] ? combination_of(effects, table, row) : 0;
        double y;
        if (!wanted[row])
            continue;
        gboolean good = ws_cell_number(ws_table_cell(table, row, column), &y) &&
                        strcmp(ws_table_cell(table, row, status), "ok") == 0;
        if (!good || (effects->logarithms && y <= 0)) {
            g_autofree char *name = combination_name(effects, bits);
            ws_set_error(error, WS_ERROR_USAGE,
                         "the run with %s has no %s%s: effects need all combinations", name,
                         table->columns[column], good ? " above 0" : "");
            return FALSE;
        }
        sums[bits] += effects->logarithms ? log(y) : y;
        counts[bits]++;
        effects->rows++;
    }
    return TRUE;
}

static gboolean check_counts(WsEffects *effects, const guint *counts, GError **error)
{
    effects->blocks = counts[0];
    for (guint32 bits = 0; bits < 1u << effects->factors->len; bits++) {
        if (counts[bits] != 0 && counts[bits] == effects->blocks)
            continue;
        g_autofree char *name = combination_name(effects, bits);
        ws_set_error(error, WS_ERROR_USAGE,
                     "%u rows have %s, and %u have the first combination: effects need the same of "
                     "all",
                     counts[bits], name, effects->blocks);
        return FALSE;
    }
    return TRUE;
}

/* ---- effects ----------------------------------------------------------------------------------
 */

static gint by_size(gconstpointer a, gconstpointer b)
{
    const WsEffect *x = a, *y = b;
    double first = fabs(x->effect), second = fabs(y->effect);
    if (first != second)
        return first < second ? 1 : -1;
    return (x->factors > y->factors) - (x->factors < y->factors);
}

/* Yates' algorithm: sums and differences of neighbours, factor by factor. */
static void find_effects(WsEffects *effects, double *y)
{
    guint count = 1u << effects->factors->len;
    double squares = 0;
    for (guint step = 1; step < count; step *= 2)
        for (guint i = 0; i < count; i++)
            if ((i & step) == 0) {
                double low = y[i], high = y[i + step];
                y[i] = high + low;
                y[i + step] = high - low;
            }
    for (guint i = 1; i < count; i++)
        squares += y[i] * y[i];
    effects->mean = effects->logarithms ? exp(y[0] / count) : y[0] / count;
    for (guint32 i = 1; i < count; i++) {
        const WsEffect effect = {i, y[i] / (count / 2.0),
                                 squares == 0 ? (double)NAN : y[i] * y[i] / squares};
        g_array_append_val(effects->effects, effect);
    }
    g_array_sort(effects->effects, by_size);
}

static void clear_factor(gpointer data)
{
    WsFactor *factor = data;
    g_free(factor->name);
}

WsEffects *ws_effects_new(const WsTable *table, const WsEffectsOptions *options, GError **error)
{
    g_autoptr(WsEffects) effects = g_new0(WsEffects, 1);
    int column, status = ws_table_column(table, ws_metric_at(0).name);
    effects->logarithms = options->logarithms;
    effects->factors = g_array_new(FALSE, FALSE, sizeof(WsFactor));
    g_array_set_clear_func(effects->factors, clear_factor);
    effects->effects = g_array_new(FALSE, FALSE, sizeof(WsEffect));
    g_autofree gboolean *wanted = wanted_rows(table, options->where, error);
    if (wanted == NULL || !ws_table_find_column(table, options->y, &column, error))
        return NULL;
    if (status < 0) {
        ws_set_error(error, WS_ERROR_USAGE,
                     "the table has no column 'status', in front of which the parameters stand");
        return NULL;
    }
    if (!find_factors(effects, table, wanted, (guint)status, error))
        return NULL;
    guint combinations = 1u << effects->factors->len;
    g_autofree double *sums = g_new0(double, combinations);
    g_autofree guint *counts = g_new0(guint, combinations);
    if (!add_rows(effects, table, wanted, column, sums, counts, error) ||
        !check_counts(effects, counts, error))
        return NULL;
    for (guint i = 0; i < combinations; i++)
        sums[i] /= counts[i];
    find_effects(effects, sums);
    return g_steal_pointer(&effects);
}

void ws_effects_free(WsEffects *effects)
{
    if (effects == NULL)
        return;
    g_array_unref(effects->factors);
    g_array_unref(effects->effects);
    g_free(effects);
}

/* ---- as text ----------------------------------------------------------------------------------
 */

char *ws_effect_name(const WsEffects *effects, const WsEffect *effect)
{
    GString *name = g_string_new(NULL);
    for (guint i = 0; i < effects->factors->len; i++)
        if (effect->factors >> i & 1)
            g_string_append_printf(name, "%s%s", name->len == 0 ? "" : " * ",
                                   factor_at(effects, i)->name);
    return g_string_free(name, FALSE);
}

char *ws_effects_csv(const WsEffects *effects)
{
    GString *out = g_string_new("name,order,effect,factor,share\n");
    for (guint i = 0; i < effects->effects->len; i++) {
        const WsEffect *effect = &g_array_index(effects->effects, WsEffect, i);
        char *cells[] = {ws_effect_name(effects, effect),
                         g_strdup_printf("%d", __builtin_popcount(effect->factors)),
                         ws_metric_number(effect->effect),
                         ws_metric_number(effects->logarithms ? exp(effect->effect) : (double)NAN),
                         ws_metric_number(effect->share),
                         NULL};
        ws_csv_append(out, cells);
        for (char **text = cells; *text != NULL; text++)
            g_free(*text);
    }
    return g_string_free(out, FALSE);
}

/* "sms (1 -> 2)", or "policy * sms". */
static void append_name(GString *out, const WsEffects *effects, const WsEffect *effect)
{
    g_autofree char *name = ws_effect_name(effects, effect);
    g_string_append(out, name);
    if (__builtin_popcount(effect->factors) > 1)
        return;
    const WsFactor *factor = factor_at(effects, (guint)__builtin_ctz(effect->factors));
    g_string_append_printf(out, " (%s -> %s)", factor->level[0], factor->level[1]);
}

char *ws_effects_text(const WsEffects *effects, const char *y)
{
    GString *out = g_string_new(NULL);
    double others = 0;
    guint left_out = 0;
    g_string_append_printf(out, "Effects on %s: %u runs, 2^%u combinations", y, effects->rows,
                           effects->factors->len);
    if (effects->blocks > 1)
        g_string_append_printf(out, ", each the mean of %u targets", effects->blocks);
    g_string_append_printf(out, "; %smean %.6g\n    %s   share\n",
                           effects->logarithms ? "geometric " : "", effects->mean,
                           effects->logarithms ? "factor" : "effect");
    for (guint i = 0; i < effects->effects->len; i++) {
        const WsEffect *effect = &g_array_index(effects->effects, WsEffect, i);
        if (__builtin_popcount(effect->factors) > 2) {
            left_out++;
            others += effect->share;
            continue;
        }
        g_autofree char *size = effects->logarithms ? g_strdup_printf("%.4f", exp(effect->effect))
                                                    : g_strdup_printf("%+.6g", effect->effect);
        g_string_append_printf(out, "%10s %5.1f %%  ", size,
                               isnan(effect->share) ? 0 : 100 * effect->share);
        append_name(out, effects, effect);
        g_string_append_c(out, '\n');
    }
    if (left_out > 0)
        g_string_append_printf(out, "%10s %5.1f %%  %u interaction%s of three and more\n", "",
                               isnan(others) ? 0 : 100 * others, left_out,
                               left_out == 1 ? "" : "s");
    return g_string_free(out, FALSE);
}
