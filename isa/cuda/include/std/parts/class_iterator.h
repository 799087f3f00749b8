/* Iterators of containers of the host: declared. */
#ifndef WARPSTEP_PARTS_CLASS_ITERATOR_H
#define WARPSTEP_PARTS_CLASS_ITERATOR_H

#include <parts/reverse_iterator.h>

namespace std
{
/* _Owner: so that those of different containers are different types. */
template <typename _Owner, typename _T> class __step_iterator
{
  public:
    typedef bidirectional_iterator_tag iterator_category;
    typedef remove_cv_t<_T> value_type;
    typedef ptrdiff_t difference_type;
    typedef _T *pointer;
    typedef _T &reference;
    __step_iterator() __WS_HOST
    template <typename _U, typename = enable_if_t<is_convertible_v<_U *, _T *>>>
    __step_iterator(const __step_iterator<_Owner, _U> &) __WS_HOST
    reference operator*() const __WS_HOST
    pointer operator->() const __WS_HOST
    __step_iterator &operator++() __WS_HOST
    __step_iterator operator++(int) __WS_HOST
    __step_iterator &operator--() __WS_HOST
    __step_iterator operator--(int) __WS_HOST
};
template <typename _Owner, typename _T, typename _U>
bool operator==(const __step_iterator<_Owner, _T> &, const __step_iterator<_Owner, _U> &) __WS_HOST
template <typename _Owner, typename _T, typename _U>
bool operator!=(const __step_iterator<_Owner, _T> &, const __step_iterator<_Owner, _U> &) __WS_HOST

template <typename _Owner, typename _T, typename _Reference = _T &> class __jump_iterator
{
  public:
    typedef random_access_iterator_tag iterator_category;
    typedef remove_cv_t<_T> value_type;
    typedef ptrdiff_t difference_type;
    typedef _T *pointer;
    typedef _Reference reference;
    __jump_iterator() __WS_HOST
    template <typename _U, typename _R, typename = enable_if_t<is_convertible_v<_U *, _T *>>>
    __jump_iterator(const __jump_iterator<_Owner, _U, _R> &) __WS_HOST
    reference operator*() const __WS_HOST
    pointer operator->() const __WS_HOST
    reference operator[](ptrdiff_t) const __WS_HOST
    __jump_iterator &operator++() __WS_HOST
    __jump_iterator operator++(int) __WS_HOST
    __jump_iterator &operator--() __WS_HOST
    __jump_iterator operator--(int) __WS_HOST
    __jump_iterator &operator+=(ptrdiff_t) __WS_HOST
    __jump_iterator &operator-=(ptrdiff_t) __WS_HOST
    __jump_iterator operator+(ptrdiff_t) const __WS_HOST
    __jump_iterator operator-(ptrdiff_t) const __WS_HOST
};
template <typename _Owner, typename _T, typename _R>
__jump_iterator<_Owner, _T, _R> operator+(ptrdiff_t, const __jump_iterator<_Owner, _T, _R> &) __WS_HOST
template <typename _Owner, typename _T, typename _R, typename _U, typename _S>
ptrdiff_t operator-(const __jump_iterator<_Owner, _T, _R> &, const __jump_iterator<_Owner, _U, _S> &) __WS_HOST
#define __WS_X(op)                                                                                 \
    template <typename _Owner, typename _T, typename _R, typename _U, typename _S>                 \
    bool operator op(const __jump_iterator<_Owner, _T, _R> &, const __jump_iterator<_Owner, _U, _S> &) __WS_HOST
__WS_X(==)
__WS_X(!=)
__WS_X(<)
__WS_X(>)
__WS_X(<=)
__WS_X(>=)
#undef __WS_X

/* name<...> op name<...> of a container's value. */
#define __WS_COMPARES_BY(op, parameters, ...)                                                      \
    template <__WS_UNPACK parameters> bool operator op(const __VA_ARGS__ &, const __VA_ARGS__ &) __WS_HOST
#define __WS_UNPACK(...) __VA_ARGS__
#define __WS_COMPARES(parameters, ...)                                                             \
    __WS_COMPARES_BY(==, parameters, __VA_ARGS__)                                                  \
    __WS_COMPARES_BY(!=, parameters, __VA_ARGS__)                                                  \
    __WS_COMPARES_BY(<, parameters, __VA_ARGS__)                                                   \
    __WS_COMPARES_BY(>, parameters, __VA_ARGS__)                                                   \
    __WS_COMPARES_BY(<=, parameters, __VA_ARGS__)                                                  \
    __WS_COMPARES_BY(>=, parameters, __VA_ARGS__)                                                  \
    template <__WS_UNPACK parameters> void swap(__VA_ARGS__ &, __VA_ARGS__ &) noexcept __WS_HOST

/* The types of every container of values of _T. */
#define __WS_CONTAINER_TYPES                                                                       \
    typedef _Alloc allocator_type;                                                                 \
    typedef size_t size_type;                                                                      \
    typedef ptrdiff_t difference_type;                                                             \
    typedef _T &reference;                                                                         \
    typedef const _T &const_reference;                                                             \
    typedef _T *pointer;                                                                           \
    typedef const _T *const_pointer;
/* What all of them can do. */
#define __WS_CONTAINER                                                                             \
    iterator begin() noexcept __WS_HOST                                                            \
    const_iterator begin() const noexcept __WS_HOST                                                \
    iterator end() noexcept __WS_HOST                                                              \
    const_iterator end() const noexcept __WS_HOST                                                  \
    const_iterator cbegin() const noexcept __WS_HOST                                               \
    const_iterator cend() const noexcept __WS_HOST                                                 \
    bool empty() const noexcept __WS_HOST                                                          \
    size_type size() const noexcept __WS_HOST                                                      \
    size_type max_size() const noexcept __WS_HOST                                                  \
    void clear() noexcept __WS_HOST                                                                \
    allocator_type get_allocator() const noexcept;
#define __WS_REVERSIBLE                                                                            \
    typedef std::reverse_iterator<iterator> reverse_iterator;                                      \
    typedef std::reverse_iterator<const_iterator> const_reverse_iterator;                          \
    reverse_iterator rbegin() noexcept __WS_HOST                                                   \
    const_reverse_iterator rbegin() const noexcept __WS_HOST                                       \
    reverse_iterator rend() noexcept __WS_HOST                                                     \
    const_reverse_iterator rend() const noexcept __WS_HOST                                         \
    const_reverse_iterator crbegin() const noexcept __WS_HOST                                      \
    const_reverse_iterator crend() const noexcept;
/* Construction and assignment as every container has it. */
#define __WS_COPYABLE(name)                                                                        \
    name(const name &) __WS_HOST                                                                   \
    name(name &&) noexcept __WS_HOST                                                               \
    ~name() __WS_HOST                                                                              \
    name &operator=(const name &) __WS_HOST                                                        \
    name &operator=(name &&) noexcept __WS_HOST                                                    \
    name &operator=(initializer_list<value_type>) __WS_HOST                                        \
    void swap(name &) noexcept;
/* Sequences: vector, deque, list. */
#define __WS_SEQUENCE(name)                                                                        \
    name() noexcept __WS_HOST                                                                      \
    explicit name(const _Alloc &) noexcept __WS_HOST                                               \
    explicit name(size_type, const _Alloc & = _Alloc()) __WS_HOST                                  \
    name(size_type, const value_type &, const _Alloc & = _Alloc()) __WS_HOST                       \
    template <typename _I, typename = __if_iterator<_I>> name(_I, _I, const _Alloc & = _Alloc()) __WS_HOST\
    name(initializer_list<value_type>, const _Alloc & = _Alloc()) __WS_HOST                        \
    __WS_COPYABLE(name)                                                                            \
    void assign(size_type, const value_type &) __WS_HOST                                           \
    template <typename _I, typename = __if_iterator<_I>> void assign(_I, _I) __WS_HOST             \
    void assign(initializer_list<value_type>) __WS_HOST                                            \
    __WS_CONTAINER                                                                                 \
    __WS_REVERSIBLE                                                                                \
    reference front() __WS_HOST                                                                    \
    const_reference front() const __WS_HOST                                                        \
    reference back() __WS_HOST                                                                     \
    const_reference back() const __WS_HOST                                                         \
    void resize(size_type) __WS_HOST                                                               \
    void resize(size_type, const value_type &) __WS_HOST                                           \
    void push_back(const value_type &) __WS_HOST                                                   \
    void push_back(value_type &&) __WS_HOST                                                        \
    template <typename... _A> reference emplace_back(_A &&...) __WS_HOST                           \
    void pop_back() __WS_HOST                                                                      \
    template <typename... _A> iterator emplace(const_iterator, _A &&...) __WS_HOST                 \
    iterator insert(const_iterator, const value_type &) __WS_HOST                                  \
    iterator insert(const_iterator, value_type &&) __WS_HOST                                       \
    iterator insert(const_iterator, size_type, const value_type &) __WS_HOST                       \
    template <typename _I, typename = __if_iterator<_I>> iterator insert(const_iterator, _I, _I) __WS_HOST\
    iterator insert(const_iterator, initializer_list<value_type>) __WS_HOST                        \
    iterator erase(const_iterator) __WS_HOST                                                       \
    iterator erase(const_iterator, const_iterator);
#define __WS_INDEXED                                                                               \
    reference operator[](size_type) __WS_HOST                                                      \
    const_reference operator[](size_type) const __WS_HOST                                          \
    reference at(size_type) __WS_HOST                                                              \
    const_reference at(size_type) const __WS_HOST                                                  \
    void shrink_to_fit();
#define __WS_FRONT                                                                                 \
    void push_front(const value_type &) __WS_HOST                                                  \
    void push_front(value_type &&) __WS_HOST                                                       \
    template <typename... _A> reference emplace_front(_A &&...) __WS_HOST                          \
    void pop_front();
} // namespace std

#endif
