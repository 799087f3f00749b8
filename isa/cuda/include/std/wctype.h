#ifndef WARPSTEP_WCTYPE_H
#define WARPSTEP_WCTYPE_H

#include <wchar.h>

extern "C" {
int iswalnum(wint_t) noexcept;
int iswalpha(wint_t) noexcept;
int iswdigit(wint_t) noexcept;
int iswlower(wint_t) noexcept;
int iswspace(wint_t) noexcept;
int iswupper(wint_t) noexcept;
wint_t towlower(wint_t) noexcept;
wint_t towupper(wint_t) noexcept;
}

#endif
