/* What of <algorithm> kernels take for granted: min, max, clamp. Their names are macros in some programs. */
#ifndef WARPSTEP_PARTS_MIN_MAX_H
#define WARPSTEP_PARTS_MIN_MAX_H

#include <parts/algorithm_base.h>
#include <utility>

namespace std
{
template <typename _T> __WS_LIBRARY constexpr const _T &(min)(const _T &__x, const _T &__y)
{
    return __y < __x ? __y : __x;
}
template <typename _T, typename _Less>
__WS_LIBRARY constexpr const _T &(min)(const _T &__x, const _T &__y, _Less __less)
{
    return __less(__y, __x) ? __y : __x;
}
template <typename _T> __WS_LIBRARY constexpr const _T &(max)(const _T &__x, const _T &__y)
{
    return __x < __y ? __y : __x;
}
template <typename _T, typename _Less>
__WS_LIBRARY constexpr const _T &(max)(const _T &__x, const _T &__y, _Less __less)
{
    return __less(__x, __y) ? __y : __x;
}
template <typename _T> __WS_LIBRARY constexpr pair<const _T &, const _T &>(minmax)(const _T &__x, const _T &__y)
{
    return __y < __x ? pair<const _T &, const _T &>(__y, __x) : pair<const _T &, const _T &>(__x, __y);
}
template <typename _T> __WS_LIBRARY constexpr const _T &clamp(const _T &__x, const _T &__low, const _T &__high)
{
    return __x < __low ? __low : __high < __x ? __high : __x;
}
template <typename _T, typename _Less>
__WS_LIBRARY constexpr const _T &clamp(const _T &__x, const _T &__low, const _T &__high, _Less __less)
{
    return __less(__x, __low) ? __low : __less(__high, __x) ? __high : __x;
}

/* Of several: the first of equal ones. */
template <typename _I> __WS_LIBRARY constexpr _I min_element(_I __first, _I __last)
{
    _I __found = __first;
    for (; __first != __last; ++__first)
        if (*__first < *__found)
            __found = __first;
    return __found;
}
template <typename _I, typename _Less> __WS_LIBRARY constexpr _I min_element(_I __first, _I __last, _Less __less)
{
    _I __found = __first;
    for (; __first != __last; ++__first)
        if (__less(*__first, *__found))
            __found = __first;
    return __found;
}
template <typename _I> __WS_LIBRARY constexpr _I max_element(_I __first, _I __last)
{
    _I __found = __first;
    for (; __first != __last; ++__first)
        if (*__found < *__first)
            __found = __first;
    return __found;
}
template <typename _I, typename _Less> __WS_LIBRARY constexpr _I max_element(_I __first, _I __last, _Less __less)
{
    _I __found = __first;
    for (; __first != __last; ++__first)
        if (__less(*__found, *__first))
            __found = __first;
    return __found;
}
template <typename _T> __WS_LIBRARY constexpr _T(min)(initializer_list<_T> __list)
{
    return *std::min_element(__list.begin(), __list.end());
}
template <typename _T, typename _Less> __WS_LIBRARY constexpr _T(min)(initializer_list<_T> __list, _Less __less)
{
    return *std::min_element(__list.begin(), __list.end(), __less);
}
template <typename _T> __WS_LIBRARY constexpr _T(max)(initializer_list<_T> __list)
{
    return *std::max_element(__list.begin(), __list.end());
}
template <typename _T, typename _Less> __WS_LIBRARY constexpr _T(max)(initializer_list<_T> __list, _Less __less)
{
    return *std::max_element(__list.begin(), __list.end(), __less);
}
template <typename _T> __WS_LIBRARY constexpr pair<_T, _T>(minmax)(initializer_list<_T> __list)
{
    return {*std::min_element(__list.begin(), __list.end()), *std::max_element(__list.begin(), __list.end())};
}
} // namespace std

#endif
