/* thrust::device_vector: an array on the device that grows. The host reads and writes its items. */
#ifndef WARPSTEP_THRUST_DEVICE_VECTOR_H
#define WARPSTEP_THRUST_DEVICE_VECTOR_H

#include "host_vector.h"

namespace thrust
{

/* Of its allocator a device_vector takes no notice: memory is cudaMalloc's. */
template <typename T> class device_allocator
{
  public:
    typedef T value_type;
};
template <typename T> using device_malloc_allocator = device_allocator<T>;

template <typename T, typename Allocator = device_allocator<T>> class device_vector
{
    T *items;
    size_t count, room;

    struct fill_item {
        T *items;
        T value;
        __WS_MEMBER void operator()(long long i)
        {
            items[i] = value;
        }
    };
    void fill_from(size_t from, const T &value)
    {
        detail::each_index(detail::device_policy(), (ptrdiff_t)(count - from),
                           fill_item{items + from, value});
    }
    template <typename It> void take(It first, size_t n)
    {
        reserve(n);
        count = n;
        detail::move_items(first, (ptrdiff_t)n, begin());
    }

  public:
    typedef T value_type;
    typedef size_t size_type;
    typedef ptrdiff_t difference_type;
    typedef device_ptr<T> iterator, pointer;
    typedef device_ptr<const T> const_iterator, const_pointer;
    typedef device_reference<T> reference;
    typedef device_reference<const T> const_reference;
    typedef Allocator allocator_type;

    device_vector() : items(NULL), count(0), room(0)
    {
    }
    explicit device_vector(size_t n) : device_vector(n, T())
    {
    }
    device_vector(size_t n, const T &value) : device_vector()
    {
        resize(n, value);
    }
    device_vector(const device_vector &other) : device_vector()
    {
        take(other.begin(), other.count);
    }
    device_vector(device_vector &&other) : device_vector()
    {
        swap(other);
    }
    device_vector(std::initializer_list<T> list) : device_vector()
    {
        take(list.begin(), list.size());
    }
    template <typename U, typename A>
    device_vector(const device_vector<U, A> &other) : device_vector()
    {
        take(other.begin(), other.size());
    }
    template <typename U, typename A>
    device_vector(const std::vector<U, A> &other) : device_vector()
    {
        take(other.begin(), other.size());
    }
    template <typename It, typename = typename std::iterator_traits<It>::iterator_category>
    device_vector(It first, It last) : device_vector()
    {
        take(first, (size_t)detail::count_items(first, last));
    }
    ~device_vector()
    {
        cudaFree((void *)items);
    }
    device_vector &operator=(const device_vector &other)
    {
        if (this != &other)
            take(other.begin(), other.count);
        return *this;
    }
    device_vector &operator=(device_vector &&other)
    {
        swap(other);
        return *this;
    }
    template <typename U, typename A> device_vector &operator=(const std::vector<U, A> &other)
    {
        take(other.begin(), other.size());
        return *this;
    }
    template <typename U, typename A> device_vector &operator=(const device_vector<U, A> &other)
    {
        take(other.begin(), other.size());
        return *this;
    }

    iterator begin()
    {
        return iterator(items);
    }
    iterator end()
    {
        return iterator(items + count);
    }
    const_iterator begin() const
    {
        return const_iterator(items);
    }
    const_iterator end() const
    {
        return const_iterator(items + count);
    }
    const_iterator cbegin() const
    {
        return begin();
    }
    const_iterator cend() const
    {
        return end();
    }
    pointer data()
    {
        return begin();
    }
    const_pointer data() const
    {
        return begin();
    }
    reference operator[](size_t i)
    {
        return reference(items + i);
    }
    const_reference operator[](size_t i) const
    {
        return const_reference(items + i);
    }
    reference front()
    {
        return reference(items);
    }
    const_reference front() const
    {
        return const_reference(items);
    }
    reference back()
    {
        return reference(items + count - 1);
    }
    const_reference back() const
    {
        return const_reference(items + count - 1);
    }
    size_t size() const
    {
        return count;
    }
    size_t capacity() const
    {
        return room;
    }
    bool empty() const
    {
        return count == 0;
    }

    void reserve(size_t n)
    {
        if (n <= room)
            return;
        void *larger;
        detail::check(cudaMalloc(&larger, n * sizeof(T)));
        if (count > 0)
            detail::check(cudaMemcpy(larger, (const void *)items, count * sizeof(T),
                                     cudaMemcpyDeviceToDevice));
        cudaFree((void *)items);
        items = (T *)larger;
        room = n;
    }
    void resize(size_t n)
    {
        resize(n, T());
    }
    void resize(size_t n, const T &value)
    {
        size_t old = count;
        reserve(n);
        count = n;
        if (n > old)
            fill_from(old, value);
    }
    void shrink_to_fit()
    {
        device_vector(*this).swap(*this);
    }
    void clear()
    {
        count = 0;
    }
    void push_back(const T &value)
    {
        if (count == room)
            reserve(room == 0 ? 1 : 2 * room);
        count++;
        back() = value;
    }
    void pop_back()
    {
        count--;
    }
    void assign(size_t n, const T &value)
    {
        count = 0;
        resize(n, value);
    }
    template <typename It, typename = typename std::iterator_traits<It>::iterator_category>
    void assign(It first, It last)
    {
        take(first, (size_t)detail::count_items(first, last));
    }
    iterator erase(iterator first, iterator last)
    {
        device_vector rest(last, end());
        count = (size_t)(first - begin()) + rest.count;
        detail::move_items(rest.begin(), (ptrdiff_t)rest.count, first);
        return first;
    }
    iterator erase(iterator at)
    {
        return erase(at, at + 1);
    }
    template <typename It, typename = typename std::iterator_traits<It>::iterator_category>
    void insert(iterator at, It first, It last)
    {
        device_vector rest(at, end());
        size_t before = (size_t)(at - begin()), n = (size_t)detail::count_items(first, last);
        reserve(count + n);
        count += n;
        detail::move_items(first, (ptrdiff_t)n, begin() + before);
        detail::move_items(rest.begin(), (ptrdiff_t)rest.count, begin() + before + n);
    }
    void swap(device_vector &other)
    {
        thrust::swap(items, other.items);
        thrust::swap(count, other.count);
        thrust::swap(room, other.room);
    }

    template <typename Other> friend bool operator==(const device_vector &a, const Other &b)
    {
        host_vector<T> x(a), y(b);
        return x == y;
    }
    template <typename Other> friend bool operator!=(const device_vector &a, const Other &b)
    {
        return !(a == b);
    }
};

} // namespace thrust

#endif
