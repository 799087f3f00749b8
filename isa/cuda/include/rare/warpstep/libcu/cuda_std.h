/*
 * Namespace cuda::std of libcu++: what <cuda/std/...> has of the C++ library, for kernels. These are
 * the functions of namespace std that kernels can call, and those that are not constexpr there.
 */
#ifndef WARPSTEP_LIBCU_CUDA_STD_H
#define WARPSTEP_LIBCU_CUDA_STD_H

#include <utility>

namespace cuda
{
namespace std
{
using namespace ::std;

template <typename _T> __WS_LIBRARY constexpr void swap(_T &__x, _T &__y) noexcept
{
    _T __old = static_cast<_T &&>(__x);
    __x = static_cast<_T &&>(__y);
    __y = static_cast<_T &&>(__old);
}
struct identity { /* C++20 */
    template <typename _T> __WS_LIBRARY constexpr _T &&operator()(_T &&__x) const noexcept
    {
        return static_cast<_T &&>(__x);
    }
};
} // namespace std
} // namespace cuda

#endif
