/* Where clang is looked for, and which of several is taken. */
#include "isa/cuda/find_clang.h"
#include "tests/support/suite.h"

#include <glib/gstdio.h>

#include <unistd.h>

#include <string.h>

static gint place_of(char **places, const char *path)
{
    for (gint i = 0; places[i] != NULL; i++)
        if (strcmp(places[i], path) == 0)
            return i;
    return -1;
}

START_TEST(the_version_of_the_figures_first)
{
    static const char *const of_14[] = {
        "/usr/bin/clang++-14", "/usr/lib/llvm-14/bin/clang++", "/usr/lib64/llvm14/bin/clang++",
        "/usr/lib/llvm14/bin/clang++", "/opt/homebrew/opt/llvm@14/bin/clang++"};
    g_auto(GStrv) places = ws_clang_places("", "/home/me", NULL);
    gint newer = place_of(places, "/usr/bin/clang++-15");
    gint newest = place_of(places, "/usr/bin/clang++-19");

    ck_assert_int_eq(place_of(places, "/usr/bin/clang++-14"), 0);
    for (guint i = 0; i < G_N_ELEMENTS(of_14); i++) {
        ck_assert_int_ge(place_of(places, of_14[i]), 0);
        ck_assert_int_lt(place_of(places, of_14[i]), newer);
    }
    ck_assert_int_lt(newer, newest);
    ck_assert_int_lt(newest, place_of(places, "/usr/bin/clang++"));
    ck_assert_int_lt(place_of(places, "/usr/bin/clang++"),
                     place_of(places, "/home/me/.nix-profile/bin/clang++"));
}
END_TEST

START_TEST(folders_of_path_come_last)
{
    g_auto(GStrv) places = ws_clang_places("/root", NULL, "/opt/llvm/bin:tools::/a b");
    guint count = g_strv_length(places);

    ck_assert_str_eq(places[0], "/root/usr/bin/clang++-14");
    ck_assert_str_eq(places[count - 2], "/opt/llvm/bin/clang++");
    ck_assert_str_eq(places[count - 1], "/a b/clang++");
    ck_assert_int_eq(place_of(places, "tools/clang++"), -1);
}
END_TEST

START_TEST(what_the_user_says_comes_before_all)
{
    g_autoptr(GError) error = NULL;
    g_autofree char *found = NULL;

    g_setenv("WARPSTEP_CLANG", "/bin/sh", TRUE);
    found = ws_find_clang(&error);
    ck_assert_str_eq(found, "/bin/sh");
    g_setenv("WARPSTEP_CLANG", "clang++", TRUE);
    ck_assert_ptr_null(ws_find_clang(&error));
    ck_assert_str_eq(
        error->message,
        "error: WARPSTEP_CLANG is 'clang++', which is not the absolute path of a program");
}
END_TEST

/* A folder or a file that cannot be run is no clang. */
START_TEST(where_there_is_none_the_packages_are_named)
{
    static const char *const said[] = {"clang++-14 to clang++-21", "apt-get install clang-14",
                                       "dnf install clang", "WARPSTEP_CLANG", "to compile CUDA C"};
    g_autofree char *folder = g_dir_make_tmp("ws-clang-XXXXXX", NULL);
    g_autofree char *empty = g_build_filename(folder, "clang++", NULL);
    char *places[] = {folder, empty, NULL, NULL};
    g_autoptr(GError) error = NULL;

    ck_assert(g_file_set_contents(empty, "", 0, NULL));
    ck_assert_ptr_null(ws_clang_of_places(places, &error));
    ck_assert_int_eq(error->code, WS_ERROR_INPUT);
    for (guint i = 0; i < G_N_ELEMENTS(said); i++)
        ck_assert_msg(strstr(error->message, said[i]) != NULL, "%s", error->message);
    places[2] = (char *)"/bin/sh";
    g_autofree char *found = ws_clang_of_places(places, NULL);
    ck_assert_str_eq(found, "/bin/sh");
    g_unlink(empty);
    g_rmdir(folder);
}
END_TEST

/* Its form and its name, links followed. */
START_TEST(clang_itself_is_told_from_what_starts_it)
{
    g_autofree char *folder = g_dir_make_tmp("ws-clang-XXXXXX", NULL);
    static const struct {
        const char *name, *link;
        gboolean is_program, itself;
    } cases[] = {{"clang-14", NULL, TRUE, TRUE},    {"c++", "clang-14", TRUE, TRUE},
                 {"ccache", NULL, TRUE, FALSE},     {"clang++", "ccache", TRUE, FALSE},
                 {"clang-15", NULL, FALSE, FALSE},  {"clang-16", "clang-15", FALSE, FALSE},
                 {"clang-17", "none", FALSE, FALSE}};

    for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autofree char *path = g_build_filename(folder, cases[i].name, NULL);

        if (cases[i].link != NULL)
            ck_assert_int_eq(symlink(cases[i].link, path), 0);
        else
            ck_assert(g_file_set_contents(
                path, cases[i].is_program ? "\177ELF\2" : "#!/bin/sh\nexec clang\n", -1, NULL));
        ck_assert_msg(ws_is_clang_itself(path) == cases[i].itself, "%s", cases[i].name);
    }
    ck_assert(!ws_is_clang_itself(folder));
    for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autofree char *path = g_build_filename(folder, cases[i].name, NULL);

        ck_assert_int_eq(unlink(path), 0);
    }
    ck_assert_int_eq(rmdir(folder), 0);
}
END_TEST

/* As ./make-release lays it out: bin/ and the folder of libraries side by side. */
START_TEST(a_release_brings_its_own)
{
    g_autofree char *folder = g_dir_make_tmp("ws-clang-XXXXXX", NULL);
    g_autofree char *program = g_build_filename(folder, "bin", "warpstep", NULL);
    g_autofree char *library = g_build_filename(folder, "lib", "libwarpstep.so.0", NULL);
    g_autofree char *beside = g_build_filename(folder, "lib", "warpstep/clang/bin", NULL);
    g_autofree char *clang = g_build_filename(beside, "clang++", NULL);

    ck_assert_ptr_null(ws_clang_beside(program));
    ck_assert_int_eq(g_mkdir_with_parents(beside, 0700), 0);
    ck_assert_int_eq(symlink("/bin/sh", clang), 0);
    g_autofree char *of_program = ws_clang_beside(program);
    g_autofree char *of_library = ws_clang_beside(library);
    ck_assert_str_eq(of_program, clang);
    ck_assert_str_eq(of_library, clang);
    ck_assert_int_eq(unlink(clang), 0);
    for (g_autofree char *empty = g_strdup(beside); strcmp(empty, folder) != 0;) {
        char *above = g_path_get_dirname(empty);
        ck_assert_int_eq(rmdir(empty), 0);
        g_free(empty);
        empty = above;
    }
    ck_assert_int_eq(rmdir(folder), 0);
}
END_TEST

static void add_tests(TCase *tests)
{
    tcase_add_test(tests, a_release_brings_its_own);
    tcase_add_test(tests, the_version_of_the_figures_first);
    tcase_add_test(tests, folders_of_path_come_last);
    tcase_add_test(tests, what_the_user_says_comes_before_all);
    tcase_add_test(tests, where_there_is_none_the_packages_are_named);
    tcase_add_test(tests, clang_itself_is_told_from_what_starts_it);
}

int main(void)
{
    return run_suite("find_clang", add_tests);
}
