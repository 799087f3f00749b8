/*
 * Whether another process gets on. The wall clock does not tell: on a busy machine work may take
 * any time. A process is stuck when it and its descendants have waited for so long and used next to
 * no processor time: less than a thousandth of it. A process that works is bounded by its processor
 * time (RLIMIT_CPU), and so both together bound every process.
 *
 * Time in which the caller itself does not run, stopped or on a machine that sleeps, hardly counts.
 */
#ifndef WS_ISA_BASE_PROCESS_WATCH_H
#define WS_ISA_BASE_PROCESS_WATCH_H

#include <glib.h>
#include <sys/types.h>

/* What programs wait for a process that does nothing. */
enum { WS_STUCK_SECONDS = 120 };

typedef struct {
    pid_t process;
    gint64 limit;  /* microseconds */
    gint64 looked; /* by g_get_monotonic_time() */
    gint64 idle;   /* microseconds since it was last seen to work */
    gint64 used;   /* processor time at that moment, in clock ticks */
} WsProcessWatch;

/* `process`: a child that is not waited for yet. `seconds` of doing nothing make it stuck. */
void ws_process_watch_init(WsProcessWatch *ret, pid_t process, double seconds);

/*
 * To be called again and again, at least every ws_process_watch_step(). Never TRUE where there is
 * no /proc to look in.
 */
gboolean ws_process_watch_is_stuck(WsProcessWatch *watch);

/* Microseconds; in between a call does nothing. */
gint64 ws_process_watch_step(const WsProcessWatch *watch);

#endif
