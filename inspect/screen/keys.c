/* What keys do. */
#include "inspect/screen/screen_private.h"

static gint64 count_of(const WsScreen *screen)
{
    return screen->count != 0 ? (gint64)MIN(screen->count, G_MAXINT64) : 1;
}

/* ---- moves --------------------------------------------------------------------------------------
 */

static void move(WsScreen *screen, int argument)
{
    ws_screen_move(screen, (WsMove)argument, count_of(screen));
}

static void move_back(WsScreen *screen, int argument)
{
    ws_screen_move(screen, (WsMove)argument, -count_of(screen));
}

static void move_any(WsScreen *screen, int argument)
{
    ws_screen_move_any(screen, (WsMove)argument, count_of(screen));
}

static void move_any_back(WsScreen *screen, int argument)
{
    ws_screen_move_any(screen, (WsMove)argument, -count_of(screen));
}

static void go_to_fault(WsScreen *screen, int argument)
{
    ws_screen_go_to_fault(screen);
}

static void highlights(WsScreen *screen, int argument)
{
    ws_screen_show_highlights(screen);
}

static void go_on(WsScreen *screen, int back)
{
    ws_screen_continue(screen, back != 0);
}

static void go_to_end(WsScreen *screen, int end)
{
    ws_screen_go(screen, end != 0 ? G_MAXUINT64 : 0);
}

static void ask(WsScreen *screen, int kind)
{
    g_autofree char *names = kind == WS_PROMPT_REGISTERS && screen->view.names != NULL
                                 ? g_strjoinv(" ", screen->view.names)
                                 : NULL;

    ws_screen_ask(screen, (WsPromptKind)kind, names != NULL ? names : "");
}

/* ---- focus --------------------------------------------------------------------------------------
 */

void ws_screen_focus_on(WsScreen *screen, const WsSm *sm, guint32 slot)
{
    WsFocus *focus = ws_session_focus(screen->view.session);
    guint32 lane = focus->lane;

    *focus = ws_focus_of(sm, slot);
    focus->lane = lane;
    ws_screen_follow(screen);
}

/* By so many warps from the focused one, from the first where that is elsewhere. */
static void move_warp(WsScreen *screen, gint64 by)
{
    const WsSm *sm = ws_view_sm(&screen->view);
    guint32 slots[WS_MAX_WARP_SLOTS];
    guint focus, count = ws_view_warps(&screen->view, slots, &focus);

    if (count == 0)
        ws_screen_say(screen, WS_LOOK_ALERT, "No warp is on SM %u at this cycle", screen->view.sm);
    else if (ws_session_place(screen->view.session).sm != sm)
        ws_screen_focus_on(screen, sm, slots[0]);
    else
        ws_screen_focus_on(screen, sm, slots[CLAMP((gint64)focus + by, 0, (gint64)count - 1)]);
}

static void next_warp(WsScreen *screen, int direction)
{
    move_warp(screen, direction * count_of(screen));
}

static void move_lane(WsScreen *screen, gint64 by)
{
    WsFocus *focus = ws_session_focus(screen->view.session);
    gint64 last = (gint64)ws_session_job(screen->view.session)->device->warp_size - 1;

    focus->lane = (guint32)CLAMP((gint64)focus->lane + by, 0, last);
}

static void next_lane(WsScreen *screen, int direction)
{
    move_lane(screen, direction * count_of(screen));
}

static void next_sm(WsScreen *screen, int direction)
{
    guint32 count;
    WsSm *const *sms = ws_simulation_sms(ws_timeline_simulation(screen->view.timeline), &count);
    const WsSm *best = NULL;

    for (guint32 i = 0; i < count; i++) {
        gint64 way = ((gint64)sms[i]->number - (gint64)screen->view.sm) * direction;

        if (sms[i]->state->resident != 0 && way > 0 &&
            (best == NULL || way < ((gint64)best->number - (gint64)screen->view.sm) * direction))
            best = sms[i];
    }
    if (best == NULL)
        ws_screen_say(screen, WS_LOOK_ALERT, "No SM %s SM %u has warps at this cycle",
                      direction > 0 ? "behind" : "before", screen->view.sm);
    else
        ws_screen_focus_on(screen, best, (guint32)__builtin_ctzll(best->state->resident));
}

/* ---- panes --------------------------------------------------------------------------------------
 */

void ws_screen_visit(WsScreen *screen)
{
    WsPane pane = screen->view.active;

    if ((screen->visited >> pane & 1) == 0)
        ws_screen_say(screen, WS_LOOK_STRONG, "%s", ws_pane_hint(pane));
    screen->visited |= 1u << pane;
}

/* The machine on all of the screen, and back. */
static void machine(WsScreen *screen, int argument)
{
    WsView *view = &screen->view;

    if (view->active != WS_PANE_MACHINE) {
        screen->before = view->active;
        screen->zoomed_before = view->zoomed;
        view->active = WS_PANE_MACHINE;
        view->zoomed = TRUE;
        ws_screen_visit(screen);
        return;
    }
    view->active = screen->before;
    view->zoomed = screen->zoomed_before;
}

static void next_pane(WsScreen *screen, int direction)
{
    WsView *view = &screen->view;

    do
        view->active = (WsPane)((view->active + WS_PANE_COUNT + direction) % WS_PANE_COUNT);
    while (view->active == WS_PANE_MACHINE ||
           (view->active == WS_PANE_WATCHED && !view->has_watched) ||
           (view->active == WS_PANE_PTX && ws_listing(view->listings, WS_PANE_PTX, 0)->count == 0));
    ws_screen_visit(screen);
}

void ws_screen_scroll(WsScreen *screen, gint64 by)
{
    WsView *view = &screen->view;
    gint64 count;

    if (view->active == WS_PANE_LANES) {
        move_lane(screen, by);
    } else if (view->active > WS_PANE_BYTECODE) {
        move_warp(screen, by);
    } else {
        count = ws_listing(view->listings, view->active, view->file)->count;
        view->cursor[view->active] =
            (guint)CLAMP((gint64)view->cursor[view->active] + by, 0, MAX(count, 1) - 1);
    }
}

static void scroll(WsScreen *screen, int direction)
{
    ws_screen_scroll(screen, direction * count_of(screen));
}

static void scroll_across(WsScreen *screen, int direction)
{
    enum { SHIFT = 8, MOST = 400 };
    WsView *view = &screen->view;

    if (view->active > WS_PANE_BYTECODE)
        scroll(screen, direction);
    else
        view->shift = (guint)CLAMP((gint64)view->shift + direction * SHIFT, 0, MOST);
}

static void scroll_page(WsScreen *screen, int direction)
{
    ws_screen_scroll(screen, direction * (gint64)MAX(screen->rows / 3, 1));
}

static void scroll_far(WsScreen *screen, int direction)
{
    ws_screen_scroll(screen, direction * (gint64)G_MAXINT32);
}

static void zoom(WsScreen *screen, int argument)
{
    screen->view.zoomed = !screen->view.zoomed;
}

static void next_form(WsScreen *screen, int argument)
{
    screen->view.form = (WsNumberForm)((screen->view.form + 1) % WS_SHOW_COUNT);
}

static void scale(WsScreen *screen, int direction)
{
    enum { MOST_CYCLES = 64 };
    guint64 *per_column = &screen->view.per_column;

    *per_column = direction > 0 ? MIN(*per_column * 2, MOST_CYCLES) : MAX(*per_column / 2, 1);
}

/* ---- breakpoints --------------------------------------------------------------------------------
 */

static gboolean delete_breakpoint_at(WsScreen *screen, guint32 instruction)
{
    WsSession *session = screen->view.session;

    for (guint i = 0; i < ws_session_breakpoint_count(session); i++) {
        const WsBreakpoint *breakpoint = ws_session_breakpoint_at(session, i);

        for (guint32 k = 0; breakpoint->kind == WS_STOP_AT && k < breakpoint->place.count; k++)
            if (breakpoint->place.instructions[k] == instruction) {
                ws_screen_say(screen, WS_LOOK_PLAIN, "Breakpoint %u is deleted",
                              breakpoint->number);
                return ws_session_delete_breakpoint(session, breakpoint->number);
            }
    }
    return FALSE;
}

static void toggle_breakpoint(WsScreen *screen, int argument)
{
    WsView *view = &screen->view;
    WsPane pane = view->active > WS_PANE_BYTECODE ? WS_PANE_SOURCE : view->active;
    guint32 instruction =
        ws_listing_instruction(view->listings, pane, view->file, view->cursor[pane]);
    g_autofree char *place = NULL;
    GError *error = NULL;
    WsBreakpoint *breakpoint;

    if (instruction == WS_NO_INSTRUCTION) {
        ws_screen_say(screen, WS_LOOK_ALERT, "No instruction comes from line %u",
                      view->cursor[pane] + 1);
        return;
    }
    if (delete_breakpoint_at(screen, instruction))
        return;
    place = pane == WS_PANE_SOURCE
                ? g_strdup_printf("%s:%u", view->program->files[view->file], view->cursor[pane] + 1)
                : g_strdup_printf("*%u", instruction);
    breakpoint = ws_breakpoint_parse(view->timeline, place, &error);
    if (breakpoint == NULL)
        ws_screen_say_error(screen, error);
    else
        ws_screen_say(screen, WS_LOOK_PLAIN, "Breakpoint %u: %s",
                      ws_session_add_breakpoint(view->session, breakpoint)->number, place);
}

/* ---- the rest -----------------------------------------------------------------------------------
 */

static char *screen_help(void);

static void help(WsScreen *screen, int argument)
{
    g_autofree char *text = screen_help();

    ws_screen_show_page(screen, "Keys", text);
}

static void why(WsScreen *screen, int argument)
{
    ws_screen_command(screen, "why");
}

/* The terminal does it. */
static void redraw(WsScreen *screen, int argument)
{
}

static void quit(WsScreen *screen, int argument)
{
    screen->done = TRUE;
}

static const struct {
    guint32 key;
    void (*function)(WsScreen *screen, int argument);
    int argument;
    const char *shown, *help;
} keys[] = {
#define HEADING(text)                                  {0, NULL, 0, NULL, text},
#define KEY(key, function, argument, shown, help_text) {key, function, argument, shown, help_text},
#include "inspect/screen/keys.def"
#undef KEY
#undef HEADING
};

static char *screen_help(void)
{
    GString *out = g_string_new(NULL);

    for (guint i = 0; i < G_N_ELEMENTS(keys); i++) {
        if (keys[i].function == NULL)
            g_string_append_printf(out, "%s%s\n", i == 0 ? "" : "\n", keys[i].help);
        else if (keys[i].shown != NULL)
            g_string_append_printf(out, "  %-7s %s\n", keys[i].shown, keys[i].help);
    }
    g_string_append(
        out, "\nLanes: # active, p predicated off, d waiting on another path, x exited, . never "
             "launched\nListings: > the focused warp, d its other paths,"
             " + other warps, B a breakpoint, o a disabled one\n\nLetters of the stall reasons\n");
    for (guint i = 0; i < WS_STALL_COUNT; i++)
        g_string_append_printf(out, "  %-7s %s: %s\n", ws_stall_letter((WsStall)i),
                               ws_stall_name((WsStall)i), ws_stall_help((WsStall)i));
    return g_string_free(out, FALSE);
}

/* ---- a page over the panes ----------------------------------------------------------------------
 */

static void read_page(WsScreen *screen, guint32 key)
{
    guint rows = MAX(screen->rows, 4) - 3,
          last = screen->page_count - MIN(screen->page_count, rows);

    if (key == WS_KEY_DOWN || key == WS_KEY_ENTER)
        screen->page_first = MIN(screen->page_first + 1, last);
    else if (key == WS_KEY_UP)
        screen->page_first -= MIN(screen->page_first, 1);
    else if (key == WS_KEY_PAGE_DOWN || key == ' ')
        screen->page_first = MIN(screen->page_first + rows, last);
    else if (key == WS_KEY_PAGE_UP)
        screen->page_first -= MIN(screen->page_first, rows);
    else if (key > '0' && key - '0' <= screen->choice_count)
        ws_screen_go_to_highlight(screen, key - '1');
    else
        g_clear_pointer(&screen->page, g_strfreev);
}

gboolean ws_screen_key(WsScreen *screen, guint32 key)
{
    guint found = 0;

    if (screen->prompt != NULL) {
        ws_screen_type(screen, key);
        return !screen->done;
    }
    if (screen->page != NULL) {
        read_page(screen, key);
        return TRUE;
    }
    if (key >= '0' && key <= '9' && (key != '0' || screen->count != 0)) {
        screen->count = MIN(screen->count * 10 + (key - '0'), G_MAXINT32);
        return TRUE;
    }
    while (found < G_N_ELEMENTS(keys) && (keys[found].function == NULL || keys[found].key != key))
        found++;
    g_clear_pointer(&screen->message, g_free);
    if (found < G_N_ELEMENTS(keys))
        keys[found].function(screen, keys[found].argument);
    else if (key != WS_KEY_ESCAPE)
        ws_screen_say(screen, WS_LOOK_ALERT, "This key has no function; ? lists the keys");
    screen->count = 0;
    return !screen->done;
}
