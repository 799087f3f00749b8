#include "cli/run_checks.h"

#include "cli/command.h"
#include "cli/interrupt.h"
#include "cli/terminal.h"

#include <string.h>

gboolean ws_run_checks_parse(const char *text, WsSimulationOptions *options, guint *ret)
{
    g_autofree char *wrong = NULL;

    options->variables = TRUE;
    if (ws_check_kinds_parse(text, ret, &wrong))
        return TRUE;
    g_autoptr(GString) names = g_string_new("all");
    for (guint kind = 0; kind < WS_CHECK_COUNT; kind++)
        g_string_append_printf(names, ", %s", ws_check_kind_name(kind));
    ws_usage_error("--check: '%s' is none of %s", wrong, names->str);
    return FALSE;
}

static void warn(const WsJob *job, WsResult *result, const char *text)
{
    g_autofree char *message = g_strdup_printf("%s: warning: %s", job->path, text);

    ws_result_add_warning(result, text);
    ws_print_message(message);
}

/* The program once more as clang makes it without optimising, where there is something to find. */
static void run_plain(WsCheck *check, const WsSimulationOptions *options, const char *target,
                      const WsCheckLimits *limits)
{
    g_autoptr(GError) error = NULL;

    if (ws_is_recording(target) || !ws_check_wants_plain(check))
        return;
    g_autoptr(WsJob) plain = ws_simulation_options_load_for_checks(options, target, &error);
    if (plain != NULL)
        ws_check_run_plain(check, plain, limits);
    else
        ws_check_miss_plain(check, error);
}

void ws_run_checks(WsCheck *check, const WsJob *job, const WsSimulationOptions *options,
                   const char *target, WsResult *result)
{
    WsCheckLimits limits = {.warp_instructions = ws_check_enough(result->total.warp_instructions)};

    if (result->status == WS_STATUS_INTERRUPTED)
        return;
    limits.time_limit = ws_time_limit(options->max_seconds);
    limits.interrupt = ws_interrupt_watch();
    ws_check_run(check, &limits);
    run_plain(check, options, target, &limits);
    result->findings = ws_check_take_findings(check);
    ws_interrupt_unwatch();
    if (result->findings->incomplete != NULL)
        warn(job, result, result->findings->incomplete);
    if (result->findings->list->len > 0 && result->status == WS_STATUS_OK)
        result->status = WS_STATUS_CHECK_FAILED;
}
