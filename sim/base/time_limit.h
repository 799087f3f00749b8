/*
 * A limit on the time of a run: processor time of the thread that drives it. It does not depend on
 * what else the machine does. Host threads that help (WsRunOptions.threads) are not counted, so it
 * is also about what a clock shows on an idle machine.
 */
#ifndef WS_SIM_BASE_TIME_LIMIT_H
#define WS_SIM_BASE_TIME_LIMIT_H

#include <glib.h>

typedef struct {
    double seconds; /* 0 = no limit */
    gint64 end;     /* microseconds of processor time of the thread that made it */
} WsTimeLimit;

/* From now on, for the calling thread. `seconds` of 0 or less: none. */
WsTimeLimit ws_time_limit(double seconds);

/* To be asked by the thread that made it. */
gboolean ws_time_limit_is_over(const WsTimeLimit *limit);

/* "the limit of 0.5 seconds of processor time (--max-seconds)". Free with g_free. */
char *ws_time_limit_text(const WsTimeLimit *limit);

#endif
