/*
 * What is known of the terminal: its width, and whether text may be coloured.
 *
 * A stream is coloured if it is a terminal, NO_COLOR is unset or empty (no-color.org) and TERM is
 * not "dumb"; --color=always and --color=never decide alone. What is written to a file by its name,
 * and JSON, is never coloured.
 */
#ifndef WS_CLI_TERMINAL_H
#define WS_CLI_TERMINAL_H

#include <glib.h>
#include <stdio.h>

enum {
    WS_WIDTH_NO_TERMINAL = 100, /* columns of a stream that is no terminal, on any machine */
    WS_WIDTH_LEAST = 40         /* no terminal counts as narrower */
};

/*
 * Columns of the terminal that `stream` writes to: COLUMNS where it is set, else what the terminal
 * says. WS_WIDTH_NO_TERMINAL if it is none or does not say. A file has the same bytes wherever it
 * is written, so COLUMNS does not count there.
 */
int ws_terminal_width(FILE *stream);

typedef enum { WS_COLOUR_AUTO, WS_COLOUR_ALWAYS, WS_COLOUR_NEVER } WsColourMode;

/* The words of --color, in the order of WsColourMode, NULL-terminated. */
extern const char *const ws_colour_modes[];

/* What --color says, for both streams; WS_COLOUR_AUTO before. */
void ws_terminal_set_colour(WsColourMode mode);

/* Whether text for `stream` may be coloured. */
gboolean ws_terminal_colour(FILE *stream);

typedef enum {
    WS_STYLE_ERROR,
    WS_STYLE_WARNING,
    WS_STYLE_HEADING,
    WS_STYLE_PASSED,
    WS_STYLE_FAILED,
    WS_STYLE_HOT,  /* a line that takes much of the time */
    WS_STYLE_WARM, /* a line that takes a good part of it */
    WS_STYLE_PLAIN,
    WS_STYLE_COUNT
} WsStyle;

/*
 * The sequence that begins `style`, and the one that ends any: "" where `colour` is false or the
 * style is plain. They take no columns: fill and cut a text before it is put between them.
 */
const char *ws_style_begin(WsStyle style, gboolean colour);
const char *ws_style_end(WsStyle style, gboolean colour);

/* HOT, WARM or PLAIN, for a line that takes this share (0 to 1) of all time. */
WsStyle ws_style_of_share(double share);

/*
 * Prints a message and a newline on stderr. Its first "error: " or "warning: ", at the beginning
 * or behind the place, is coloured. Control characters are escaped (isa/base/escape.h).
 */
void ws_print_message(const char *text);

#endif
