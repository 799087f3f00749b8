/*
 * Sub-commands: one file each, cli/command_NAME.c, which defines ws_command_NAME, with one row in
 * the table commands.def. A command calls ws_parse_options() before anything else.
 */
#ifndef WS_CLI_COMMAND_H
#define WS_CLI_COMMAND_H

#include "cli/output_file.h"
#include "isa/base/error.h"
#include "isa/bytecode/program.h"

/* What a command is for, in the order of the help; commands.c has the headings. */
typedef enum {
    WS_GROUP_RUN,
    WS_GROUP_STUDY,
    WS_GROUP_TEACH,
    WS_GROUP_PROGRAM,
    WS_GROUP_COUNT,
} WsCommandGroup;

typedef struct WsCommand WsCommand;
struct WsCommand {
    const char *name;
    WsCommandGroup group;
    const char *summary; /* one line, lower case */
    const char *usage;   /* what follows the name: "TARGET [options]" */
    /*
     * Further paragraphs of --help. The last one is "Examples:" and one command a line, each of
     * which can be run anywhere; "  # exit code N" behind it if it does not end with 0. The manual
     * takes the first of them, and so does the help of a group from its first command.
     */
    const char *details;
    /* arguments[0] is the command's name; NULL-terminated. Returns the exit code. */
    int (*run)(const WsCommand *command, char **arguments);
};

/* For `details`. WS_TARGET_IS begins a list that goes on, WS_ONLY_TARGET_IS is a whole one. */
#define WS_TARGET_FORMS(last)                                                                      \
    "a launch file, a folder with launch.yaml in it, " last "the name of a built-in\n"             \
    "workload (warpstep run --list)"
#define WS_TARGET_IN_WORDS WS_TARGET_FORMS("")
#define WS_ONLY_TARGET_IS  "TARGET is " WS_TARGET_FORMS("or ")
#define WS_TARGET_IS       "TARGET is " WS_TARGET_IN_WORDS
#define WS_RUN_IN_WORDS    WS_TARGET_IN_WORDS ", or a recording (run --record)"
#define WS_RUN_IS          "TARGET is " WS_RUN_IN_WORDS

/*
 * Parses the options of a command. What is left are the arguments, of which there must be from
 * `minimum` to `maximum`; they stay in `arguments` from [1] on. Prints the message and returns
 * FALSE on a usage error. --help prints and exits.
 */
gboolean ws_parse_options(const WsCommand *command, const GOptionEntry *entries, char **arguments,
                          guint minimum, guint maximum);

/*
 * Gets the options of a command in place of ws_parse_options(), which then returns FALSE: for what
 * is generated from the tables. `common` are the options that every command has.
 *
 * What stands for an option's value says how shells complete it: DEVICE, POLICY, TARGET, FILE,
 * FOLDER, PATH=VALUE (a setting), or the words themselves, as in "text|json". So do DEVICE, TARGET
 * and so on in a command's usage. Anything else is not completed.
 */
typedef void (*WsOptionsVisitor)(const GOptionEntry *entries, const GOptionEntry *common,
                                 gpointer data);
void ws_visit_options(WsOptionsVisitor visit, gpointer data);

/* Flushes stdout; `code`, or after a message that of an error if not everything was written. */
int ws_finish_output(int code);

/* Prints the message of `error` on stderr, frees it and returns its exit code. */
int ws_report_error(GError *error);

/* Prints on stderr why kernels of the program are refused. Returns 0, or WS_ERROR_CHECK. */
int ws_report_refused(const WsProgram *program);

/* Prints "error: text" on stderr and returns the exit code for a usage error. */
int ws_usage_error(const char *format, ...) G_GNUC_PRINTF(1, 2);

/* Index of `name` in `names`, or -1 after a message that `option` takes one of them. */
int ws_find_choice(const char *option, const char *name, const char *const *names);

/* Writes to stdout. */
void ws_put(const char *text);

#endif
