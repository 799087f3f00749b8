/* Options of compilers as compilers have them: -DNAME and -IFOLDER in one word. */
#ifndef WS_CLI_SPELT_OPTIONS_H
#define WS_CLI_SPELT_OPTIONS_H

#include <glib.h>

/* As ws_parse_options(), for entries with --define and --include. */
gboolean ws_parse_compiler_options(const char *usage, const char *details,
                                   const GOptionEntry *entries, char **arguments, guint minimum,
                                   guint maximum);

#endif
