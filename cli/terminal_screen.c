#include "cli/terminal_screen.h"

#define NCURSES_WIDECHAR 1
#include <curses.h>

#include "cli/terminal_restore.h"
#include "inspect/screen/screen.h"

/* A terminal that is gone answers with nothing but errors. */
enum { MOST_ERRORS = 10, ESCAPE_MILLISECONDS = 50 };

/* ---- looks --------------------------------------------------------------------------------------
 */

static const struct {
    short colour; /* -1: the terminal's own */
    attr_t attributes;
} looks[] = {
#define DIM                             A_DIM
#define BOLD                            A_BOLD
#define REVERSE                         A_REVERSE
#define UNDERLINE                       A_UNDERLINE
#define STYLE(name, colour, attributes) {colour, attributes},
#include "inspect/screen/looks.def"
#undef STYLE
#undef UNDERLINE
#undef REVERSE
#undef BOLD
#undef DIM
};

/* Pair n is look n - 1. */
static void start_colours(void)
{
    start_color();
    use_default_colors();
    for (short i = 0; i < (short)G_N_ELEMENTS(looks); i++)
        init_pair((short)(i + 1), looks[i].colour, -1);
}

/* ---- drawing ------------------------------------------------------------------------------------
 */

/* The terminal may count the columns of a character in another way: then it is not drawn. */
static void put_cell(const WsGrid *grid, guint row, guint column, gboolean colour)
{
    const WsCell *cell = ws_grid_cell(grid, row, column);
    gboolean wide = column + 1 < grid->columns && cell[1].character == 0;
    wchar_t text[] = {(wchar_t)cell->character, L'\0'};
    cchar_t shown;

    if (cell->character == 0)
        return;
    if (wcwidth(text[0]) != (wide ? 2 : 1))
        text[0] = L'?';
    setcchar(&shown, text, looks[cell->look].attributes, colour ? (short)(cell->look + 1) : 0,
             NULL);
    mvadd_wch((int)row, (int)column, &shown);
    if (wide && text[0] == L'?')
        mvaddch((int)row, (int)column + 1, ' ');
}

static void draw(WsScreen *screen, gboolean colour)
{
    g_autoptr(WsGrid) grid = ws_grid_new((guint)MAX(LINES, 1), (guint)MAX(COLS, 1));
    guint row = 0, column = 0;
    gboolean types = ws_screen_draw(screen, grid, &row, &column);

    erase();
    for (guint i = 0; i < grid->rows; i++)
        for (guint k = 0; k < grid->columns; k++)
            put_cell(grid, i, k, colour);
    curs_set(types ? 1 : 0);
    if (types)
        move((int)row, (int)column);
    refresh();
}

/* ---- keys ---------------------------------------------------------------------------------------
 */

static const struct {
    wint_t code;
    guint32 key;
} key_codes[] = {
    {KEY_UP, WS_KEY_UP},
    {KEY_DOWN, WS_KEY_DOWN},
    {KEY_LEFT, WS_KEY_LEFT},
    {KEY_RIGHT, WS_KEY_RIGHT},
    {KEY_PPAGE, WS_KEY_PAGE_UP},
    {KEY_NPAGE, WS_KEY_PAGE_DOWN},
    {KEY_HOME, WS_KEY_HOME},
    {KEY_END, WS_KEY_END},
    {KEY_BTAB, WS_KEY_BACK_TAB},
    {KEY_ENTER, WS_KEY_ENTER},
    {KEY_BACKSPACE, WS_KEY_BACKSPACE},
    {KEY_DC, WS_KEY_BACKSPACE},
};

/* 0: nothing that a screen knows. */
static guint32 key_of(int kind, wint_t code)
{
    if (kind != KEY_CODE_YES) {
        if (code == '\r')
            return WS_KEY_ENTER;
        return code == '\b' ? WS_KEY_BACKSPACE : (guint32)code;
    }
    for (guint i = 0; i < G_N_ELEMENTS(key_codes); i++)
        if (key_codes[i].code == code)
            return key_codes[i].key;
    return 0;
}

static void take_mouse(WsScreen *screen)
{
    MEVENT event;

    if (getmouse(&event) != OK || event.x < 0 || event.y < 0)
        return;
    if (event.bstate & BUTTON1_PRESSED)
        ws_screen_mouse(screen, WS_MOUSE_CLICK, (guint)event.y, (guint)event.x);
    else if (event.bstate & BUTTON4_PRESSED)
        ws_screen_mouse(screen, WS_MOUSE_WHEEL_UP, (guint)event.y, (guint)event.x);
    else if (event.bstate & BUTTON5_PRESSED)
        ws_screen_mouse(screen, WS_MOUSE_WHEEL_DOWN, (guint)event.y, (guint)event.x);
}

/* Before a long search: what is known of how long. */
static void note_estimate(void *data, double seconds, guint64 cycles)
{
    double *estimate = data;

    *estimate = seconds;
}

/* Any key ends a long search, Ctrl-C too. */
static gboolean is_busy(void *data, guint64 cycle)
{
    const double *estimate = data;
    wint_t code;
    gboolean pressed;

    mvprintw(LINES - 1, 0, "cycle %llu, searching", (unsigned long long)cycle);
    if (*estimate != 0)
        printw(", about %.0f s in all", *estimate);
    printw("; any key stops ");
    clrtoeol();
    refresh();
    timeout(0);
    pressed = get_wch(&code) != ERR;
    timeout(-1);
    return pressed;
}

static void converse(WsScreen *screen, double *estimate, gboolean colour)
{
    gboolean goes_on = TRUE;
    guint errors = 0;

    draw(screen, colour);
    while (goes_on && errors < MOST_ERRORS) {
        wint_t code;
        int kind = get_wch(&code);
        guint32 key = kind == ERR ? 0 : key_of(kind, code);

        errors = kind == ERR ? errors + 1 : 0;
        if (kind == KEY_CODE_YES && code == KEY_RESIZE)
            clearok(curscr, TRUE);
        if (key == ('l' & 0x1f))
            clearok(curscr, TRUE);
        raw();
        if (kind == KEY_CODE_YES && code == KEY_MOUSE)
            take_mouse(screen);
        *estimate = 0;
        goes_on = key == 0 || ws_screen_key(screen, key);
        noraw();
        cbreak();
        if (goes_on)
            draw(screen, colour);
    }
}

/* ---- the terminal -------------------------------------------------------------------------------
 */

gboolean ws_terminal_screen_run(WsSession *session, const char *note, gboolean colour,
                                gboolean mouse)
{
    double estimate = 0; /* seconds of the search that goes on, or 0 */
    WsScreen *screen;
    SCREEN *terminal;

    ws_terminal_note();
    terminal = newterm(NULL, stdout, stdin);
    if (terminal == NULL)
        return FALSE;
    ws_terminal_guard();
    cbreak();
    noecho();
    nonl();
    keypad(stdscr, TRUE);
    set_escdelay(ESCAPE_MILLISECONDS);
    if (mouse) {
        mousemask(BUTTON1_PRESSED | BUTTON4_PRESSED | BUTTON5_PRESSED, NULL);
        mouseinterval(0); /* a press is told at once, not a click when it is over */
    }
    colour = colour && has_colors();
    if (colour)
        start_colours();
    screen = ws_screen_new(session, is_busy, &estimate);
    ws_timeline_set_estimate(ws_session_timeline(session), WS_TIMELINE_LONG_SECONDS, note_estimate,
                             &estimate);
    if (note != NULL)
        ws_screen_show_page(screen, "The recording", note);
    converse(screen, &estimate, colour);
    ws_timeline_set_estimate(ws_session_timeline(session), 0, NULL, NULL);
    ws_screen_free(screen);
    endwin();
    delscreen(terminal);
    ws_terminal_unguard();
    return TRUE;
}
