#include "cli/run_program.h"

#include "cli/captured_launch.h"
#include "cli/command.h"
#include "isa/base/temporary_folder.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* An option that is of one launch, or of nothing that runs here; NULL: none was given. */
static const char *refused_option(const WsSimulationOptions *options)
{
    const struct {
        const char *name;
        gboolean given;
    } rows[] = {
        {"--launch", options->launch_values != NULL},
        {"--program", options->program != NULL},
        {"--lines", options->lines != NULL},
        {"--maxreg", options->max_registers != G_MININT64},
        {"--debug", options->debug},
        {"--max-cycles", options->max_cycles != G_MININT64},
        {"--max-memory", options->max_memory != NULL},
    };
    for (guint i = 0; i < G_N_ELEMENTS(rows); i++)
        if (rows[i].given)
            return rows[i].name;
    return NULL;
}

static gboolean check(const WsSimulationOptions *options, const WsRunProgram *wanted)
{
    const char *refused = wanted->one_only != NULL ? wanted->one_only : refused_option(options);
    if (refused != NULL)
        ws_usage_error("%s is of one launch, and this is a whole program: name the launch by "
                       "--kernel NAME or NAME,NTH",
                       refused);
    else if (options->functional && wanted->sample != NULL)
        ws_usage_error("--functional and --sample exclude each other");
    else if (options->load.confine || options->load.strict)
        ws_usage_error("--confine: a whole program runs on this machine, outside of the sandbox");
    else
        return TRUE;
    return FALSE;
}

/* Prints the file, which the program has written if it came to a launch. */
static int print_file(const char *path, int code)
{
    g_autofree char *text = NULL;
    if (g_file_get_contents(path, &text, NULL, NULL))
        ws_put(text);
    return ws_finish_output(code);
}

int ws_run_program(const WsSimulationOptions *options, const char *source,
                   const WsRunProgram *wanted)
{
    GError *error = NULL;
    const gboolean to_stdout = wanted->output == NULL || strcmp(wanted->output, "-") == 0;
    if (!check(options, wanted))
        return WS_ERROR_USAGE;
    g_autoptr(WsTemporaryFolder) folder = ws_temporary_folder_new(&error);
    if (folder == NULL)
        return ws_report_error(error);
    g_autofree char *json =
        to_stdout ? g_build_filename(ws_temporary_folder_path(folder), "report.json", NULL)
                  : g_strdup(wanted->output);
    g_autofree char *report = wanted->json
                                  ? g_strconcat("WARPSTEP_REPORT=json:", json, NULL)
                                  : g_strconcat("WARPSTEP_REPORT=text", to_stdout ? "" : ":",
                                                to_stdout ? "" : wanted->output, NULL);
    g_autofree char *capture =
        g_strconcat("WARPSTEP_CAPTURE=", wanted->capture != NULL ? wanted->capture : "", NULL);
    const char *mode = options->functional      ? "functional"
                       : wanted->sample != NULL ? "sampled"
                                                : "cycle";
    g_autofree char *how = g_strconcat("WARPSTEP_MODE=", mode, NULL);
    g_autofree char *sample =
        g_strconcat("WARPSTEP_SAMPLE=", wanted->sample != NULL ? wanted->sample : "", NULL);
    char number[G_ASCII_DTOSTR_BUF_SIZE] = "";
    if (options->max_seconds != 0)
        g_ascii_dtostr(number, sizeof number, options->max_seconds);
    g_autofree char *seconds = g_strconcat("WARPSTEP_MAX_SECONDS=", number, NULL);
    const char *const environment[] = {report, capture, how, sample, seconds, NULL};
    WsWholeProgram program =
        ws_program_of_options(options, source, (const char *const *)options->all_settings->pdata);
    program.environment = environment;
    program.output_to_stderr = wanted->json && to_stdout;
    int code = 0;
    if (!ws_whole_program_run(&program, &code, &error))
        return ws_report_error(error);
    if (!wanted->json && to_stdout && isatty(STDERR_FILENO)) {
        g_autofree char *shown = ws_printable(source);
        fprintf(stderr, "report of one launch: warpstep run %s --kernel NAME\n", shown);
    }
    return wanted->json && to_stdout ? print_file(json, code) : code;
}
