#ifndef WARPSTEP_ALLOCA_H
#define WARPSTEP_ALLOCA_H
#include <stddef.h>
#define alloca(size) __builtin_alloca(size)
#endif
