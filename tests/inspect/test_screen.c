/*
 * The full screen without a terminal: text drawn into grids, panes on screens of many sizes, and
 * what they show of runs whose course is known.
 */
#include <check.h>
#include <stdio.h>
#include <string.h>

#include "inspect/screen/history.h"
#include "inspect/screen/layout.h"
#include "inspect/screen/screen.h"
#include "sim/report/result.h"
#include "tests/support/engine_fixture.h"
#include "tests/support/suite.h"

/* ---- grids --------------------------------------------------------------------------------------
 */

static const WsRectangle ALL = {0, 0, 2, 8};

static void expect_rows(const WsGrid *grid, const char *rows)
{
    g_autofree char *text = ws_grid_text(grid);

    ck_assert_str_eq(text, rows);
}

START_TEST(text_stays_in_its_rectangle)
{
    g_autoptr(WsGrid) grid = ws_grid_new(2, 8);
    WsRectangle part = {0, 2, 1, 4};

    ck_assert_uint_eq(ws_grid_put(grid, &part, 0, 1, WS_LOOK_PLAIN, "abcdef"), 4);
    ws_grid_put(grid, &part, 1, 0, WS_LOOK_PLAIN, "below");
    ws_grid_put(grid, &part, 0, 9, WS_LOOK_PLAIN, "beside");
    expect_rows(grid, "   abc\n\n");
}
END_TEST

START_TEST(wide_and_combining_characters)
{
    g_autoptr(WsGrid) grid = ws_grid_new(2, 8);

    /* Two columns each; the fifth has no room for its second half. */
    ck_assert_uint_eq(ws_grid_put(grid, &ALL, 0, 0, WS_LOOK_PLAIN, "a\u6f22\u5b57\u6f22\u5b57"), 8);
    ck_assert_uint_eq(ws_grid_put(grid, &ALL, 1, 0, WS_LOOK_PLAIN, "e\u0301\u00fc\u2192"), 3);
    expect_rows(grid, "a\u6f22\u5b57\u6f22\ne\u00fc\u2192\n");
    ck_assert_uint_eq(ws_text_columns("e\u0301\u6f22"), 3);
    ws_grid_put(grid, &ALL, 0, 2, WS_LOOK_PLAIN, "x"); /* over the right half of one */
    expect_rows(grid, "a x\u5b57\u6f22\ne\u00fc\u2192\n");
}
END_TEST

START_TEST(controls_are_escapes)
{
    g_autoptr(WsGrid) grid = ws_grid_new(2, 8);

    ws_grid_put(grid, &ALL, 0, 0, WS_LOOK_PLAIN, "a\033[2J\n");
    ws_grid_put(grid, &ALL, 1, 0, WS_LOOK_PLAIN, "\xff\xfe!");
    for (guint i = 0; i < 16; i++)
        ck_assert(grid->cells[i].character != '\033' && grid->cells[i].character != '\n');
    ck_assert_uint_eq(ws_grid_cell(grid, 0, 0)->character, 'a');
    ck_assert_uint_eq(ws_grid_cell(grid, 0, 1)->character, '\\');
}
END_TEST

/* ---- layout -------------------------------------------------------------------------------------
 */

/* Nothing overlaps, nothing leaves the screen, each area is filled, the active pane is there. */
static void check_layout(guint rows, guint columns, WsPane active, guint warps)
{
    g_autofree guint8 *taken = g_new0(guint8, (gsize)rows * columns);
    guint cells = 0, separators = 0, twice = 0;
    WsLayout layout;

    ws_layout(rows, columns, active, FALSE, warps, 32, 0, &layout);
    ck_assert(layout.fits && layout.shown[active]);
    for (guint i = 0; i < WS_PANE_COUNT; i++) {
        const WsRectangle *at = &layout.panes[i];

        if (!layout.shown[i])
            continue;
        ck_assert_uint_ge(at->row, 1);
        ck_assert_uint_le(at->row + at->rows, rows - 1);
        ck_assert_uint_le(at->column + at->columns, columns);
        ck_assert_uint_ge(at->rows, 3);
        for (guint row = 0; row < at->rows; row++)
            for (guint column = 0; column < at->columns; column++)
                twice += taken[(at->row + row) * columns + at->column + column]++;
        cells += at->rows * at->columns;
        separators += at->column > 0 ? at->rows : 0;
    }
    ck_assert_uint_eq(twice, 0);
    ck_assert_uint_eq(cells + separators, (rows - 2) * columns);
}

START_TEST(panes_fill_any_screen)
{
    for (guint rows = WS_LEAST_ROWS; rows <= 70; rows += 7)
        for (guint columns = WS_LEAST_COLUMNS; columns <= 250; columns += 5)
            for (guint active = 0; active < WS_PANE_COUNT; active++)
                for (guint warps = 0; warps <= 64; warps += 16)
                    check_layout(rows, columns, (WsPane)active, warps);
}
END_TEST

/* ---- a session on a screen ----------------------------------------------------------------------
 */

typedef struct {
    Engine *engine;
    WsSession *session;
    WsScreen *screen;
} Shown;

static Shown show(const char *path, const char *model)
{
    const char *settings[] = {"sms=1", model, NULL};
    Shown shown = {.engine = engine_load(path, settings, NULL)};
    GError *error = NULL;

    shown.engine->options.observers = NULL;
    shown.session =
        ws_session_new(shown.engine->job, &shown.engine->options, WS_TIMELINE_BYTES, &error);
    ck_assert_msg(shown.session != NULL, "%s", error != NULL ? error->message : "");
    shown.screen = ws_screen_new(shown.session, NULL, NULL);
    return shown;
}

static void hide(Shown *shown)
{
    ws_screen_free(shown->screen);
    ws_session_free(shown->session);
    engine_free(shown->engine);
}

static void press(Shown *shown, const char *keys)
{
    for (; *keys != '\0'; keys++)
        ck_assert(ws_screen_key(shown->screen, (guint32)*keys));
}

static char *draw(Shown *shown, guint rows, guint columns)
{
    g_autoptr(WsGrid) grid = ws_grid_new(rows, columns);
    guint64 before = ws_timeline_cycle(ws_session_timeline(shown->session));
    guint row, column;

    ws_screen_draw(shown->screen, grid, &row, &column);
    ck_assert_uint_eq(ws_timeline_cycle(ws_session_timeline(shown->session)), before);
    return ws_grid_text(grid);
}

static void expect(Shown *shown, guint rows, guint columns, const char *const *texts)
{
    g_autofree char *drawn = draw(shown, rows, columns);

    for (; *texts != NULL; texts++) {
        if (strstr(drawn, *texts) == NULL)
            fputs(drawn, stderr); /* longer than a message of Check may be */
        ck_assert_msg(strstr(drawn, *texts) != NULL, "no '%s'", *texts);
    }
}

#define EXPECT(shown, rows, columns, ...)                                                          \
    expect(shown, rows, columns, (const char *const[]){__VA_ARGS__, NULL})

static guint64 cycle_of(const Shown *shown)
{
    return ws_timeline_cycle(ws_session_timeline(shown->session));
}

static const char if_else[] = "workloads/if_else/launch.yaml";

START_TEST(a_split_under_its)
{
    Shown shown = show(if_else, "divergence.model=its");

    press(&shown, "ds");
    EXPECT(&shown, 24, 80, "block 0 warp 0 lane 0 on SM 0 slot 0",
           " >  15             x = x + 3.0f;", " d  11             x = x * 0.5f;",
           " >00a0 FADD R2, R2, 3", "dddddddddddddddddddddddd######## 00a0",
           "> ------------------------######## 00a0 line 15, runs",
           "  dddddddddddddddddddddddd-------- 01e0 line 11",
           "B0  dddddddddddddddddddddddd########", "B1..B15 hold no lanes", "[PTX]",
           "[Last cycles]", "[Sub-cores]");
    hide(&shown);
}
END_TEST

START_TEST(the_source_has_the_width_that_it_needs)
{
    Shown shown = show("workloads/matmul/launch.yaml", NULL);

    /* Its longest line of code is wider than half of the screen: bytecode waits for Tab. */
    EXPECT(&shown, 24, 80, " [PTX] [Bytecode]");
    EXPECT(&shown, 24, 130, " Bytecode");
    press(&shown, "\t\t");
    EXPECT(&shown, 24, 80, " Bytecode", " S2R ");
    hide(&shown);
}
END_TEST

/* Numbers of slots behind names of reasons, on a screen on which no row is cut. */
static guint count_machine_slots(Shown *shown)
{
    g_autofree char *drawn = draw(shown, 60, 400);
    g_auto(GStrv) words = NULL;
    guint count = 0;
    gboolean reason = FALSE;

    g_strdelimit(drawn, "\n", ' ');
    words = g_strsplit(drawn, " ", -1);
    for (guint i = 0; words[i] != NULL; i++) {
        g_autofree char *name = g_strdelimit(g_strdup(words[i]), ":", '\0');

        if (*words[i] == '\0')
            continue;
        if (g_ascii_isdigit(*words[i]) && reason) {
            count++;
            reason = !g_str_has_suffix(words[i], ":"); /* the instruction follows */
            continue;
        }
        reason = strcmp(name, "issues") == 0;
        for (guint k = 0; k < WS_STALL_COUNT; k++)
            reason = reason || strcmp(name, ws_stall_name((WsStall)k)) == 0;
    }
    return count;
}

static guint resident_warps(const Shown *shown)
{
    const WsSm *sm = ws_timeline_sm(ws_session_timeline(shown->session), 0);

    return (guint)__builtin_popcountll(sm->state->resident);
}

/* Whom the machine names at a unit is who has the reason, and all are there. */
START_TEST(the_machine_names_all_warps)
{
    Shown shown = show("workloads/matmul/launch.yaml", NULL);
    guint slots;

    press(&shown, "g2024\np");
    EXPECT(&shown, 60, 200, " Machine of SM 0", "+- sub-core 3, ", "| queues: busy lg for ",
           "mio_throttle ", "accesses in flight", "Machine: units in the order");
    slots = count_machine_slots(&shown);
    ck_assert_uint_eq(slots, resident_warps(&shown));
    press(&shown, "p");
    EXPECT(&shown, 40, 120, " Source kernel.cu", " Warps of SM 0");
    hide(&shown);
}
END_TEST

START_TEST(what_happened_is_chosen_from)
{
    Shown shown = show("workloads/barrier_divergence/one_side.yaml", NULL);

    press(&shown, "o");
    EXPECT(&shown, 40, 120, "Highlights of the run: a digit goes there",
           "1  where it failed: block 0 warp 0", "2  first split: block 0 warp 0");
    press(&shown, "2");
    EXPECT(&shown, 40, 120, "block 0 warp 0 lane 0", "first split");
    ck_assert_uint_gt(cycle_of(&shown), 0);
    press(&shown, "o9"); /* no such one: the page goes away */
    EXPECT(&shown, 40, 120, " Warps of SM");
    hide(&shown);
}
END_TEST

START_TEST(a_split_on_a_stack)
{
    Shown shown = show(if_else, "divergence.model=stack");

    press(&shown, "d");
    EXPECT(&shown, 40, 200, "Reconvergence stack, top first",
           "> ------------------------######## 0090 0320 line 15",
           "  dddddddddddddddddddddddd-------- 01e0 0320 line 11",
           "  dddddddddddddddddddddddd######## 0320 -    line 8", "0: 0 of 1 warps are eligible",
           "1 cyc. ago slot  0 0080 @P0 BRA ", "I selected", "add.f32");
    hide(&shown);
}
END_TEST

START_TEST(without_convergence_barriers)
{
    Shown shown = show(if_else, "divergence.model=none");

    press(&shown, "ds");
    EXPECT(&shown, 24, 80, "No convergence barriers in this model");
    hide(&shown);
}
END_TEST

/* As many keys back as forward lead to where one was. */
START_TEST(capitals_go_back)
{
    static const char keys[] = "sndjbmtei.";
    Shown shown = show(if_else, NULL);

    for (const char *key = keys; *key != '\0'; key++) {
        char there[] = {*key, *key, *key, '\0'};
        char back[] = {*key == '.' ? ',' : g_ascii_toupper(*key), '\0'};
        guint64 cycle;
        g_autofree char *before = NULL;

        press(&shown, "<");
        press(&shown, there);
        cycle = cycle_of(&shown);
        if (cycle == ws_timeline_end(ws_session_timeline(shown.session)))
            continue;
        before = draw(&shown, 24, 80);
        press(&shown, (char[]){*key, '\0'});
        if (cycle_of(&shown) == ws_timeline_end(ws_session_timeline(shown.session)))
            continue;
        press(&shown, back);
        ck_assert_uint_eq(cycle_of(&shown), cycle);
    }
    hide(&shown);
}
END_TEST

START_TEST(numbers_repeat)
{
    Shown shown = show(if_else, NULL);

    press(&shown, "300.");
    ck_assert_uint_eq(cycle_of(&shown), 300);
    press(&shown, "20,");
    ck_assert_uint_eq(cycle_of(&shown), 280);
    press(&shown, "g");
    EXPECT(&shown, 24, 80, "goto (cycle or mark):");
    press(&shown, "412\n");
    ck_assert_uint_eq(cycle_of(&shown), 412);
    press(&shown, "gnowhere\n");
    EXPECT(&shown, 24, 80, "'nowhere' is neither a cycle nor a mark");
    ck_assert_uint_eq(cycle_of(&shown), 412);
    hide(&shown);
}
END_TEST

START_TEST(breakpoints_stop)
{
    Shown shown = show(if_else, NULL);

    press(&shown, "k17 if lane == 30\nc");
    EXPECT(&shown, 24, 80, "Breakpoint 1 (17 if lane == 30), 1 lane", "lane 30 on SM 0",
           "B>  17     out[lane] = x + 10.0f;");
    press(&shown, " "); /* the cursor is at the line: deleted */
    EXPECT(&shown, 24, 80, "Breakpoint 1 is deleted", " >  17     out[lane] = x + 10.0f;");
    press(&shown, "< c"); /* at the line of the first instruction, which is about to issue */
    EXPECT(&shown, 24, 80, "Breakpoint 2 (");
    press(&shown, "k99\n");
    EXPECT(&shown, 24, 80, "'99': no instruction comes from this line");
    hide(&shown);
}
END_TEST

START_TEST(registers_are_chosen)
{
    Shown shown = show(if_else, NULL);

    press(&shown, "8nvR2 thread.x P0\n");
    EXPECT(&shown, 24, 110, "      R2 thread.x P0");
    press(&shown, "v\025R99\n");
    EXPECT(&shown, 24, 80, "column 1: the kernel has 4 registers, R0 to R3");
    press(&shown, "v\025\n"); /* Ctrl-U: those of the instruction again */
    press(&shown, "3)");
    EXPECT(&shown, 24, 80, "lane 3 on", "> 3 ");
    hide(&shown);
}
END_TEST

START_TEST(help_names_keys_and_letters)
{
    Shown shown = show(if_else, NULL);

    press(&shown, "?");
    EXPECT(&shown, 24, 80, "past its next instruction", "arrows, space scroll: 1 to 21 of");
    EXPECT(&shown, 80, 120, "long_scoreboard", "x exited", "quit");
    press(&shown, "s"); /* goes back only */
    ck_assert_uint_eq(cycle_of(&shown), 0);
    hide(&shown);
}
END_TEST

/* ---- the mouse --------------------------------------------------------------------------------
 */

/* Where the text is drawn. */
static void find(Shown *shown, guint rows, guint columns, const char *text, guint *ret_row,
                 guint *ret_column)
{
    g_autofree char *drawn = draw(shown, rows, columns);
    g_auto(GStrv) lines = g_strsplit(drawn, "\n", -1);

    for (guint i = 0; lines[i] != NULL; i++) {
        const char *at = strstr(lines[i], text);

        if (at != NULL) {
            *ret_row = i;
            *ret_column = (guint)(at - lines[i]);
            return;
        }
    }
    ck_abort_msg("no '%s' in\n%s", text, drawn);
}

static void click(Shown *shown, guint rows, guint columns, const char *text)
{
    guint row, column;

    find(shown, rows, columns, text, &row, &column);
    ws_screen_mouse(shown->screen, WS_MOUSE_CLICK, row, column);
}

START_TEST(clicks_choose)
{
    Shown shown = show("workloads/scheduling_example/launch.yaml", NULL);
    const WsFocus *focus = ws_session_focus(shown.session);
    guint row, column;

    press(&shown, "9.");
    click(&shown, 40, 120, "b0.3");
    ck_assert_uint_eq(focus->warp, 3);
    click(&shown, 40, 120, " 5 # 101");
    ck_assert_uint_eq(focus->lane, 5);
    click(&shown, 40, 120, "FMUL");
    press(&shown, " ");
    expect(&shown, 40, 120, (const char *[]){"Breakpoint 1: ", NULL});
    find(&shown, 40, 120, "b0.2", &row, &column);
    ws_screen_mouse(shown.screen, WS_MOUSE_CLICK, row, 119 - 4); /* four cycles ago */
    ck_assert_uint_eq(cycle_of(&shown), 5);
    ck_assert_uint_eq(focus->warp, 2);
    find(&shown, 40, 120, "b0.2", &row, &column);
    ws_screen_mouse(shown.screen, WS_MOUSE_WHEEL_DOWN, row, column);
    ck_assert_uint_eq(focus->warp, 5);
    click(&shown, 24, 80, "[Sub-cores]");
    expect(&shown, 24, 80, (const char *[]){"warps are eligible", NULL});
    press(&shown, "?");
    expect(&shown, 24, 80, (const char *[]){": 1 to ", NULL});
    ws_screen_mouse(shown.screen, WS_MOUSE_WHEEL_DOWN, 5, 5);
    expect(&shown, 24, 80, (const char *[]){": 2 to ", NULL});
    hide(&shown);
}
END_TEST

START_TEST(clicks_anywhere)
{
    Shown shown = show("workloads/if_else/launch-bytecode.yaml", NULL);

    for (guint row = 0; row <= 24; row++)
        for (guint column = row % 5; column <= 80; column += 5) {
            ws_screen_mouse(shown.screen, (WsMouse)((row + column) % 3), row, column);
            if (column % 4 == 0)
                g_free(draw(&shown, column % 8 == 0 ? 24 : 12, 80));
            else if (column % 9 == 0)
                press(&shown, column % 2 != 0 ? ">" : "3.");
        }
    hide(&shown);
}
END_TEST

START_TEST(a_small_screen_says_so)
{
    Shown shown = show(if_else, NULL);

    EXPECT(&shown, 5, 70, "70 x 5 is too small: 60 x 14 are needed");
    EXPECT(&shown, 1, 1, "1");
    hide(&shown);
}
END_TEST

START_TEST(q_leaves)
{
    Shown shown = show(if_else, NULL);

    ck_assert(!ws_screen_key(shown.screen, 'q'));
    hide(&shown);
}
END_TEST

/* ---- every pane, at all sizes -------------------------------------------------------------------
 */

static const char *const many[] = {
    if_else, "workloads/spin_lock/launch.yaml", "workloads/latency_hiding/launch.yaml",
    "workloads/with_without_divergence/launch.yaml", "workloads/matmul/launch.yaml"};
enum { CASES = 6 }; /* of workload and model */
static const char *const models[] = {"divergence.model=its", "divergence.model=stack",
                                     "divergence.model=none"};

START_TEST(all_sizes_can_be_drawn)
{
    static const char *const steps[] = {"", "d20s", "500.t]", "}>", "S"};
    Shown shown = show(many[_i % G_N_ELEMENTS(many)], models[_i % G_N_ELEMENTS(models)]);

    for (guint i = 0; i < G_N_ELEMENTS(steps); i++) {
        press(&shown, steps[i]);
        for (guint pane = 0; pane < WS_PANE_COUNT; pane++) {
            for (guint size = 0; size < 4; size++) {
                g_autofree char *text = draw(&shown, 8 + 17 * size, 50 + 45 * size);

                ck_assert(g_utf8_validate(text, -1, NULL));
            }
            press(&shown, pane % 3 == 2 ? "zz\t" : pane == WS_PANE_STRIP ? "++\t" : "\t");
        }
        press(&shown, "------");
    }
    hide(&shown);
}
END_TEST

/* ---- history ------------------------------------------------------------------------------------
 */

/* Reasons by letter, over all cycles, are what the run counts; what issued is what it says. */
START_TEST(history_is_what_the_run_counts)
{
    const char *settings[] = {"sms=1", models[_i % G_N_ELEMENTS(models)], NULL};
    Engine *counted = engine_load(many[_i % G_N_ELEMENTS(many)], settings, NULL);
    Shown shown = show(many[_i % G_N_ELEMENTS(many)], models[_i % G_N_ELEMENTS(models)]);
    WsTimeline *timeline = ws_session_timeline(shown.session);
    WsHistory *history = ws_history_new(timeline);
    WsResult *result = engine_run(counted);
    guint64 expected[WS_STALL_COUNT] = {0}, found[WS_STALL_COUNT] = {0};
    guint next = 0, wrong = 0;

    for (guint32 i = 0; i < counted->job->program->instruction_count; i++)
        for (guint k = 0; k < WS_STALL_COUNT; k++)
            expected[k] += result->launches[0].instructions[i].stalls[k];
    for (guint64 cycle = 0; cycle < 3000; cycle += 100) /* in parts, forward */
        ck_assert(ws_history_reach(history, 0, cycle, cycle + 150, NULL));
    ck_assert(ws_timeline_go(timeline, G_MAXUINT64, NULL));
    ck_assert(ws_history_reach(history, 0, 0, MIN(ws_timeline_end(timeline), 30000), NULL));
    for (guint64 cycle = 0; cycle < MIN(ws_timeline_end(timeline), 30000); cycle++) {
        const WsHistoryCycle *known = ws_history_at(history, cycle);

        if (known == NULL)
            ck_abort_msg("cycle %" G_GUINT64_FORMAT " is not known", cycle);
        for (guint slot = 0; slot < WS_MAX_WARP_SLOTS; slot++)
            if (known->reasons[slot] != WS_NO_REASON)
                found[known->reasons[slot]]++;
        for (; next < counted->issues->len; next++) {
            const Issue *issue = &g_array_index(counted->issues, Issue, next);

            if (issue->cycle != cycle)
                break;
            wrong += known->issued[issue->sub_core] != issue->instruction ||
                     known->issued_slot[issue->sub_core] != issue->warp ||
                     known->reasons[issue->warp] != WS_STALL_SELECTED;
        }
    }
    ck_assert_uint_eq(wrong, 0);
    for (guint i = 0; i < WS_STALL_COUNT && ws_timeline_end(timeline) <= 30000; i++)
        ck_assert_msg(found[i] == expected[i],
                      "%s: %" G_GUINT64_FORMAT " cycles, not %" G_GUINT64_FORMAT,
                      ws_stall_name((WsStall)i), found[i], expected[i]);
    ws_history_free(history);
    hide(&shown);
    engine_free(counted);
}
END_TEST

static void add_tests(TCase *cases)
{
    tcase_set_timeout(cases, 120);
    tcase_add_test(cases, text_stays_in_its_rectangle);
    tcase_add_test(cases, wide_and_combining_characters);
    tcase_add_test(cases, controls_are_escapes);
    tcase_add_test(cases, panes_fill_any_screen);
    tcase_add_test(cases, a_split_under_its);
    tcase_add_test(cases, what_happened_is_chosen_from);
    tcase_add_test(cases, the_source_has_the_width_that_it_needs);
    tcase_add_test(cases, the_machine_names_all_warps);
    tcase_add_test(cases, a_split_on_a_stack);
    tcase_add_test(cases, without_convergence_barriers);
    tcase_add_test(cases, capitals_go_back);
    tcase_add_test(cases, numbers_repeat);
    tcase_add_test(cases, breakpoints_stop);
    tcase_add_test(cases, registers_are_chosen);
    tcase_add_test(cases, help_names_keys_and_letters);
    tcase_add_test(cases, clicks_choose);
    tcase_add_test(cases, clicks_anywhere);
    tcase_add_test(cases, a_small_screen_says_so);
    tcase_add_test(cases, q_leaves);
    tcase_add_loop_test(cases, all_sizes_can_be_drawn, 0, CASES);
    tcase_add_loop_test(cases, history_is_what_the_run_counts, 0, CASES);
}

int main(void)
{
    return run_suite("screen", add_tests);
}
