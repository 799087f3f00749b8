#include "study/plan/values.h"

#include <errno.h>
#include <math.h>
#include <string.h>

/* ---- ranges -----------------------------------------------------------------------------------
 */

static gboolean wrong(const char *what, const char *text, const char *why, GError **error)
{
    g_autofree char *name = ws_printable(what);
    g_autofree char *shown = ws_printable(text);
    ws_set_error(error, WS_ERROR_USAGE, "%s=%s: %s", name, shown, why);
    return FALSE;
}

/* As short as reads back the same to 12 digits: 0.1 * 3 is 0.3. */
static char *number_text(double value)
{
    char text[G_ASCII_DTOSTR_BUF_SIZE];
    return g_strdup(g_ascii_formatd(text, sizeof text, "%.12g", value));
}

static char *range_text(double from, double to, double step, gboolean factor)
{
    g_autofree char *first = number_text(from), *last = number_text(to), *by = number_text(step);
    return g_strdup_printf("%s..%s%c%s", first, last, factor ? 'x' : ':', by);
}

/* How many values the range has; 0 if none, and more than the most if it has too many. */
static double range_count(double from, double to, double step, gboolean factor)
{
    const double slack = 1e-9; /* of a step: ends that decimal steps reach but for rounding */
    if (factor)
        return from > 0 && to >= from && step > 1 ? floor(log(to / from) / log(step) + slack) + 1
                                                  : 0;
    double steps = (to - from) / step;
    return steps >= 0 ? floor(steps + slack) + 1 : 0;
}

static gboolean add_range(GPtrArray *values, const char *what, double from, double to, double step,
                          gboolean factor, GError **error)
{
    g_autofree char *text = range_text(from, to, step, factor);
    if (factor && (from <= 0 || step <= 1))
        return wrong(what, text, "a range with a factor begins above 0, and the factor is above 1",
                     error);
    if (step == 0)
        return wrong(what, text, "the step is 0", error);
    double count = range_count(from, to, step, factor);
    if (count < 1)
        return wrong(what, text, "the range is empty", error);
    if (count + values->len > WS_MAX_STUDY_VALUES)
        return wrong(what, text, "more than 1000000 values", error);
    double value = from;
    for (guint i = 0; i < (guint)count; i++) {
        g_ptr_array_add(values, number_text(value));
        value = factor ? value * step : from + (i + 1) * step;
    }
    return TRUE;
}

static gboolean read_number(const char **at, double *ret)
{
    char *end;
    errno = 0;
    *ret = g_ascii_strtod(*at, &end);
    gboolean number = end != *at && errno == 0 && isfinite(*ret);
    *at = end;
    return number;
}

/* strtod takes "8." of "8..64" for a number with a point. */
static gboolean read_first(const char *text, const char *dots, double *ret)
{
    g_autofree char *first = g_strndup(text, (gsize)(dots - text));
    const char *at = first;
    return read_number(&at, ret) && *at == '\0';
}

/* FALSE and no error if `text` is no range. */
static gboolean parse_range(GPtrArray *values, const char *what, const char *text, GError **error)
{
    double from, to, step = 1;
    gboolean factor = FALSE;
    const char *dots = strstr(text, "..");
    if (dots == NULL || !read_first(text, dots, &from))
        return FALSE;
    const char *at = dots + 2;
    if (!read_number(&at, &to))
        return wrong(what, text, "a range is A..B, A..B:STEP or A..BxFACTOR", error);
    if (*at == ':' || *at == 'x') {
        factor = *at++ == 'x';
        if (!read_number(&at, &step))
            return wrong(what, text, "a range is A..B, A..B:STEP or A..BxFACTOR", error);
    }
    if (*at != '\0')
        return wrong(what, text, "a range is A..B, A..B:STEP or A..BxFACTOR", error);
    return add_range(values, what, from, to, step, factor, error);
}

/* ---- lists ------------------------------------------------------------------------------------
 */

/* The comma that ends the item at `at`, or the end of the text. */
static const char *end_of_item(const char *at)
{
    int depth = 0;
    char quote = '\0';
    for (; *at != '\0'; at++) {
        if (quote != '\0')
            quote = *at == quote ? '\0' : quote;
        else if (*at == '"' || *at == '\'')
            quote = *at;
        else if (strchr("[{(", *at) != NULL)
            depth++;
        else if (strchr("]})", *at) != NULL)
            depth--;
        else if (*at == ',' && depth <= 0)
            break;
    }
    return at;
}

/* A value twice would be two points of one name. */
static char **finish(GPtrArray *values, const char *what, const char *text, GError **error)
{
    g_autoptr(GHashTable) seen = g_hash_table_new(g_str_hash, g_str_equal);
    for (guint i = 0; i < values->len; i++) {
        const char *value = g_ptr_array_index(values, i);
        if (g_hash_table_add(seen, (gpointer)value))
            continue;
        g_autofree char *shown = ws_printable(value);
        g_autofree char *why = g_strdup_printf("the value %s is listed twice", shown);
        wrong(what, text, why, error);
        return NULL;
    }
    g_ptr_array_add(values, NULL);
    char **texts = (char **)values->pdata;
    g_ptr_array_set_free_func(values, NULL);
    return g_memdup2(texts, values->len * sizeof *texts);
}

char **ws_study_values(const char *what, const char *text, GError **error)
{
    g_autoptr(GPtrArray) values = g_ptr_array_new_with_free_func(g_free);
    for (const char *at = text;; at++) {
        const char *end = end_of_item(at);
        g_autofree char *item = g_strstrip(g_strndup(at, (gsize)(end - at)));
        g_autoptr(GError) failure = NULL;
        if (*item == '\0') {
            wrong(what, text, "a value is missing", error);
            return NULL;
        }
        if (!parse_range(values, what, item, &failure)) {
            if (failure != NULL) {
                g_propagate_error(error, g_steal_pointer(&failure));
                return NULL;
            }
            g_ptr_array_add(values, g_steal_pointer(&item));
        }
        at = end;
        if (*at == '\0')
            break;
    }
    if (values->len > WS_MAX_STUDY_VALUES) {
        wrong(what, text, "more than 1000000 values", error);
        return NULL;
    }
    return finish(values, what, text, error);
}

char **ws_study_range(const char *what, double from, double to, double step, gboolean factor,
                      GError **error)
{
    g_autoptr(GPtrArray) values = g_ptr_array_new_with_free_func(g_free);
    g_autofree char *text = range_text(from, to, step, factor);
    return add_range(values, what, from, to, step, factor, error)
               ? finish(values, what, text, error)
               : NULL;
}
