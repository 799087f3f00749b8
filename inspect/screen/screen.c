#include "inspect/screen/screen_private.h"
#include "inspect/session/selected_frame.h"

#include <stdarg.h>
#include <string.h>

/* Whoever waits for a long search is asked now and then whether it is to end. */
static gboolean is_interrupted(void *data)
{
    enum { INTERVAL = 100000 }; /* microseconds */
    WsScreen *screen = data;
    gint64 now = g_get_monotonic_time();

    if (screen->busy == NULL || now - screen->asked < INTERVAL)
        return FALSE;
    screen->asked = now;
    return screen->busy(screen->busy_data, ws_timeline_cycle(screen->view.timeline));
}

WsScreen *ws_screen_new(WsSession *session, WsScreenBusy busy, void *data)
{
    WsScreen *screen = g_new0(WsScreen, 1);
    WsView *view = &screen->view;

    screen->busy = busy;
    screen->busy_data = data;
    screen->typed = g_string_new(NULL);
    screen->targets = g_array_new(FALSE, FALSE, sizeof(WsTarget));
    screen->lines = g_ptr_array_new_with_free_func(g_free);
    view->session = session;
    view->timeline = ws_session_timeline(session);
    ws_timeline_set_interrupt(view->timeline, is_interrupted, screen);
    view->program = ws_session_job(session)->program;
    view->history = ws_history_new(view->timeline);
    view->listings = ws_listings_new(ws_session_job(session));
    view->per_column = 1;
    ws_screen_follow(screen);
    screen->visited = 1u << WS_PANE_SOURCE;
    ws_screen_say(screen, WS_LOOK_PLAIN, "s step, d diverge, o highlights, w why, p machine");
    return screen;
}

void ws_screen_free(WsScreen *screen)
{
    if (screen == NULL)
        return;
    ws_timeline_set_interrupt(screen->view.timeline, NULL, NULL);
    ws_history_free(screen->view.history);
    ws_listings_free(screen->view.listings);
    g_strfreev(screen->view.names);
    g_strfreev(screen->view.watched);
    g_string_free(screen->typed, TRUE);
    g_array_unref(screen->targets);
    ws_interpreter_free(screen->interpreter);
    g_ptr_array_unref(screen->lines);
    g_free(screen->message);
    g_free(screen->page_title);
    g_strfreev(screen->page);
    g_free(screen);
}

/* ---- telling ------------------------------------------------------------------------------------
 */

void ws_screen_say(WsScreen *screen, WsLook look, const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    g_free(screen->message);
    screen->message = g_strdup_vprintf(format, arguments);
    screen->message_look = look;
    va_end(arguments);
}

void ws_screen_say_error(WsScreen *screen, GError *error)
{
    ws_screen_say(screen, WS_LOOK_ALERT, "%s", error != NULL ? error->message : "it failed");
    g_clear_error(&error);
}

/* A line in parts that fit in `columns`, broken at blanks where there are any. */
static void append_wrapped(GPtrArray *lines, const char *line, guint columns)
{
    const char *indent = "";

    while (*line != '\0' || *indent == '\0') {
        g_autoptr(GString) part = g_string_new(indent);
        const char *end = line, *blank = NULL;
        guint used = (guint)part->len;

        for (; *end != '\0' && used < columns; end = g_utf8_next_char(end)) {
            if (*end == ' ' && end > line)
                blank = end;
            used += g_unichar_iswide(g_utf8_get_char(end)) ? 2 : 1;
        }
        if (*end != '\0' && *end != ' ' && blank != NULL)
            end = blank;
        g_string_append_len(part, line, end - line);
        g_ptr_array_add(lines, g_string_free(g_steal_pointer(&part), FALSE));
        line = end + strspn(end, " ");
        indent = "  ";
    }
}

void ws_screen_show_page(WsScreen *screen, const char *title, const char *text)
{
    g_auto(GStrv) whole = g_strsplit(text, "\n", -1);
    GPtrArray *lines = g_ptr_array_new();

    for (guint i = 0; whole[i] != NULL; i++)
        if (*whole[i] != '\0' || whole[i + 1] != NULL)
            append_wrapped(lines, whole[i], MAX(screen->columns, WS_LEAST_COLUMNS) - 2);
    g_free(screen->page_title);
    g_strfreev(screen->page);
    screen->page_title = g_strdup(title);
    screen->page_first = 0;
    screen->choice_count = 0;
    screen->page_count = lines->len;
    g_ptr_array_add(lines, NULL);
    screen->page = (char **)g_ptr_array_free(lines, FALSE);
}

static void say_breakpoint(WsScreen *screen, const WsArrival *arrival)
{
    g_autofree char *lanes = ws_lane_count_text(arrival->lanes);

    ws_screen_say(screen, WS_LOOK_STRONG, "Breakpoint %u (%s), %s", arrival->breakpoint->number,
                  arrival->breakpoint->text, lanes);
}

static void say_change(WsScreen *screen, const WsArrival *arrival)
{
    g_autofree char *before = ws_watch_text(arrival->breakpoint, arrival->old_value);
    g_autofree char *after = ws_watch_text(arrival->breakpoint, arrival->new_value);

    ws_screen_say(screen, WS_LOOK_STRONG, "Watchpoint %u, %s: %s -> %s",
                  arrival->breakpoint->number, arrival->breakpoint->text, before, after);
}

static void say_end(WsScreen *screen)
{
    const WsTimeline *timeline = screen->view.timeline;
    const WsStop *stop = ws_timeline_stop(timeline);

    const char *status = ws_status_name(ws_timeline_status(timeline));

    if (ws_timeline_status(timeline) == WS_STATUS_OK) {
        ws_screen_say(screen, WS_LOOK_STRONG, "The run ends here.");
        return;
    }
    g_autofree char *title = g_strdup_printf("The run stops here: %s", status);
    g_autofree char *text = g_strdup_printf("%s\n%s", stop->message != NULL ? stop->message : "",
                                            stop->details != NULL ? stop->details : "");
    ws_screen_say(screen, WS_LOOK_ALERT, "%s", title);
    ws_screen_show_page(screen, title, text);
}

static void say_event(WsScreen *screen, const WsArrival *arrival)
{
    const WsTraceEvent *event = &arrival->event;
    g_autofree char *line = event->instruction == WS_NO_INSTRUCTION
                                ? g_strdup("")
                                : ws_instruction_line(screen->view.listings, event->instruction);
    const char *what = event->kind == WS_TRACE_STALL ? ws_stall_name((WsStall)event->stall.reason)
                                                     : ws_trace_event_name(event->kind);

    ws_screen_say(screen, WS_LOOK_PLAIN, "%s at cycle %" G_GUINT64_FORMAT ": %s", what,
                  event->cycle, line);
}

void ws_screen_say_arrival(WsScreen *screen, const WsArrival *arrival)
{
    switch (arrival->kind) {
    case WS_ARRIVED_END:
        say_end(screen);
        return;
    case WS_ARRIVED_BEGINNING:
        ws_screen_say(screen, WS_LOOK_STRONG, "The run begins here.");
        return;
    case WS_ARRIVED_BREAKPOINT:
        say_breakpoint(screen, arrival);
        return;
    case WS_ARRIVED_WATCH:
        say_change(screen, arrival);
        return;
    case WS_ARRIVED_INTERRUPTED:
        ws_screen_say(screen, WS_LOOK_STRONG,
                      "Interrupted at cycle %" G_GUINT64_FORMAT "; any key continues from here.",
                      ws_timeline_cycle(screen->view.timeline));
        return;
    case WS_ARRIVED_THERE:
        break;
    }
    if (arrival->has_event)
        say_event(screen, arrival);
    else
        g_clear_pointer(&screen->message, g_free);
}

/* ---- doing --------------------------------------------------------------------------------------
 */

void ws_screen_follow(WsScreen *screen)
{
    static const WsPane listings[] = {WS_PANE_SOURCE, WS_PANE_PTX, WS_PANE_BYTECODE};
    WsView *view = &screen->view;
    WsWarpPlace place = ws_session_place(view->session);
    guint32 pc, file, at;
    guint line;

    if (place.sm != NULL)
        view->sm = place.sm->number;
    if (!ws_view_instruction(view, &pc))
        return;
    for (guint i = 0; i < G_N_ELEMENTS(listings); i++) {
        if (!ws_listing_line(view->listings, listings[i], pc, &file, &line))
            continue;
        view->cursor[listings[i]] = line;
        if (listings[i] == WS_PANE_SOURCE)
            view->file = file;
    }
    if (ws_session_frame(view->session) != 0 && ws_session_frame_line(view->session, &file, &at)) {
        view->cursor[WS_PANE_SOURCE] = at - 1;
        view->file = file;
    }
}

/* A failed move may have left the session anywhere. */
static void arrive(WsScreen *screen, gboolean ok, const WsArrival *arrival, GError *error)
{
    ws_screen_follow(screen);
    if (ok)
        ws_screen_say_arrival(screen, arrival);
    else
        ws_screen_say_error(screen, error);
}

/* Who looks for the first divergent branch may have another warp's. */
static void say_no_split(WsScreen *screen, const WsArrival *arrival)
{
    const WsFocus *focus = ws_session_focus(screen->view.session);

    if (arrival->kind == WS_ARRIVED_END)
        ws_screen_say(screen, WS_LOOK_STRONG,
                      "Block %u warp %u does not diverge again; < a: first divergence of any warp",
                      focus->block, focus->warp);
}

typedef gboolean (*Mover)(WsSession *, WsMove, gint64, WsArrival *, GError **);

static gboolean move_by(WsScreen *screen, Mover mover, WsMove move, gint64 count, WsArrival *ret)
{
    GError *error = NULL;
    gboolean ok;

    screen->asked = g_get_monotonic_time();
    ok = mover(screen->view.session, move, count, ret, &error);

    arrive(screen, ok, ret, error);
    return ok;
}

void ws_screen_move(WsScreen *screen, WsMove move, gint64 count)
{
    WsArrival arrival;

    if (move_by(screen, ws_session_move, move, count, &arrival) && move == WS_MOVE_DIVERGE &&
        screen->page == NULL)
        say_no_split(screen, &arrival);
}

void ws_screen_move_any(WsScreen *screen, WsMove move, gint64 count)
{
    WsArrival arrival;

    move_by(screen, ws_session_move_any, move, count, &arrival);
}

void ws_screen_go_to_fault(WsScreen *screen)
{
    GError *error = NULL;
    WsArrival arrival;
    gboolean ok;

    screen->asked = g_get_monotonic_time();
    ok = ws_session_go_to_fault(screen->view.session, &arrival, &error);

    arrive(screen, ok, &arrival, error);
}

void ws_screen_continue(WsScreen *screen, gboolean back)
{
    GError *error = NULL;
    WsArrival arrival;
    gboolean ok;

    screen->asked = g_get_monotonic_time();
    ok = ws_session_continue(screen->view.session, back, 0, &arrival, &error);

    arrive(screen, ok, &arrival, error);
}

void ws_screen_go(WsScreen *screen, guint64 cycle)
{
    GError *error = NULL;
    WsArrival arrival;
    gboolean ok;

    screen->asked = g_get_monotonic_time();
    ok = ws_session_go(screen->view.session, cycle, &arrival, &error);

    arrive(screen, ok, &arrival, error);
}
