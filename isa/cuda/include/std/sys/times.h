#ifndef WARPSTEP_SYS_TIMES_H
#define WARPSTEP_SYS_TIMES_H

#include <time.h>

struct tms {
    clock_t tms_utime, tms_stime, tms_cutime, tms_cstime;
};
extern "C" clock_t times(struct tms *) noexcept;

#endif
