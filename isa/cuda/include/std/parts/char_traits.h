#ifndef WARPSTEP_PARTS_CHAR_TRAITS_H
#define WARPSTEP_PARTS_CHAR_TRAITS_H

#include <parts/iosfwd.h>
#include <wchar.h>

namespace std
{
template <typename _S> class fpos
{
    streamoff __at;
    _S __state;

  public:
    fpos(streamoff = 0);
    operator streamoff() const;
    fpos &operator+=(streamoff);
    fpos &operator-=(streamoff);
    fpos operator+(streamoff) const;
    fpos operator-(streamoff) const;
    streamoff operator-(const fpos &) const;
};
typedef fpos<mbstate_t> streampos, wstreampos;

template <typename _C> struct char_traits {
    typedef _C char_type;
    typedef int int_type;
    typedef streamoff off_type;
    typedef streampos pos_type;
    typedef mbstate_t state_type;
    static constexpr void assign(_C &__to, const _C &__c) noexcept
    {
        __to = __c;
    }
    static constexpr bool eq(const _C &__a, const _C &__b) noexcept
    {
        return __a == __b;
    }
    static constexpr bool lt(const _C &__a, const _C &__b) noexcept
    {
        return __a < __b;
    }
    static constexpr int compare(const _C *__a, const _C *__b, size_t __n)
    {
        for (size_t __i = 0; __i < __n; __i++)
            if (__a[__i] != __b[__i])
                return __a[__i] < __b[__i] ? -1 : 1;
        return 0;
    }
    static constexpr size_t length(const _C *__a)
    {
        size_t __n = 0;
        while (__a[__n] != _C())
            __n++;
        return __n;
    }
    static const _C *find(const _C *, size_t, const _C &);
    static _C *move(_C *, const _C *, size_t);
    static _C *copy(_C *, const _C *, size_t);
    static _C *assign(_C *, size_t, _C);
    static constexpr _C to_char_type(int __c) noexcept
    {
        return (_C)__c;
    }
    static constexpr int to_int_type(_C __c) noexcept
    {
        return __c;
    }
    static constexpr bool eq_int_type(int __a, int __b) noexcept
    {
        return __a == __b;
    }
    static constexpr int eof() noexcept
    {
        return -1;
    }
    static constexpr int not_eof(int __c) noexcept
    {
        return __c == -1 ? 0 : __c;
    }
};
} // namespace std

#endif
