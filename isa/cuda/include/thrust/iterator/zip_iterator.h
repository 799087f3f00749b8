/* thrust::zip_iterator: several iterators side by side, as one of tuples. */
#ifndef WARPSTEP_THRUST_ZIP_ITERATOR_H
#define WARPSTEP_THRUST_ZIP_ITERATOR_H

#include "../execution_policy.h"
#include "warpstep/random_access.h"

namespace thrust
{

template <typename Tuple> class zip_iterator;

template <typename... It>
class zip_iterator<tuple<It...>>
    : public __ws_random_access<zip_iterator<tuple<It...>>,
                                tuple<typename std::iterator_traits<It>::value_type...>,
                                tuple<typename std::iterator_traits<It>::reference...>>
{
    typedef std::make_index_sequence<sizeof...(It)> Indices;
    typedef tuple<typename std::iterator_traits<It>::reference...> Items;
    tuple<It...> its;

    template <size_t... I> __WS_MEMBER Items at(ptrdiff_t n, std::index_sequence<I...>) const
    {
        return Items(get<I>(its)[n]...);
    }
    template <size_t... I> __WS_MEMBER void move(ptrdiff_t n, std::index_sequence<I...>)
    {
        int each[] = {(get<I>(its) += n, 0)...};
        (void)each;
    }

  public:
    zip_iterator() = default;
    __WS_MEMBER zip_iterator(const tuple<It...> &some) : its(some)
    {
    }
    template <typename... Other>
    __WS_MEMBER zip_iterator(const zip_iterator<tuple<Other...>> &other)
        : its(other.get_iterator_tuple())
    {
    }
    __WS_MEMBER const tuple<It...> &get_iterator_tuple() const
    {
        return its;
    }
    __WS_MEMBER Items __at(ptrdiff_t n) const
    {
        return at(n, Indices());
    }
    __WS_MEMBER void __advance(ptrdiff_t n)
    {
        move(n, Indices());
    }
    __WS_MEMBER ptrdiff_t __places_from(const zip_iterator &other) const
    {
        return get<0>(its) - get<0>(other.its);
    }
};
template <typename... It>
__WS_MEMBER zip_iterator<tuple<It...>> make_zip_iterator(const tuple<It...> &its)
{
    return zip_iterator<tuple<It...>>(its);
}
template <typename A, typename B, typename... Rest>
__WS_MEMBER zip_iterator<tuple<A, B, Rest...>> make_zip_iterator(A a, B b, Rest... rest)
{
    return zip_iterator<tuple<A, B, Rest...>>(tuple<A, B, Rest...>(a, b, rest...));
}

namespace detail
{
template <typename... It> struct is_on_device<zip_iterator<tuple<It...>>> : any_on_device<It...> {
};
template <typename... It, size_t... I>
__WS_MEMBER auto unwrap_all(const tuple<It...> &its, std::index_sequence<I...>)
{
    return make_zip_iterator(tuple<decltype(unwrap(get<I>(its)))...>(unwrap(get<I>(its))...));
}
template <typename... It> __WS_MEMBER auto unwrap(const zip_iterator<tuple<It...>> &it)
{
    return unwrap_all(it.get_iterator_tuple(), std::make_index_sequence<sizeof...(It)>());
}
} // namespace detail

} // namespace thrust

#endif
