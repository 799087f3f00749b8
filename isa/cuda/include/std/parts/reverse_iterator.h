#ifndef WARPSTEP_PARTS_REVERSE_ITERATOR_H
#define WARPSTEP_PARTS_REVERSE_ITERATOR_H

#include <parts/iterator_tags.h>

namespace std
{
template <typename _I> class reverse_iterator
{
    _I __at;

  public:
    typedef _I iterator_type;
    typedef typename iterator_traits<_I>::iterator_category iterator_category;
    typedef typename iterator_traits<_I>::value_type value_type;
    typedef typename iterator_traits<_I>::difference_type difference_type;
    typedef typename iterator_traits<_I>::pointer pointer;
    typedef typename iterator_traits<_I>::reference reference;

    __WS_LIBRARY constexpr reverse_iterator() : __at() {}
    __WS_LIBRARY constexpr explicit reverse_iterator(_I __i) : __at(__i) {}
    template <typename _J>
    __WS_LIBRARY constexpr reverse_iterator(const reverse_iterator<_J> &__i) : __at(__i.base())
    {
    }
    __WS_LIBRARY constexpr _I base() const
    {
        return __at;
    }
    __WS_LIBRARY constexpr reference operator*() const
    {
        _I __i = __at;
        return *--__i;
    }
    __WS_LIBRARY constexpr pointer operator->() const
    {
        return &**this;
    }
    __WS_LIBRARY constexpr reverse_iterator &operator++()
    {
        --__at;
        return *this;
    }
    __WS_LIBRARY constexpr reverse_iterator operator++(int)
    {
        return reverse_iterator(__at--);
    }
    __WS_LIBRARY constexpr reverse_iterator &operator--()
    {
        ++__at;
        return *this;
    }
    __WS_LIBRARY constexpr reverse_iterator operator--(int)
    {
        return reverse_iterator(__at++);
    }
    __WS_LIBRARY constexpr reverse_iterator operator+(difference_type __n) const
    {
        return reverse_iterator(__at - __n);
    }
    __WS_LIBRARY constexpr reverse_iterator operator-(difference_type __n) const
    {
        return reverse_iterator(__at + __n);
    }
    __WS_LIBRARY constexpr reverse_iterator &operator+=(difference_type __n)
    {
        __at -= __n;
        return *this;
    }
    __WS_LIBRARY constexpr reverse_iterator &operator-=(difference_type __n)
    {
        __at += __n;
        return *this;
    }
    __WS_LIBRARY constexpr reference operator[](difference_type __n) const
    {
        return *(*this + __n);
    }
};
#define __WS_X(op, turned)                                                                         \
    template <typename _I, typename _J>                                                            \
    __WS_LIBRARY constexpr bool operator op(const reverse_iterator<_I> &__i, const reverse_iterator<_J> &__j)\
    {                                                                                              \
        return __i.base() turned __j.base();                                                       \
    }
__WS_X(==, ==)
__WS_X(!=, !=)
__WS_X(<, >)
__WS_X(>, <)
__WS_X(<=, >=)
__WS_X(>=, <=)
#undef __WS_X
template <typename _I, typename _J>
__WS_LIBRARY constexpr auto operator-(const reverse_iterator<_I> &__i, const reverse_iterator<_J> &__j)
    -> decltype(__j.base() - __i.base())
{
    return __j.base() - __i.base();
}
template <typename _I> __WS_LIBRARY constexpr reverse_iterator<_I> make_reverse_iterator(_I __i)
{
    return reverse_iterator<_I>(__i);
}
} // namespace std

#endif
