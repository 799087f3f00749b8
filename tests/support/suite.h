/*
 * What every unit test has in common: one suite, one function that runs it and gives main's value.
 */
#ifndef WS_TESTS_SUITE_H
#define WS_TESTS_SUITE_H

#include <check.h>
#include <stdlib.h>

static inline int run_suite(const char *name, void (*add_tests)(TCase *cases))
{
    Suite *suite = suite_create(name);
    TCase *cases = tcase_create(name);
    add_tests(cases);
    suite_add_tcase(suite, cases);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_ENV);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}

#endif
