/* `warpstep advise`: what would make a launch faster. */
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

enum { SHOWN = 8 };
static const double LEAST_GAIN = 0.01; /* of the cycles: less is not worth a line */

typedef struct {
    char **settings, **launch_values, **defines;
    char *device, *max_memory;
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

/* ---- the report -------------------------------------------------------------------------------
 */

/* Of the cycles as it stands; below 0: more of them. */
static double gain_of(const WsAdvise *advise, const WsAdvice *advice)
{
    return 1 - (double)advice->cycles / (double)advise->cycles;
}

static void print_row(const WsAdvise *advise, const WsAdvice *advice, gboolean all)
{
    if (!advice->ran) {
        printf("           %-42s does not run, or gives different results\n", advice->what);
        return;
    }
    printf("  %+6.1f %%  %-42s %12" G_GUINT64_FORMAT "  %s\n", -100 * gain_of(advise, advice),
           advice->what, advice->cycles,
           advice->differs    ? "other results"
           : advice->possible ? "possible"
                              : "what-if");
    if (all)
        printf("            %s\n            %s\n", advice->how, advice->command);
}

/* In its place among the others; it has no run of its own. */
static void print_divergence(const WsAdvise *advise)
{
    printf("  %+6.1f %%  %-42s %12s  at most\n", -100 * advise->divergence_bound,
           "no divergence (inactive lanes, counted)", "");
}

static const WsAdvice *best(const WsAdvise *advise, gboolean possible)
{
    for (guint i = 0; i < advise->advice->len; i++) {
        const WsAdvice *advice = &g_array_index(advise->advice, WsAdvice, i);
        if (advice->ran && !advice->differs && advice->possible == possible &&
            gain_of(advise, advice) > LEAST_GAIN)
            return advice;
    }
    return NULL;
}

/* The sentence on top. */
static void print_answer(const WsAdvise *advise)
{
    const WsAdvice *possible = best(advise, TRUE), *ideal = best(advise, FALSE);
    double gain = possible == NULL ? 0 : gain_of(advise, possible);
    gboolean diverges = advise->divergence != NULL;
    if (diverges && advise->divergence_bound > gain)
        printf("Counted, not run: %s.\n", advise->divergence);
    if (possible != NULL)
        printf("%s gain: %s, %.1f %% fewer cycles: %s.\n",
               diverges && advise->divergence_bound > gain ? "Of the runs, the largest" : "Largest",
               possible->what, 100 * gain, possible->how);
    else
        printf("None of the tried changes that hardware allows makes it 1 %% faster.\n");
    if (ideal != NULL)
        printf("Of the changes that hardware does not allow, this would gain most: %s, %.1f %% "
               "fewer cycles.\n",
               ideal->what, 100 * gain_of(advise, ideal));
    if (advise->starving != NULL)
        printf("%s.\n", advise->starving);
    if (diverges && advise->divergence_bound <= gain)
        printf("Counted, not run: %s.\n", advise->divergence);
}

static void print_advise(const WsAdvise *advise, gboolean all)
{
    guint shown = 0, left = 0;
    gboolean counted = advise->divergence == NULL;
    print_answer(advise);
    if (advise->share != NULL)
        printf("L2 and DRAM: %s%s%s.\n", advise->share, advise->warning != NULL ? "; " : "",
               advise->warning != NULL ? advise->warning : "");
    printf("\nUnchanged: %" G_GUINT64_FORMAT " cycles, IPC %.3f. With one change:\n",
           advise->cycles, advise->ipc);
    for (guint i = 0; i < advise->advice->len; i++) {
        const WsAdvice *advice = &g_array_index(advise->advice, WsAdvice, i);
        if (!counted && (!advice->ran || gain_of(advise, advice) < advise->divergence_bound)) {
            print_divergence(advise);
            counted = TRUE;
        }
        if (!all && (shown == SHOWN || !advice->ran || advice->cycles >= advise->cycles)) {
            left++;
            continue;
        }
        print_row(advise, advice, all);
        shown++;
    }
    if (left > 0)
        printf("and %u more that gain less or nothing, or do not run (--all)\n", left);
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
    print_advise(advise, options.all);
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
    "The launch is rerun with one change at a time: ideal memory, no bank conflicts, ideal\n"
    "fetch, resources for more warps, other block sizes, register limits, other policies.\n"
    "Changes that are possible on a real GPU are marked.\n"
    "\n"
    "Examples:\n"
    "  warpstep advise transpose/tiled.yaml --sms 1\n"
    "  warpstep advise vecadd --sms 1 --all\n",
    .run = run,
};
