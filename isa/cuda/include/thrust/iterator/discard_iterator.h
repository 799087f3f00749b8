/* thrust::discard_iterator: what is written to it is gone. */
#ifndef WARPSTEP_THRUST_DISCARD_ITERATOR_H
#define WARPSTEP_THRUST_DISCARD_ITERATOR_H

#include "../execution_policy.h"
#include "warpstep/random_access.h"

namespace thrust
{

namespace detail
{
struct discarded {
    template <typename T> __WS_MEMBER const discarded &operator=(const T &) const
    {
        return *this;
    }
};
} // namespace detail

template <typename System = any_system_tag>
class discard_iterator
    : public __ws_random_access<discard_iterator<System>, void, detail::discarded>
{
    ptrdiff_t place;

  public:
    __WS_MEMBER discard_iterator(ptrdiff_t a_place = 0) : place(a_place)
    {
    }
    __WS_MEMBER detail::discarded __at(ptrdiff_t) const
    {
        return detail::discarded();
    }
    __WS_MEMBER void __advance(ptrdiff_t n)
    {
        place += n;
    }
    __WS_MEMBER ptrdiff_t __places_from(const discard_iterator &other) const
    {
        return place - other.place;
    }
};
static inline discard_iterator<> make_discard_iterator(ptrdiff_t place = 0)
{
    return discard_iterator<>(place);
}

} // namespace thrust

#endif
