/*
 * Overloads of abs() and div() for the host. A kernel gets those of warpstep/math_declarations.h, which are declared
 * first: so these stay host functions although they are constexpr.
 */
#ifndef WARPSTEP_PARTS_ABS_H
#define WARPSTEP_PARTS_ABS_H

__attribute__((host)) constexpr long abs(long __x) noexcept
{
    return __x < 0 ? -__x : __x;
}
__attribute__((host)) constexpr long long abs(long long __x) noexcept
{
    return __x < 0 ? -__x : __x;
}
__attribute__((host)) constexpr float abs(float __x) noexcept
{
    return __builtin_fabsf(__x);
}
__attribute__((host)) constexpr double abs(double __x) noexcept
{
    return __builtin_fabs(__x);
}
__attribute__((host)) constexpr long double abs(long double __x) noexcept
{
    return __builtin_fabsl(__x);
}
inline ldiv_t div(long __x, long __y) noexcept
{
    return ldiv(__x, __y);
}
inline lldiv_t div(long long __x, long long __y) noexcept
{
    return lldiv(__x, __y);
}

#endif
