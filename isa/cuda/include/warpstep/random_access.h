/*
 * The operators of an iterator that goes anywhere, for the iterators of CUB and Thrust. `Self` has
 *   Reference __at(Difference n) const;      what is n places on
 *   void __advance(Difference n);
 *   Difference __places_from(const Self &) const;
 */
#ifndef WARPSTEP_RANDOM_ACCESS_H
#define WARPSTEP_RANDOM_ACCESS_H

#include "warpstep/attributes.h"

#include <cstddef>
#include <iterator>

template <typename Self, typename Value, typename Reference, typename Difference = ptrdiff_t,
          typename Pointer = Value *>
class __ws_random_access
{
    __WS_MEMBER const Self &self() const
    {
        return *static_cast<const Self *>(this);
    }
    __WS_MEMBER Self &self()
    {
        return *static_cast<Self *>(this);
    }

  public:
    typedef std::random_access_iterator_tag iterator_category;
    typedef Value value_type;
    typedef Reference reference;
    typedef Difference difference_type;
    typedef Pointer pointer;

    __WS_MEMBER Reference operator*() const
    {
        return self().__at(0);
    }
    template <typename N> __WS_MEMBER Reference operator[](N n) const
    {
        return self().__at((Difference)n);
    }
    __WS_MEMBER Self &operator++()
    {
        self().__advance(1);
        return self();
    }
    __WS_MEMBER Self operator++(int)
    {
        Self old = self();
        self().__advance(1);
        return old;
    }
    __WS_MEMBER Self &operator--()
    {
        self().__advance(-1);
        return self();
    }
    __WS_MEMBER Self operator--(int)
    {
        Self old = self();
        self().__advance(-1);
        return old;
    }
    template <typename N> __WS_MEMBER Self &operator+=(N n)
    {
        self().__advance((Difference)n);
        return self();
    }
    template <typename N> __WS_MEMBER Self &operator-=(N n)
    {
        self().__advance(-(Difference)n);
        return self();
    }
    __WS_MEMBER friend Self operator+(const Self &from, Difference n)
    {
        Self to = from;
        to.__advance(n);
        return to;
    }
    __WS_MEMBER friend Self operator+(Difference n, const Self &from)
    {
        return from + n;
    }
    __WS_MEMBER friend Self operator-(const Self &from, Difference n)
    {
        Self to = from;
        to.__advance(-n);
        return to;
    }
    __WS_MEMBER friend Difference operator-(const Self &a, const Self &b)
    {
        return a.__places_from(b);
    }
#define __WS_COMPARE(op)                                                                           \
    __WS_MEMBER friend bool operator op(const Self &a, const Self &b)                              \
    {                                                                                              \
        return a.__places_from(b) op 0;                                                            \
    }
    __WS_COMPARE(==)
    __WS_COMPARE(!=)
    __WS_COMPARE(<)
    __WS_COMPARE(<=)
    __WS_COMPARE(>)
    __WS_COMPARE(>=)
#undef __WS_COMPARE
};

#endif
