/* thrust::transform_iterator: what a function makes of another iterator's items. */
#ifndef WARPSTEP_THRUST_TRANSFORM_ITERATOR_H
#define WARPSTEP_THRUST_TRANSFORM_ITERATOR_H

#include "../execution_policy.h"
#include "warpstep/random_access.h"

namespace thrust
{

namespace detail
{
template <typename Function, typename It> struct transformed {
    typedef decltype(std::declval<Function &>()(*unwrap(std::declval<It>()))) reference;
    typedef typename std::decay<reference>::type value;
};
} // namespace detail

template <typename Function, typename It, typename Reference = void, typename Value = void>
class transform_iterator
    : public __ws_random_access<transform_iterator<Function, It, Reference, Value>,
                                typename detail::transformed<Function, It>::value,
                                typename detail::transformed<Function, It>::reference>
{
    It input;
    Function function;

  public:
    transform_iterator() = default;
    __WS_MEMBER transform_iterator(const It &an_input, const Function &a_function = Function())
        : input(an_input), function(a_function)
    {
    }
    __WS_MEMBER const It &base() const
    {
        return input;
    }
    __WS_MEMBER Function functor() const
    {
        return function;
    }
    __WS_MEMBER typename detail::transformed<Function, It>::reference __at(ptrdiff_t n) const
    {
        Function call = function;
        return call(input[n]);
    }
    __WS_MEMBER void __advance(ptrdiff_t n)
    {
        input += n;
    }
    __WS_MEMBER ptrdiff_t __places_from(const transform_iterator &other) const
    {
        return input - other.input;
    }
};
template <typename It, typename Function>
__WS_MEMBER transform_iterator<Function, It> make_transform_iterator(It it, Function function)
{
    return transform_iterator<Function, It>(it, function);
}

namespace detail
{
template <typename F, typename It, typename R, typename V>
struct is_on_device<transform_iterator<F, It, R, V>> : is_on_device<It> {
};
template <typename F, typename It, typename R, typename V>
__WS_MEMBER auto unwrap(const transform_iterator<F, It, R, V> &it)
{
    return transform_iterator<F, decltype(unwrap(it.base()))>(unwrap(it.base()), it.functor());
}
} // namespace detail

} // namespace thrust

#endif
