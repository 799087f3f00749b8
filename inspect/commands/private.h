/* What the commands' files share. Inside inspect/commands/ only. */
#ifndef WS_INSPECT_COMMANDS_PRIVATE_H
#define WS_INSPECT_COMMANDS_PRIVATE_H

#include "inspect/commands/interpreter.h"
#include "isa/base/error.h"
#include "sim/base/instruction_place.h"

struct WsInterpreter {
    WsSession *session;
    guint width;
    gboolean done;
    gboolean brief; /* a value is shown of the lane that is looked at, where nothing else is said */
    char *last_move;     /* the line that an empty one repeats, or NULL */
    GPtrArray *displays; /* of WsDisplay */
    guint last_display;
};

/* An expression that is shown wherever a move ends. */
typedef struct {
    guint number;
    char *text, *letter;
} WsDisplay;
void ws_display_free(gpointer display);

/* A command under way. */
typedef struct {
    WsInterpreter *interpreter;
    WsSession *session;
    WsTimeline *timeline;
    GString *out;
    const char *name;   /* the whole name of the command */
    const char *letter; /* that followed it behind a stroke: "x" of print/x; or "" */
    char **words;       /* that follow it, NULL-terminated */
    char *rest;         /* the same as they were written, without blanks around */
} WsCommandLine;

typedef gboolean (*WsCommandFunction)(WsCommandLine *line, GError **error);

#define COMMAND(function, ...)                                                                     \
    gboolean ws_command_line_##function(WsCommandLine *line, GError **error);
#include "inspect/commands/commands.def"
#undef COMMAND

/* ---- words ---------------------------------------------------------------------------------- */

/* The number of words; an error for more than `most`. */
gboolean ws_command_line_check(const WsCommandLine *line, guint most, GError **error);
/* A word as a whole number, sign and 0x included. Errors: WS_ERROR_USAGE. */
gboolean ws_command_line_number(const char *word, gint64 *ret, GError **error);
/* The one word of the NULL-terminated `names` that begins with `word`, or -1 with `error`. */
gint ws_command_line_choice(const char *what, const char *word, const char *const *names,
                            GError **error);

/* ---- places ---------------------------------------------------------------------------------- */

/* The warp that is looked at; an error where it is not resident. */
gboolean ws_command_line_place(const WsCommandLine *line, WsWarpPlace *ret, GError **error);
/* "saxpy.cu:12", "instruction 7" where no line is known. g_free. */
char *ws_source_place(const WsProgram *program, guint32 pc);
/* The same with the calls that it was inlined by: "f() at a.cuh:12, called at k.cu:30". g_free. */
char *ws_framed_place(const WsProgram *program, guint32 pc);
/* Appends the same to a row, `before` columns behind the begin of its line; where that makes it
 * wider than 100, each call is a line, or all of it. */
void ws_append_place(GString *row, gsize before, const WsProgram *program, guint32 pc);
/* A row that ends in such a place. */
void ws_append_framed(GString *out, const char *row, const WsProgram *program, guint32 pc);
/* Sentences on lanes of the warp that wait at a join, one a line. */
void ws_report_meetings(WsWarpPlace place, GString *out);
/* A line of source as it is written, tabs in front as blanks; NULL if the file has no such line, or
 * is not shown. What a command says is escaped as a whole. g_free. */
char *ws_written_line(const WsJob *job, guint32 file, guint32 line);
/* The text of an instruction, without control fields. g_free. */
char *ws_plain_instruction_text(const WsProgram *program, guint32 pc);
/* "(2,0,0)". g_free. */
char *ws_block_name(const WsSm *sm, guint32 slot);

/* ---- telling --------------------------------------------------------------------------------- */

/* What a move led to, and then where the session is. */
void ws_report_arrival(WsCommandLine *line, const WsArrival *arrival);
/* "0-3,8", "all", "active". Errors: WS_ERROR_USAGE. */
gboolean ws_command_line_lanes(const WsCommandLine *line, WsWarpPlace place, const char *word,
                               guint64 *ret, GError **error);
/* An expression in all lanes of the warp that is looked at. */
gboolean ws_print_in_lanes(WsCommandLine *line, const char *text, GError **error);
/* What `display` was asked to show. */
void ws_show_displays(WsInterpreter *interpreter, GString *out);
/* Where the session is. */
void ws_report_where(WsInterpreter *interpreter, GString *out);

/* The topics of `info`. */
typedef struct {
    const char *name;
    const char *help;
    gboolean (*tell)(WsCommandLine *line, GError **error);
} WsInfoTopic;

extern const WsInfoTopic ws_info_topics[]; /* up to one without a name */

gboolean ws_info_warps(WsCommandLine *line, GError **error);
gboolean ws_info_lanes(WsCommandLine *line, GError **error);
gboolean ws_info_registers(WsCommandLine *line, GError **error);
gboolean ws_info_locals(WsCommandLine *line, GError **error);
gboolean ws_info_stack(WsCommandLine *line, GError **error);
gboolean ws_info_barriers(WsCommandLine *line, GError **error);
gboolean ws_info_scoreboard(WsCommandLine *line, GError **error);
gboolean ws_info_requests(WsCommandLine *line, GError **error);
gboolean ws_info_sub_cores(WsCommandLine *line, GError **error);
gboolean ws_info_blocks(WsCommandLine *line, GError **error);
gboolean ws_info_breakpoints(WsCommandLine *line, GError **error);
gboolean ws_info_display(WsCommandLine *line, GError **error);
gboolean ws_info_marks(WsCommandLine *line, GError **error);
gboolean ws_info_highlights(WsCommandLine *line, GError **error);
gboolean ws_info_launch(WsCommandLine *line, GError **error);
gboolean ws_info_run(WsCommandLine *line, GError **error);

#endif
