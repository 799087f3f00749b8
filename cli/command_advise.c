/* `warpstep advise`: what would make a launch faster. */
#include "cli/advise_report.h"
#include "cli/command.h"
#include "cli/interrupt.h"
#include "cli/load_options.h"
#include "cli/machine_options.h"
#include "cli/whole_program.h"
#include "sim/launch/host_memory.h"
#include "study/advise/advise.h"
#include "study/plan/study_file.h"

#include <stdio.h>
#include <string.h>

typedef struct {
    char **settings, **launch_values, **defines;
    char *device, *max_memory, *format;
    gint64 threads, max_cycles;
    gboolean all;
    WsMachineOptions machine;
    WsLoadOptions load;
} Options;

static void options_clear(Options *options)
{
    g_strfreev(options->settings);
    g_strfreev(options->launch_values);
    g_strfreev(options->defines);
    g_free(options->device);
    ws_machine_options_clear(&options->machine);
    g_free(options->max_memory);
    g_free(options->format);
    ws_load_options_clear(&options->load);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Options, options_clear)

static gboolean parse(const WsCommand *command, char **arguments, Options *options)
{
    const GOptionEntry entries[] = {
        {"device", 'd', 0, G_OPTION_ARG_FILENAME, &options->device,
         "a built-in device (warpstep devices) or a YAML file", "DEVICE"},
        {"set", 's', 0, G_OPTION_ARG_FILENAME_ARRAY, &options->settings,
         "change a setting of the device; may be repeated", "PATH=VALUE"},
        WS_SMS_ENTRY(&options->machine),
        WS_SHARE_ENTRY(&options->machine),
        {"launch", 'l', 0, G_OPTION_ARG_FILENAME_ARRAY, &options->launch_values,
         "change a launch, as in run; may be repeated", "KEY=VALUE"},
        {"define", 'D', 0, G_OPTION_ARG_FILENAME_ARRAY, &options->defines,
         "define a macro of a .cu; may be repeated", "NAME[=VALUE]"},
        {"all", 'a', 0, G_OPTION_ARG_NONE, &options->all, "show every run, and its command", NULL},
        {"format", 'f', 0, G_OPTION_ARG_FILENAME, &options->format, "default: text", "text|json"},
        {"max-cycles", 0, 0, G_OPTION_ARG_INT64, &options->max_cycles,
         "stop a run after this many cycles (default 1000000000)", "N"},
        {"max-memory", 0, 0, G_OPTION_ARG_FILENAME, &options->max_memory,
         "limit on host memory of a run (default 4G)", "BYTES"},
        {"threads", 0, 0, G_OPTION_ARG_INT64, &options->threads,
         "parallel runs (default: one per processor)", "N"},
        WS_COMPILE_LIMIT_ENTRY(&options->load),
        WS_CONFINE_ENTRIES(&options->load),
        WS_NO_CACHE_ENTRY(&options->load),
        {NULL, 0, 0, 0, NULL, NULL, NULL},
    };
    ws_load_options_init(&options->load);
    return ws_parse_options(command, entries, arguments, 1, 1) &&
           ws_load_options_finish(&options->load);
}

/* Takes the text. */
static void add_setting(WsStudy *study, char *setting)
{
    guint count = study->settings == NULL ? 0 : g_strv_length(study->settings);
    study->settings = g_renew(char *, study->settings, count + 2);
    study->settings[count] = setting;
    study->settings[count + 1] = NULL;
}

static int run(const WsCommand *command, char **arguments)
{
    g_auto(Options) options = {
        .machine = {.sms = WS_NOT_GIVEN}, .threads = WS_NOT_GIVEN, .max_cycles = WS_NOT_GIVEN};
    if (!parse(command, arguments, &options) ||
        !ws_check_run_numbers(&options.machine, options.max_cycles, options.threads))
        return WS_ERROR_USAGE;
    gboolean json = g_strcmp0(options.format, "json") == 0;
    if (options.format != NULL && !json && strcmp(options.format, "text") != 0)
        return ws_usage_error("--format: text or json is expected");
    g_autofree char *text = NULL;
    guint64 memory = 0;
    if (options.max_memory != NULL && !ws_host_memory_parse(options.max_memory, &memory))
        return ws_usage_error("--max-memory: a number of bytes is expected, such as 8G or 500M");
    GError *error = NULL;
    if (!ws_refuse_whole_program(arguments[1], &error))
        return ws_report_error(error);
    g_autoptr(WsStudy) study = ws_study_new(arguments[1]);
    study->device = g_steal_pointer(&options.device);
    study->settings = g_steal_pointer(&options.settings);
    study->launch_values = g_steal_pointer(&options.launch_values);
    study->defines = g_steal_pointer(&options.defines);
    study->max_cycles = options.max_cycles > 0 ? (guint64)options.max_cycles : 0;
    g_autofree char **more = ws_machine_options_settings(&options.machine);
    for (char **setting = more; *setting != NULL; setting++)
        add_setting(study, *setting);
    const WsAdviseOptions how = {.threads = options.threads > 0 ? (guint)options.threads : 0,
                                 .bounds = ws_load_options_bounds(&options.load),
                                 .loaded = ws_load_options_end_limit,
                                 .max_memory = memory,
                                 .interrupt = ws_interrupt_watch()};
    ws_load_options_begin_limit(&options.load); /* each variant then has clang's limit */
    g_autoptr(WsAdvise) advise = ws_advise(study, &how, &error);
    ws_load_options_end_limit();
    ws_interrupt_unwatch();
    if (advise == NULL)
        return ws_report_error(error);
    text = json ? ws_advise_json(study->target, advise) : ws_advise_text(advise, options.all);
    fputs(text, stdout);
    return 0;
}

const WsCommand ws_command_advise = {
    .name = "advise",
    .group = WS_GROUP_STUDY,
    .summary = "run what-ifs and rank them by gain",
    .usage = "TARGET",
    .details = WS_ONLY_TARGET_IS
    ".\n"
    "\n"
    "The launch is rerun without one cause of lost time at a time: uncoalesced access, bank\n"
    "conflicts, atomics, divergence, barriers, dependence latency, too few blocks, instruction\n"
    "fetch, memory bandwidth, cache misses. The causes are ranked by the gain, each with the\n"
    "source line that loses most by it. Then it is rerun with other block sizes, register\n"
    "limits and policies; changes that are possible on a real GPU are marked.\n"
    "\n"
    "Examples:\n"
    "  warpstep advise transpose/tiled.yaml --sms 1\n"
    "  warpstep advise vecadd --sms 1 --all\n",
    .run = run,
};
