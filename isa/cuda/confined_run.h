/*
 * One run of a program that was handed in, on this machine: it reads nothing but itself, the
 * system's libraries and what it is given, writes to one folder, opens no socket, starts no process
 * and sends no signal. Its processor time, memory, threads and files are bounded. Unlike clang it
 * is not run at all where the kernel lacks a part of that (isa/cuda/protection.h).
 */
#ifndef WS_ISA_CUDA_CONFINED_RUN_H
#define WS_ISA_CUDA_CONFINED_RUN_H

#include "isa/base/error.h"
#include "isa/cuda/process_end.h"

typedef struct {
    const char *const *arguments;   /* the first one is the program's path; NULL-terminated */
    const char *const *environment; /* all of it, NULL-terminated */
    const char *folder;             /* where it runs, and may read */
    const char *const *reads;       /* files and folders that it may read besides, or NULL */
    const char *writes;             /* the folder in which it may write */
    GBytes *input;                  /* of its stdin */
    int memory_file;                /* a further descriptor that it gets, or -1 */
    guint cpu_seconds, stuck_seconds, threads;
    guint64 address_bytes;              /* of address space, what is only reserved counted too */
    guint64 memory_bytes;               /* of memory of its own */
    guint64 file_bytes;                 /* of any file that it writes */
    gsize output_bytes;                 /* of stdout, and as many of stderr: more ends it */
    gboolean (*exceeds)(gpointer data); /* as in WsProcessBounds, or NULL */
    gpointer data;
} WsConfinedRun;

typedef struct {
    WsProcessReason reason;
    int exit_code;             /* -1: a signal ended it */
    int signal;                /* or 0 */
    gboolean output_exceeds;   /* of WS_PROCESS_EXCEEDED: it wrote too much on stdout or stderr */
    GBytes *output, *messages; /* stdout, stderr: at most output_bytes of each */
} WsConfinedResult;

void ws_confined_result_clear(WsConfinedResult *result);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(WsConfinedResult, ws_confined_result_clear)

/* FALSE if it cannot be started. Errors: WS_ERROR_INPUT. */
gboolean ws_confined_run(const WsConfinedRun *run, WsConfinedResult *ret, GError **error);

#endif
