/*
 * A launch file to start from: sizes, buffers and values guessed from a kernel, so that it runs as
 * it stands, with comments that say what to change (docs/learn/guide.md).
 */
#ifndef WS_SIM_STARTER_STARTER_H
#define WS_SIM_STARTER_STARTER_H

#include "sim/launch/launch.h"

typedef struct {
    const char *kernel;              /* to launch; NULL: the only one of the program */
    const char *device;              /* as in WsJobOptions; written to the file if not NULL */
    const char *const *settings;     /* likewise, but not written */
    const WsCompileOptions *compile; /* defines, includes, max_registers, bounds; or NULL */
    const char *output;              /* where the text will lie: paths in it are relative to this */
} WsStarterOptions;

typedef struct {
    char *text;       /* of the launch file */
    char *kernel;     /* signature: "saxpy(int, float, float const*, float*)" */
    guint32 threads;  /* of a block */
    GPtrArray *notes; /* of char*: what to know of it, a line each; they stand in the file too */
    char *stop;       /* why it stops early as it stands: a message, or NULL if it runs */
} WsStarter;

/*
 * The bounds hold for the program and for what is tried: confined, nothing is read outside of the
 * program's folder and the folders of `includes`.
 *
 * Writes a launch file for `program`, a path (.cu .ptx .wsasm .wsbin). Several guesses of the sizes
 * are tried, without timing; the first one that runs is taken, else the first of all, with `stop`
 * set. Then values are looked for with which threads reach more of the kernel, and a grid that
 * fills the device, unless that takes too long: then the file asks for fewer SMs. Notes name lines
 * that no thread reaches all the same, what decides that, and code for the host, which is not run.
 * Errors: WS_ERROR_USAGE where a kernel must be named; WS_ERROR_INPUT for what is wrong with the
 * program, and for a kernel that no launch can be guessed for (textures).
 */
WsStarter *ws_starter_write(const char *program, const WsStarterOptions *options, GError **error);
void ws_starter_free(WsStarter *starter);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(WsStarter, ws_starter_free)

#endif
