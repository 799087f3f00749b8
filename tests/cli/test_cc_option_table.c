/* The table of `warpstep cc`: each spelling reaches its own row, with the value that it was given.
 */
#include "cli/cc_option_table.h"

#include <check.h>
#include <stdlib.h>

START_TEST(no_row_shadows_another)
{
    guint count = 0;
    for (const WsCcOption *row; (row = ws_cc_option_at(count)) != NULL; count++) {
        const char *value = NULL;
        ck_assert_msg(ws_cc_option_find(row->name, &value) == row, "%s is another's", row->name);
        ck_assert_msg(value == NULL, "%s has a value of its own", row->name);
    }
    ck_assert_uint_gt(count, 100);
}
END_TEST

START_TEST(values_in_the_same_word)
{
    for (guint i = 0; ws_cc_option_at(i) != NULL; i++) {
        const WsCcOption *row = ws_cc_option_at(i);
        g_autofree char *with_sign = g_strconcat(row->name, "=12", NULL);
        g_autofree char *joined = g_strconcat(row->name, "12", NULL);
        const char *value = NULL;
        const WsCcOption *found = ws_cc_option_find(with_sign, &value);
        if (row->form == WS_CC_ALONE) {
            ck_assert_msg(found != row, "%s takes a value", row->name);
            continue;
        }
        ck_assert_msg(found == row, "%s is another's", with_sign);
        if (row->form != WS_CC_PREFIX)
            ck_assert_str_eq(value, "12");
        found = ws_cc_option_find(joined, &value);
        ck_assert_msg((found == row) == (row->form != WS_CC_VALUE), "%s", joined);
        if (row->form == WS_CC_JOINED)
            ck_assert_str_eq(value, "12");
    }
}
END_TEST

START_TEST(words_that_begin_like_others)
{
    static const struct {
        const char *word, *name, *value;
    } cases[] = {
        {"-g3", "-g3", NULL},
        {"-gencode", "-gencode", NULL},
        {"-lcudart", "-lcudart", NULL},
        {"-lcudart2", "-l", "cudart2"},
        {"-lineinfo", "-lineinfo", NULL},
        {"-Wl,-z,now", "-Wl,", NULL},
        {"-Werror", "-Werror", NULL},
        {"-Werror=reorder", "-Werror", "reorder"},
        {"-Wno-cpp", "-W", NULL},
        {"-dc", "-dc", NULL},
        {"-dlink", "-dlink", NULL},
        {"-DMD", "-D", "MD"},
        {"-MD", "-MD", NULL},
        {"-isystem=a", "-isystem", "a"},
        {"-Ia=b", "-I", "a=b"},
        {"-o=a", "-o", "a"},
        {"-optf", "-optf", NULL},
        {"-std=c++17", "-std", "c++17"},
        {"-codes", NULL, NULL},
        {"--no-such", NULL, NULL},
    };
    for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
        const char *value = NULL;
        const WsCcOption *row = ws_cc_option_find(cases[i].word, &value);
        ck_assert_pstr_eq(row != NULL ? row->name : NULL, cases[i].name);
        if (row != NULL)
            ck_assert_pstr_eq(value, cases[i].value);
    }
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("cc_option_table");
    TCase *cases = tcase_create("table");
    tcase_add_test(cases, no_row_shadows_another);
    tcase_add_test(cases, values_in_the_same_word);
    tcase_add_test(cases, words_that_begin_like_others);
    suite_add_tcase(suite, cases);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_ENV);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed != 0;
}
