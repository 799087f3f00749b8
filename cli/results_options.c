#include "cli/results_options.h"

#include "cli/terminal.h"

#include <string.h>

void ws_results_options_clear(WsResultsOptions *options)
{
    g_free(options->y);
    g_free(options->output);
    g_strfreev(options->where);
    g_strfreev(options->columns);
}

gboolean ws_results_options_parse(WsResultsOptions *options, const WsCommand *command,
                                  const GOptionEntry *own, char **arguments)
{
    const GOptionEntry y = {
        "y", 'y', 0, G_OPTION_ARG_FILENAME, &options->y, "the figure (default: cycles)", "COLUMN"};
    const GOptionEntry shared[] = {
        WS_COLUMN_ENTRY(&options->columns),
        {"where", 'w', 0, G_OPTION_ARG_FILENAME_ARRAY, &options->where,
         "only rows with this value; may be repeated", "COLUMN=VALUE"},
        {"output", 'o', 0, G_OPTION_ARG_FILENAME, &options->output,
         "write a CSV file instead, with all of it", "FILE"},
    };
    g_autoptr(GArray) all = g_array_new(TRUE, FALSE, sizeof(GOptionEntry));

    g_array_append_val(all, y);
    for (; own->long_name != NULL; own++)
        g_array_append_vals(all, own, 1);
    g_array_append_vals(all, shared, G_N_ELEMENTS(shared));
    if (!ws_parse_options(command, (const GOptionEntry *)(void *)all->data, arguments, 1, 1))
        return FALSE;
    if (options->y == NULL)
        options->y = g_strdup("cycles");
    return TRUE;
}

int ws_results_options_write(const WsResultsOptions *options, const char *csv, const char *text)
{
    GError *error = NULL;

    if (options->output == NULL)
        ws_put(text);
    else if (!ws_write_file(options->output, csv, strlen(csv), &error))
        return ws_report_error(error);
    return 0;
}
