/* Messages, texts for a terminal, files that are read and written, folders that are deleted. */
#include <errno.h>
#include <fcntl.h>
#include <glib/gstdio.h>
#include <signal.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "isa/base/byte_order_mark.h"
#include "isa/base/error.h"
#include "isa/base/escape.h"
#include "isa/base/input_file.h"
#include "isa/base/number_set.h"
#include "isa/base/size.h"
#include "isa/base/temporary_folder.h"
#include "isa/base/write_all.h"
#include "tests/support/suite.h"

static const struct {
    WsPosition position;
    const char *text, *message;
} messages[] = {
    {{NULL, 0, 0}, "no", "error: no"},
    {{NULL, 3, 4}, "no", "error: no"},
    {{"a.cu", 0, 0}, "no", "a.cu: error: no"},
    {{"a.cu", 3, 0}, "no", "a.cu:3: error: no"},
    {{"a.cu", 3, 4}, "no", "a.cu:3:4: error: no"},
    {{"a.cu", 0, 4}, "no", "a.cu: error: no"},
    {{"a\nb", 1, 1}, "no", "a\\x0ab:1:1: error: no"},
    {{NULL, 0, 0}, "a\tb\nc\x1b[1m", "error: a\tb\nc\\x1b[1m"},
};

START_TEST(positions)
{
    for (guint i = 0; i < G_N_ELEMENTS(messages); i++) {
        GError *error = NULL;
        ws_set_error_at(&error, WS_ERROR_FAULT, &messages[i].position, "%s", messages[i].text);
        ck_assert_str_eq(error->message, messages[i].message);
        ck_assert(g_error_matches(error, WS_ERROR, WS_ERROR_FAULT));
        g_clear_error(&error);
    }
    ws_set_error(NULL, WS_ERROR_INPUT, "nobody asks");
    GError *error = NULL;
    ws_set_error(&error, WS_ERROR_LIMIT, "%d of %s", 3, "x");
    ck_assert_str_eq(error->message, "error: 3 of x");
    ck_assert_int_eq(error->code, 6);
    g_clear_error(&error);
}
END_TEST

START_TEST(printable)
{
    g_autofree char *eighty = g_strnfill(80, 'x'), *longer = g_strnfill(81, 'x');
    g_autofree char *cut = g_strconcat(eighty, "...", NULL);
    const struct {
        const char *text, *shown;
    } table[] = {{"abc", "abc"},    {"a\x07", "a\\x07"},      {eighty, eighty},
                 {longer, cut},     {"\xff", "\xef\xbf\xbd"}, {"\u202e", "\\u202e"},
                 {"\x7f", "\\x7f"}, {"\u00e9", "\u00e9"}};

    for (guint i = 0; i < G_N_ELEMENTS(table); i++) {
        g_autofree char *shown = ws_printable(table[i].text);
        ck_assert_str_eq(shown, table[i].shown);
    }
    const struct {
        gunichar c;
        gboolean control;
    } characters[] = {{0x1f, TRUE},   {0x20, FALSE},   {0x7e, FALSE},   {0x7f, TRUE},
                      {0x9f, TRUE},   {0xa0, FALSE},   {0x2027, FALSE}, {0x2028, TRUE},
                      {0x202e, TRUE}, {0x202f, FALSE}, {0x2065, FALSE}, {0x2066, TRUE},
                      {0x2069, TRUE}, {0x206a, FALSE}};
    for (guint i = 0; i < G_N_ELEMENTS(characters); i++)
        if (ws_is_control(characters[i].c) != characters[i].control)
            ck_abort_msg("%x", characters[i].c);
}
END_TEST

static const struct {
    const char *quoted, *name;
} names[] = {{"a b", "a b"},           {"a\\\"b", "a\"b"}, {"a\\\\b", "a\\b"},
             {"\\303\\251", "\u00e9"}, {"\\q", "\\q"},     {"\\101", "A"}};

START_TEST(quoted_names)
{
    for (guint i = 0; i < G_N_ELEMENTS(names); i++) {
        g_autofree char *name = ws_unescape_name(names[i].quoted, strlen(names[i].quoted));
        g_autofree char *quoted = ws_quote_name(names[i].name);
        const char *end = quoted + strlen(quoted);

        ck_assert_str_eq(name, names[i].name);
        ck_assert(quoted[0] == '"' && end[-1] == '"');
        ck_assert_ptr_eq(ws_end_of_name(quoted + 1, end), end - 1);
        ck_assert_ptr_null(ws_end_of_name(quoted + 1, end - 1));
        g_autofree char *back = ws_unescape_name(quoted + 1, strlen(quoted) - 2);
        ck_assert_str_eq(back, names[i].name);
    }
}
END_TEST

START_TEST(sizes)
{
    const guint32 small[3] = {2, 3, 4}, large[3] = {G_MAXUINT32, G_MAXUINT32, 2};
    GArray *numbers = g_array_new(FALSE, FALSE, sizeof(guint32));
    const guint32 given[] = {5, 1, 5, 0, 9, 1}, sorted[] = {0, 1, 5, 9};

    ck_assert_uint_eq(ws_size_volume(small), 24);
    ck_assert(ws_size_volume(large) == G_MAXUINT64);
    ck_assert(ws_size_add(G_MAXUINT64, 1) == G_MAXUINT64 && ws_size_add(2, 3) == 5);
    ck_assert(ws_size_multiply(1ull << 32, 1ull << 32) == G_MAXUINT64);
    g_array_append_vals(numbers, given, G_N_ELEMENTS(given));
    ws_number_set(numbers);
    ck_assert_uint_eq(numbers->len, G_N_ELEMENTS(sorted));
    ck_assert_mem_eq(numbers->data, sorted, sizeof sorted);
    g_array_unref(numbers);
    ck_assert_uint_eq(ws_byte_order_mark("\xef\xbb\xbfx", 4), 3);
    ck_assert_uint_eq(ws_byte_order_mark("\xef\xbb\xbf", 3), 3);
    ck_assert_uint_eq(ws_byte_order_mark("\xef\xbb", 2), 0);
    ck_assert_uint_eq(ws_byte_order_mark("xyz", 3), 0);
}
END_TEST

/* Blocked while the folder is there; then as before. */
START_TEST(signals_wait)
{
    static const int ending[] = {SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGXFSZ};
    sigset_t before, meanwhile, behind;

    pthread_sigmask(SIG_SETMASK, NULL, &before);
    WsTemporaryFolder *folder = ws_temporary_folder_new(NULL);
    pthread_sigmask(SIG_SETMASK, NULL, &meanwhile);
    for (guint i = 0; i < G_N_ELEMENTS(ending); i++)
        ck_assert_int_eq(sigismember(&meanwhile, ending[i]), 1);
    ck_assert_int_eq(sigismember(&meanwhile, SIGSEGV), 0);
    ws_temporary_folder_release_signals(NULL);
    sigset_t released;
    pthread_sigmask(SIG_SETMASK, NULL, &released);
    for (guint i = 0; i < G_N_ELEMENTS(ending); i++)
        ck_assert_int_eq(sigismember(&released, ending[i]), 0);
    ws_temporary_folder_free(folder);
    pthread_sigmask(SIG_SETMASK, NULL, &behind);
    for (guint i = 0; i < G_N_ELEMENTS(ending); i++)
        ck_assert_int_eq(sigismember(&behind, ending[i]), sigismember(&before, ending[i]));
}
END_TEST

START_TEST(folders)
{
    WsTemporaryFolder *folder = ws_temporary_folder_new(NULL);
    const char *path = ws_temporary_folder_path(folder);
    g_autofree char *kept = g_dir_make_tmp("warpstep-kept-XXXXXX", NULL), *copy = g_strdup(path);
    g_autofree char *link = g_build_filename(path, "link", NULL);
    g_autofree char *inner = g_build_filename(path, "a", "b", NULL);
    g_autofree char *file = g_build_filename(inner, "file", NULL);
    g_autofree char *outside = g_build_filename(kept, "outside", NULL);
    g_autoptr(GBytes) bytes = g_bytes_new_static("text", 4);
    struct stat status;

    ck_assert(g_stat(path, &status) == 0 && (status.st_mode & 0777) == 0700);
    g_mkdir_with_parents(inner, 0700);
    ck_assert(ws_temporary_file_write(file, bytes, NULL));
    ck_assert(g_stat(file, &status) == 0 && (status.st_mode & 0777) == 0600 && status.st_size == 4);
    ck_assert(g_file_set_contents(outside, "x", 1, NULL));
    ck_assert_int_eq(symlink(kept, link), 0);
    ws_temporary_folder_free(folder);
    ck_assert(!g_file_test(copy, G_FILE_TEST_EXISTS));
    ck_assert(g_file_test(outside, G_FILE_TEST_EXISTS));
    g_unlink(outside);
    g_rmdir(kept);
    ws_temporary_folder_free(NULL);
}
END_TEST

/* A file is there whole under its name, with its mode, or not at all; what is left over is deleted.
 */
START_TEST(renamed)
{
    g_autofree char *folder = g_dir_make_tmp("warpstep-files-XXXXXX", NULL);
    g_autofree char *path = g_build_filename(folder, "file", NULL), *text = NULL, *name = NULL;
    g_autofree char *nowhere = g_build_filename(folder, "none", "file", NULL);
    struct stat status;

    ck_assert(ws_write_renamed(path, 0640, "first", 5));
    ck_assert(ws_write_renamed(path, 0640, "second", 6));
    ck_assert(g_file_get_contents(path, &text, NULL, NULL));
    ck_assert_str_eq(text, "second");
    ck_assert(g_stat(path, &status) == 0 && (status.st_mode & 0777) == 0640);
    ck_assert(!ws_write_renamed(nowhere, 0640, "x", 1));
    ck_assert_int_eq(errno, ENOENT);
    int file = ws_open_unfinished(path, 0600, &name);
    ck_assert_int_ge(file, 0);
    ck_assert(fcntl(file, F_GETFD) & FD_CLOEXEC);
    ck_assert(ws_write_all(file, "abc", 3));
    close(file);
    g_autofree char *base = g_path_get_basename(name), *in = g_path_get_dirname(name);
    ck_assert_str_eq(in, folder);
    ck_assert(ws_is_unfinished(base) && !ws_is_unfinished("file"));
    ck_assert(!ws_write_all(file, "abc", 3));
    ws_remove_unfinished(folder, 1000);
    ck_assert(g_file_test(name, G_FILE_TEST_EXISTS)); /* not that old */
    ws_remove_unfinished(folder, 0);
    ck_assert(!g_file_test(name, G_FILE_TEST_EXISTS));
    ck_assert(g_file_test(path, G_FILE_TEST_EXISTS));
    g_unlink(path);
    ck_assert_int_eq(g_rmdir(folder), 0);
}
END_TEST

static const struct {
    gsize most;
    const char *message; /* NULL: it is read */
} limits[] = {{4, NULL}, {5, NULL}, {3, "FILE: error: "}};

START_TEST(input_files)
{
    g_autofree char *folder = g_dir_make_tmp("warpstep-files-XXXXXX", NULL);
    g_autofree char *path = g_build_filename(folder, "file", NULL);
    GError *error = NULL;

    ck_assert(g_file_set_contents(path, "text", 4, NULL));
    for (guint i = 0; i < G_N_ELEMENTS(limits); i++) {
        g_autoptr(GBytes) bytes = ws_read_input_file(path, limits[i].most, &error);
        if ((bytes != NULL) != (limits[i].message == NULL))
            ck_abort_msg("%zu", limits[i].most);
        if (bytes != NULL) {
            const char *data = g_bytes_get_data(bytes, NULL);
            ck_assert_uint_eq(g_bytes_get_size(bytes), 4);
            ck_assert_int_eq(data[4], '\0');
        } else
            ck_assert(g_error_matches(error, WS_ERROR, WS_ERROR_INPUT));
        g_clear_error(&error);
    }
    ck_assert_ptr_null(ws_read_input_file(folder, 100, &error));
    ck_assert(strstr(error->message, "error: ") != NULL);
    g_clear_error(&error);
    ck_assert_ptr_null(ws_read_input_file("/dev/zero", 100, NULL));
    g_unlink(path);
    ck_assert_int_eq(mkfifo(path, 0600), 0);
    ck_assert_ptr_null(ws_read_input_file(path, 100, NULL)); /* does not wait for a writer */
    g_unlink(path);
    ck_assert_ptr_null(ws_read_input_file(path, 100, NULL));
    g_rmdir(folder);
}
END_TEST

static void add_tests(TCase *cases)
{
    tcase_add_test(cases, positions);
    tcase_add_test(cases, printable);
    tcase_add_test(cases, quoted_names);
    tcase_add_test(cases, sizes);
    tcase_add_test(cases, signals_wait);
    tcase_add_test(cases, folders);
    tcase_add_test(cases, renamed);
    tcase_add_test(cases, input_files);
}

int main(void)
{
    return run_suite("files_and_texts", add_tests);
}
