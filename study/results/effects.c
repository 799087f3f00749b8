#include "study/results/effects.h"

#include "study/results/metrics.h"
#include "study/results/table_query.h"

#include <math.h>
#include <string.h>

static const WsFactor *factor_at(const WsEffects *effects, guint index)
{
    return &g_array_index(effects->factors, WsFactor, index);
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
                                 .level = {g_strdup(values->pdata[0]), g_strdup(values->pdata[1])}};
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
                         int status, int column, double *sums, guint *counts, GError **error)
{
    for (guint row = 0; row < table->rows->len; row++) {
        guint32 bits = wanted[row] ? combination_of(effects, table, row) : 0;
        double y;
        if (!wanted[row])
            continue;
        gboolean good = ws_table_figure(table, row, status, column, &y);
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

/* Of combinations that are no regular fraction: one that is missing. */
static gboolean refuse_counts(const WsEffects *effects, const guint *counts, guint32 bits,
                              GError **error)
{
    g_autofree char *name = combination_name(effects, bits);
    ws_set_error(error, WS_ERROR_USAGE,
                 "%u rows have %s, and %u have the first combination: effects need the same of all "
                 "combinations, or of a regular fraction (sensitivity takes any rows)",
                 counts[bits], name, effects->blocks);
    return FALSE;
}

static gboolean check_counts(WsEffects *effects, const guint *counts, GError **error)
{
    guint32 all = 1u << effects->factors->len, first = 0, other = 0;
    while (counts[first] == 0)
        first++;
    effects->blocks = counts[first];
    effects->fraction = ws_fraction_new(counts, effects->factors->len);
    while (other < all &&
           (counts[other] == effects->blocks || (counts[other] == 0 && effects->fraction != NULL)))
        other++;
    if (other < all)
        return refuse_counts(effects, counts, other, error);
    for (guint i = 0; i < effects->fraction->words->len; i++) {
        guint32 word = g_array_index(effects->fraction->words, WsWord, i).factors;
        if (__builtin_popcount(word) != 2)
            continue;
        ws_set_error(error, WS_ERROR_USAGE,
                     "%s and %s change together in all rows: their effects cannot be told apart",
                     factor_at(effects, (guint)__builtin_ctz(word))->name,
                     factor_at(effects, (guint)__builtin_ctz(word & (word - 1)))->name);
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

/* The bits of `bits` at those of `mask`, side by side. */
static guint32 gather_bits(guint32 bits, guint32 mask)
{
    guint32 ret = 0;
    for (guint at = 0; mask != 0; mask &= mask - 1, at++)
        ret |= (bits >> __builtin_ctz(mask) & 1) << at;
    return ret;
}

/* The opposite: the low bits of `bits`, spread over those of `mask`. */
static guint32 spread_bits(guint32 bits, guint32 mask)
{
    guint32 ret = 0;
    for (; mask != 0; mask &= mask - 1, bits >>= 1)
        ret |= (bits & 1) << __builtin_ctz(mask);
    return ret;
}

/* Yates' algorithm: sums and differences of neighbours, factor by factor. */
static void transform(double *y, guint count)
{
    for (guint step = 1; step < count; step *= 2)
        for (guint i = 0; i < count; i++)
            if ((i & step) == 0) {
                double low = y[i], high = y[i + step];
                y[i] = high + low;
                y[i + step] = high - low;
            }
}

/* From the mean of y of each combination that is there. */
static void find_effects(WsEffects *effects, const double *means, const guint *counts)
{
    guint32 basic = effects->fraction->basic;
    guint count = 1u << __builtin_popcount(basic);
    g_autofree double *y = g_new0(double, count);
    double squares = 0;
    for (guint32 bits = 0; bits < 1u << effects->factors->len; bits++)
        if (counts[bits] != 0)
            y[gather_bits(bits, basic)] = means[bits];
    transform(y, count);
    for (guint i = 1; i < count; i++)
        squares += y[i] * y[i];
    effects->mean = effects->logarithms ? exp(y[0] / count) : y[0] / count;
    for (guint32 i = 1; i < count; i++) {
        WsWord simplest;
        ws_fraction_simplest(effects->fraction, spread_bits(i, basic), &simplest);
        double size = y[i] / (count / 2.0);
        const WsEffect effect = {simplest.factors, simplest.negative ? -size : size,
                                 squares == 0 ? (double)NAN : y[i] * y[i] / squares};
        g_array_append_val(effects->effects, effect);
    }
    g_array_sort(effects->effects, by_size);
}

static void clear_factor(gpointer data)
{
    WsFactor *factor = data;
    g_free(factor->name);
    g_free(factor->level[0]);
    g_free(factor->level[1]);
}

WsEffects *ws_effects_new(const WsTable *table, const WsEffectsOptions *options, GError **error)
{
    g_autoptr(WsEffects) effects = g_new0(WsEffects, 1);
    int column, status;
    effects->logarithms = options->logarithms;
    effects->factors = g_array_new(FALSE, FALSE, sizeof(WsFactor));
    g_array_set_clear_func(effects->factors, clear_factor);
    effects->effects = g_array_new(FALSE, FALSE, sizeof(WsEffect));
    g_autofree gboolean *wanted = ws_table_wanted(table, options->where, error);
    if (wanted == NULL || !ws_table_find_column(table, options->y, &column, error) ||
        !ws_table_find_status(table, &status, error) ||
        !find_factors(effects, table, wanted, (guint)status, error))
        return NULL;
    guint combinations = 1u << effects->factors->len;
    g_autofree double *sums = g_new0(double, combinations);
    g_autofree guint *counts = g_new0(guint, combinations);
    if (!add_rows(effects, table, wanted, status, column, sums, counts, error) ||
        !check_counts(effects, counts, error))
        return NULL;
    for (guint i = 0; i < combinations; i++)
        sums[i] /= MAX(counts[i], 1);
    find_effects(effects, sums, counts);
    return g_steal_pointer(&effects);
}

void ws_effects_free(WsEffects *effects)
{
    if (effects == NULL)
        return;
    g_array_unref(effects->factors);
    g_array_unref(effects->effects);
    ws_fraction_free(effects->fraction);
    g_free(effects);
}

/* ---- as text ----------------------------------------------------------------------------------
 */

static char *name_of(const WsEffects *effects, guint32 factors)
{
    GString *name = g_string_new(NULL);
    for (guint i = 0; i < effects->factors->len; i++)
        if (factors >> i & 1)
            g_string_append_printf(name, "%s%s", name->len == 0 ? "" : " * ",
                                   factor_at(effects, i)->name);
    return g_string_free(name, FALSE);
}

char *ws_effect_name(const WsEffects *effects, const WsEffect *effect)
{
    return name_of(effects, effect->factors);
}

char *ws_effect_confounded(const WsEffects *effects, const WsEffect *effect)
{
    const GArray *words = effects->fraction->words;
    GString *names = g_string_new(NULL);
    for (guint i = 1; i < words->len && __builtin_popcount(effect->factors) <= 2; i++) {
        const WsWord *word = &g_array_index(words, WsWord, i);
        guint32 other = effect->factors ^ word->factors;
        g_autofree char *name = name_of(effects, other);
        if (__builtin_popcount(other) <= 2)
            g_string_append_printf(names, "%s%s %s", names->len == 0 ? "" : " ",
                                   word->negative ? "-" : "+", name);
    }
    return g_string_free(names, FALSE);
}

static gboolean is_fraction(const WsEffects *effects)
{
    return effects->fraction->words->len > 1;
}

char *ws_effects_csv(const WsEffects *effects)
{
    GString *out = g_string_new("name,order,effect,factor,share");
    g_string_append(out, is_fraction(effects) ? ",confounded\n" : "\n");
    for (guint i = 0; i < effects->effects->len; i++) {
        const WsEffect *effect = &g_array_index(effects->effects, WsEffect, i);
        char *cells[] = {ws_effect_name(effects, effect),
                         g_strdup_printf("%d", __builtin_popcount(effect->factors)),
                         ws_metric_number(effect->effect),
                         ws_metric_number(effects->logarithms ? exp(effect->effect) : (double)NAN),
                         ws_metric_number(effect->share),
                         is_fraction(effects) ? ws_effect_confounded(effects, effect) : NULL,
                         NULL};
        ws_csv_take(out, cells);
    }
    return g_string_free(out, FALSE);
}

/* "sms (1 -> 2)", or "policy * sms"; of a fraction, what else it may be. */
static void append_name(GString *out, const WsEffects *effects, const WsEffect *effect)
{
    g_autofree char *name = ws_effect_name(effects, effect);
    g_autofree char *others = ws_effect_confounded(effects, effect);
    const WsFactor *factor = factor_at(effects, (guint)__builtin_ctz(effect->factors));
    g_string_append(out, name);
    if (__builtin_popcount(effect->factors) == 1)
        g_string_append_printf(out, " (%s -> %s)", factor->level[0], factor->level[1]);
    if (*others != '\0')
        g_string_append_printf(out, " %s", others);
}

/* "8 runs, 2^3 combinations", or "8 runs, 1/4 of 2^5 combinations, resolution III". */
static void append_design(GString *out, const WsEffects *effects)
{
    static const char *const roman[] = {"",   "I", "II", "III", "IV",   "V",   "VI", "VII", "VIII",
                                        "IX", "X", "XI", "XII", "XIII", "XIV", "XV", "XVI"};
    G_STATIC_ASSERT(G_N_ELEMENTS(roman) == WS_MAX_FACTORS + 1);
    g_string_append_printf(out, "%u runs, ", effects->rows);
    if (is_fraction(effects))
        g_string_append_printf(out, "1/%u of ", effects->fraction->words->len);
    g_string_append_printf(out, "2^%u combinations", effects->factors->len);
    if (is_fraction(effects))
        g_string_append_printf(out, ", resolution %s", roman[effects->fraction->resolution]);
}

char *ws_effects_text(const WsEffects *effects, const char *y)
{
    GString *out = g_string_new(NULL);
    double others = 0;
    guint left_out = 0;
    g_string_append_printf(out, "Effects on %s: ", y);
    append_design(out, effects);
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
