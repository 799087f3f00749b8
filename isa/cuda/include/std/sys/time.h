#ifndef WARPSTEP_SYS_TIME_H
#define WARPSTEP_SYS_TIME_H

#include <sys/select.h>

#define ITIMER_REAL    0
#define ITIMER_VIRTUAL 1
#define ITIMER_PROF    2

struct timezone {
    int tz_minuteswest, tz_dsttime;
};
struct itimerval {
    struct timeval it_interval, it_value;
};

extern "C" {
int gettimeofday(struct timeval *, void *) noexcept;
int settimeofday(const struct timeval *, const struct timezone *) noexcept;
int getitimer(int, struct itimerval *) noexcept;
int setitimer(int, const struct itimerval *, struct itimerval *) noexcept;
int utimes(const char *, const struct timeval[2]) noexcept;
}

#define timerclear(t)      ((t)->tv_sec = (t)->tv_usec = 0)
#define timercmp(a, b, op) ((a)->tv_sec == (b)->tv_sec ? (a)->tv_usec op(b)->tv_usec : (a)->tv_sec op(b)->tv_sec)
#define timersub(a, b, to)                                                                         \
    do {                                                                                           \
        (to)->tv_sec = (a)->tv_sec - (b)->tv_sec;                                                  \
        (to)->tv_usec = (a)->tv_usec - (b)->tv_usec;                                               \
        if ((to)->tv_usec < 0) {                                                                   \
            --(to)->tv_sec;                                                                        \
            (to)->tv_usec += 1000000;                                                              \
        }                                                                                          \
    } while (0)
#define timeradd(a, b, to)                                                                         \
    do {                                                                                           \
        (to)->tv_sec = (a)->tv_sec + (b)->tv_sec;                                                  \
        (to)->tv_usec = (a)->tv_usec + (b)->tv_usec;                                               \
        if ((to)->tv_usec >= 1000000) {                                                            \
            ++(to)->tv_sec;                                                                        \
            (to)->tv_usec -= 1000000;                                                              \
        }                                                                                          \
    } while (0)

#endif
