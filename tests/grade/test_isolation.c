/* Work in a process of its own: what it does there, and how it ends. */
#include "grade/trial/isolation.h"
#include "tests/support/suite.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static const WsIsolationLimits limits = {
    .cpu_seconds = 1, .stuck_seconds = 20, .file_bytes = 1000, .output_bytes = 100000};

typedef void (*Work)(gpointer data, int pipe);

static WsEnding isolate(const WsIsolationLimits *with, Work work, char **ret_text, int *ret_signal)
{
    g_autoptr(GBytes) bytes = NULL;
    WsEnding ending = ws_isolate(with, work, NULL, &bytes, ret_signal);
    gsize length;
    const char *text = g_bytes_get_data(bytes, &length);
    *ret_text = g_strndup(text != NULL ? text : "", length);
    return ending;
}

static void speak(gpointer data, int pipe)
{
    printf("not seen");
    fflush(stdout);
    ws_write_fully(pipe, "hello", 5);
}

static void crash(gpointer data, int pipe)
{
    ws_write_fully(pipe, "half", 4);
    /* A sanitizer's own handler would report it and leave with exit(1). */
    signal(SIGSEGV, SIG_DFL);
    raise(SIGSEGV);
}

static void give_up(gpointer data, int pipe)
{
    _exit(3);
}

static void spin(gpointer data, int pipe)
{
    for (volatile int i = 0; i < 2;)
        ;
}

static void sleep_long(gpointer data, int pipe)
{
    pause();
}

static void pour(gpointer data, int pipe)
{
    char text[1000];
    memset(text, 'x', sizeof text);
    while (ws_write_fully(pipe, text, sizeof text))
        ;
}

static void fill_disk(gpointer data, int pipe)
{
    g_autofree char *path = g_strdup_printf("%s/isolation-%d", g_get_tmp_dir(), (int)getpid());
    int file = open(path, O_CREAT | O_WRONLY | O_EXCL, 0600);
    unlink(path);
    char text[800] = {0};
    gboolean first = write(file, text, sizeof text) == sizeof text;
    ws_write_fully(pipe, first ? "one" : "none", first ? 3 : 4);
    if (write(file, text, sizeof text) == 200 && write(file, text, 1) < 0)
        ws_write_fully(pipe, "two", 3);
}

START_TEST(endings)
{
    static const struct {
        Work work;
        WsEnding ending;
        int signal_number;
        const char *text;
    } cases[] = {
        {speak, WS_ENDED_WELL, 0, "hello"},
        {crash, WS_ENDED_CRASHED, SIGSEGV, "half"},
        {give_up, WS_ENDED_CRASHED, 0, ""},
        {spin, WS_ENDED_CPU, SIGXCPU, ""},
        {fill_disk, WS_ENDED_CRASHED, SIGXFSZ, "one"},
    };
    for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autofree char *text = NULL;
        int signal_number;
        WsEnding ending = isolate(&limits, cases[i].work, &text, &signal_number);
        ck_assert_msg(ending == cases[i].ending, "%u: ending %d", i, ending);
        ck_assert_int_eq(signal_number, cases[i].signal_number);
        ck_assert_str_eq(text, cases[i].text);
    }
}
END_TEST

START_TEST(bounds)
{
    WsIsolationLimits shorter = limits;
    shorter.stuck_seconds = 0.2;
    g_autofree char *text = NULL, *much = NULL;
    int signal_number;
    ck_assert_int_eq(isolate(&shorter, sleep_long, &text, &signal_number), WS_ENDED_STUCK);
    ck_assert_int_eq(isolate(&limits, pour, &much, &signal_number), WS_ENDED_OUTPUT);
    ck_assert_uint_le(strlen(much), limits.output_bytes);
}
END_TEST

static void add_tests(TCase *cases)
{
    tcase_add_test(cases, endings);
    tcase_add_test(cases, bounds);
}

int main(void)
{
    return run_suite("isolation", add_tests);
}
