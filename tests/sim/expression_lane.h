/*
 * What the lanes of tests/sim/test_expression_lanes.c hold. VARIABLE(name, C type, C declarator
 * behind the name, type for the simulator)
 */
#ifndef WS_TESTS_SIM_EXPRESSION_LANE_H
#define WS_TESTS_SIM_EXPRESSION_LANE_H

#include <glib.h>

typedef struct {
    int x;
    float y;
    short z[4];
} Point;

#define VARIABLES(VARIABLE)                                                                        \
    VARIABLE(c, signed char, , ws_base_type(WS_BASE_CHAR))                                         \
    VARIABLE(uc, unsigned char, , ws_base_type(WS_BASE_UNSIGNED_CHAR))                             \
    VARIABLE(sh, short, , ws_base_type(WS_BASE_SHORT))                                             \
    VARIABLE(us, unsigned short, , ws_base_type(WS_BASE_UNSIGNED_SHORT))                           \
    VARIABLE(i, int, , ws_base_type(WS_BASE_INT))                                                  \
    VARIABLE(u, unsigned, , ws_base_type(WS_BASE_UNSIGNED))                                        \
    VARIABLE(l, long, , ws_base_type(WS_BASE_LONG))                                                \
    VARIABLE(ul, unsigned long, , ws_base_type(WS_BASE_UNSIGNED_LONG))                             \
    VARIABLE(flag, _Bool, , ws_base_type(WS_BASE_BOOL))                                            \
    VARIABLE(f, float, , ws_base_type(WS_BASE_FLOAT))                                              \
    VARIABLE(d, double, , ws_base_type(WS_BASE_DOUBLE))                                            \
    VARIABLE(all, int, , ws_base_type(WS_BASE_INT)) /* the same in all lanes */                    \
    VARIABLE(a, int, [16], &array_a)                                                               \
    VARIABLE(two, short, [2][4], &array_two)                                                       \
    VARIABLE(fs, float, [4], &array_fs)                                                            \
    VARIABLE(p, Point, , &point)                                                                   \
    VARIABLE(ptr, int *, , &pointer_int)   /* into a */                                            \
    VARIABLE(q, Point *, , &pointer_point) /* of a lane */

#define VARIABLE(name, type, declarator, value_type) type name declarator;
typedef struct {
    VARIABLES(VARIABLE)
} Lane;
#undef VARIABLE

/* A number, of one of two kinds, with the name of its type. */
typedef struct {
    gboolean real;
    guint64 bits;
    double number;
    const char *type;
} Native;

typedef struct {
    const char *text;
    void (*compute)(const Lane *lane, Native *ret);
} NativeCase;

/* What the compiler makes of the expressions (native_expressions.c). */
extern const NativeCase native_cases[];
extern const guint native_case_count;

#endif
