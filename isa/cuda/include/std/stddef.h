#ifndef WARPSTEP_STDDEF_H
#define WARPSTEP_STDDEF_H

typedef __SIZE_TYPE__ size_t;
typedef __PTRDIFF_TYPE__ ptrdiff_t;
typedef decltype(nullptr) nullptr_t;
typedef struct {
    alignas(8) long long __integer;
    alignas(16) long double __float;
} max_align_t;

#define NULL                   __null
#define offsetof(type, member) __builtin_offsetof(type, member)

#endif
