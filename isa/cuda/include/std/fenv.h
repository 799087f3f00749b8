#ifndef WARPSTEP_FENV_H
#define WARPSTEP_FENV_H

#define FE_INVALID    1
#define FE_DIVBYZERO  4
#define FE_OVERFLOW   8
#define FE_UNDERFLOW  16
#define FE_INEXACT    32
#define FE_ALL_EXCEPT 61
#define FE_TONEAREST  0
#define FE_DOWNWARD   0x400
#define FE_UPWARD     0x800
#define FE_TOWARDZERO 0xc00
#define FE_DFL_ENV    ((const fenv_t *)-1)

typedef unsigned short fexcept_t;
typedef struct {
    unsigned int __state[8];
} fenv_t;

extern "C" {
int feclearexcept(int) noexcept;
int fegetexceptflag(fexcept_t *, int) noexcept;
int feraiseexcept(int) noexcept;
int fesetexceptflag(const fexcept_t *, int) noexcept;
int fetestexcept(int) noexcept;
int fegetround(void) noexcept;
int fesetround(int) noexcept;
int fegetenv(fenv_t *) noexcept;
int feholdexcept(fenv_t *) noexcept;
int fesetenv(const fenv_t *) noexcept;
int feupdateenv(const fenv_t *) noexcept;
int feenableexcept(int) noexcept;
int fedisableexcept(int) noexcept;
int fegetexcept(void) noexcept;
}

#endif
