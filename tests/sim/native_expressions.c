/* Random expressions as the compiler understands them. Built without warnings: they look odd. */
#include "tests/sim/expression_lane.h"

#define bool _Bool

#define TYPE_NAME(e)                                                                               \
    _Generic((e), float                                                                            \
             : "float", double                                                                     \
             : "double", int                                                                       \
             : "int", unsigned                                                                     \
             : "unsigned int", long                                                                \
             : "long", unsigned long                                                               \
             : "unsigned long", char                                                               \
             : "char", signed char                                                                 \
             : "char", unsigned char                                                               \
             : "unsigned char", short                                                              \
             : "short", unsigned short                                                             \
             : "unsigned short", _Bool                                                             \
             : "bool")

#define LOCAL(name, type, declarator, value_type) __auto_type name = lane->name;
#define CASE(id, e)                                                                                \
    static void compute_##id(const Lane *lane, Native *ret)                                        \
    {                                                                                              \
        VARIABLES(LOCAL)                                                                           \
        ret->type = TYPE_NAME(e);                                                                  \
        ret->real = _Generic((e), float : 1, double : 1, default : 0);                             \
        ret->bits = ret->real ? 0 : (guint64)(e);                                                  \
        ret->number = (double)(e);                                                                 \
    }
#include "random_expressions.inc"
#undef CASE

const NativeCase native_cases[] = {
#define CASE(id, e) {#e, compute_##id},
#include "random_expressions.inc"
#undef CASE
};
const guint native_case_count = G_N_ELEMENTS(native_cases);
