/* Options of compilers as compilers have them: -DNAME and -IFOLDER in one word. */
#ifndef WS_CLI_SPELT_OPTIONS_H
#define WS_CLI_SPELT_OPTIONS_H

#include "cli/command.h"

/* As ws_parse_options(), for entries with --define and --include. */
gboolean ws_parse_compiler_options(const WsCommand *command, const GOptionEntry *entries,
                                   char **arguments, guint minimum, guint maximum);

#endif
