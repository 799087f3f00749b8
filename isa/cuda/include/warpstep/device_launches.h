/*
 * Launches by kernels, as the code of kernels (isa/lower/device_launch.c) and the runtime agree on
 * them: a queue in device memory. It begins with a head; behind it, in places of equal size, is what
 * was launched, in the order in which it was asked for, each with its parameters.
 */
#ifndef WARPSTEP_DEVICE_LAUNCHES_H
#define WARPSTEP_DEVICE_LAUNCHES_H

/* The functions of CUDA's device runtime that nvcc calls, and so does device_launch.h. */
#define __WS_LAUNCH_PREFIX "__cudaCDP2"

/* Bytes of a place: a record and the most parameters that a kernel has. */
#define __WS_LAUNCH_PARAMETERS 4096
#define __WS_LAUNCH_BYTES      (__WS_LAUNCH_PARAMETERS + 64)

/* In the first place. */
struct __ws_launch_head {
    unsigned int taken; /* places, or more: that were asked for */
    unsigned int capacity;
    unsigned int most_threads, most_shared; /* of a block */
    unsigned int streams;                   /* that were made */
};

/* Streams that are always there, besides 0. */
#define __WS_LAUNCH_TAIL         3
#define __WS_LAUNCH_OWN_STREAM   5 /* not below: none that a program made */
#define __WS_LAUNCH_FIRST_STREAM 65536

struct __ws_launch_record {
    unsigned long long kernel; /* __ws_kernel_number() of its name in the PTX */
    unsigned int grid[3], block[3];
    unsigned int shared;
    unsigned int is_launched;
    unsigned long long stream;
    unsigned char reserved[16];
};

#ifndef __cplusplus
/* What the address of a kernel is in device code: FNV-1a of the name, never 0. */
static inline unsigned long long __ws_kernel_number(const char *name)
{
    unsigned long long number = 14695981039346656037ull;
    for (; *name != '\0'; name++)
        number = (number ^ (unsigned char)*name) * 1099511628211ull;
    return number | 1;
}
#endif

#endif
