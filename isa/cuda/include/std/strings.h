#ifndef WARPSTEP_STRINGS_H
#define WARPSTEP_STRINGS_H

#include <stddef.h>

extern "C" {
int bcmp(const void *, const void *, size_t) noexcept;
void bcopy(const void *, void *, size_t) noexcept;
void bzero(void *, size_t) noexcept;
int ffs(int) noexcept;
int ffsl(long) noexcept;
int ffsll(long long) noexcept;
int strcasecmp(const char *, const char *) noexcept;
int strncasecmp(const char *, const char *, size_t) noexcept;
}

#endif
