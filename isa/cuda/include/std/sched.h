#ifndef WARPSTEP_SCHED_H
#define WARPSTEP_SCHED_H

#include <time.h>

#define SCHED_OTHER 0
#define SCHED_FIFO  1
#define SCHED_RR    2
#define CPU_SETSIZE 1024

struct sched_param {
    int sched_priority;
};
typedef struct {
    unsigned long __bits[CPU_SETSIZE / 64];
} cpu_set_t;
#define CPU_ZERO(set)       __builtin_memset(set, 0, sizeof *(set))
#define CPU_SET(cpu, set)   ((void)((set)->__bits[(cpu) / 64] |= 1UL << (cpu) % 64))
#define CPU_CLR(cpu, set)   ((void)((set)->__bits[(cpu) / 64] &= ~(1UL << (cpu) % 64)))
#define CPU_ISSET(cpu, set) (((set)->__bits[(cpu) / 64] >> (cpu) % 64 & 1) != 0)

extern "C" {
int sched_yield(void) noexcept;
int sched_getcpu(void) noexcept;
int sched_setaffinity(pid_t, size_t, const cpu_set_t *) noexcept;
int sched_getaffinity(pid_t, size_t, cpu_set_t *) noexcept;
int sched_setscheduler(pid_t, int, const struct sched_param *) noexcept;
}

#endif
