#ifndef WARPSTEP_WCHAR_H
#define WARPSTEP_WCHAR_H

#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <time.h>

typedef unsigned int wint_t;
typedef struct {
    int __count;
    unsigned int __value;
} mbstate_t;

#define WEOF (0xffffffffu)

extern "C" {
size_t wcslen(const wchar_t *) noexcept;
wchar_t *wcscpy(wchar_t *, const wchar_t *) noexcept;
wchar_t *wcsncpy(wchar_t *, const wchar_t *, size_t) noexcept;
wchar_t *wcscat(wchar_t *, const wchar_t *) noexcept;
int wcscmp(const wchar_t *, const wchar_t *) noexcept;
int wcsncmp(const wchar_t *, const wchar_t *, size_t) noexcept;
wchar_t *wmemcpy(wchar_t *, const wchar_t *, size_t) noexcept;
wchar_t *wmemset(wchar_t *, wchar_t, size_t) noexcept;
int wmemcmp(const wchar_t *, const wchar_t *, size_t) noexcept;
long wcstol(const wchar_t *, wchar_t **, int) noexcept;
unsigned long wcstoul(const wchar_t *, wchar_t **, int) noexcept;
double wcstod(const wchar_t *, wchar_t **) noexcept;
int wprintf(const wchar_t *, ...);
int fwprintf(FILE *, const wchar_t *, ...);
int swprintf(wchar_t *, size_t, const wchar_t *, ...) noexcept;
wint_t btowc(int) noexcept;
int wctob(wint_t) noexcept;
size_t mbrtowc(wchar_t *, const char *, size_t, mbstate_t *) noexcept;
size_t wcrtomb(char *, wchar_t, mbstate_t *) noexcept;
size_t mbsrtowcs(wchar_t *, const char **, size_t, mbstate_t *) noexcept;
size_t wcsrtombs(char *, const wchar_t **, size_t, mbstate_t *) noexcept;
}

#endif
