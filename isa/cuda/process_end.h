/* Waiting for a process that is bounded, and ending it where it goes over a bound. */
#ifndef WS_ISA_CUDA_PROCESS_END_H
#define WS_ISA_CUDA_PROCESS_END_H

#include <glib.h>
#include <sys/types.h>

typedef struct {
    guint cpu_seconds;   /* of the processor */
    guint stuck_seconds; /* that it may wait without using the processor */
    guint threads;       /* that it may have at a time, as counted while it is waited for */
    /* Called now and then, every few milliseconds: TRUE if it is to be ended. Or NULL. */
    gboolean (*exceeds)(gpointer data);
    gpointer data;
} WsProcessBounds;

typedef enum {
    WS_PROCESS_ENDED,   /* by itself, or by a signal */
    WS_PROCESS_CPU,     /* by cpu_seconds */
    WS_PROCESS_STUCK,   /* by stuck_seconds */
    WS_PROCESS_THREADS, /* by threads */
    WS_PROCESS_EXCEEDED /* by exceeds() */
} WsProcessReason;

typedef struct {
    WsProcessReason reason;
    int status; /* as waitpid() gives it */
    gint64 cpu_microseconds;
} WsProcessEnd;

/* `process`: a child that is not waited for yet. */
WsProcessEnd ws_process_wait(pid_t process, const WsProcessBounds *bounds);

#endif
