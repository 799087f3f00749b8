/*
 * Compiling one source by clang in its closed view: what several runs of clang share, and what each
 * of them does alike, whether it makes the kernels of a source or a whole program.
 */
#ifndef WS_ISA_CUDA_CLANG_JOB_H
#define WS_ISA_CUDA_CLANG_JOB_H

#include "isa/bytecode/program.h"
#include "isa/cuda/clang_run.h"
#include "isa/cuda/files.h"

typedef struct {
    const char *path; /* of the source, as the user names it */
    const WsCompileOptions *options;
    WsClangLimits limits; /* its `clang` belongs to the job */
    WsClangView *view;
    WsCudaFiles *files;
    char *source; /* path of the memory file that clang compiles */
    gint64 used;  /* by all runs, microseconds of processor time */
} WsClangJob;

void ws_clang_job_clear(WsClangJob *job);

/*
 * Makes the memory file `source` of the main file, with a line in front that says what it is
 * called, between the texts `before` and `behind`. Errors: as ws_clang_view_add_nameless().
 */
gboolean ws_clang_job_name_source(WsClangJob *job, const char *before, const char *behind,
                                  GError **error);

/*
 * ws_clang_run() with what is left of the processor time for all runs, and `limits` otherwise.
 * `arguments` are ended here.
 */
gboolean ws_clang_job_run(WsClangJob *job, const WsClangLimits *limits, const GArray *others,
                          GPtrArray *arguments, WsClangResult *ret, GError **error);

/* Adds arguments behind the name of clang; the paths are of memory files: the view, and where -MF
 * writes. */
typedef void (*WsClangJobArguments)(GPtrArray *arguments, const char *overlay,
                                    const char *dependencies, gconstpointer data);

/*
 * One pass of clang over the source. `with_system`: the headers of the system lie behind those of
 * the view. What clang says that it has read is marked in `files`. FALSE after an error that is not
 * clang's.
 */
gboolean ws_clang_job_pass(WsClangJob *job, gboolean with_system, WsClangJobArguments add,
                           gconstpointer data, WsClangResult *ret, GError **error);

/*
 * After a pass that did not end well: TRUE if clang missed a file that is there, whose name comes
 * out of macros. It is in the view now, so that another pass is worth it; `passes` counts those
 * before, which are bounded. Else FALSE, and the error is clang's message, or why the file may not
 * be read.
 */
gboolean ws_clang_job_found_more(WsClangJob *job, guint passes, const WsClangResult *result,
                                 GError **error);

#endif
