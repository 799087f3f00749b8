#include "study/plan/design.h"

#include <string.h>

/* ---- points -----------------------------------------------------------------------------------
 */

/* One at a time: the points of one target. */
static guint64 points_of_target(const WsStudy *study)
{
    guint64 points = 1;
    for (guint i = 0; i < study->parameters->len; i++)
        if (ws_study_parameter(study, i)->kind != WS_STUDY_TARGET)
            points += ws_study_parameter(study, i)->count - 1;
    return points;
}

static guint64 one_at_a_time_points(const WsStudy *study)
{
    gint axis = ws_study_target_axis(study);
    return points_of_target(study) * (axis < 0 ? 1 : ws_study_parameter(study, (guint)axis)->count);
}

guint64 ws_design_points(const WsStudy *study)
{
    guint64 points = 1;
    if (study->design == WS_DESIGN_ONE_AT_A_TIME)
        return one_at_a_time_points(study);
    for (guint i = 0; i < study->parameters->len && points <= WS_MAX_STUDY_POINTS; i++) {
        const WsStudyParameter *parameter = ws_study_parameter(study, i);
        if (study->design == WS_DESIGN_ZIP)
            points = parameter->count;
        else if (parameter->generator == 0)
            points *= parameter->count;
    }
    return points;
}

static guint one_at_a_time_value(const WsStudy *study, guint point, guint parameter)
{
    guint block = (guint)points_of_target(study), rest = point % block;
    if (ws_study_parameter(study, parameter)->kind == WS_STUDY_TARGET)
        return point / block;
    for (guint i = 0; i < study->parameters->len && rest > 0; i++) {
        const WsStudyParameter *other = ws_study_parameter(study, i);
        if (other->kind == WS_STUDY_TARGET)
            continue;
        if (rest < other->count)
            return i == parameter ? rest : 0;
        rest -= other->count - 1;
    }
    return 0;
}

static guint crossed_value(const WsStudy *study, guint point, guint parameter)
{
    for (guint i = study->parameters->len; --i > parameter;)
        if (ws_study_parameter(study, i)->generator == 0)
            point /= ws_study_parameter(study, i)->count;
    return point % ws_study_parameter(study, parameter)->count;
}

guint ws_design_value(const WsStudy *study, guint point, guint parameter)
{
    const WsStudyParameter *asked = ws_study_parameter(study, parameter);
    if (study->design == WS_DESIGN_ZIP)
        return point % asked->count;
    if (study->design == WS_DESIGN_ONE_AT_A_TIME)
        return one_at_a_time_value(study, point, parameter);
    if (asked->generator == 0)
        return crossed_value(study, point, parameter);
    gboolean minus = asked->negated;
    for (guint i = 0; i < study->parameters->len; i++)
        if (asked->generator >> i & 1)
            minus ^= crossed_value(study, point, i) == 0;
    return minus ? 0 : 1;
}

/* ---- generators -------------------------------------------------------------------------------
 */

static gboolean refuse(GError **error, const char *generator, const char *why)
{
    g_autofree char *shown = ws_printable(generator);
    ws_set_error(error, WS_ERROR_USAGE, "the generator '%s': %s", shown, why);
    return FALSE;
}

/* The parameter with two values of this name, other than a target; or -1. */
static gint find_factor(const WsStudy *study, const char *name)
{
    gint found = ws_study_find(study, name);
    gboolean good = found >= 0 && ws_study_parameter(study, (guint)found)->count == 2 &&
                    ws_study_parameter(study, (guint)found)->kind != WS_STUDY_TARGET;
    return good ? found : -1;
}

static gboolean take_generator(WsStudy *study, const char *text, GError **error)
{
    const char *product = strrchr(text, '=');
    if (product == NULL)
        return refuse(error, text, "NAME=A*B is expected, as in policy=sms*sub_cores");
    g_autofree char *name = g_strndup(text, (gsize)(product - text));
    gint own = find_factor(study, name);
    gboolean negated = product[1] == '-';
    g_auto(GStrv) names = g_strsplit(product + (negated ? 2 : 1), "*", -1);
    guint32 generator = 0;
    if (own < 0)
        return refuse(error, text, "no parameter with two values is called so");
    if (ws_study_parameter(study, (guint)own)->generator != 0)
        return refuse(error, text, "the parameter has another generator");
    for (char **factor = names; *factor != NULL; factor++) {
        gint found = find_factor(study, g_strstrip(*factor));
        if (found < 0)
            return refuse(error, text, "a factor is no parameter with two values");
        if (found == own || (generator >> found & 1))
            return refuse(error, text, "a factor is named twice");
        generator |= 1u << found;
    }
    if (generator == 0)
        return refuse(error, text, "the product is empty");
    ws_study_parameter(study, (guint)own)->generator = generator;
    ws_study_parameter(study, (guint)own)->negated = negated;
    return TRUE;
}

gboolean ws_design_take_generators(WsStudy *study, GError **error)
{
    if (study->generators == NULL)
        return TRUE;
    if (study->design != WS_DESIGN_CROSS)
        return refuse(error, study->generators[0], "only a cross product can have generators");
    for (guint i = 0; i < study->parameters->len; i++)
        ws_study_parameter(study, i)->generator = 0;
    for (char **text = study->generators; *text != NULL; text++)
        if (!take_generator(study, *text, error))
            return FALSE;
    for (guint i = 0; i < study->parameters->len; i++)
        for (guint other = 0; other < study->parameters->len; other++)
            if ((ws_study_parameter(study, i)->generator >> other & 1) &&
                ws_study_parameter(study, other)->generator != 0)
                return refuse(error, ws_study_parameter(study, i)->name,
                              "a factor has a generator of its own");
    return TRUE;
}

/* ---- fractions --------------------------------------------------------------------------------
 */

enum { MAX_STEPS = 1 << 20 };

/* A search for generators: sets of basic factors, none of whose products with others is short. */
typedef struct {
    guint basic;      /* factors without a generator */
    guint generated;  /* those with one */
    guint resolution; /* fewest letters of a word */
    guint steps;      /* tried so far */
    guint32 chosen[WS_MAX_STUDY_PARAMETERS];
} Search;

/* Whether every word that `candidate` brings as generator number `at` is long enough. */
static gboolean is_good(const Search *search, guint at, guint32 candidate)
{
    for (guint32 others = 0; others < 1u << at; others++) {
        guint32 word = candidate;
        for (guint i = 0; i < at; i++)
            if (others >> i & 1)
                word ^= search->chosen[i];
        guint letters = (guint)__builtin_popcount(word) + 1 + (guint)__builtin_popcount(others);
        if (letters < search->resolution)
            return FALSE;
    }
    return TRUE;
}

/* Chooses generators from number `at` on, all above `least`. The depth is that of the factors. */
static gboolean choose(Search *search, guint at, guint32 least)
{
    if (at == search->generated)
        return TRUE;
    for (guint32 candidate = least; candidate < 1u << search->basic; candidate++) {
        search->steps += 1u << at; /* as many words are looked at */
        if (search->steps > MAX_STEPS)
            return FALSE;
        search->chosen[at] = candidate;
        if (is_good(search, at, candidate) && choose(search, at + 1, candidate + 1))
            return TRUE;
    }
    return FALSE;
}

/* p of "1/2^p"; 0 if it is none. */
static guint halvings(const char *fraction)
{
    guint64 whole;
    if (!g_str_has_prefix(fraction, "1/") ||
        !g_ascii_string_to_unsigned(fraction + 2, 10, 2, WS_MAX_STUDY_POINTS, &whole, NULL) ||
        (whole & (whole - 1)) != 0)
        return 0;
    return (guint)__builtin_ctzll(whole);
}

gboolean ws_design_add_fraction(WsStudy *study, const char *fraction, GError **error)
{
    enum { MAX_FACTORS = 16, LEAST_RESOLUTION = 3 };
    guint factors[WS_MAX_STUDY_PARAMETERS], count = 0, p = halvings(fraction);
    g_autofree char *shown = ws_printable(fraction);
    for (guint i = 0; i < study->parameters->len; i++)
        if (ws_study_parameter(study, i)->count == 2 &&
            ws_study_parameter(study, i)->kind != WS_STUDY_TARGET)
            factors[count++] = i;
    if (p == 0 || count > MAX_FACTORS || study->generators != NULL) {
        ws_set_error(error, WS_ERROR_USAGE, "the fraction %s: %s", shown,
                     p == 0                ? "1/2, 1/4, 1/8 ... is expected"
                     : count > MAX_FACTORS ? "more than 16 parameters have two values"
                                           : "there are generators already");
        return FALSE;
    }
    Search search = {.basic = p < count ? count - p : 0, .generated = p, .resolution = count};
    for (; search.resolution >= LEAST_RESOLUTION; search.resolution--, search.steps = 0)
        if (search.basic > 1 && choose(&search, 0, 1))
            break;
    if (search.resolution < LEAST_RESOLUTION) {
        ws_set_error(error, WS_ERROR_USAGE,
                     "the fraction %s: with %u parameters of two values some effects of one "
                     "parameter would look alike",
                     shown, count);
        return FALSE;
    }
    study->generators = g_new0(char *, p + 1);
    for (guint i = 0; i < p; i++) {
        /* the sign for which the first point has the first value of all */
        gboolean minus = __builtin_popcount(search.chosen[i]) % 2 == 0;
        GString *text = g_string_new(ws_study_parameter(study, factors[search.basic + i])->name);
        for (guint factor = 0, first = TRUE; factor < search.basic; factor++)
            if (search.chosen[i] >> factor & 1) {
                g_string_append_printf(text, "%s%s", first ? minus ? "=-" : "=" : "*",
                                       ws_study_parameter(study, factors[factor])->name);
                first = FALSE;
            }
        study->generators[i] = g_string_free(text, FALSE);
    }
    return TRUE;
}
