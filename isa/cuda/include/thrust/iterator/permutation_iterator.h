/* thrust::permutation_iterator: the items at the places that another iterator gives. */
#ifndef WARPSTEP_THRUST_PERMUTATION_ITERATOR_H
#define WARPSTEP_THRUST_PERMUTATION_ITERATOR_H

#include "../execution_policy.h"
#include "warpstep/random_access.h"

namespace thrust
{

template <typename It, typename Map>
class permutation_iterator
    : public __ws_random_access<permutation_iterator<It, Map>,
                                typename std::iterator_traits<It>::value_type,
                                typename std::iterator_traits<It>::reference>
{
    It items;
    Map places;

  public:
    permutation_iterator() = default;
    __WS_MEMBER permutation_iterator(It some_items, Map some_places)
        : items(some_items), places(some_places)
    {
    }
    __WS_MEMBER const It &all() const
    {
        return items;
    }
    __WS_MEMBER const Map &map() const
    {
        return places;
    }
    __WS_MEMBER typename std::iterator_traits<It>::reference __at(ptrdiff_t n) const
    {
        return items[(ptrdiff_t)places[n]];
    }
    __WS_MEMBER void __advance(ptrdiff_t n)
    {
        places += n;
    }
    __WS_MEMBER ptrdiff_t __places_from(const permutation_iterator &other) const
    {
        return places - other.places;
    }
};
template <typename It, typename Map>
__WS_MEMBER permutation_iterator<It, Map> make_permutation_iterator(It items, Map places)
{
    return permutation_iterator<It, Map>(items, places);
}

namespace detail
{
template <typename It, typename Map>
struct is_on_device<permutation_iterator<It, Map>> : any_on_device<It, Map> {
};
template <typename It, typename Map>
__WS_MEMBER auto unwrap(const permutation_iterator<It, Map> &it)
{
    return make_permutation_iterator(unwrap(it.all()), unwrap(it.map()));
}
} // namespace detail

} // namespace thrust

#endif
