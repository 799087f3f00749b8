/* What lies under a folder, with openat2() and without. */
#include "isa/base/read_scope.h"

#include <check.h>
#include <errno.h>
#include <fcntl.h>
#include <glib/gstdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

static char *top;

static void set_up(void)
{
    top = g_dir_make_tmp("ws-scope-XXXXXX", NULL);
    ck_assert_ptr_nonnull(top);
    ck_assert_int_eq(g_chdir(top), 0);
    ck_assert_int_eq(g_mkdir("in", 0700), 0);
    ck_assert_int_eq(g_mkdir("in/sub", 0700), 0);
    ck_assert(g_file_set_contents("out.txt", "out", -1, NULL));
    ck_assert(g_file_set_contents("in/a.txt", "in", -1, NULL));
    ck_assert_int_eq(symlink("../out.txt", "in/out"), 0);
    ck_assert_int_eq(symlink("..", "in/up"), 0);
    ck_assert_int_eq(symlink("sub/../a.txt", "in/stays"), 0);
    ck_assert_int_eq(mkfifo("in/pipe", 0600), 0);
}

static void tear_down(void)
{
    static const char *const files[] = {"in/pipe", "in/stays", "in/up",
                                        "in/out",  "in/a.txt", "out.txt"};
    for (guint i = 0; i < G_N_ELEMENTS(files); i++)
        g_unlink(files[i]);
    g_rmdir("in/sub");
    g_rmdir("in");
    ck_assert_int_eq(g_chdir("/"), 0);
    g_rmdir(top);
    g_clear_pointer(&top, g_free);
}

static const struct {
    const char *path;
    WsReadOutcome confined;
    gboolean inside;
    int by_parts; /* errno, 0 = it is opened */
} cases[] = {
    {"a.txt", WS_READ_DONE, TRUE, 0},
    {"./a.txt", WS_READ_DONE, TRUE, 0},
    {"sub/../a.txt", WS_READ_DONE, TRUE, 0},
    {"sub/../../in/a.txt", WS_READ_DONE, TRUE, EXDEV},
    {"stays", WS_READ_DONE, TRUE, EXDEV},
    {"out", WS_READ_OUTSIDE, FALSE, EXDEV},
    {"up/out.txt", WS_READ_OUTSIDE, FALSE, EXDEV},
    {"../out.txt", WS_READ_OUTSIDE, FALSE, EXDEV},
    {"../none.txt", WS_READ_OUTSIDE, FALSE, EXDEV},
    {"none.txt", WS_READ_FAILED, FALSE, ENOENT},
    {"pipe", WS_READ_IRREGULAR, FALSE, 0},
    {"sub", WS_READ_FOLDER, FALSE, 0},
};

START_TEST(files_of_a_folder)
{
    const char *path = cases[_i].path;
    g_autoptr(WsReadScope) confined = ws_read_scope_new(TRUE);
    g_autoptr(WsReadScope) open_scope = ws_read_scope_new(FALSE);
    ws_read_scope_add(confined, "in");
    ws_read_scope_add(open_scope, "in");
    g_autofree char *relative = g_build_filename("in", path, NULL);
    g_autofree char *absolute = g_build_filename(top, "in", path, NULL);
    const char *const names[] = {relative, absolute};
    for (guint i = 0; i < G_N_ELEMENTS(names); i++) {
        g_autoptr(GBytes) bytes = NULL, others = NULL;
        gboolean inside;
        ck_assert_int_eq(ws_read_scope_read(confined, names[i], 10, &bytes, &inside),
                         cases[_i].confined);
        ck_assert_int_eq(inside, cases[_i].inside);
        ck_assert_int_eq(ws_read_scope_look(confined, names[i]), cases[_i].confined);
        /* One that is not confined reads it, and says that it is elsewhere. */
        if (cases[_i].confined == WS_READ_OUTSIDE && !g_str_has_suffix(path, "none.txt")) {
            ck_assert_int_eq(ws_read_scope_read(open_scope, names[i], 10, &others, &inside),
                             WS_READ_DONE);
            ck_assert(!inside);
        }
    }
}
END_TEST

START_TEST(folders_without_openat2)
{
    int folder = open("in", O_PATH | O_DIRECTORY);
    errno = 0;
    int found = ws_open_beneath_by_parts(folder, cases[_i].path, O_RDONLY | O_NONBLOCK);
    ck_assert_int_eq(found >= 0 ? 0 : errno, cases[_i].by_parts);
    if (found >= 0)
        close(found);
    ck_assert_int_lt(ws_open_beneath_by_parts(folder, "/etc/passwd", O_RDONLY), 0);
    ck_assert_int_eq(errno, EXDEV);
    close(folder);
}
END_TEST

/* What is put in has the name of a file, whether there is one or not. */
START_TEST(contents_that_are_put_in)
{
    g_autoptr(WsReadScope) scope = ws_read_scope_new(FALSE);
    g_autoptr(GBytes) contents = g_bytes_new_static("text", 4), read = NULL;
    gboolean inside = FALSE;
    ws_read_scope_put(scope, "./no/such/file", contents);
    g_autoptr(WsReadScope) copy = ws_read_scope_with(scope, NULL);
    ck_assert_int_eq(ws_read_scope_look(copy, "no/such/file"), WS_READ_DONE);
    ck_assert_int_eq(ws_read_scope_read(copy, "no/such/file", 4, &read, &inside), WS_READ_DONE);
    ck_assert(inside);
    ck_assert_uint_eq(g_bytes_get_size(read), 4);
    ck_assert_str_eq(g_bytes_get_data(read, NULL), "text");
    g_clear_pointer(&read, g_bytes_unref);
    ck_assert_int_eq(ws_read_scope_read(scope, "no/such/file", 3, &read, &inside),
                     WS_READ_TOO_LARGE);
    ck_assert_int_eq(ws_read_scope_look(scope, "no/such/other"), WS_READ_FAILED);
}
END_TEST

START_TEST(sizes_are_capped)
{
    g_autoptr(WsReadScope) scope = ws_read_scope_new(FALSE);
    g_autoptr(GBytes) bytes = NULL;
    ck_assert_int_eq(ws_read_scope_read(scope, "out.txt", 2, &bytes, NULL), WS_READ_TOO_LARGE);
    ck_assert_int_eq(ws_read_scope_read(scope, "out.txt", 3, &bytes, NULL), WS_READ_DONE);
    ck_assert_uint_eq(g_bytes_get_size(bytes), 3);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("read_scope");
    TCase *scope = tcase_create("scope");
    tcase_add_checked_fixture(scope, set_up, tear_down);
    tcase_add_loop_test(scope, files_of_a_folder, 0, G_N_ELEMENTS(cases));
    tcase_add_loop_test(scope, folders_without_openat2, 0, G_N_ELEMENTS(cases));
    tcase_add_test(scope, contents_that_are_put_in);
    tcase_add_test(scope, sizes_are_capped);
    suite_add_tcase(suite, scope);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_ENV);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
