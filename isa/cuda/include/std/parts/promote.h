/* The type in which functions of mathematics compute of arguments of several types. */
#ifndef WARPSTEP_PARTS_PROMOTE_H
#define WARPSTEP_PARTS_PROMOTE_H

#include <warpstep/attributes.h>

/* clang 14 has no names for functions with its own questions in their types. */
template <typename _T> inline constexpr bool __ws_is_number = __is_arithmetic(_T);

/* Only of numbers: an overload of other types is none. */
template <typename _T, bool = __ws_is_number<_T>> struct __ws_promote {
};
template <typename _T> struct __ws_promote<_T, true> {
    typedef double type;
};
template <> struct __ws_promote<float, true> {
    typedef float type;
};
template <> struct __ws_promote<long double, true> {
    typedef long double type;
};

template <typename... _T>
using __ws_promoted = decltype((typename __ws_promote<_T>::type() + ...));

#endif
