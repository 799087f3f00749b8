/* map, set and their kin: what they share. */
#ifndef WARPSTEP_PARTS_ASSOCIATIVE_H
#define WARPSTEP_PARTS_ASSOCIATIVE_H

#include <functional>
#include <initializer_list>
#include <parts/allocator.h>
#include <parts/class_iterator.h>
#include <parts/min_max.h>

namespace std
{
template <typename _Value, typename _Key, typename _Mapped> class __node_handle
{
  public:
    bool empty() const noexcept __WS_HOST
    explicit operator bool() const noexcept __WS_HOST
    _Key &key() const __WS_HOST
    _Mapped &mapped() const __WS_HOST
    _Value &value() const __WS_HOST
};
template <typename _I, typename _Node> struct __node_insert {
    _I position;
    bool inserted;
    _Node node;
};

/* `inserted`: what insert() of one value gives. */
#define __WS_KEYED(name, inserted)                                                                 \
    name() __WS_HOST                                                                               \
    template <typename _I, typename = __if_iterator<_I>> name(_I, _I) __WS_HOST                    \
    name(initializer_list<value_type>) __WS_HOST                                                   \
    __WS_COPYABLE(name)                                                                            \
    __WS_CONTAINER                                                                                 \
    inserted insert(const value_type &) __WS_HOST                                                  \
    inserted insert(value_type &&) __WS_HOST                                                       \
    template <typename _Arg, typename = enable_if_t<is_constructible_v<value_type, _Arg &&>>>      \
    inserted insert(_Arg &&) __WS_HOST                                                             \
    iterator insert(const_iterator, const value_type &) __WS_HOST                                  \
    iterator insert(const_iterator, value_type &&) __WS_HOST                                       \
    template <typename _I, typename = __if_iterator<_I>> void insert(_I, _I) __WS_HOST             \
    void insert(initializer_list<value_type>) __WS_HOST                                            \
    template <typename... _A> inserted emplace(_A &&...) __WS_HOST                                 \
    template <typename... _A> iterator emplace_hint(const_iterator, _A &&...) __WS_HOST            \
    iterator erase(const_iterator) __WS_HOST                                                       \
    iterator erase(const_iterator, const_iterator) __WS_HOST                                       \
    size_type erase(const key_type &) __WS_HOST                                                    \
    iterator find(const key_type &) __WS_HOST                                                      \
    const_iterator find(const key_type &) const __WS_HOST                                          \
    size_type count(const key_type &) const __WS_HOST                                              \
    bool contains(const key_type &) const __WS_HOST                                                \
    pair<iterator, iterator> equal_range(const key_type &) __WS_HOST                               \
    pair<const_iterator, const_iterator> equal_range(const key_type &) const __WS_HOST             \
    node_type extract(const_iterator) __WS_HOST                                                    \
    node_type extract(const key_type &) __WS_HOST                                                  \
    __node_insert<iterator, node_type> insert(node_type &&) __WS_HOST                              \
    void merge(name &) __WS_HOST                                                                   \
    void merge(name &&);
#define __WS_ORDERED(name, inserted)                                                               \
    typedef _Less key_compare;                                                                     \
    explicit name(const _Less &, const _Alloc & = _Alloc()) __WS_HOST                              \
    template <typename _I, typename = __if_iterator<_I>> name(_I, _I, const _Less &) __WS_HOST     \
    name(initializer_list<value_type>, const _Less &) __WS_HOST                                    \
    __WS_KEYED(name, inserted)                                                                     \
    __WS_REVERSIBLE                                                                                \
    template <typename _Arg, typename _L = _Less, typename = typename _L::is_transparent>          \
    iterator find(const _Arg &) __WS_HOST                                                          \
    iterator lower_bound(const key_type &) __WS_HOST                                               \
    const_iterator lower_bound(const key_type &) const __WS_HOST                                   \
    iterator upper_bound(const key_type &) __WS_HOST                                               \
    const_iterator upper_bound(const key_type &) const __WS_HOST                                   \
    key_compare key_comp() const;
#define __WS_HASHED(name, inserted)                                                                \
    typedef _Hash hasher;                                                                          \
    typedef _Equal key_equal;                                                                      \
    typedef iterator local_iterator;                                                               \
    typedef const_iterator const_local_iterator;                                                   \
    explicit name(size_type, const _Hash & = _Hash(), const _Equal & = _Equal()) __WS_HOST         \
    template <typename _I, typename = __if_iterator<_I>>                                           \
    name(_I, _I, size_type, const _Hash & = _Hash(), const _Equal & = _Equal()) __WS_HOST          \
    name(initializer_list<value_type>, size_type, const _Hash & = _Hash(), const _Equal & = _Equal()) __WS_HOST\
    __WS_KEYED(name, inserted)                                                                     \
    size_type bucket_count() const noexcept __WS_HOST                                              \
    size_type bucket_size(size_type) const __WS_HOST                                               \
    size_type bucket(const key_type &) const __WS_HOST                                             \
    local_iterator begin(size_type) __WS_HOST                                                      \
    local_iterator end(size_type) __WS_HOST                                                        \
    float load_factor() const noexcept __WS_HOST                                                   \
    float max_load_factor() const noexcept __WS_HOST                                               \
    void max_load_factor(float) __WS_HOST                                                          \
    void rehash(size_type) __WS_HOST                                                               \
    void reserve(size_type) __WS_HOST                                                              \
    hasher hash_function() const __WS_HOST                                                         \
    key_equal key_eq() const;
#define __WS_MAP_TYPES(name)                                                                       \
    typedef _K key_type;                                                                           \
    typedef _V mapped_type;                                                                        \
    typedef pair<const _K, _V> value_type, _T;                                                     \
    typedef __node_handle<value_type, _K, _V> node_type;                                           \
    __WS_CONTAINER_TYPES                                                                           \
    typedef __step_iterator<name, value_type> iterator;                                            \
    typedef __step_iterator<name, const value_type> const_iterator;
#define __WS_SET_TYPES(name)                                                                       \
    typedef _T key_type;                                                                           \
    typedef _T value_type;                                                                         \
    typedef __node_handle<_T, _T, _T> node_type;                                                   \
    __WS_CONTAINER_TYPES                                                                           \
    typedef __step_iterator<name, const _T> iterator, const_iterator;
#define __WS_MAP_ACCESS                                                                            \
    _V &operator[](const _K &) __WS_HOST                                                           \
    _V &operator[](_K &&) __WS_HOST                                                                \
    _V &at(const _K &) __WS_HOST                                                                   \
    const _V &at(const _K &) const __WS_HOST                                                       \
    template <typename... _A> pair<iterator, bool> try_emplace(const _K &, _A &&...) __WS_HOST     \
    template <typename... _A> pair<iterator, bool> try_emplace(_K &&, _A &&...) __WS_HOST          \
    template <typename _U> pair<iterator, bool> insert_or_assign(const _K &, _U &&) __WS_HOST      \
    template <typename _U> pair<iterator, bool> insert_or_assign(_K &&, _U &&) __WS_HOST
} // namespace std

#endif
