/* `run` of a whole CUDA program: its launches, all of them, in the order in which it makes them. */
#ifndef WS_CLI_RUN_PROGRAM_H
#define WS_CLI_RUN_PROGRAM_H

#include "cli/simulation_options.h"

typedef struct {
    const char *output;   /* a file for the report, or NULL */
    const char *capture;  /* a folder for the launches, or NULL */
    const char *sample;   /* a rule: which launches are timed; or NULL: all */
    const char *one_only; /* an option that was given and is of one launch, or NULL */
    gboolean json;
} WsRunProgram;

/* Returns the exit code: the program's, or that of an error, which has been told. */
int ws_run_program(const WsSimulationOptions *options, const char *source,
                   const WsRunProgram *wanted);

#endif
