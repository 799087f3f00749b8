/*
 * One run of clang: without a shell, by absolute path, with an environment of its own, under limits
 * of time, memory and output, in a sandbox. It ends when the thread that started it ends, however
 * that is.
 */
#ifndef WS_ISA_CUDA_CLANG_RUN_H
#define WS_ISA_CUDA_CLANG_RUN_H

#include "isa/cuda/clang_view.h"

typedef struct {
    const char *clang;
    gboolean sandboxed; /* in the sandbox of isa/cuda/clang_sandbox.h, as far as there is one */
    const char *const *reads; /* files and folders that it may read besides, or NULL */
    guint required;           /* parts of it (WsProtection) without which clang is not run */
    guint cpu_seconds;        /* of the processor */
    guint stuck_seconds;      /* that it may wait without using the processor */
    guint threads;            /* that it may have at a time, as counted while it is waited for */
    guint64 memory_bytes;     /* of address space */
    gsize output_bytes;
    gsize message_bytes; /* that are kept of what it writes on stderr; 0: as many as one reads */
} WsClangLimits;

typedef enum {
    WS_CLANG_ENDED,  /* by itself, or by a signal */
    WS_CLANG_CPU,    /* by WsClangLimits.cpu_seconds */
    WS_CLANG_STUCK,  /* by WsClangLimits.stuck_seconds */
    WS_CLANG_THREADS /* by WsClangLimits.threads */
} WsClangEnd;

typedef struct {
    gboolean ended_well; /* exit status 0 */
    WsClangEnd end;
    int signal;              /* that stopped it, else 0 */
    gint64 cpu_microseconds; /* that it used */
    char *output;
    gsize output_length;
    char *messages; /* as written on stderr */
} WsClangResult;

void ws_clang_result_clear(WsClangResult *result);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(WsClangResult, ws_clang_result_clear)

/*
 * `arguments` begin with clang's own path and end with NULL; clang inherits the memory files of
 * `view` and those in `others` (of int). Fails only if clang cannot be started, or for want of
 * memory files. Errors: WS_ERROR_INPUT.
 */
gboolean ws_clang_run(const WsClangLimits *limits, const WsClangView *view, const GArray *others,
                      const char *const *arguments, WsClangResult *ret, GError **error);

#endif
