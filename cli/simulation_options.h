/* Options of the commands that simulate a target: run, trace. */
#ifndef WS_CLI_SIMULATION_OPTIONS_H
#define WS_CLI_SIMULATION_OPTIONS_H

#include "cli/command.h"
#include "cli/load_options.h"
#include "cli/machine_options.h"
#include "inspect/recording/replay.h"
#include "sim/gpu/simulation.h"
#include "sim/launch/launch.h"

typedef struct {
    char **settings, **launch_values, **defines, **includes;
    char *program;
    char **lines; /* regions of the source: ws_job_add_region(); not every command has the option */
    char *kernel; /* --kernel: which launch of a whole program */
    char **arguments; /* of a whole program, behind "--"; NULL: none. Not owned */
    WsLoadOptions load;
    WsMachineOptions machine;
    char *device, *max_memory;
    gboolean debug;      /* --debug: not optimised, and every variable by name */
    gboolean functional; /* without time: ws_functional_run() */
    gboolean variables;  /* of the command: it shows variables, so the program is to know them */
    gint64 max_cycles, threads, max_registers; /* or WS_NOT_GIVEN */
    double max_seconds;
    guint64 memory;               /* bytes; 0 = not given */
    const WsSampleSink *sampling; /* of the command, for the next run; or NULL */
    GPtrArray *all_settings;      /* of char*: --set and the shortcuts, NULL-terminated */
    /* Of the recordings that were loaded or run with these options: */
    gboolean parted;   /* the run is another than one of them */
    char *replay_text; /* ws_replay_text() of the last one, or NULL; told already */
} WsSimulationOptions;

void ws_simulation_options_clear(WsSimulationOptions *options);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(WsSimulationOptions, ws_simulation_options_clear)

/*
 * Parses them, with the command's own `entries` (which end as for GOption) behind the first of
 * them, as ws_parse_options().
 */
gboolean ws_simulation_options_parse(WsSimulationOptions *ret, const WsCommand *command,
                                     const GOptionEntry *entries, char **arguments, guint minimum,
                                     guint maximum);

/* Limits that `options` does not give are as in `from`, and what that confines stays confined. */
void ws_simulation_options_inherit_limits(WsSimulationOptions *options,
                                          const WsSimulationOptions *from);

/*
 * Loads the job, within the limit on compiling, or that of a recording, which is replayed before:
 * what that shows is printed on stderr. Errors: those of ws_job_load() and
 * ws_recording_open_replayed(), and WS_ERROR_USAGE for options that change the run of a recording.
 */
WsJob *ws_simulation_options_load(WsSimulationOptions *options, const char *target, GError **error);
/* The same job, no recording, with its program `for_checks` (WsJobOptions). */
WsJob *ws_simulation_options_load_for_checks(const WsSimulationOptions *options, const char *target,
                                             GError **error);
/* The recording `target`, not replayed, with its limit on cycles unless another was given. Errors:
 * those of ws_recording_open(), and WS_ERROR_USAGE as above. */
WsRecording *ws_simulation_options_open(WsSimulationOptions *options, const char *target,
                                        GError **error);

/*
 * Runs it with progress shown on a terminal, and Ctrl-C ending it early. `observers` is a
 * NULL-terminated list or NULL. What stopped the run, and warnings, are printed on stderr. With
 * `enough` other than 0 the run ends by itself before that cycle, which is no limit that was
 * reached.
 */
WsResult *ws_simulation_options_run(const WsSimulationOptions *options, WsJob *job,
                                    const WsObserver *const *observers, guint64 enough,
                                    GError **error);

/*
 * Runs a job again that gave `result`, whatever cut that off: its messages are not told again. The
 * job's buffers must have the same contents. FALSE: as above, or it was interrupted.
 */
gboolean ws_simulation_options_run_again(const WsSimulationOptions *options, WsJob *job,
                                         const WsObserver *const *observers, const WsResult *result,
                                         GError **error);

/* The same, and fills in the trail of `recording`, which is empty. */
WsResult *ws_simulation_options_record(const WsSimulationOptions *options, WsJob *job,
                                       const WsObserver *const *observers, WsRecording *recording,
                                       GError **error);
/* The same with a recording that was opened, as ws_recording_replay(). */
WsResult *ws_simulation_options_replay(const WsSimulationOptions *options, WsRecording *recording,
                                       const WsObserver *const *observers, WsReplay *ret,
                                       GError **error);
/* Prints on stderr what the replay of the recording `target` showed, and takes note of it. */
void ws_simulation_options_report_replay(WsSimulationOptions *options, const char *target,
                                         const WsReplay *replay, const char *text);
/* The exit code of a command: `code`, or where that is 0 that of a run that is not as recorded. */
int ws_simulation_options_exit_code(const WsSimulationOptions *options, int code);

/* What the options say of a run, besides who watches it and who is told of its progress. */
void ws_simulation_options_fill(const WsSimulationOptions *options, WsRunOptions *ret);

/* Prints on stderr what stopped a run, and who waits where, then warnings. */
void ws_print_messages(const WsJob *job, const WsResult *result);

#endif
