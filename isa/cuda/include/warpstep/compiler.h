/*
 * Which clang compiles, written into the PTX: clang itself names neither itself nor its version there.
 * isa/cuda/compiler_name.h reads it and takes it out again. The numbers only: what else stands in
 * __clang_version__ is the distribution's, and one version makes the same code on all of them. Apple
 * counts in its own way.
 */
#ifndef WARPSTEP_COMPILER_H
#define WARPSTEP_COMPILER_H

#define __WS_NUMBER_TEXT(number) #number
#define __WS_NUMBER(number) __WS_NUMBER_TEXT(number)

#ifdef __apple_build_version__
#define __WS_COMPILER "Apple clang "
#else
#define __WS_COMPILER "clang "
#endif

/* `used`: no code names it. `nodebug`: no variable of the program. */
static __attribute__((device, used, nodebug)) const char __warpstep_compiler[] = __WS_COMPILER
    __WS_NUMBER(__clang_major__) "." __WS_NUMBER(__clang_minor__) "." __WS_NUMBER(__clang_patchlevel__);

#endif
