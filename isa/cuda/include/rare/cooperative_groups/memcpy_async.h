/* memcpy_async() for the groups of cooperative_groups.h: complete when it returns. */
#pragma once
#include "cooperative_groups.h"
#include "warpstep/libcu/copy.h"

namespace cooperative_groups
{

/* So many bytes. */
template <typename Group, typename T, typename Shape>
static __WS_DEVICE_MEMBER void memcpy_async(const Group &group, T *to, const T *from,
                                            const Shape &bytes)
{
    cuda::detail::copy(to, from, bytes, group.thread_rank(), group.size());
}
/* The least of two numbers of elements. */
template <typename Group, typename T, typename ShapeOfTo, typename ShapeOfFrom>
static __WS_DEVICE_MEMBER void memcpy_async(const Group &group, T *to, const ShapeOfTo &room,
                                            const T *from, const ShapeOfFrom &count)
{
    const size_t least = (size_t)room < (size_t)count ? (size_t)room : (size_t)count;
    cuda::detail::copy(to, from, least * sizeof(T), group.thread_rank(), group.size());
}
template <typename Group> static __WS_DEVICE_MEMBER void wait(const Group &group)
{
    group.sync();
}
template <unsigned int Stages, typename Group>
static __WS_DEVICE_MEMBER void wait_prior(const Group &group)
{
    group.sync();
}

} // namespace cooperative_groups
