/* How much a figure moves when one parameter does: by hand. */
#include <math.h>
#include <string.h>

#include "study/results/sensitivity.h"
#include "tests/support/suite.h"
#include "tests/support/table_of_text.h"

static gboolean is_near(double a, double b)
{
    return fabs(a - b) < 1e-12;
}

static WsSensitivity *sensitivity_of(const char *csv, char *const *base, char *const *where)
{
    g_autoptr(WsTable) table = table_of_text(csv);
    GError *error = NULL;
    WsSensitivity *sensitivity = ws_sensitivity_new(
        table, &(WsSensitivityOptions){.y = "cycles", .base = base, .where = where}, &error);

    ck_assert_msg(sensitivity != NULL, "%s", error ? error->message : "");
    return sensitivity;
}

static const WsSensitivityParameter *parameter(const WsSensitivity *sensitivity, guint index)
{
    return sensitivity->parameters->pdata[index];
}

static const WsSensitivityValue *value(const WsSensitivity *sensitivity, guint index, guint at)
{
    return &g_array_index(parameter(sensitivity, index)->values, WsSensitivityValue, at);
}

#define AROUND                                                                                     \
    "policy,size,ways,status,cycles\n"                                                             \
    "lrr,4,1,ok,100\ngto,4,1,ok,95\nlrr,8,1,ok,50\nlrr,2,1,ok,200\nlrr,4,2,ok,110\n"

START_TEST(one_at_a_time)
{
    g_autoptr(WsSensitivity) sensitivity = sensitivity_of(AROUND, NULL, NULL);
    g_autofree char *csv = ws_sensitivity_csv(sensitivity);

    ck_assert(is_near(sensitivity->base, 100));
    ck_assert_uint_eq(sensitivity->parameters->len, 3);
    ck_assert_str_eq(parameter(sensitivity, 0)->name, "size"); /* the largest swing */
    ck_assert(is_near(parameter(sensitivity, 0)->swing, 1.5));
    ck_assert(is_near(value(sensitivity, 0, 0)->change, -0.5));
    ck_assert(is_near(value(sensitivity, 0, 0)->elasticity, -1));
    ck_assert(is_near(value(sensitivity, 0, 1)->change, 1));
    ck_assert(is_near(value(sensitivity, 0, 1)->elasticity, -1));
    ck_assert_str_eq(parameter(sensitivity, 1)->name, "ways");
    ck_assert(is_near(value(sensitivity, 1, 0)->elasticity, log(1.1) / log(2)));
    ck_assert(isnan(value(sensitivity, 2, 0)->elasticity)); /* of a word */
    ck_assert(g_str_has_prefix(csv, "parameter,value,y,change,elasticity\nsize,4,100,0,\n"
                                    "size,8,50,-0.5,-1\nsize,2,200,1,-1\nways,1,100,0,\n"));
}
END_TEST

/* Of a cross product only the rows that differ in one parameter count; the base is a choice. */
START_TEST(another_base)
{
    char *base[] = {"a=2", NULL};
    g_autoptr(WsSensitivity) sensitivity = sensitivity_of(
        "a,b,status,cycles\n1,1,ok,10\n1,2,ok,20\n2,1,ok,30\n2,2,ok,90\n", base, NULL);

    ck_assert(is_near(sensitivity->base, 30));
    ck_assert_str_eq(parameter(sensitivity, 0)->name, "b");
    ck_assert(is_near(value(sensitivity, 0, 0)->change, 2));
    ck_assert(is_near(value(sensitivity, 1, 0)->change, 10.0 / 30 - 1));
}
END_TEST

/* Each target is compared with its own base; the geometric mean of 2 and 8 is 4. */
START_TEST(targets)
{
    g_autoptr(WsSensitivity) sensitivity =
        sensitivity_of("target,a,status,cycles\nx,1,ok,10\nx,2,ok,20\ny,1,ok,1000\ny,2,ok,8000\n"
                       "z,1,ok,7\nz,2,deadlock,9\n",
                       NULL, NULL);
    g_autofree char *text = ws_sensitivity_text(sensitivity, "cycles");

    ck_assert(is_near(value(sensitivity, 0, 0)->change, 3));
    ck_assert(is_near(value(sensitivity, 0, 0)->elasticity, 2));
    ck_assert_uint_eq(value(sensitivity, 0, 0)->targets, 2);
    ck_assert_uint_eq(sensitivity->left_out, 1);
    ck_assert_ptr_nonnull(strstr(text, "geometric mean of 3 targets\n"));
    ck_assert_ptr_nonnull(strstr(text, "1 -> 2         400  +300.0 %      2.00\n"));
    ck_assert_ptr_nonnull(strstr(text, "1 row without a figure left out\n"));
}
END_TEST

static const struct {
    const char *csv, *base, *where, *message;
} wrong[] = {
    {AROUND, "polic=lrr", NULL, "no column 'polic'"},
    {AROUND, "cycles=100", NULL, "the base 'cycles=100': NAME=VALUE of a parameter is expected"},
    {AROUND, "size=16", NULL, "no run with the base policy=lrr, size=16, ways=1 has a figure"},
    {AROUND, NULL, "size=8", "no row differs from the base in one parameter only"},
    {AROUND, NULL, "size=16", "no row is left"},
    {"a,cycles\n1,2\n2,3\n", NULL, NULL, "no column 'status'"},
    {"a,status,cycles\n1,fault,2\n2,ok,3\n", NULL, NULL, "no run with the base a=1 has a figure"},
};

START_TEST(errors)
{
    g_autoptr(WsTable) table = table_of_text(wrong[_i].csv);
    g_autoptr(GError) error = NULL;
    char *base[] = {(char *)wrong[_i].base, NULL}, *where[] = {(char *)wrong[_i].where, NULL};

    ck_assert_ptr_null(ws_sensitivity_new(
        table, &(WsSensitivityOptions){.y = "cycles", .base = base, .where = where}, &error));
    ck_assert_msg(strstr(error->message, wrong[_i].message) != NULL, "%s", error->message);
}
END_TEST

static void add_tests(TCase *cases)
{
    tcase_add_test(cases, one_at_a_time);
    tcase_add_test(cases, another_base);
    tcase_add_test(cases, targets);
    tcase_add_loop_test(cases, errors, 0, G_N_ELEMENTS(wrong));
}

int main(void)
{
    return run_suite("sensitivity", add_tests);
}
