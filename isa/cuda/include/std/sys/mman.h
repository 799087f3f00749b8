#ifndef WARPSTEP_SYS_MMAN_H
#define WARPSTEP_SYS_MMAN_H

#include <parts/types.h>

#define PROT_NONE       0
#define PROT_READ       1
#define PROT_WRITE      2
#define PROT_EXEC       4
#define MAP_SHARED      1
#define MAP_PRIVATE     2
#define MAP_FIXED       0x10
#define MAP_ANONYMOUS   0x20
#define MAP_ANON        MAP_ANONYMOUS
#define MAP_NORESERVE   0x4000
#define MAP_POPULATE    0x8000
#define MAP_HUGETLB     0x40000
#define MAP_FAILED      ((void *)-1)
#define MS_SYNC         4
#define MADV_NORMAL     0
#define MADV_SEQUENTIAL 2
#define MADV_WILLNEED   3
#define MADV_HUGEPAGE   14

extern "C" {
void *mmap(void *, size_t, int, int, int, off_t) noexcept;
int munmap(void *, size_t) noexcept;
int mprotect(void *, size_t, int) noexcept;
int msync(void *, size_t, int);
int madvise(void *, size_t, int) noexcept;
int mlock(const void *, size_t) noexcept;
int munlock(const void *, size_t) noexcept;
int shm_open(const char *, int, mode_t);
int shm_unlink(const char *);
}

#endif
