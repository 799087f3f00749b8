#include "cli/spelt_options.h"

#include "cli/command.h"

#include <string.h>

/* GOption does not know `-DNAME` and `-IFOLDER`. */
static char *spelt_out(const char *argument)
{
    if (g_str_has_prefix(argument, "-D") && argument[2] != '\0')
        return g_strdup_printf("--define=%s", argument + 2);
    if (g_str_has_prefix(argument, "-I") && argument[2] != '\0')
        return g_strdup_printf("--include=%s", argument + 2);
    return g_strdup(argument);
}

gboolean ws_parse_compiler_options(const WsCommand *command, const GOptionEntry *entries,
                                   char **arguments, guint minimum, guint maximum)
{
    guint count = g_strv_length(arguments);
    gboolean options = TRUE;
    g_auto(GStrv) all = g_new0(char *, count + 1);
    g_autofree char **parsed = g_new0(char *, count + 1);

    for (guint i = 0; i < count; i++) {
        options = options && strcmp(arguments[i], "--") != 0;
        parsed[i] = all[i] = options ? spelt_out(arguments[i]) : g_strdup(arguments[i]);
    }
    if (!ws_parse_options(command, entries, parsed, minimum, maximum))
        return FALSE;
    guint given = 0;
    for (guint i = 1; i < count; i++)
        if (all[i] == parsed[given + 1])
            arguments[++given] = arguments[i];
    arguments[given + 1] = NULL;
    return TRUE;
}
