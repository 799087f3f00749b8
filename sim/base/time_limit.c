#include "sim/base/time_limit.h"

#include <time.h>

static gint64 processor_time(void)
{
    struct timespec time;

    if (clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time) != 0)
        return g_get_monotonic_time();
    return time.tv_sec * G_USEC_PER_SEC + time.tv_nsec / 1000;
}

WsTimeLimit ws_time_limit(double seconds)
{
    double microseconds = seconds * G_USEC_PER_SEC;
    gint64 now = processor_time();

    if (!(seconds > 0) || microseconds >= (double)(G_MAXINT64 - now))
        return (WsTimeLimit){0};
    return (WsTimeLimit){.seconds = seconds, .end = now + (gint64)microseconds};
}

gboolean ws_time_limit_is_over(const WsTimeLimit *limit)
{
    return limit->seconds > 0 && processor_time() >= limit->end;
}

char *ws_time_limit_text(const WsTimeLimit *limit)
{
    return g_strdup_printf("the limit of %g seconds of processor time (--max-seconds)",
                           limit->seconds);
}
