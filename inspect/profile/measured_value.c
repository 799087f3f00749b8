#include "inspect/profile/measured_value.h"

#include <math.h>
#include <string.h>

/* ---- numbers ------------------------------------------------------------------------------------
 */

static gboolean is_none(const char *text, gsize length)
{
    static const char *const words[] = {"",        "n/a",  "N/A", "(!) n/a", "nan",     "-nan",
                                        "(!) nan", "-inf", "inf", "-",       "no data", "None"};

    for (guint i = 0; i < G_N_ELEMENTS(words); i++)
        if (strlen(words[i]) == length && g_ascii_strncasecmp(text, words[i], length) == 0)
            return TRUE;
    return FALSE;
}

/* Copies the digits of `text`, thousands joined, up to what follows them; NULL: wrong groups. */
static const char *copy_digits(const char *text, GString *out)
{
    enum { GROUP = 3 };
    gsize digits = strspn(text, "0123456789");
    gboolean grouped = text[digits] == ',';

    if (digits == 0 || (grouped && digits > GROUP))
        return NULL;
    g_string_append_len(out, text, (gssize)digits);
    for (text += digits; *text == ','; text += 1 + GROUP) {
        if (strspn(text + 1, "0123456789") != GROUP)
            return NULL;
        g_string_append_len(out, text + 1, GROUP);
    }
    return text;
}

WsValueKind ws_measured_number(const char *text, double *ret)
{
    const char *instances = strstr(text, " (");
    g_autofree char *trimmed = g_strndup(
        text, instances != NULL && instances != text ? (gsize)(instances - text) : strlen(text));
    g_autoptr(GString) plain = g_string_new(NULL);
    const char *c = g_strstrip(trimmed);
    char *end;

    if (is_none(c, strlen(c)))
        return WS_VALUE_NONE;
    if (*c == '-' || *c == '+')
        g_string_append_c(plain, *c++);
    if (*c != '.')
        c = copy_digits(c, plain);
    if (c == NULL || strspn(c, "0123456789.eE+-") != strlen(c))
        return WS_VALUE_BAD;
    g_string_append(plain, c);
    *ret = g_ascii_strtod(plain->str, &end);
    return *end == '\0' && end != plain->str && isfinite(*ret) ? WS_VALUE_NUMBER : WS_VALUE_BAD;
}

/* ---- units --------------------------------------------------------------------------------------
 */

enum { NO, YES };

static const struct {
    const char *word, *base;
    double factor;
    gboolean prefixed;
} units[] = {
#define UNIT(word, base, factor, prefixed) {word, base, factor, prefixed},
#include "inspect/profile/units.def"
#undef UNIT
};

static const struct {
    const char *prefix;
    double factor;
} prefixes[] = {{"", 1},     {"Ki", 0x1p10}, {"Mi", 0x1p20}, {"Gi", 0x1p30}, {"Ti", 0x1p40},
                {"K", 1e3},  {"k", 1e3},     {"M", 1e6},     {"G", 1e9},     {"T", 1e12},
                {"m", 1e-3}, {"u", 1e-6},    {"n", 1e-9},    {"p", 1e-12}};

/* The unit of one word, which need not end in a NUL. */
static const char *word_unit(const char *word, gsize length, double *ret_factor)
{
    for (guint p = 0; p < G_N_ELEMENTS(prefixes); p++) {
        gsize skipped = strlen(prefixes[p].prefix);

        if (skipped > length || strncmp(word, prefixes[p].prefix, skipped) != 0)
            continue;
        for (guint i = 0; i < G_N_ELEMENTS(units); i++)
            if ((skipped == 0 || units[i].prefixed) && strlen(units[i].word) == length - skipped &&
                strncmp(word + skipped, units[i].word, length - skipped) == 0) {
                *ret_factor = prefixes[p].factor * units[i].factor;
                return units[i].base;
            }
    }
    return NULL;
}

gboolean ws_measured_unit(const char *unit, double *ret_factor, char **ret_base)
{
    g_auto(GStrv) words = g_strsplit(unit, "/", 0);
    g_autoptr(GString) base = g_string_new(NULL);

    *ret_factor = 1;
    for (guint i = 0; words[i] != NULL; i++) {
        double factor = 1;
        const char *of = word_unit(g_strstrip(words[i]), strlen(words[i]), &factor);

        if (of == NULL && !(i == 0 && *words[i] == '\0'))
            return FALSE;
        *ret_factor = i == 0 ? *ret_factor * factor : *ret_factor / factor;
        g_string_append_printf(base, "%s%s", i == 0 ? "" : "/", of != NULL ? of : "");
    }
    *ret_base = g_string_free(g_steal_pointer(&base), FALSE);
    return TRUE;
}
