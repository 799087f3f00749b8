/* `warpstep dap`: a debug adapter for editors, on stdin and stdout. */
#include "cli/command.h"
#include "cli/load_options.h"
#include "inspect/dap/dap.h"
#include "inspect/recording/replay.h"

#include <errno.h>
#include <unistd.h>

/* An editor waits: of a longer run only the beginning is compared with what was recorded. */
static const double REPLAY_SECONDS = 10;

typedef struct {
    WsLoadOptions load;
    char *log;
} Options;

static void options_clear(Options *options)
{
    g_free(options->log);
    ws_load_options_clear(&options->load);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Options, options_clear)

static gboolean parse(const WsCommand *command, char **arguments, Options *options)
{
    const GOptionEntry entries[] = {
        WS_CONFINE_ENTRIES(&options->load),
        {"log", 0, 0, G_OPTION_ARG_FILENAME, &options->log,
         "write all messages to a file, one per line", "FILE"},
        WS_COMPILE_LIMIT_ENTRY(&options->load),
        WS_NO_CACHE_ENTRY(&options->load),
        {NULL, 0, 0, 0, NULL, NULL, NULL},
    };

    ws_load_options_init(&options->load);
    return ws_parse_options(command, entries, arguments, 0, 0) &&
           ws_load_options_finish(&options->load);
}

static gboolean has_any(const char *const *list)
{
    return list != NULL && *list != NULL;
}

static WsJob *open_recording(const char *target, const WsJobOptions *options, WsRunOptions *run,
                             char **ret_note, GError **error)
{
    g_autoptr(WsRecording) recording = NULL;
    WsRunOptions again = *run;
    WsReplay replay;

    if (options->device != NULL || has_any(options->settings) || has_any(options->launch_values) ||
        has_any(options->defines) || options->max_registers != 0 || options->debug) {
        ws_set_error(error, WS_ERROR_INPUT,
                     "a recording is of one run: what changes the device, the launch or the "
                     "program cannot be given with it");
        return NULL;
    }
    again.max_seconds = REPLAY_SECONDS;
    recording =
        ws_recording_open_replayed(target, options->max_memory, &again, &replay, ret_note, error);
    if (recording == NULL)
        return NULL;
    if (run->max_cycles == 0)
        run->max_cycles = recording->max_cycles;
    return g_steal_pointer(&recording->job);
}

static WsJob *load(void *data, const char *target, const WsJobOptions *options, WsRunOptions *run,
                   char **ret_note, GError **error)
{
    const Options *own = data;
    WsJobOptions all = *options;
    WsJob *job;

    if (ws_is_recording(target))
        return open_recording(target, options, run, ret_note, error);
    all.bounds = ws_load_options_bounds(&own->load);
    all.bounds.confinement = MAX(all.bounds.confinement, options->bounds.confinement);
    ws_load_options_begin_limit(&own->load);
    job = ws_job_load(target, &all, error);
    ws_load_options_end_limit();
    return job;
}

static FILE *open_log(const char *path, GError **error)
{
    WsPosition position = {.file = path};
    FILE *log = fopen(path, "w");

    if (log == NULL)
        ws_set_error_at(error, WS_ERROR_INPUT, &position, "%s", g_strerror(errno));
    return log;
}

static int run(const WsCommand *command, char **arguments)
{
    g_auto(Options) options = {0};
    GError *error = NULL;
    FILE *log = NULL;

    if (!parse(command, arguments, &options))
        return WS_ERROR_USAGE;
    if (options.log != NULL && (log = open_log(options.log, &error)) == NULL)
        return ws_report_error(error);
    g_autoptr(WsDapStream) stream = ws_dap_stream_new(STDIN_FILENO, STDOUT_FILENO, log);
    ws_dap_serve(stream, load, &options);
    if (log != NULL)
        fclose(log);
    return 0;
}

const WsCommand ws_command_dap = {
    .name = "dap",
    .group = WS_GROUP_RUN,
    .summary = "let an editor step through a run",
    .usage = "",
    .details = "An editor starts this and talks to it on stdin and stdout, in the Debug Adapter\n"
               "Protocol. The protocol's launch request names the target.\n"
               "'warpstep help editor' says how to set up VS Code, Neovim and Emacs.\n"
               "\n"
               "Examples:\n"
               "  warpstep dap --log messages.txt\n",
    .run = run,
};
