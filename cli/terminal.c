#include "cli/terminal.h"

#include "isa/base/escape.h"

#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

const char *const ws_colour_modes[] = {"auto", "always", "never", NULL};

/* Set once, by the options of the command, before anything but their own errors is written. */
static WsColourMode colour_mode = WS_COLOUR_AUTO;

/* Select graphic rendition, ECMA-48: only attributes that every colour terminal has. */
static const char *const begin[WS_STYLE_COUNT] = {
    [WS_STYLE_ERROR] = "\033[1;31m", [WS_STYLE_WARNING] = "\033[1;35m",
    [WS_STYLE_HEADING] = "\033[1m",  [WS_STYLE_PASSED] = "\033[32m",
    [WS_STYLE_FAILED] = "\033[31m",  [WS_STYLE_HOT] = "\033[31m",
    [WS_STYLE_WARM] = "\033[33m",    [WS_STYLE_PLAIN] = "",
};

static const double HOT_SHARE = 0.25, WARM_SHARE = 0.1;

int ws_terminal_width(FILE *stream)
{
    if (!isatty(fileno(stream)))
        return WS_WIDTH_NO_TERMINAL;
    const char *columns = g_getenv("COLUMNS");
    guint64 width = 0;
    struct winsize size = {0};
    if ((columns == NULL ||
         !g_ascii_string_to_unsigned(columns, 10, 1, G_MAXUINT16, &width, NULL)) &&
        ioctl(fileno(stream), TIOCGWINSZ, &size) == 0)
        width = size.ws_col;
    return width == 0 ? WS_WIDTH_NO_TERMINAL : MAX((int)width, WS_WIDTH_LEAST);
}

void ws_terminal_set_colour(WsColourMode mode)
{
    colour_mode = mode;
}

gboolean ws_terminal_colour(FILE *stream)
{
    if (colour_mode != WS_COLOUR_AUTO)
        return colour_mode == WS_COLOUR_ALWAYS;
    const char *no_colour = g_getenv("NO_COLOR"), *terminal = g_getenv("TERM");
    return isatty(fileno(stream)) && (no_colour == NULL || no_colour[0] == '\0') &&
           terminal != NULL && terminal[0] != '\0' && strcmp(terminal, "dumb") != 0;
}

const char *ws_style_begin(WsStyle style, gboolean colour)
{
    return colour ? begin[style] : "";
}

const char *ws_style_end(WsStyle style, gboolean colour)
{
    return colour && style != WS_STYLE_PLAIN ? "\033[0m" : "";
}

/* `text` in `style`. Free with g_free. */
static char *styled(WsStyle style, gboolean colour, const char *text)
{
    return g_strconcat(ws_style_begin(style, colour), text, ws_style_end(style, colour), NULL);
}

WsStyle ws_style_of_share(double share)
{
    return share >= HOT_SHARE ? WS_STYLE_HOT : share >= WARM_SHARE ? WS_STYLE_WARM : WS_STYLE_PLAIN;
}

/* Where `word` stands in `message` as a word of its own, or NULL. */
static const char *find_word(const char *message, const char *word)
{
    const char *at = strstr(message, word);
    return at == NULL || at == message || at[-1] == ' ' ? at : NULL;
}

void ws_print_message(const char *text)
{
    g_autofree char *message = ws_escape_text(text);
    gboolean colour = ws_terminal_colour(stderr);
    WsStyle style = WS_STYLE_ERROR;
    const char *word = "error:", *at = find_word(message, "error: ");
    const char *warning = find_word(message, "warning: ");
    if (at == NULL || (warning != NULL && warning < at)) {
        style = WS_STYLE_WARNING;
        word = "warning:";
        at = warning;
    }
    if (!colour || at == NULL) {
        fprintf(stderr, "%s\n", message);
        return;
    }
    g_autofree char *painted = styled(style, colour, word);
    fprintf(stderr, "%.*s%s%s\n", (int)(at - message), message, painted, at + strlen(word));
}
