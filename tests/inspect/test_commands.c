/* A session of commands, with what each of them says, as a file in tests/golden/rooms/. */
#include <check.h>

#include "inspect/commands/interpreter.h"
#include "tests/support/engine_fixture.h"
#include "tests/support/golden_text.h"
#include "tests/support/suite.h"

/* Does the lines of a list, with each line and what it says behind it. */
static void check_values(const char *launch, const char *setting, const char *value,
                         const char *const *lines, const char *name)
{
    const char *settings[] = {setting, NULL}, *values[] = {value, NULL};
    Engine *e = engine_load(launch, settings, values);
    g_autoptr(GString) out = g_string_new(NULL);
    GError *error = NULL;

    e->options.observers = NULL;
    WsSession *session = ws_session_new(e->job, &e->options, WS_TIMELINE_BYTES, &error);
    ck_assert_msg(session != NULL, "%s", error ? error->message : "");
    WsInterpreter *interpreter = ws_interpreter_new(session, 100);
    for (guint i = 0; lines[i] != NULL; i++) {
        g_string_append_printf(out, "> %s\n", lines[i]);
        if (!ws_interpreter_do(interpreter, lines[i], out, &error))
            g_string_append_printf(out, "%s\n", error->message);
        g_clear_error(&error);
        if (out->len > 0 && out->str[out->len - 1] != '\n')
            g_string_append_c(out, '\n');
    }
    golden_text_check(name, out->str);
    ws_interpreter_free(interpreter);
    ws_session_free(session);
    engine_free(e);
}

static void check_session(const char *launch, const char *setting, const char *const *lines,
                          const char *name)
{
    check_values(launch, setting, NULL, lines, name);
}

static const char *const moves[] = {"step",
                                    "step 3",
                                    "",
                                    "cycle",
                                    "cycle 4",
                                    "issue",
                                    "line",
                                    "line 2",
                                    "back",
                                    "back 3",
                                    "back line",
                                    "diverge",
                                    "reconverge",
                                    "back reconverge",
                                    "barrier any",
                                    "barrier",
                                    "response",
                                    "stall",
                                    "stall any 2",
                                    "back stall",
                                    "goto 30",
                                    "goto +5",
                                    "goto -3",
                                    "goto 0",
                                    "mark here",
                                    "goto end",
                                    "goto here",
                                    "exit",
                                    "exit any",
                                    "fault",
                                    "goto 999999999",
                                    "step 0",
                                    "step x",
                                    "goto nowhere",
                                    "diverge any",
                                    "back diverge any",
                                    "continue 40",
                                    "reverse-continue 10",
                                    "info highlights",
                                    "goto worst-divergence",
                                    "back",
                                    NULL};

START_TEST(session_of_moves)
{
    check_session("tests/data/rooms/two_sides.yaml", NULL, moves, "commands_moves.txt");
}
END_TEST

static const char *const looks[] = {"goto 23",
                                    "info requests",
                                    "backtrace 3",
                                    "frame 3",
                                    "up 4",
                                    "goto 40",
                                    "info requests",
                                    "goto 5",
                                    "why",
                                    "why 1",
                                    "info warps",
                                    "info lanes",
                                    "info registers",
                                    "info stack",
                                    "info barriers",
                                    "info scoreboard",
                                    "info requests",
                                    "info sub-cores",
                                    "info blocks",
                                    "info launch",
                                    "info run",
                                    "info marks",
                                    "info breakpoints",
                                    "info display",
                                    "info locals",
                                    "diverge",
                                    "why",
                                    "info lanes",
                                    "info stack",
                                    "info barriers",
                                    "info scoreboard",
                                    "print R4",
                                    "print/x R4, R6",
                                    "print -lane 5 R4",
                                    "print -row R0",
                                    "print -lanes 0-3,8 R4",
                                    "print/t P0",
                                    "print/f R4",
                                    "print in[0:8]",
                                    "print shared[0:8]",
                                    "print threadIdx.x",
                                    "print R4 +",
                                    "print nothing",
                                    "list",
                                    "list 3",
                                    "disassemble",
                                    "disassemble 3",
                                    "focus block 1",
                                    "focus warp 1",
                                    "focus lane 7",
                                    "focus thread 40",
                                    "focus",
                                    "focus sm 0 slot 1",
                                    "focus block 9",
                                    "backtrace",
                                    "up",
                                    "down",
                                    "frame",
                                    "display R4",
                                    "display/x R0",
                                    "step",
                                    "display",
                                    "undisplay 1",
                                    "step",
                                    "undisplay",
                                    "goto end",
                                    "info run",
                                    "why",
                                    "info warps",
                                    "print out[0:12]",
                                    NULL};

START_TEST(session_of_looks)
{
    check_session("tests/data/rooms/two_sides.yaml", NULL, looks, "commands_looks.txt");
}
END_TEST

static const char *const stops[] = {"break 8",
                                    "break two_sides.cu:6 if R0 == 3",
                                    "tbreak 4",
                                    "break *7",
                                    "break *7 if R4 > 10",
                                    "break 99",
                                    "break nowhere.cu:3",
                                    "break 8 if",
                                    "watch R4",
                                    "watch out[3]",
                                    "watch shared[0:4]",
                                    "watch R4 if R0 == 2",
                                    "info breakpoints",
                                    "continue",
                                    "continue",
                                    "continue",
                                    "continue",
                                    "disable 1",
                                    "disable 5 6",
                                    "continue",
                                    "enable 1",
                                    "continue",
                                    "continue",
                                    "info breakpoints",
                                    "reverse-continue",
                                    "reverse-continue",
                                    "delete 2",
                                    "delete 77",
                                    "delete",
                                    "info breakpoints",
                                    "goto 40",
                                    "set R4 = 7",
                                    "print R4",
                                    "set -lane 3 R4 = 9",
                                    "set -lanes all R6 = 1",
                                    "print R4",
                                    "set out[3] = 5",
                                    "set in = 4",
                                    "set R300 = 1",
                                    "print out[0:4]",
                                    "goto end",
                                    "print out[0:8]",
                                    "help step",
                                    "help nothing",
                                    "nonsense",
                                    "s",
                                    "in",
                                    "quit",
                                    NULL};

START_TEST(session_of_stops)
{
    check_session("tests/data/rooms/two_sides.yaml", NULL, stops, "commands_stops.txt");
}
END_TEST

/* A program of nvcc with variables and source lines. */
static const char *const source[] = {"line",           "line",     "info locals",    "print in[0]",
                                     "list",           "step 12",  "info locals",    "backtrace",
                                     "info registers", "goto end", "print out[0:6]", NULL};

START_TEST(session_of_source)
{
    check_session("tests/ptx/variables.nvcc.yaml", NULL, source, "commands_source.txt");
}
END_TEST

/* Accesses on their way, with when they are answered. */
static const char *const requests[] = {"break 15",
                                       "continue",
                                       "step",
                                       "info requests",
                                       "goto +2",
                                       "info requests",
                                       "response",
                                       "delete",
                                       "goto 0",
                                       "response",
                                       "back 2",
                                       "info requests",
                                       "info scoreboard",
                                       "why",
                                       "goto +4",
                                       "info requests",
                                       "why",
                                       "response any 3",
                                       "info requests",
                                       "info sub-cores",
                                       "goto end",
                                       "info requests",
                                       NULL};

START_TEST(session_of_requests)
{
    check_session("tests/data/rooms/varied.yaml", "memory.model=cached", requests,
                  "commands_requests.txt");
}
END_TEST

/* Moves by the instructions of a sub-core, of which there are two. */
static const char *const sub_cores[] = {"issue",        "issue 3", "back issue",   "step",
                                        "focus warp 1", "issue 2", "back issue 4", "info sub-cores",
                                        "info warps",   NULL};

START_TEST(session_of_sub_cores)
{
    check_session("tests/data/rooms/two_sides.yaml", "sub_cores=2", sub_cores,
                  "commands_sub_cores.txt");
}
END_TEST

/* Warps that wait at a barrier, some for ever. */
static const char *const waits[] = {
    "why",          "barrier any",  "why", "why 1",      "info barriers", "info warps", "goto end",
    "why",          "focus warp 1", "why", "info warps", "info barriers", "back 2",     "why",
    "back barrier", "why",          NULL};

START_TEST(session_of_waits)
{
    check_values("tests/data/rooms/faulty.yaml", NULL, "which=2", waits, "commands_waits.txt");
}
END_TEST

START_TEST(completion)
{
    static const char *const lines[] = {"", "s", "re", "info ", "info b", "help d", "goto w", "x"};
    Engine *e = engine_load("tests/data/rooms/two_sides.yaml", NULL, NULL);
    g_autoptr(GString) out = g_string_new(NULL);

    e->options.observers = NULL;
    WsSession *session = ws_session_new(e->job, &e->options, WS_TIMELINE_BYTES, NULL);
    WsInterpreter *interpreter = ws_interpreter_new(session, 100);
    for (guint i = 0; i < G_N_ELEMENTS(lines); i++) {
        g_auto(GStrv) words = ws_interpreter_complete(interpreter, lines[i]);
        g_autofree char *text = g_strjoinv(" ", words);
        g_string_append_printf(out, "%s: %s\n", lines[i], text);
    }
    golden_text_check("commands_completion.txt", out->str);
    ws_interpreter_free(interpreter);
    ws_session_free(session);
    engine_free(e);
}
END_TEST

static void add_tests(TCase *cases)
{
    tcase_add_test(cases, session_of_moves);
    tcase_add_test(cases, session_of_looks);
    tcase_add_test(cases, session_of_stops);
    tcase_add_test(cases, session_of_source);
    tcase_add_test(cases, session_of_requests);
    tcase_add_test(cases, session_of_sub_cores);
    tcase_add_test(cases, session_of_waits);
    tcase_add_test(cases, completion);
}

int main(void)
{
    return run_suite("commands", add_tests);
}
