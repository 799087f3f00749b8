/* Effects of designs with two values a parameter: by hand. */
#include <math.h>
#include <string.h>

#include "study/results/effects.h"
#include "tests/support/suite.h"
#include "tests/support/table_of_text.h"

static WsEffects *effects_of(const char *csv, gboolean logarithms)
{
    g_autoptr(WsTable) table = table_of_text(csv);
    GError *error = NULL;
    WsEffects *effects =
        ws_effects_new(table, &(WsEffectsOptions){.y = "cycles", .logarithms = logarithms}, &error);

    ck_assert_msg(effects != NULL, "%s", error ? error->message : "");
    return effects;
}

static const WsEffect *find(const WsEffects *effects, const char *name)
{
    for (guint i = 0; i < effects->effects->len; i++) {
        const WsEffect *effect = &g_array_index(effects->effects, WsEffect, i);
        g_autofree char *own = ws_effect_name(effects, effect);
        if (strcmp(own, name) == 0)
            return effect;
    }
    ck_abort_msg("no effect %s", name);
    return NULL;
}

static gboolean is_near(double a, double b)
{
    return fabs(a - b) < 1e-12;
}

/* The memory and cache of Jain's section 17.1: y = 40 + 20 A + 10 B + 5 AB in signs of one. */
#define JAIN                                                                                       \
    "memory,cache,status,cycles\n"                                                                 \
    "4,1,ok,15\n4,2,ok,25\n16,1,ok,45\n16,2,ok,75\n"

START_TEST(textbook)
{
    g_autoptr(WsEffects) effects = effects_of(JAIN, FALSE);

    ck_assert(is_near(effects->mean, 40));
    ck_assert_uint_eq(effects->rows, 4);
    ck_assert(is_near(find(effects, "memory")->effect, 40));
    ck_assert(is_near(find(effects, "cache")->effect, 20));
    ck_assert(is_near(find(effects, "memory * cache")->effect, 10));
    ck_assert(is_near(find(effects, "memory")->share, 1600.0 / 2100));
    ck_assert(is_near(find(effects, "cache")->share, 400.0 / 2100));
    ck_assert(is_near(find(effects, "memory * cache")->share, 100.0 / 2100));
    g_autofree char *first = ws_effect_name(effects, &g_array_index(effects->effects, WsEffect, 0));
    ck_assert_str_eq(first, "memory"); /* the largest */
}
END_TEST

/* The order of the rows says which value is the first; a parameter with one value takes no part. */
START_TEST(levels)
{
    g_autoptr(WsEffects) effects = effects_of("a,one,b,status,cycles\n"
                                              "y,1,2,ok,4\ny,1,1,ok,2\nx,1,2,ok,8\nx,1,1,ok,4\n",
                                              TRUE);

    ck_assert_uint_eq(effects->factors->len, 2);
    ck_assert(is_near(exp(find(effects, "a")->effect), 2));
    ck_assert(is_near(exp(find(effects, "b")->effect), 0.5));
    ck_assert(is_near(find(effects, "a * b")->effect, 0));
    ck_assert(is_near(effects->mean, 4)); /* geometric */
    ck_assert(is_near(find(effects, "a")->share, 0.5));
}
END_TEST

START_TEST(targets_are_blocks)
{
    g_autoptr(WsEffects) effects = effects_of("target,a,status,cycles\n"
                                              "m,1,ok,10\nm,2,ok,20\nn,1,ok,100\nn,2,ok,400\n",
                                              FALSE);

    ck_assert_uint_eq(effects->blocks, 2);
    ck_assert(is_near(find(effects, "a")->effect, 210.0 - 55.0));
}
END_TEST

/* An interaction of three: y is 1 where an odd number has its second value. */
START_TEST(three)
{
    g_autoptr(WsEffects) effects = effects_of("a,b,c,status,cycles\n"
                                              "1,1,1,ok,0\n1,1,2,ok,1\n1,2,1,ok,1\n1,2,2,ok,0\n"
                                              "2,1,1,ok,1\n2,1,2,ok,0\n2,2,1,ok,0\n2,2,2,ok,1\n",
                                              FALSE);
    g_autofree char *text = ws_effects_text(effects, "cycles");

    ck_assert(is_near(find(effects, "a * b * c")->effect, 1));
    ck_assert(is_near(find(effects, "a * b * c")->share, 1));
    ck_assert(is_near(find(effects, "a * b")->effect, 0));
    ck_assert_ptr_nonnull(strstr(text, "100.0 %  1 interaction of three and more\n"));
}
END_TEST

START_TEST(nothing_changes)
{
    g_autoptr(WsEffects) effects = effects_of("a,status,cycles\n1,ok,5\n2,ok,5\n", FALSE);
    g_autofree char *csv = ws_effects_csv(effects);

    ck_assert(isnan(find(effects, "a")->share));
    ck_assert_str_eq(csv, "name,order,effect,factor,share\na,1,0,,\n");
}
END_TEST

static const struct {
    const char *csv, *y, *where, *message;
} wrong[] = {
    {JAIN, "cycels", NULL, "no column 'cycels'; did you mean 'cycles'?"},
    {JAIN, "cycles", "memory", "'memory': COLUMN=VALUE is expected"},
    {JAIN, "cycles", "memroy=4", "no column 'memroy'; did you mean 'memory'?"},
    {JAIN, "cycles", "memory=5", "no parameter has two values"},
    {"a,cycles\n1,2\n2,3\n", "cycles", NULL, "no column 'status'"},
    {"a,status,cycles\n1,ok,1\n2,ok,2\n3,ok,3\n", "cycles", NULL,
     "a has 3 values, and an effect is between two"},
    {"a,status,cycles\n1,ok,1\n2,fault,2\n", "cycles", NULL, "the run with a=2 has no cycles:"},
    {"a,status,cycles\n1,ok,1\n2,ok,\n", "cycles", NULL, "the run with a=2 has no cycles:"},
    {"a,b,status,cycles\n1,1,ok,1\n2,1,ok,2\n1,2,ok,3\n", "cycles", NULL,
     "0 rows have a=2, b=2, and 1 have the first combination"},
    {"a,b,status,cycles\n1,1,ok,1\n2,2,ok,2\n", "cycles", NULL,
     "a and b change together in all rows"},
};

START_TEST(errors)
{
    g_autoptr(WsTable) table = table_of_text(wrong[_i].csv);
    g_autoptr(GError) error = NULL;
    char *where[] = {(char *)wrong[_i].where, NULL};

    ck_assert_ptr_null(
        ws_effects_new(table, &(WsEffectsOptions){.y = wrong[_i].y, .where = where}, &error));
    ck_assert_msg(strstr(error->message, wrong[_i].message) != NULL, "%s", error->message);
}
END_TEST

/* y = 8 + 2 A + 1 B - 0.5 AC in signs of one, with C = -AB: AC is confounded with -B. */
START_TEST(fraction)
{
    g_autoptr(WsEffects) effects = effects_of("a,b,c,status,cycles\n"
                                              "1,1,1,ok,4.5\n1,2,2,ok,7.5\n"
                                              "2,1,2,ok,8.5\n2,2,1,ok,11.5\n",
                                              FALSE);
    g_autofree char *text = ws_effects_text(effects, "cycles");
    g_autofree char *csv = ws_effects_csv(effects);

    ck_assert_uint_eq(effects->effects->len, 3);
    ck_assert_uint_eq(effects->fraction->resolution, 3);
    ck_assert(is_near(effects->mean, 8));
    ck_assert(is_near(find(effects, "a")->effect, 4));
    ck_assert(is_near(find(effects, "b")->effect, 2 * (1 + 0.5)));
    ck_assert(is_near(find(effects, "c")->effect, 0));
    ck_assert_ptr_nonnull(
        strstr(text, "4 runs, 1/2 of 2^3 combinations, resolution III; mean 8\n"));
    ck_assert_ptr_nonnull(strstr(text, "  b (1 -> 2) - a * c\n"));
    ck_assert_ptr_nonnull(strstr(csv, ",share,confounded\na,1,4,,"));
}
END_TEST

/* d = a b c: main effects are clear of interactions of two, which are confounded in pairs. */
START_TEST(fraction_of_four)
{
    g_autoptr(WsEffects) effects =
        effects_of("a,b,c,d,status,cycles\n"
                   "1,1,1,1,ok,0\n1,1,2,2,ok,1\n1,2,1,2,ok,1\n1,2,2,1,ok,0\n"
                   "2,1,1,2,ok,1\n2,1,2,1,ok,0\n2,2,1,1,ok,0\n2,2,2,2,ok,1\n",
                   FALSE);
    const WsEffect *pair = find(effects, "a * b");
    g_autofree char *others = ws_effect_confounded(effects, pair);
    g_autofree char *clear = ws_effect_confounded(effects, find(effects, "d"));

    ck_assert_uint_eq(effects->fraction->resolution, 4);
    ck_assert_str_eq(others, "+ c * d");
    ck_assert_str_eq(clear, "");
    ck_assert(is_near(find(effects, "d")->effect, 1));
    ck_assert(is_near(pair->effect, 0));
}
END_TEST

START_TEST(logarithm_of_nothing)
{
    g_autoptr(WsTable) table = table_of_text("a,status,cycles\n1,ok,1\n2,ok,0\n");
    g_autoptr(GError) error = NULL;
    const WsEffectsOptions options = {.y = "cycles", .logarithms = TRUE};

    ck_assert_ptr_null(ws_effects_new(table, &options, &error));
    ck_assert_ptr_nonnull(strstr(error->message, "the run with a=2 has no cycles above 0"));
}
END_TEST

static void add_tests(TCase *cases)
{
    tcase_add_test(cases, textbook);
    tcase_add_test(cases, levels);
    tcase_add_test(cases, targets_are_blocks);
    tcase_add_test(cases, three);
    tcase_add_test(cases, nothing_changes);
    tcase_add_loop_test(cases, errors, 0, G_N_ELEMENTS(wrong));
    tcase_add_test(cases, fraction);
    tcase_add_test(cases, fraction_of_four);
    tcase_add_test(cases, logarithm_of_nothing);
}

int main(void)
{
    return run_suite("effects", add_tests);
}
