#ifndef WARPSTEP_PARTS_ITERATOR_FUNCTIONS_H
#define WARPSTEP_PARTS_ITERATOR_FUNCTIONS_H

#include <parts/iterator_tags.h>

namespace std
{
template <typename _I, typename _N> __WS_LIBRARY constexpr void advance(_I &__i, _N __n)
{
    if constexpr (is_convertible_v<typename iterator_traits<_I>::iterator_category, random_access_iterator_tag>) {
        __i += (__difference_of<_I>)__n;
    } else {
        for (; __n > 0; --__n)
            ++__i;
        if constexpr (is_convertible_v<typename iterator_traits<_I>::iterator_category, bidirectional_iterator_tag>)
            for (; __n < 0; ++__n)
                --__i;
    }
}
template <typename _I> __WS_LIBRARY constexpr __difference_of<_I> distance(_I __first, _I __last)
{
    if constexpr (is_convertible_v<typename iterator_traits<_I>::iterator_category, random_access_iterator_tag>) {
        return __last - __first;
    } else {
        __difference_of<_I> __n = 0;
        for (; __first != __last; ++__first)
            ++__n;
        return __n;
    }
}
template <typename _I> __WS_LIBRARY constexpr _I next(_I __i, __difference_of<_I> __n = 1)
{
    std::advance(__i, __n);
    return __i;
}
template <typename _I> __WS_LIBRARY constexpr _I prev(_I __i, __difference_of<_I> __n = 1)
{
    std::advance(__i, -__n);
    return __i;
}
} // namespace std

#endif
