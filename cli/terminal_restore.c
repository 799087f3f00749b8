#include "cli/terminal_restore.h"

#include <curses.h>
#include <errno.h>
#include <signal.h>
#include <string.h>
#include <term.h>
#include <termios.h>
#include <unistd.h>

static const int fatal_signals[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGSEGV,
                                    SIGBUS, SIGFPE,  SIGILL, SIGABRT};

/* What a signal handler needs, which can neither ask nor allocate. */
static struct {
    struct termios modes;
    char reset[256]; /* what the terminal is told */
    gsize length;
} before;

static void append_text(const char *text)
{
    if (text == NULL || text == (const char *)-1 ||
        before.length + strlen(text) >= sizeof before.reset)
        return;
    memcpy(before.reset + before.length, text, strlen(text));
    before.length += strlen(text);
}

static void append_reset(const char *capability)
{
    append_text(tigetstr(capability));
}

/* As ncurses does it: what switches the mouse takes 1 or 0. */
static void append_no_mouse(void)
{
    const char *text = tigetstr("XM");

    append_text(text == NULL || text == (const char *)-1 ? "\033[?1000l" : tiparm(text, 0));
}

/* The signal then does what it does by default: the program ends by it. */
static void restore(int signal)
{
    int saved = errno;
    gssize written = write(STDOUT_FILENO, before.reset, before.length);

    (void)written;
    tcsetattr(STDOUT_FILENO, TCSANOW, &before.modes);
    errno = saved;
    raise(signal);
}

void ws_terminal_note(void)
{
    tcgetattr(STDOUT_FILENO, &before.modes);
}

void ws_terminal_guard(void)
{
    struct sigaction action = {.sa_handler = restore, .sa_flags = (int)SA_RESETHAND};

    before.length = 0;
    append_reset("sgr0");
    append_reset("cnorm");
    append_no_mouse();
    append_reset("rmkx");
    append_reset("rmcup");
    for (guint i = 0; i < G_N_ELEMENTS(fatal_signals); i++)
        sigaction(fatal_signals[i], &action, NULL);
}

void ws_terminal_unguard(void)
{
    for (guint i = 0; i < G_N_ELEMENTS(fatal_signals); i++)
        signal(fatal_signals[i], SIG_DFL);
}

char *ws_terminal_cannot_draw(void)
{
    const char *name = g_getenv("TERM"), *place;
    int state;

    if (name == NULL || *name == '\0')
        return g_strdup("TERM is not set");
    if (setupterm(name, STDOUT_FILENO, &state) != OK)
        return g_strdup_printf("the terminal %s is not known here", name);
    place = tigetstr("cup");
    if (place == NULL || place == (const char *)-1)
        return g_strdup_printf("the terminal %s cannot place text", name);
    return NULL;
}
