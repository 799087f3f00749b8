/*
 * A second wall around clang, of what the kernel has: Landlock for files, seccomp for all other
 * calls. The first wall is isa/cuda/clang_view.h, which does not depend on the kernel.
 */
#ifndef WS_ISA_CUDA_CLANG_SANDBOX_H
#define WS_ISA_CUDA_CLANG_SANDBOX_H

#include "isa/cuda/call_filter.h"
#include "isa/cuda/protection.h"

typedef struct {
    int files;                  /* isa/cuda/landlock_rules.h, or -1 */
    WsCallFilter *calls, *exec; /* NULL where there are none */
} WsClangSandbox;

/* What this system has of it, for the program `clang`, and what it reads besides, or NULL. */
void ws_clang_sandbox_init(WsClangSandbox *ret, const char *clang, const char *const *reads);
void ws_clang_sandbox_clear(WsClangSandbox *sandbox);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(WsClangSandbox, ws_clang_sandbox_clear)

/*
 * Puts the calling process, which has one thread, into it for ever, between fork and exec. Sends
 * one message with the listener of ws_call_filter_enter_listened(), or without one, to the socket
 * `report`. Returns the parts (of WsProtection) that hold.
 */
guint ws_clang_sandbox_enter(const WsClangSandbox *sandbox, int report);

#endif
