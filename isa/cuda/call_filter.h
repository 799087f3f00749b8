/*
 * Which system calls clang's process may make, by seccomp: those that a compiler needs which reads
 * files and writes to what it has inherited. It gets no sockets, starts no processes (threads it
 * may, which isa/cuda/clang_run.h counts), sends no signals and changes no limit. This holds for
 * root as well, where a limit on the number of processes would not. All else fails with ENOSYS.
 *
 * Filters outlive exec, so the one exec that starts clang needs a second filter: it asks a listener
 * (Linux 5.5). Whoever holds that lets one exec through and closes it; from then on every exec
 * fails, with ENOSYS.
 */
#ifndef WS_ISA_CUDA_CALL_FILTER_H
#define WS_ISA_CUDA_CALL_FILTER_H

#include <glib.h>

typedef struct WsCallFilter WsCallFilter;

/* For what a compiler does. NULL where filters cannot be made. */
WsCallFilter *ws_call_filter_new_for_compiler(void);
/*
 * For a program that was handed in: the same calls, and abort(), with
 * ws_call_filter_bind_signals(). It makes no folders, and renames, deletes and cuts short nothing,
 * so that all that it has written is there to be seen.
 */
WsCallFilter *ws_call_filter_new_for_program(void);
/* For exec; all other calls are let through. NULL where filters cannot be made. */
WsCallFilter *ws_call_filter_new_for_exec(void);
void ws_call_filter_free(WsCallFilter *filter);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(WsCallFilter, ws_call_filter_free)

/*
 * In a child process that can have no new privileges; safe between fork and exec. FALSE if the
 * kernel refuses.
 */
gboolean ws_call_filter_enter(const WsCallFilter *filter);
/* Likewise for that for exec. Returns the listener, which is closed on exec, or -1. */
int ws_call_filter_enter_listened(const WsCallFilter *filter);

/*
 * In a child process, before the filter for programs: signals go to the process itself alone, so
 * that abort() works. Safe between fork and exec. FALSE if the kernel refuses.
 */
gboolean ws_call_filter_bind_signals(void);

typedef enum {
    WS_EXEC_GRANTED,
    WS_EXEC_GONE, /* the process has ended without one */
    WS_EXEC_REFUSED
} WsExecGrant;

/*
 * Waits for the process to call exec, lets that through, and closes the listener. `process_end`: a
 * descriptor that hangs up when the process ends.
 */
WsExecGrant ws_call_filter_grant_exec(int listener, int process_end);

#endif
