/* Division by a multiplication (sim/base/divider.h): the same quotients as the host's. */
#include "sim/base/divider.h"

#include "tests/support/suite.h"

/* Of n - 1, n and n + 1. */
static gboolean divides_around(const WsDivider *divider, guint64 n)
{
    gboolean right = TRUE;

    for (guint64 i = 0; i < 3; i++) {
        guint64 value = n + i - (n != 0);

        if (value < WS_DIVIDER_LIMIT)
            right &= ws_divide(divider, value) == value / divider->divisor &&
                     ws_remainder(divider, value) == value % divider->divisor;
    }
    return right;
}

/* Multiples and their neighbours, where a quotient that is a little off shows, up to the limit. */
static void check_divisor(guint64 divisor, GRand *random)
{
    WsDivider divider;
    gboolean right = TRUE;

    ws_divider_init(&divider, divisor);
    for (guint64 n = 0; n < 20; n++)
        right &= divides_around(&divider, n * divisor);
    for (guint bits = 1; bits <= 60; bits++) {
        guint64 value = ((guint64)g_rand_int(random) << 32 | g_rand_int(random)) >> (64 - bits);

        right &= divides_around(&divider, value);
        right &= divides_around(&divider, value / divisor * divisor);
    }
    right &= divides_around(&divider, WS_DIVIDER_LIMIT - 1);
    right &= divides_around(&divider, (WS_DIVIDER_LIMIT - 1) / divisor * divisor);
    ck_assert_msg(right, "divisor %" G_GUINT64_FORMAT, divisor);
}

START_TEST(test_small_divisors)
{
    g_autoptr(GRand) random = g_rand_new_with_seed(1);

    for (guint64 divisor = 1; divisor <= 5000; divisor++)
        check_divisor(divisor, random);
}
END_TEST

START_TEST(test_large_divisors)
{
    g_autoptr(GRand) random = g_rand_new_with_seed(2);

    for (guint bits = 13; bits < 60; bits++)
        for (guint64 i = 0; i < 20; i++)
            check_divisor(((guint64)1 << bits) - 10 + i, random);
}
END_TEST

static void add_tests(TCase *cases)
{
    tcase_add_test(cases, test_small_divisors);
    tcase_add_test(cases, test_large_divisors);
}

int main(void)
{
    return run_suite("divider", add_tests);
}
