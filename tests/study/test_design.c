/* Which points a study has: fractions of factorial designs, one parameter at a time. */
#include "study/plan/design.h"
#include "tests/support/suite.h"

#include <string.h>

static WsStudy *study_of(const char *const *texts, WsDesign design, const char *generators)
{
    WsStudy *study = ws_study_new("some/launch.yaml");
    study->design = design;
    study->generators = generators == NULL ? NULL : g_strsplit(generators, " ", -1);
    for (; *texts != NULL; texts++)
        ck_assert(ws_study_add_text(study, *texts, NULL));
    return study;
}

/* All points, as "12 34": a letter for each parameter. */
static char *points_of(WsStudy *study)
{
    GError *error = NULL;
    GString *out = g_string_new(NULL);
    ck_assert_msg(ws_study_check(study, &error), "%s", error ? error->message : "");
    for (guint point = 0; point < ws_study_points(study); point++) {
        g_string_append(out, point == 0 ? "" : " ");
        for (guint i = 0; i < study->parameters->len; i++)
            g_string_append(out, ws_study_value(study, point, i));
    }
    return g_string_free(out, FALSE);
}

static const char *const three[] = {"a=1,2", "b=3,4", "c=5,6", NULL};
static const char *const mixed[] = {"a=1,2", "b=3,4,5", "c=6", "d=7,8", NULL};

static const struct {
    const char *const *texts;
    WsDesign design;
    const char *generators, *points;
} designs[] = {
    {three, WS_DESIGN_CROSS, NULL, "135 136 145 146 235 236 245 246"},
    {three, WS_DESIGN_ZIP, NULL, "135 246"},
    {three, WS_DESIGN_ONE_AT_A_TIME, NULL, "135 235 145 136"},
    {mixed, WS_DESIGN_ONE_AT_A_TIME, NULL, "1367 2367 1467 1567 1368"},
    /* c has its second value where a and b are alike; with a minus where they are not. */
    {three, WS_DESIGN_CROSS, "c=a*b", "136 145 235 246"},
    {three, WS_DESIGN_CROSS, "c=-a*b", "135 146 236 245"},
    {three, WS_DESIGN_CROSS, "a=b*c", "235 136 145 246"},
    {three, WS_DESIGN_CROSS, "c=-a b=a", "136 245"},
    {mixed, WS_DESIGN_CROSS, "d=a", "1367 1467 1567 2368 2468 2568"},
};

START_TEST(points)
{
    g_autoptr(WsStudy) study =
        study_of(designs[_i].texts, designs[_i].design, designs[_i].generators);
    g_autofree char *found = points_of(study);
    ck_assert_str_eq(found, designs[_i].points);
}
END_TEST

START_TEST(each_target_has_all)
{
    const char *const given[] = {"a=1,2", "target=x,y", "b=3,4", NULL};
    g_autoptr(WsStudy) study = ws_study_new(NULL);
    study->design = WS_DESIGN_ONE_AT_A_TIME;
    for (guint i = 0; given[i] != NULL; i++)
        ck_assert(ws_study_add_text(study, given[i], NULL));
    g_autofree char *found = points_of(study);
    ck_assert_str_eq(found, "1x3 2x3 1x4 1y3 2y3 1y4");
    ck_assert_uint_eq(ws_study_first_point(study, 1, 1), 3);
    ck_assert_uint_eq(ws_study_first_point(study, 2, 1), 2);
    ck_assert_uint_eq(ws_study_point_with(study, 4, 2, 1), 2); /* 2y4 is no point */
}
END_TEST

START_TEST(point_with)
{
    g_autoptr(WsStudy) study = study_of(mixed, WS_DESIGN_CROSS, NULL);
    ck_assert(ws_study_check(study, NULL));
    guint point = ws_study_point_with(study, 1, 1, 2); /* 1368 -> 1568 */
    ck_assert_str_eq(ws_study_value(study, point, 0), "1");
    ck_assert_str_eq(ws_study_value(study, point, 1), "5");
    ck_assert_str_eq(ws_study_value(study, point, 3), "8");
    ck_assert_uint_eq(ws_study_point_with(study, point, 1, 0), 1);
}
END_TEST

/* ---- fractions ------------------------------------------------------------------------------ */

static const char *const names[] = {"a", "b", "c", "d", "e", "f", "g", "h"};

static WsStudy *factors(guint count)
{
    WsStudy *study = ws_study_new("some/launch.yaml");
    for (guint i = 0; i < count; i++) {
        g_autofree char *text = g_strdup_printf("%s=0,1", names[i]);
        ck_assert(ws_study_add_text(study, text, NULL));
    }
    return study;
}

/* The fewest parameters whose values, as -1 and +1, have the same product at all points. */
static guint resolution_of(const WsStudy *study)
{
    guint least = G_MAXUINT;
    for (guint32 word = 1; word < 1u << study->parameters->len; word++) {
        guint odd = 0, count = ws_study_points(study);
        for (guint point = 0; point < count; point++) {
            guint ones = 0;
            for (guint i = 0; i < study->parameters->len; i++)
                ones += (word >> i & 1) && *ws_study_value(study, point, i) == '1';
            odd += ones % 2;
        }
        if (odd == 0 || odd == count)
            least = MIN(least, (guint)__builtin_popcount(word));
    }
    return least;
}

/* The resolutions of Box, Hunter and Hunter's table of fractions with up to eight factors. */
static const struct {
    guint factors;
    const char *fraction;
    guint points, resolution;
} fractions[] = {
    {3, "1/2", 4, 3},  {4, "1/2", 8, 4},  {5, "1/2", 16, 5}, {5, "1/4", 8, 3},   {6, "1/2", 32, 6},
    {6, "1/4", 16, 4}, {6, "1/8", 8, 3},  {7, "1/2", 64, 7}, {7, "1/4", 32, 4},  {7, "1/8", 16, 4},
    {7, "1/16", 8, 3}, {8, "1/4", 64, 5}, {8, "1/8", 32, 4}, {8, "1/16", 16, 4},
};

START_TEST(resolutions)
{
    g_autoptr(WsStudy) study = factors(fractions[_i].factors);
    GError *error = NULL;
    ck_assert_msg(ws_design_add_fraction(study, fractions[_i].fraction, &error), "%s",
                  error ? error->message : "");
    ck_assert_msg(ws_study_check(study, &error), "%s", error ? error->message : "");
    ck_assert_uint_eq(ws_study_points(study), fractions[_i].points);
    ck_assert_uint_eq(resolution_of(study), fractions[_i].resolution);
    for (guint i = 0; i < study->parameters->len; i++) /* the base is one of the points */
        ck_assert_str_eq(ws_study_value(study, 0, i), "0");
}
END_TEST

static const struct {
    guint factors;
    const char *fraction, *generators, *message;
} wrong[] = {
    {3, "1/3", NULL, "the fraction 1/3: 1/2, 1/4, 1/8 ... is expected"},
    {3, "half", NULL, "the fraction half: 1/2, 1/4, 1/8 ... is expected"},
    {3, "1/4", NULL, "with 3 parameters of two values some effects of one parameter would look"},
    {2, "1/2", NULL, "with 2 parameters of two values some effects"},
    {3, "1/2", "c=a*b", "there are generators already"},
    {3, NULL, "c", "the generator 'c': NAME=A*B is expected"},
    {3, NULL, "x=a*b", "'x=a*b': no parameter with two values is called so"},
    {3, NULL, "c=a*x", "'c=a*x': a factor is no parameter with two values"},
    {3, NULL, "c=a*a", "'c=a*a': a factor is named twice"},
    {3, NULL, "c=a*c", "'c=a*c': a factor is named twice"},
    {3, NULL, "c=a c=b", "'c=b': the parameter has another generator"},
    {3, NULL, "c=a b=c", "'b': a factor has a generator of its own"},
};

START_TEST(errors)
{
    g_autoptr(WsStudy) study = factors(wrong[_i].factors);
    g_autoptr(GError) error = NULL;
    if (wrong[_i].generators != NULL)
        study->generators = g_strsplit(wrong[_i].generators, " ", -1);
    gboolean good =
        wrong[_i].fraction == NULL || ws_design_add_fraction(study, wrong[_i].fraction, &error);
    ck_assert(!(good && ws_study_check(study, &error)));
    ck_assert_msg(strstr(error->message, wrong[_i].message) != NULL, "%s", error->message);
}
END_TEST

START_TEST(only_of_a_cross_product)
{
    g_autoptr(WsStudy) zip = study_of(three, WS_DESIGN_ZIP, "c=a*b");
    g_autoptr(GError) error = NULL;
    ck_assert(!ws_study_check(zip, &error));
    ck_assert_ptr_nonnull(strstr(error->message, "only a cross product can have generators"));

    g_autoptr(WsStudy) relative = study_of(three, WS_DESIGN_CROSS, "c=a*b");
    relative->reference = g_strsplit("a=1", "|", -1);
    ck_assert(!ws_study_check(relative, NULL));
}
END_TEST

static void add_tests(TCase *cases)
{
    tcase_add_loop_test(cases, points, 0, G_N_ELEMENTS(designs));
    tcase_add_test(cases, each_target_has_all);
    tcase_add_test(cases, point_with);
    tcase_add_loop_test(cases, resolutions, 0, G_N_ELEMENTS(fractions));
    tcase_add_loop_test(cases, errors, 0, G_N_ELEMENTS(wrong));
    tcase_add_test(cases, only_of_a_cross_product);
}

int main(void)
{
    return run_suite("design", add_tests);
}
