/* Programs that are run confined: what they say, how they end, what they cannot do. */
#include <glib/gstdio.h>
#include <string.h>

#include "isa/cuda/confined_run.h"
#include "isa/cuda/protection.h"
#include "tests/support/suite.h"

enum { OUTPUT = 1000 };

static const struct {
    const char *script, *input;
    const char *output, *messages; /* NULL: not asked */
    WsProcessReason reason;
    int exit_code, signal;
    gboolean output_exceeds;
} cases[] = {
    {"echo one; echo two >&2; exit 3", "", "one\n", "two\n", WS_PROCESS_ENDED, 3, 0, FALSE},
    {"read a b; echo $b $a", "x y\n", "y x\n", "", WS_PROCESS_ENDED, 0, 0, FALSE},
    {"true", "", "", "", WS_PROCESS_ENDED, 0, 0, FALSE},
    {"kill -15 $$ || echo no", "", "no\n", NULL, WS_PROCESS_ENDED, 0, 0, FALSE},
    {"while :; do :; done", "", "", "", WS_PROCESS_CPU, -1, 9, FALSE},
    {"echo $NAME-$HOME", "", "value-\n", "", WS_PROCESS_ENDED, 0, 0, FALSE},
    {"i=0; while [ $i -lt 200 ]; do echo 0123456789; i=$((i+1)); done", "", NULL, NULL,
     WS_PROCESS_EXCEEDED, 0, 0, TRUE},
    {"i=0; while [ $i -lt 200 ]; do echo 0123456789 >&2; i=$((i+1)); done", "", NULL, NULL,
     WS_PROCESS_EXCEEDED, 0, 0, TRUE},
    {"i=0; while [ $i -lt 90 ]; do echo 0123456789; i=$((i+1)); done", "", NULL, "",
     WS_PROCESS_ENDED, 0, 0, FALSE},
    {"read a < given; echo $a", "", "text\n", "", WS_PROCESS_ENDED, 0, 0, FALSE},
    {"pwd", "", NULL, "", WS_PROCESS_ENDED, 0, 0, FALSE},
    {"echo x > ../writes/made && read a < ../writes/made && echo $a", "", "x\n", "",
     WS_PROCESS_ENDED, 0, 0, FALSE},
};

static char *folder, *files, *writes;

static void run(const char *script, const char *input, WsConfinedResult *ret)
{
    const char *const arguments[] = {"/bin/sh", "-c", script, NULL};
    const char *const environment[] = {"NAME=value", NULL};
    g_autoptr(GBytes) given = g_bytes_new_static(input, strlen(input));
    const WsConfinedRun how = {.arguments = arguments,
                               .environment = environment,
                               .folder = files,
                               .writes = writes,
                               .input = given,
                               .memory_file = -1,
                               .cpu_seconds = 1,
                               .stuck_seconds = 20,
                               .threads = 10,
                               .address_bytes = 1 << 30,
                               .memory_bytes = 1 << 30,
                               .file_bytes = 1 << 20,
                               .output_bytes = OUTPUT};
    GError *error = NULL;
    ck_assert_msg(ws_confined_run(&how, ret, &error), "%s", error ? error->message : "");
}

static gboolean is_text(GBytes *bytes, const char *text)
{
    return text == NULL || (g_bytes_get_size(bytes) == strlen(text) &&
                            memcmp(g_bytes_get_data(bytes, NULL), text, strlen(text)) == 0);
}

START_TEST(ends)
{
    WsConfinedResult result;

    run(cases[_i].script, cases[_i].input, &result);
    ck_assert_msg(result.reason == cases[_i].reason, "%s: %d", cases[_i].script,
                  (int)result.reason);
    ck_assert_msg(is_text(result.output, cases[_i].output), "%s: %zu bytes", cases[_i].script,
                  g_bytes_get_size(result.output));
    ck_assert_msg(is_text(result.messages, cases[_i].messages), "%s: %.*s", cases[_i].script,
                  (int)g_bytes_get_size(result.messages),
                  (const char *)g_bytes_get_data(result.messages, NULL));
    if (cases[_i].reason != WS_PROCESS_EXCEEDED) {
        ck_assert_int_eq(result.exit_code, cases[_i].exit_code);
        ck_assert_int_eq(result.signal, cases[_i].signal);
    }
    ck_assert_int_eq(result.output_exceeds, cases[_i].output_exceeds);
    ck_assert_uint_le(g_bytes_get_size(result.output), OUTPUT);
    ws_confined_result_clear(&result);
}
END_TEST

/* A kernel that lacks a part of the protection runs none of them. */
static void add_tests(TCase *tests)
{
    if (ws_protection_of_host() != WS_PROTECTION_ALL)
        return;
    tcase_add_loop_test(tests, ends, 0, G_N_ELEMENTS(cases));
}

int main(void)
{
    folder = g_dir_make_tmp("warpstep-confined-XXXXXX", NULL);
    files = g_build_filename(folder, "files", NULL);
    writes = g_build_filename(folder, "writes", NULL);
    g_autofree char *given = g_build_filename(files, "given", NULL);
    g_autofree char *made = g_build_filename(writes, "made", NULL);
    if (g_mkdir(files, 0700) != 0 || g_mkdir(writes, 0700) != 0 ||
        !g_file_set_contents(given, "text\n", -1, NULL))
        return 1;
    int failed = run_suite("confined_run", add_tests);
    g_unlink(given);
    g_unlink(made);
    g_rmdir(files);
    g_rmdir(writes);
    g_rmdir(folder);
    g_free(files);
    g_free(writes);
    g_free(folder);
    return failed;
}
