/* begin(), end() and the like, of arrays and of what has them. */
#ifndef WARPSTEP_PARTS_RANGES_H
#define WARPSTEP_PARTS_RANGES_H

#include <initializer_list>
#include <parts/reverse_iterator.h>

namespace std
{
/* name, what it gives of a container, what of an array */
#define __WS_X(name, const_, of_array)                                                             \
    template <typename _C>                                                                         \
    __WS_LIBRARY constexpr auto name(const_ _C &__c)->decltype(__c.name())                         \
    {                                                                                              \
        return __c.name();                                                                         \
    }                                                                                              \
    template <typename _T, size_t __n>                                                             \
    __WS_LIBRARY constexpr auto name(const_ _T (&__a)[__n]) noexcept                               \
    {                                                                                              \
        return of_array;                                                                           \
    }
__WS_X(begin, , (_T *)__a)
__WS_X(end, , (_T *)__a + __n)
__WS_X(rbegin, , reverse_iterator<_T *>(__a + __n))
__WS_X(rend, , reverse_iterator<_T *>(__a))
__WS_X(size, const, __n)
__WS_X(empty, const, false)
__WS_X(data, , (_T *)__a)
#undef __WS_X
template <typename _C> __WS_LIBRARY constexpr auto begin(const _C &__c) -> decltype(__c.begin())
{
    return __c.begin();
}
template <typename _C> __WS_LIBRARY constexpr auto end(const _C &__c) -> decltype(__c.end())
{
    return __c.end();
}
template <typename _C> __WS_LIBRARY constexpr auto data(const _C &__c) -> decltype(__c.data())
{
    return __c.data();
}
template <typename _C> __WS_LIBRARY constexpr auto cbegin(const _C &__c) -> decltype(std::begin(__c))
{
    return std::begin(__c);
}
template <typename _C> __WS_LIBRARY constexpr auto cend(const _C &__c) -> decltype(std::end(__c))
{
    return std::end(__c);
}
template <typename _C> __WS_LIBRARY constexpr ptrdiff_t ssize(const _C &__c)
{
    return (ptrdiff_t)std::size(__c);
}
} // namespace std

#endif
