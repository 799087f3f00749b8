/*
 * Starts a program in the sandbox of isa/cuda/clang_sandbox.h. fork() and exec() of our own: the
 * one exec is let through by this process, which no library's call that waits for it would do.
 */
#ifndef WS_ISA_CUDA_CLANG_START_H
#define WS_ISA_CUDA_CLANG_START_H

#include "isa/base/error.h"
#include "isa/cuda/clang_sandbox.h"

#include <sys/types.h>

typedef struct {
    const char *const *arguments, *const
                                      *environment; /* the first argument is the program's path */
    int input, output, messages;                    /* become descriptors 0 to 2 */
    const GArray *const
        *inherited; /* lists of int, to the first NULL: further descriptors it gets */
    void (*prepare)(gconstpointer data); /* in the child, outside the sandbox; or NULL */
    gconstpointer data;
    const WsClangSandbox *sandbox; /* NULL = none */
    guint required;                /* parts of WsProtection without which it is not started */
} WsClangStart;

typedef struct {
    pid_t process;
    guint protection; /* the parts of WsProtection that hold */
} WsClangStarted;

/*
 * The process ends with the thread that calls this. FALSE if it cannot be started; `ret` has the
 * parts that hold then too. Errors: WS_ERROR_INPUT.
 */
gboolean ws_clang_start(const WsClangStart *start, WsClangStarted *ret, GError **error);

#endif
