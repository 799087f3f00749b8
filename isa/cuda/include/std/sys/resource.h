#ifndef WARPSTEP_SYS_RESOURCE_H
#define WARPSTEP_SYS_RESOURCE_H

#include <parts/types.h>

#define RUSAGE_SELF     0
#define RUSAGE_CHILDREN (-1)
#define RUSAGE_THREAD   1
#define RLIMIT_CPU      0
#define RLIMIT_FSIZE    1
#define RLIMIT_DATA     2
#define RLIMIT_STACK    3
#define RLIMIT_CORE     4
#define RLIMIT_NOFILE   7
#define RLIMIT_MEMLOCK  8
#define RLIMIT_AS       9
#define RLIM_INFINITY   (~0UL)
#define PRIO_PROCESS    0

typedef unsigned long rlim_t;
struct rlimit {
    rlim_t rlim_cur, rlim_max;
};
struct rusage {
    struct timeval ru_utime, ru_stime;
    long ru_maxrss, ru_ixrss, ru_idrss, ru_isrss, ru_minflt, ru_majflt, ru_nswap, ru_inblock, ru_oublock,
        ru_msgsnd, ru_msgrcv, ru_nsignals, ru_nvcsw, ru_nivcsw;
};

extern "C" {
int getrusage(int, struct rusage *) noexcept;
int getrlimit(int, struct rlimit *) noexcept;
int setrlimit(int, const struct rlimit *) noexcept;
int getpriority(int, id_t) noexcept;
int setpriority(int, id_t, int) noexcept;
}

#endif
