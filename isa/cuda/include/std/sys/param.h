#ifndef WARPSTEP_SYS_PARAM_H
#define WARPSTEP_SYS_PARAM_H

#include <limits.h>
#include <parts/types.h>

#define MAXPATHLEN    PATH_MAX
#define MIN(a, b)     (((a) < (b)) ? (a) : (b))
#define MAX(a, b)     (((a) > (b)) ? (a) : (b))
#define howmany(x, y) (((x) + ((y)-1)) / (y))
#define roundup(x, y) ((((x) + ((y)-1)) / (y)) * (y))

#endif
