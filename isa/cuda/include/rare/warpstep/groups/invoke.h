/* Cooperative groups: one thread of the group does something for all. */
#ifndef WARPSTEP_GROUPS_INVOKE_H
#define WARPSTEP_GROUPS_INVOKE_H

#include "warpstep/groups/partitions.h"

namespace cooperative_groups
{

template <typename Group, typename Function, typename... Arguments>
static __WS_DEVICE_MEMBER void invoke_one(const Group &group, Function &&function,
                                          Arguments &&...arguments)
{
    if (group.thread_rank() == 0)
        function(static_cast<Arguments &&>(arguments)...);
}
/* Its result goes to all of them. */
template <typename Group, typename Function, typename... Arguments>
static __WS_DEVICE_MEMBER auto invoke_one_broadcast(const Group &group, Function &&function,
                                                    Arguments &&...arguments)
    -> std::decay_t<decltype(function(static_cast<Arguments &&>(arguments)...))>
{
    std::decay_t<decltype(function(static_cast<Arguments &&>(arguments)...))> result{};
    if (group.thread_rank() == 0)
        result = function(static_cast<Arguments &&>(arguments)...);
    return group.shfl(result, 0);
}

} // namespace cooperative_groups

#endif
