#include "cli/machine_options.h"

#include "cli/command.h"

void ws_machine_options_clear(WsMachineOptions *options)
{
    g_free(options->policy);
    g_free(options->share);
}

char **ws_machine_options_settings(const WsMachineOptions *options)
{
    GPtrArray *list = g_ptr_array_new();
    if (options->policy != NULL)
        g_ptr_array_add(list, g_strconcat("policy=", options->policy, NULL));
    if (options->sms != WS_NOT_GIVEN)
        g_ptr_array_add(list, g_strdup_printf("sms=%" G_GINT64_FORMAT, options->sms));
    if (options->share != NULL)
        g_ptr_array_add(list, g_strconcat("memory.share=", options->share, NULL));
    g_ptr_array_add(list, NULL);
    return (char **)g_ptr_array_free(list, FALSE);
}

gboolean ws_check_number_option(const char *name, gint64 value, gint64 maximum)
{
    if (value == WS_NOT_GIVEN || (value >= 1 && value <= maximum))
        return TRUE;
    ws_usage_error("%s: a number from 1 to %" G_GINT64_FORMAT " is expected", name, maximum);
    return FALSE;
}

gboolean ws_check_run_numbers(const WsMachineOptions *options, gint64 max_cycles, gint64 threads)
{
    return ws_check_number_option("--max-cycles", max_cycles, G_MAXINT64) &&
           ws_check_number_option("--sms", options->sms, 1024) &&
           ws_check_number_option("--threads", threads, 1024);
}

gboolean ws_check_max_seconds(double seconds)
{
    if (seconds == 0 || seconds > 0)
        return TRUE;
    ws_usage_error("--max-seconds: a number above 0 is expected");
    return FALSE;
}
