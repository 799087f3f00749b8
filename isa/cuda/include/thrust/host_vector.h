/* thrust::host_vector: a std::vector that takes what is on the device, too. */
#ifndef WARPSTEP_THRUST_HOST_VECTOR_H
#define WARPSTEP_THRUST_HOST_VECTOR_H

#include "detail/run.h"

#include <initializer_list>
#include <vector>

namespace thrust
{

template <typename T, typename Allocator> class device_vector;

template <typename T, typename Allocator = std::allocator<T>>
class host_vector : public std::vector<T>
{
    typedef std::vector<T> Base;

  public:
    host_vector() = default;
    host_vector(const host_vector &) = default;
    host_vector(host_vector &&) = default;
    host_vector &operator=(const host_vector &) = default;
    host_vector &operator=(host_vector &&) = default;
    explicit host_vector(size_t n) : Base(n)
    {
    }
    host_vector(size_t n, const T &value) : Base(n, value)
    {
    }
    host_vector(std::initializer_list<T> items) : Base(items)
    {
    }
    host_vector(const std::vector<T> &items) : Base(items)
    {
    }
    template <typename It, typename = typename std::iterator_traits<It>::iterator_category>
    host_vector(It first, It last) : Base(detail::count_items(first, last))
    {
        detail::move_items(first, (ptrdiff_t)this->size(), this->begin());
    }
    template <typename U, typename A>
    host_vector(const device_vector<U, A> &items) : Base(items.size())
    {
        detail::move_items(items.begin(), (ptrdiff_t)this->size(), this->begin());
    }
    template <typename U, typename A> host_vector &operator=(const device_vector<U, A> &items)
    {
        this->resize(items.size());
        detail::move_items(items.begin(), (ptrdiff_t)this->size(), this->begin());
        return *this;
    }
};

} // namespace thrust

#endif
