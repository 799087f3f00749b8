/*
 * Work in a process of its own, with limits: whatever happens there, the caller goes on.
 *
 * The process has nothing on stdin, stdout and stderr, ends with its parent, and gives back bytes
 * through a pipe.
 */
#ifndef WS_GRADE_TRIAL_ISOLATION_H
#define WS_GRADE_TRIAL_ISOLATION_H

#include "isa/base/error.h"

typedef struct {
    double cpu_seconds;   /* of the processor; rounded up to whole seconds */
    double stuck_seconds; /* waited without using the processor (isa/base/process_watch.h) */
    guint64 memory;       /* bytes of address space; 0 = no limit */
    guint64 file_bytes;   /* of any file that it writes */
    gsize output_bytes;   /* the most that it may give back */
} WsIsolationLimits;

typedef enum {
    WS_ENDED_WELL,
    WS_ENDED_CRASHED,  /* by a signal, or with another exit status than 0 */
    WS_ENDED_CPU,      /* took more than its time of the processor */
    WS_ENDED_STUCK,    /* did nothing for so long, with all that it had started */
    WS_ENDED_OUTPUT,   /* gave back too much */
    WS_ENDED_NEVER_RAN /* no process could be made */
} WsEnding;

/*
 * Calls work(data, pipe) in a new process. `ret` are the bytes that it wrote to the descriptor
 * `pipe`, also where it did not end well; `ret_signal` the signal that ended it, or 0.
 */
WsEnding ws_isolate(const WsIsolationLimits *limits, void (*work)(gpointer data, int pipe),
                    gpointer data, GBytes **ret, int *ret_signal);

/* "WHAT ended by signal 11 (Segmentation fault)" for WS_ENDED_CRASHED. Free with g_free. */
char *ws_crash_text(const char *what, int signal_number);

/* Writes all of it; FALSE if the reader is gone. */
gboolean ws_write_fully(int descriptor, gconstpointer bytes, gsize length);

#endif
