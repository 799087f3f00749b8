/* Limits of time: waiting costs nothing, work does. */
#include "sim/base/time_limit.h"
#include "tests/support/suite.h"

#include <math.h>

static gpointer work(gpointer data)
{
    const WsTimeLimit limit = ws_time_limit(0.1);
    while (!ws_time_limit_is_over(&limit))
        ;
    return data;
}

START_TEST(processor_time)
{
    const WsTimeLimit limit = ws_time_limit(0.1), passed = ws_time_limit(0.001);
    g_usleep(200000);
    ck_assert(!ws_time_limit_is_over(&limit));
    g_thread_join(g_thread_new("other", work, NULL)); /* another thread's is not this one's */
    ck_assert(!ws_time_limit_is_over(&limit));
    work(NULL);
    ck_assert(ws_time_limit_is_over(&limit));
    ck_assert(ws_time_limit_is_over(&passed));
    g_autofree char *text = ws_time_limit_text(&limit);
    ck_assert_str_eq(text, "the limit of 0.1 seconds of processor time (--max-seconds)");
}
END_TEST

START_TEST(no_limit)
{
    const double none[] = {0, -1, 1e300, (double)NAN};
    work(NULL);
    for (guint i = 0; i < G_N_ELEMENTS(none); i++) {
        const WsTimeLimit limit = ws_time_limit(none[i]);
        ck_assert(!ws_time_limit_is_over(&limit));
    }
    ck_assert(!ws_time_limit_is_over(&(WsTimeLimit){0}));
}
END_TEST

static void add_tests(TCase *cases)
{
    tcase_add_test(cases, processor_time);
    tcase_add_test(cases, no_limit);
}

int main(void)
{
    return run_suite("time_limit", add_tests);
}
