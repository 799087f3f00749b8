#ifndef WARPSTEP_SETJMP_H
#define WARPSTEP_SETJMP_H

typedef struct {
    long __state[25];
} jmp_buf[1];
typedef jmp_buf sigjmp_buf;

extern "C" {
int setjmp(jmp_buf) noexcept;
int sigsetjmp(sigjmp_buf, int) noexcept;
[[noreturn]] void longjmp(jmp_buf, int) noexcept;
[[noreturn]] void siglongjmp(sigjmp_buf, int) noexcept;
}

#endif
