#ifndef WARPSTEP_MALLOC_H
#define WARPSTEP_MALLOC_H

#include <stdio.h>
#include <stdlib.h>

struct mallinfo {
    int arena, ordblks, smblks, hblks, hblkhd, usmblks, fsmblks, uordblks, fordblks, keepcost;
};

extern "C" {
void *memalign(size_t, size_t) noexcept;
void *pvalloc(size_t) noexcept;
size_t malloc_usable_size(void *) noexcept;
struct mallinfo mallinfo(void) noexcept;
int mallopt(int, int) noexcept;
int malloc_trim(size_t) noexcept;
void malloc_stats(void) noexcept;
}

#endif
