/* Options of the commands that load one program: check, asm, disasm. */
#ifndef WS_CLI_PROGRAM_OPTIONS_H
#define WS_CLI_PROGRAM_OPTIONS_H

#include "cli/command.h"
#include "cli/load_options.h"
#include "isa/bytecode/program.h"

typedef struct {
    char *device;
    char **settings, **defines, **includes;
    int max_registers;
    WsLoadOptions load;
} WsProgramOptions;

void ws_program_options_clear(WsProgramOptions *options);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(WsProgramOptions, ws_program_options_clear)

/* Parses them and the command's own `entries`; else as ws_parse_options() with one argument. */
gboolean ws_program_options_parse(WsProgramOptions *ret, const WsCommand *command,
                                  const GOptionEntry *entries, char **arguments);

/* The same with one to `most` arguments. */
gboolean ws_program_options_parse_some(WsProgramOptions *ret, const WsCommand *command,
                                       const GOptionEntry *entries, char **arguments, guint most);

/* What the front ends are told; it holds pointers of `options`. */
WsCompileOptions ws_program_options_compile(const WsProgramOptions *options);

/* The program `target` names; `sources` as in ws_target_load_program(). */
WsProgram *ws_program_options_load(const WsProgramOptions *options, const char *target,
                                   char ***sources, GError **error);

#endif
