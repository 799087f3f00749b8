/* Speeds relative to a point of a study, and their means: by hand. */
#include <math.h>
#include <string.h>

#include "study/results/metrics.h"
#include "study/results/relative.h"
#include "tests/support/suite.h"

static WsStudy *study_of(const char *const *parameters, const char *const *reference)
{
    WsStudy *study = ws_study_new(NULL);
    GError *error = NULL;

    study->reference = g_strdupv((char **)reference);
    for (; *parameters != NULL; parameters++)
        ck_assert(ws_study_add_text(study, *parameters, NULL));
    if (ws_study_target_axis(study) < 0)
        study->target = g_strdup("one.yaml");
    ck_assert_msg(ws_study_check(study, &error), "%s", error ? error->message : "");
    return study;
}

/* A row for each point; `cycles` of 0: no row; below 0: it failed. */
static WsTable *table_of(const WsStudy *study, const double *cycles)
{
    guint parameters = study->parameters->len, metrics = ws_metric_count();
    WsTable *table = g_new0(WsTable, 1);

    table->width = parameters + metrics;
    table->columns = g_new0(char *, table->width + 1);
    table->rows = g_ptr_array_new_with_free_func((GDestroyNotify)g_strfreev);
    for (guint i = 0; i < table->width; i++)
        table->columns[i] = g_strdup(i < parameters ? ws_study_parameter(study, i)->name
                                                    : ws_metric_at(i - parameters).name);
    for (guint point = 0; point < ws_study_points(study); point++) {
        char **cells = g_new0(char *, table->width + 1);
        for (guint i = 0; i < table->width; i++)
            cells[i] = g_strdup(i < parameters ? ws_study_value(study, point, i) : "");
        char **status = &cells[parameters + (guint)ws_metric_find("status")];
        char **own = &cells[parameters + (guint)ws_metric_find("cycles")];
        g_free(*status);
        g_free(*own);
        *status = g_strdup(cycles[point] < 0 ? "fault" : "ok");
        *own = ws_metric_number(fabs(cycles[point]));
        if (cycles[point] != 0)
            g_ptr_array_add(table->rows, cells);
        else
            g_strfreev(cells);
    }
    return table;
}

static gboolean is_near(double a, double b)
{
    return fabs(a - b) < 1e-12 || (isnan(a) && isnan(b));
}

/* Targets a, b and c under lrr and gto. */
static const char *const suite[] = {"target=a,b,c", "policy=lrr,gto", NULL};
static const char *const by_lrr[] = {"policy=lrr", NULL};

START_TEST(means)
{
    const double cycles[] = {100, 50, 100, 100, 100, 200};
    g_autoptr(WsStudy) study = study_of(suite, by_lrr);
    g_autoptr(WsTable) table = table_of(study, cycles);
    g_autoptr(WsRelative) relative = ws_relative_new(study, table);
    const WsRelativeColumn *gto = &relative->column[1];

    ck_assert_uint_eq(relative->targets, 3);
    ck_assert_uint_eq(relative->columns, 2);
    ck_assert_str_eq(gto->name, "policy=gto");
    ck_assert_str_eq(gto->heading, "gto");
    /* Speeds 2, 1 and 1/2: their logarithms are ln 2, 0 and -ln 2. */
    ck_assert(is_near(relative->cells[1].speed, 2) && is_near(relative->cells[5].speed, 0.5));
    ck_assert(is_near(gto->mean, 1));
    ck_assert(is_near(gto->spread, 2));
    ck_assert(is_near(gto->best, 2) && gto->best_target == 0);
    ck_assert(is_near(gto->worst, 0.5) && gto->worst_target == 2);
    ck_assert(is_near(relative->column[0].mean, 1) && is_near(relative->column[0].spread, 1));
}
END_TEST

/* A mean is of the targets that have a speed, and says how many have none. */
START_TEST(what_failed_is_left_out)
{
    /* b fails under gto; c has no row under lrr, so gto has nothing to compare with. */
    const double cycles[] = {100, 50, 100, -7, 0, 200};
    g_autoptr(WsStudy) study = study_of(suite, by_lrr);
    g_autoptr(WsTable) table = table_of(study, cycles);
    g_autoptr(WsRelative) relative = ws_relative_new(study, table);
    const WsRelativeColumn *lrr = &relative->column[0], *gto = &relative->column[1];

    ck_assert(lrr->compared == 2 && lrr->left == 1 && is_near(lrr->mean, 1));
    ck_assert(gto->compared == 1 && gto->left == 2 && is_near(gto->mean, 2));
    ck_assert(isnan(gto->spread));
    ck_assert(isnan(relative->cells[3].speed));
    ck_assert_str_eq(relative->cells[3].status, "fault");
    ck_assert_str_eq(relative->cells[4].status, "");
    ck_assert(isnan(relative->cells[5].speed));
    ck_assert_str_eq(relative->cells[5].status, "ok");
    g_autofree char *text = ws_relative_text(study, relative, 100);
    ck_assert_ptr_nonnull(strstr(text, "policy=gto: the mean leaves out 2 of 3 targets"));
    ck_assert_ptr_nonnull(strstr(text, "no reference"));
}
END_TEST

/* Each point is compared with the one that differs in the reference's parameter alone. */
START_TEST(other_parameters_stay)
{
    static const char *const parameters[] = {"policy=lrr,gto", "target=a,b", "sms=1,2", NULL};
    static const char *const both[] = {"policy=gto", "sms=2", NULL};
    static const char *const by_sms[] = {"sms=2", NULL};
    /* lrr: a 1, a 2, b 1, b 2; then gto */
    const double cycles[] = {80, 40, 60, 30, 20, 10, 12, 4};
    g_autoptr(WsStudy) study = study_of(parameters, by_sms);
    g_autoptr(WsTable) table = table_of(study, cycles);
    g_autoptr(WsRelative) relative = ws_relative_new(study, table);

    ck_assert_uint_eq(relative->columns, 4);
    ck_assert_str_eq(relative->column[2].name, "policy=gto, sms=1");
    ck_assert_str_eq(relative->names[1], "b");
    ck_assert(is_near(relative->cells[0].speed, 0.5)); /* a, lrr, 1 SM */
    ck_assert(is_near(relative->cells[1].speed, 1));
    ck_assert(is_near(relative->cells[4 + 2].speed, 4.0 / 12)); /* b, gto, 1 SM */
    g_strfreev(study->reference);
    study->reference = g_strdupv((char **)both);
    g_autoptr(WsRelative) one = ws_relative_new(study, table);
    ck_assert(is_near(one->cells[0].speed, 10.0 / 80)); /* a, lrr, 1 SM */
    ck_assert(is_near(one->cells[4].speed, 4.0 / 60));  /* b, lrr, 1 SM */
}
END_TEST

START_TEST(one_target)
{
    static const char *const parameters[] = {"warps=1,2,4", NULL};
    static const char *const reference[] = {"warps=1", NULL};
    const double cycles[] = {100, 60, 25};
    g_autoptr(WsStudy) study = study_of(parameters, reference);
    g_autoptr(WsTable) table = table_of(study, cycles);
    g_autoptr(WsRelative) relative = ws_relative_new(study, table);
    g_autofree char *csv = ws_relative_csv(study, relative);

    ck_assert_uint_eq(relative->targets, 1);
    ck_assert(is_near(relative->column[2].mean, 4));
    ck_assert(g_str_has_prefix(csv, "target,warps,status,speed,spread,best,worst,left_out\n"
                                    "one.yaml,1,ok,1,,,,\n"));
    ck_assert_ptr_nonnull(strstr(csv, "\ngeomean,4,ok,4,,4,4,0\n"));
}
END_TEST

/* Where the columns do not fit, each is a row. */
START_TEST(narrow_text)
{
    const double cycles[] = {100, 50, 100, 100, 100, 200};
    g_autoptr(WsStudy) study = study_of(suite, by_lrr);
    g_autoptr(WsTable) table = table_of(study, cycles);
    g_autoptr(WsRelative) relative = ws_relative_new(study, table);
    g_autofree char *wide = ws_relative_text(study, relative, 30);
    g_autofree char *narrow = ws_relative_text(study, relative, 29);

    ck_assert_str_eq(wide, "Speed relative to policy=lrr (its cycles / own cycles)\n"
                           "policy             lrr     gto\n"
                           "a                1.000   2.000\n"
                           "b                1.000   1.000\n"
                           "c                1.000   0.500\n"
                           "geometric mean   1.000   1.000\n"
                           "spread           1.000   2.000\n"
                           "best             1.000   2.000\n"
                           "worst            1.000   0.500\n");
    ck_assert_str_eq(narrow, "Speed relative to policy=lrr (its cycles / own cycles)\n"
                             "   mean  spread    best   worst\n"
                             "  1.000   1.000   1.000   1.000  policy=lrr\n"
                             "  1.000   2.000   2.000   0.500  policy=gto\n");
}
END_TEST

static void add_tests(TCase *cases)
{
    tcase_add_test(cases, means);
    tcase_add_test(cases, what_failed_is_left_out);
    tcase_add_test(cases, other_parameters_stay);
    tcase_add_test(cases, one_target);
    tcase_add_test(cases, narrow_text);
}

int main(void)
{
    return run_suite("relative", add_tests);
}
