#ifndef WARPSTEP_PARTS_HASH_H
#define WARPSTEP_PARTS_HASH_H

#include <type_traits>

namespace std
{
template <typename _T> struct __hash_of {
    typedef _T argument_type;
    typedef size_t result_type;
    size_t operator()(const _T &) const noexcept __WS_HOST
};
/* Of a type without one: neither made nor called. */
template <typename _T> struct hash : conditional_t<is_scalar_v<_T>, __hash_of<_T>, false_type> {
};
} // namespace std

#endif
