#ifndef WARPSTEP_PARTS_ITERATOR_TAGS_H
#define WARPSTEP_PARTS_ITERATOR_TAGS_H

#include <type_traits>

namespace std
{
struct input_iterator_tag {
};
struct output_iterator_tag {
};
struct forward_iterator_tag : input_iterator_tag {
};
struct bidirectional_iterator_tag : forward_iterator_tag {
};
struct random_access_iterator_tag : bidirectional_iterator_tag {
};

template <typename _I, typename = void> struct __iterator_types {
};
template <typename _I>
struct __iterator_types<_I, void_t<typename _I::iterator_category, typename _I::value_type,
                                   typename _I::difference_type, typename _I::pointer, typename _I::reference>> {
    typedef typename _I::iterator_category iterator_category;
    typedef typename _I::value_type value_type;
    typedef typename _I::difference_type difference_type;
    typedef typename _I::pointer pointer;
    typedef typename _I::reference reference;
};
template <typename _I> struct iterator_traits : __iterator_types<_I> {
};
template <typename _T> struct iterator_traits<_T *> {
    typedef random_access_iterator_tag iterator_category;
    typedef remove_cv_t<_T> value_type;
    typedef ptrdiff_t difference_type;
    typedef _T *pointer;
    typedef _T &reference;
};
template <typename _I> using __value_of = typename iterator_traits<_I>::value_type;
template <typename _I> using __difference_of = typename iterator_traits<_I>::difference_type;

/* For constructors that take two iterators. */
template <typename _I>
using __if_iterator = enable_if_t<is_convertible_v<typename iterator_traits<_I>::iterator_category, input_iterator_tag>>;

template <typename _Category, typename _T, typename _Distance = ptrdiff_t, typename _Pointer = _T *,
          typename _Reference = _T &>
struct iterator {
    typedef _Category iterator_category;
    typedef _T value_type;
    typedef _Distance difference_type;
    typedef _Pointer pointer;
    typedef _Reference reference;
};
} // namespace std

#endif
