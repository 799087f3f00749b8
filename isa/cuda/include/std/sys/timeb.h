#ifndef WARPSTEP_SYS_TIMEB_H
#define WARPSTEP_SYS_TIMEB_H

#include <time.h>

struct timeb {
    time_t time;
    unsigned short millitm;
    short timezone, dstflag;
};
extern "C" int ftime(struct timeb *) noexcept;

#endif
