#include "tests/support/golden_text.h"

#include <check.h>

char *golden_text_replace(const char *text, const char *what, const char *with)
{
    g_auto(GStrv) parts = g_strsplit(text, what, -1);

    return g_strjoinv(with, parts);
}

void golden_text_check(const char *name, const char *actual)
{
    g_autofree char *path =
        g_build_filename(g_getenv("WS_TEST_SOURCES"), "tests", "golden", "rooms", name, NULL);
    g_autofree char *expected = NULL;
    GError *error = NULL;

    if (g_getenv("WS_REGENERATE_GOLDEN") != NULL) {
        ck_assert_msg(g_file_set_contents(path, actual, -1, &error), "%s",
                      error ? error->message : "");
        return;
    }
    ck_assert_msg(g_file_get_contents(path, &expected, NULL, &error), "%s",
                  error ? error->message : "");
    g_auto(GStrv) is = g_strsplit(actual, "\n", -1);
    g_auto(GStrv) ought = g_strsplit(expected, "\n", -1);
    guint line = 0;

    while (is[line] != NULL && g_strcmp0(is[line], ought[line]) == 0)
        line++;
    ck_assert_msg(is[line] == NULL && ought[line] == NULL, "line %u of %s is\n%s\nand not\n%s",
                  line + 1, name, is[line] ? is[line] : "missing",
                  ought[line] ? ought[line] : "missing");
}
