/* thrust::constant_iterator: one value everywhere. */
#ifndef WARPSTEP_THRUST_CONSTANT_ITERATOR_H
#define WARPSTEP_THRUST_CONSTANT_ITERATOR_H

#include "../execution_policy.h"
#include "warpstep/random_access.h"

namespace thrust
{

template <typename T, typename Incrementable = ptrdiff_t, typename System = any_system_tag>
class constant_iterator
    : public __ws_random_access<constant_iterator<T, Incrementable, System>, T, T>
{
    T value;
    ptrdiff_t place;

  public:
    __WS_MEMBER constant_iterator() : value(), place(0)
    {
    }
    __WS_MEMBER constant_iterator(const T &a_value, ptrdiff_t a_place = 0)
        : value(a_value), place(a_place)
    {
    }
    __WS_MEMBER T __at(ptrdiff_t) const
    {
        return value;
    }
    __WS_MEMBER void __advance(ptrdiff_t n)
    {
        place += n;
    }
    __WS_MEMBER ptrdiff_t __places_from(const constant_iterator &other) const
    {
        return place - other.place;
    }
};
template <typename T, typename N = ptrdiff_t>
__WS_MEMBER constant_iterator<T> make_constant_iterator(T value, N place = 0)
{
    return constant_iterator<T>(value, (ptrdiff_t)place);
}

} // namespace thrust

#endif
