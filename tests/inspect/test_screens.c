/*
 * The full screen after keys and clicks, in several sizes, as files in tests/golden/rooms/; and
 * scalars in each form.
 */
#include <check.h>
#include <stdio.h>
#include <string.h>

#include "inspect/screen/screen.h"
#include "inspect/session/value_text.h"
#include "tests/support/engine_fixture.h"
#include "tests/support/golden_text.h"
#include "tests/support/suite.h"

/* Keys; "@ROW,COLUMN " clicks there, "+" and "-" with them is the wheel. */
static const char *const visits[] = {"",
                                     "s",
                                     "ss",
                                     "d",
                                     "dw",
                                     "dj",
                                     "dn",
                                     "ma",
                                     "tT",
                                     "b",
                                     "o",
                                     "?",
                                     "]",
                                     "))",
                                     "\t",
                                     "\t\t",
                                     "\t\t\t\t",
                                     ":info stack\r",
                                     "g40\r",
                                     ">",
                                     "<",
                                     "dc",
                                     "i.i.",
                                     "/LDG\r",
                                     "x",
                                     "p",
                                     "v",
                                     "l",
                                     "r",
                                     "e",
                                     "@5,10 ",
                                     "d@20,30 ",
                                     "+@8,8 ",
                                     "@2,60 ",
                                     ":print R4\r",
                                     ":break 8\rc",
                                     ":watch R4\rcc",
                                     "dS",
                                     "z"};

static const struct {
    const char *launch, *setting, *name;
    guint rows, columns;
} screens[] = {
    {"tests/data/rooms/two_sides.yaml", "divergence.model=stack", "screen_wide.txt", 34, 110},
    {"tests/data/rooms/two_sides.yaml", "divergence.model=its", "screen_small.txt", 24, 80},
    {"tests/data/rooms/varied.yaml", "sub_cores=4", "screen_cores.txt", 34, 100},
    {"tests/ptx/variables.nvcc.yaml", "sms=2", "screen_source.txt", 40, 120},
    {"tests/data/rooms/two_sides.yaml", "sms=1", "screen_tiny.txt", 8, 30},
};

static void press(WsScreen *screen, const char *keys)
{
    for (const char *at = keys; *at != '\0'; at++) {
        guint row, column;
        char kind = '@';

        if ((*at == '+' || *at == '-') && at[1] == '@')
            kind = *at++;
        if (*at == '@' && sscanf(at, "@%u,%u", &row, &column) == 2) {
            ws_screen_mouse(screen,
                            kind == '@'   ? WS_MOUSE_CLICK
                            : kind == '+' ? WS_MOUSE_WHEEL_DOWN
                                          : WS_MOUSE_WHEEL_UP,
                            row, column);
            at = strchr(at, ' ');
            continue;
        }
        ws_screen_key(screen, (guint32)*at);
    }
}

START_TEST(visit)
{
    const char *settings[] = {screens[_i].setting, NULL};
    g_autoptr(GString) out = g_string_new(NULL);
    g_autoptr(WsGrid) grid = ws_grid_new(screens[_i].rows, screens[_i].columns);
    gboolean few = _i != 0;

    for (guint v = 0; v < G_N_ELEMENTS(visits); v += few ? 5 : 1) {
        Engine *e = engine_load(screens[_i].launch, settings, NULL);
        guint row = 0, column = 0;
        e->options.observers = NULL;
        WsSession *session = ws_session_new(e->job, &e->options, WS_TIMELINE_BYTES, NULL);
        WsScreen *screen = ws_screen_new(session, NULL, NULL);

        ws_screen_draw(screen, grid, &row, &column);
        press(screen, visits[v]);
        gboolean typing = ws_screen_draw(screen, grid, &row, &column);
        g_autofree char *text = ws_grid_text(grid), *name = g_strescape(visits[v], NULL);
        g_string_append_printf(out, "---- %s%s\n%s\n", name, typing ? ", typing" : "", text);
        ws_screen_free(screen);
        ws_session_free(session);
        engine_free(e);
    }
    golden_text_check(screens[_i].name, out->str);
}
END_TEST

static const struct {
    WsValueType type;
    guint64 bits;
    WsValueForm form;
    const char *text;
} scalars[] = {
    {{.kind = WS_CTYPE_SIGNED, .size = 4}, 0xfffffffffffffffb, WS_FORM_NATURAL, "-5"},
    {{.kind = WS_CTYPE_SIGNED, .size = 4}, 0xfffffffffffffffb, WS_FORM_UNSIGNED, "4294967291"},
    {{.kind = WS_CTYPE_SIGNED, .size = 4}, 0xfffffffffffffffb, WS_FORM_HEXADECIMAL, "0xfffffffb"},
    {{.kind = WS_CTYPE_UNSIGNED, .size = 4}, 0xfffffffb, WS_FORM_NATURAL, "4294967291"},
    {{.kind = WS_CTYPE_UNSIGNED, .size = 4}, 0xfffffffb, WS_FORM_DECIMAL, "-5"},
    {{.kind = WS_CTYPE_UNSIGNED, .size = 1}, 5, WS_FORM_BINARY, "101"},
    {{.kind = WS_CTYPE_UNSIGNED, .size = 4}, 0x3fc00000, WS_FORM_FLOAT, "1.5"},
};

START_TEST(scalar)
{
    g_autofree char *text =
        ws_scalar_text(NULL, &scalars[_i].type, scalars[_i].bits, scalars[_i].form);

    ck_assert_str_eq(text, scalars[_i].text);
}
END_TEST

/* Floating-point numbers come as doubles. */
static const struct {
    double value;
    guint size;
    gboolean brain;
    const char *text;
} numbers[] = {{0.5, 4, FALSE, "0.5"},
               {0.1f, 4, FALSE, "0.1"},
               {0.1, 8, FALSE, "0.1"},
               {1.0 / 3, 8, FALSE, "0.3333333333333333"},
               {(float)(1.0 / 3), 4, FALSE, "0.33333334"},
               {0.0999755859375, 2, FALSE, "0.0999756"},
               {65504, 2, FALSE, "65504"},
               {3.140625, 2, TRUE, "3.14062"},
               {16777217, 8, FALSE, "16777217"},
               {10, 4, FALSE, "10"}};

START_TEST(number)
{
    const WsValueType type = {.kind = numbers[_i].brain ? WS_CTYPE_BRAIN : WS_CTYPE_FLOAT,
                              .size = numbers[_i].size};
    guint64 bits;

    memcpy(&bits, &numbers[_i].value, sizeof bits);
    g_autofree char *text = ws_scalar_text(NULL, &type, bits, WS_FORM_NATURAL);
    ck_assert_str_eq(text, numbers[_i].text);
}
END_TEST

static void add_tests(TCase *cases)
{
    tcase_add_loop_test(cases, visit, 0, G_N_ELEMENTS(screens));
    tcase_add_loop_test(cases, scalar, 0, G_N_ELEMENTS(scalars));
    tcase_add_loop_test(cases, number, 0, G_N_ELEMENTS(numbers));
}

int main(void)
{
    return run_suite("screens", add_tests);
}
