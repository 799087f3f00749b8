/* thrust::counting_iterator: the numbers from one on. */
#ifndef WARPSTEP_THRUST_COUNTING_ITERATOR_H
#define WARPSTEP_THRUST_COUNTING_ITERATOR_H

#include "../execution_policy.h"
#include "warpstep/random_access.h"

namespace thrust
{

template <typename T, typename System = any_system_tag, typename Traversal = void,
          typename Difference = ptrdiff_t>
class counting_iterator
    : public __ws_random_access<counting_iterator<T, System, Traversal, Difference>, T, T>
{
    T value;

  public:
    __WS_MEMBER counting_iterator() : value()
    {
    }
    __WS_MEMBER explicit counting_iterator(const T &a_value) : value(a_value)
    {
    }
    __WS_MEMBER T base() const
    {
        return value;
    }
    __WS_MEMBER T __at(ptrdiff_t n) const
    {
        return (T)(value + n);
    }
    __WS_MEMBER void __advance(ptrdiff_t n)
    {
        value = (T)(value + n);
    }
    __WS_MEMBER ptrdiff_t __places_from(const counting_iterator &other) const
    {
        return (ptrdiff_t)value - (ptrdiff_t)other.value;
    }
};
template <typename T> __WS_MEMBER counting_iterator<T> make_counting_iterator(T value)
{
    return counting_iterator<T>(value);
}

} // namespace thrust

#endif
