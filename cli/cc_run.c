#include "cli/cc_run.h"

#include "isa/base/error.h"
#include "isa/base/temporary_folder.h"

#include <stdio.h>
#include <string.h>

char *ws_cc_quote(const char *word)
{
    for (const char *c = word; *c != '\0'; c++)
        if (!g_ascii_isalnum(*c) && strchr("-_=+./:,@%", *c) == NULL)
            return g_shell_quote(word);
    return *word == '\0' ? g_shell_quote(word) : g_strdup(word);
}

static void tell(const GPtrArray *arguments)
{
    g_autoptr(GString) line = g_string_new("#$");
    for (guint i = 0; i < arguments->len; i++) {
        g_autofree char *word = ws_cc_quote(g_ptr_array_index(arguments, i));
        g_string_append_printf(line, " %s", word);
    }
    fprintf(stderr, "%s\n", line->str);
}

gboolean ws_cc_run(GPtrArray *arguments, const WsCcRunning *running, const char *what,
                   char **ret_messages, GError **error)
{
    g_autoptr(GError) failure = NULL;
    int status = 0;
    if (running->is_verbose)
        tell(arguments);
    if (running->is_dry_run)
        return TRUE;
    g_ptr_array_add(arguments, NULL);
    const gboolean ran = g_spawn_sync(
        NULL, (char **)arguments->pdata, NULL, G_SPAWN_CHILD_INHERITS_STDIN | G_SPAWN_SEARCH_PATH,
        ws_temporary_folder_release_signals, NULL, NULL, ret_messages, &status, &failure);
    if (ran && ret_messages != NULL)
        fputs(*ret_messages, stderr);
    if (ran && g_spawn_check_wait_status(status, NULL))
        return TRUE;
    if (failure != NULL)
        ws_set_error(error, WS_ERROR_INPUT, "%s", failure->message);
    else if (!g_file_test("/usr/include/c++", G_FILE_TEST_IS_DIR))
        ws_set_error(error, WS_ERROR_INPUT,
                     "%s; the host's C++ headers are missing: install the package "
                     "libstdc++-12-dev (Debian 12) or libstdc++-dev of this system",
                     what);
    else
        ws_set_error(error, WS_ERROR_INPUT, "%s", what);
    return FALSE;
}
