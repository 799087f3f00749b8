/*
 * What the headers of libraries without source share. They declare types, numbers and functions, so
 * that sources compile that use such a library; the library is not there, and a program that calls
 * one of its functions does not link. Names and numbers are those of its documentation.
 *
 * Parameters have no names, so none can be a macro of the program's. Functions that are there for
 * float (S), double (D), cuComplex (C) and cuDoubleComplex (Z) are one line: `s` is the letter, T
 * the type, R the real type of it; `v` is what a name ends with.
 */
#ifndef WARPSTEP_CLOSED_LIBRARY_H
#define WARPSTEP_CLOSED_LIBRARY_H

#include "cuComplex.h"
#include "cuda_runtime_api.h"
#include "library_types.h"

#include <stdint.h>
#include <stdio.h>

/* All of a library's lists for their types. */
#define __WS_EACH_SDCZ(list, v)                                                                    \
    list(v, S, float, float) list(v, D, double, double) list(v, C, cuComplex, float)               \
        list(v, Z, cuDoubleComplex, double)
#define __WS_EACH_SD(list, v) list(v, S, float) list(v, D, double)
#define __WS_EACH_CZ(list, v) list(v, C, cuComplex, float) list(v, Z, cuDoubleComplex, double)

#endif
