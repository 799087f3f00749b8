#ifndef WARPSTEP_PARTS_ALLOCATOR_H
#define WARPSTEP_PARTS_ALLOCATOR_H

#include <type_traits>

namespace std
{
template <typename _T> class allocator
{
  public:
    typedef _T value_type;
    typedef _T *pointer;
    typedef const _T *const_pointer;
    typedef add_lvalue_reference_t<_T> reference;
    typedef add_lvalue_reference_t<const _T> const_reference;
    typedef size_t size_type;
    typedef ptrdiff_t difference_type;
    typedef true_type propagate_on_container_move_assignment, is_always_equal;
    template <typename _U> struct rebind {
        typedef allocator<_U> other;
    };
    allocator() noexcept __WS_HOST
    template <typename _U> allocator(const allocator<_U> &) noexcept __WS_HOST
    _T *allocate(size_t, const void * = nullptr) __WS_HOST
    void deallocate(_T *, size_t) __WS_HOST
    size_t max_size() const noexcept __WS_HOST
    template <typename _U, typename... _A> void construct(_U *, _A &&...) __WS_HOST
    template <typename _U> void destroy(_U *) __WS_HOST
};
template <typename _T, typename _U> bool operator==(const allocator<_T> &, const allocator<_U> &) noexcept __WS_HOST
template <typename _T, typename _U> bool operator!=(const allocator<_T> &, const allocator<_U> &) noexcept __WS_HOST

template <typename _Alloc> struct allocator_traits {
    typedef _Alloc allocator_type;
    typedef typename _Alloc::value_type value_type;
    typedef value_type *pointer;
    typedef const value_type *const_pointer;
    typedef size_t size_type;
    typedef ptrdiff_t difference_type;
    static pointer allocate(_Alloc &, size_type) __WS_HOST
    static void deallocate(_Alloc &, pointer, size_type) __WS_HOST
    template <typename _T, typename... _A> static void construct(_Alloc &, _T *, _A &&...) __WS_HOST
    template <typename _T> static void destroy(_Alloc &, _T *) __WS_HOST
};
template <typename _P, typename _T> struct __pointer_traits {
    typedef _P pointer;
    typedef _T element_type;
    typedef ptrdiff_t difference_type;
    static _P pointer_to(_T &) __WS_HOST
};
template <typename _P> struct pointer_traits : __pointer_traits<_P, typename _P::element_type> {
    template <typename _U> using rebind = _P;
};
template <typename _T> struct pointer_traits<_T *> : __pointer_traits<_T *, _T> {
    template <typename _U> using rebind = _U *;
};
struct allocator_arg_t {
};
inline constexpr allocator_arg_t allocator_arg{};
} // namespace std

#endif
