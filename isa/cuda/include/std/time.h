#ifndef WARPSTEP_TIME_H
#define WARPSTEP_TIME_H

#include <parts/types.h>

#define CLOCKS_PER_SEC           1000000L
#define CLOCK_REALTIME           0
#define CLOCK_MONOTONIC          1
#define CLOCK_PROCESS_CPUTIME_ID 2
#define CLOCK_THREAD_CPUTIME_ID  3
#define CLOCK_MONOTONIC_RAW      4
#define CLOCK_REALTIME_COARSE    5
#define CLOCK_MONOTONIC_COARSE   6
#define CLOCK_BOOTTIME           7
#define TIME_UTC                 1
#define TIMER_ABSTIME            1

struct tm {
    int tm_sec, tm_min, tm_hour, tm_mday, tm_mon, tm_year, tm_wday, tm_yday, tm_isdst;
    long tm_gmtoff;
    const char *tm_zone;
};
struct itimerspec {
    struct timespec it_interval, it_value;
};

extern "C" {
clock_t clock(void) noexcept;
time_t time(time_t *) noexcept;
double difftime(time_t, time_t) noexcept;
time_t mktime(struct tm *) noexcept;
time_t timegm(struct tm *) noexcept;
size_t strftime(char *, size_t, const char *, const struct tm *) noexcept;
char *strptime(const char *, const char *, struct tm *) noexcept;
struct tm *gmtime(const time_t *) noexcept;
struct tm *gmtime_r(const time_t *, struct tm *) noexcept;
struct tm *localtime(const time_t *) noexcept;
struct tm *localtime_r(const time_t *, struct tm *) noexcept;
char *asctime(const struct tm *) noexcept;
char *asctime_r(const struct tm *, char *) noexcept;
char *ctime(const time_t *) noexcept;
char *ctime_r(const time_t *, char *) noexcept;
void tzset(void) noexcept;
int nanosleep(const struct timespec *, struct timespec *);
int clock_getres(clockid_t, struct timespec *) noexcept;
int clock_gettime(clockid_t, struct timespec *) noexcept;
int clock_settime(clockid_t, const struct timespec *) noexcept;
int clock_nanosleep(clockid_t, int, const struct timespec *, struct timespec *);
int timespec_get(struct timespec *, int) noexcept;
extern char *tzname[2];
extern long timezone;
extern int daylight;
}

#endif
