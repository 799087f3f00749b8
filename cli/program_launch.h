/*
 * A program as the target of a command that runs one: what launches it is the file of its name
 * beside it, "saxpy.yaml" of "saxpy.cu", which is written as `init` does where there is none.
 */
#ifndef WS_CLI_PROGRAM_LAUNCH_H
#define WS_CLI_PROGRAM_LAUNCH_H

#include "sim/starter/starter.h"

/* "dir/my.yaml" of "dir/my.cu". g_free. */
char *ws_program_launch_name(const char *program);

/* Prints on stderr what is to be known of a launch file that was written to `output`. */
void ws_program_launch_report(const WsStarter *starter, const char *output);

/*
 * The launch file of `target`, if that is a program on the disk; else NULL without an error, also
 * for a program with several kernels, which none is written for. What is written is told on stderr.
 * Errors: those of ws_starter_write(), and WS_ERROR_INPUT where it cannot be written.
 */
char *ws_program_launch_file(const char *target, const WsCompileOptions *compile, GError **error);

#endif
