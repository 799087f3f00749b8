#ifndef WARPSTEP_STRING_H
#define WARPSTEP_STRING_H

#include <parts/locale_t.h>
#include <stddef.h>
#include <strings.h>

extern "C" {
void *memcpy(void *, const void *, size_t) noexcept;
void *mempcpy(void *, const void *, size_t) noexcept;
void *memmove(void *, const void *, size_t) noexcept;
void *memccpy(void *, const void *, int, size_t) noexcept;
void *memset(void *, int, size_t) noexcept;
int memcmp(const void *, const void *, size_t) noexcept;
void *memmem(const void *, size_t, const void *, size_t) noexcept;
char *strcpy(char *, const char *) noexcept;
char *strncpy(char *, const char *, size_t) noexcept;
char *stpcpy(char *, const char *) noexcept;
char *stpncpy(char *, const char *, size_t) noexcept;
char *strcat(char *, const char *) noexcept;
char *strncat(char *, const char *, size_t) noexcept;
int strcmp(const char *, const char *) noexcept;
int strncmp(const char *, const char *, size_t) noexcept;
int strcoll(const char *, const char *) noexcept;
int strverscmp(const char *, const char *) noexcept;
size_t strxfrm(char *, const char *, size_t) noexcept;
char *strdup(const char *) noexcept;
char *strndup(const char *, size_t) noexcept;
size_t strlen(const char *) noexcept;
size_t strnlen(const char *, size_t) noexcept;
size_t strspn(const char *, const char *) noexcept;
size_t strcspn(const char *, const char *) noexcept;
char *strtok(char *, const char *) noexcept;
char *strtok_r(char *, const char *, char **) noexcept;
char *strsep(char **, const char *) noexcept;
char *strerror(int) noexcept;
char *strerror_r(int, char *, size_t) noexcept;
char *strsignal(int) noexcept;
void explicit_bzero(void *, size_t) noexcept;
char *basename(const char *) noexcept;
}

/* Of what is const or not as the argument is: one function in C, two in C++. */
#define __WS_FINDS(type, name, ...)                                                                \
    extern "C++" {                                                                                 \
    type *name(type *, __VA_ARGS__) noexcept __asm__(#name);                                       \
    const type *name(const type *, __VA_ARGS__) noexcept __asm__(#name);                           \
    }
__WS_FINDS(void, memchr, int, size_t)
__WS_FINDS(void, memrchr, int, size_t)
__WS_FINDS(void, rawmemchr, int)
__WS_FINDS(char, strchr, int)
__WS_FINDS(char, strrchr, int)
__WS_FINDS(char, strchrnul, int)
__WS_FINDS(char, strpbrk, const char *)
__WS_FINDS(char, strstr, const char *)
__WS_FINDS(char, strcasestr, const char *)
__WS_FINDS(char, index, int)
__WS_FINDS(char, rindex, int)
#undef __WS_FINDS

#endif
