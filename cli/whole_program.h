/*
 * A whole CUDA program, a .cu with a main(), as the target of a command: it is compiled as `cc`
 * does, and run on this machine with its kernels in the simulator (docs/use/programs.md). The
 * compiled program is kept by the contents of all that it is made of. Or one that was built before,
 * by nvcc or `cc`.
 */
#ifndef WS_CLI_WHOLE_PROGRAM_H
#define WS_CLI_WHOLE_PROGRAM_H

#include "isa/base/error.h"

typedef struct {
    const char *source;             /* the .cu, or what was built */
    const char *const *arguments;   /* of the program, NULL-terminated, or NULL */
    const char *const *defines;     /* as for the kernels of a .cu; or NULL */
    const char *const *includes;    /* likewise */
    const char *device;             /* or NULL */
    const char *const *settings;    /* NULL-terminated, or NULL */
    const char *kernel;             /* WARPSTEP_KERNEL, or NULL */
    const char *const *environment; /* "NAME=VALUE" besides, NULL-terminated, or NULL */
    gboolean output_to_stderr;      /* what it prints on stdout */
    gboolean no_cache;
} WsWholeProgram;

/* Whether the target is one. */
gboolean ws_is_whole_program(const char *target);

/* For commands that are of one launch, and run it often. FALSE and WS_ERROR_INPUT: it is one. */
gboolean ws_refuse_whole_program(const char *target, GError **error);

/*
 * Compiles and runs it, and waits for its end. `ret_code` gets its exit code, 128 and the signal's
 * number after a message where a signal ended it. Errors: WS_ERROR_INPUT, it does not compile,
 * or cannot be run here.
 */
gboolean ws_whole_program_run(const WsWholeProgram *program, int *ret_code, GError **error);

/*
 * Runs it without time up to the launch that `kernel` names, the first one without it, and no
 * further. `folder`, which is there and empty, then has the launch as a launch file, whose path is
 * returned (g_free). Errors: as above, and that there was no such launch.
 */
char *ws_whole_program_capture(const WsWholeProgram *program, const char *folder, GError **error);

#endif
