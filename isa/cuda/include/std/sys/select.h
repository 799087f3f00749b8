#ifndef WARPSTEP_SYS_SELECT_H
#define WARPSTEP_SYS_SELECT_H

#include <parts/types.h>

#define FD_SETSIZE 1024
typedef struct {
    long fds_bits[16];
} fd_set;
#define FD_ZERO(set)      __builtin_memset(set, 0, sizeof *(set))
#define FD_SET(fd, set)   ((void)((set)->fds_bits[(fd) / 64] |= 1L << (fd) % 64))
#define FD_CLR(fd, set)   ((void)((set)->fds_bits[(fd) / 64] &= ~(1L << (fd) % 64)))
#define FD_ISSET(fd, set) (((set)->fds_bits[(fd) / 64] & 1L << (fd) % 64) != 0)

extern "C" int select(int, fd_set *, fd_set *, fd_set *, struct timeval *);

#endif
