#ifndef WARPSTEP_PARTS_EXECUTION_POLICY_H
#define WARPSTEP_PARTS_EXECUTION_POLICY_H

#include <type_traits>

namespace std
{
namespace execution
{
class sequenced_policy
{
};
class parallel_policy
{
};
class parallel_unsequenced_policy
{
};
class unsequenced_policy
{
};
inline constexpr sequenced_policy seq{};
inline constexpr parallel_policy par{};
inline constexpr parallel_unsequenced_policy par_unseq{};
inline constexpr unsequenced_policy unseq{};
} // namespace execution

template <typename _T> struct is_execution_policy : false_type {
};
template <> struct is_execution_policy<execution::sequenced_policy> : true_type {
};
template <> struct is_execution_policy<execution::parallel_policy> : true_type {
};
template <> struct is_execution_policy<execution::parallel_unsequenced_policy> : true_type {
};
template <> struct is_execution_policy<execution::unsequenced_policy> : true_type {
};
template <typename _T> inline constexpr bool is_execution_policy_v = is_execution_policy<_T>::value;
template <typename _P> using __if_policy = enable_if_t<is_execution_policy_v<remove_cvref_t<_P>>, int>;
template <typename _T> using __unless_policy = enable_if_t<!is_execution_policy_v<remove_cvref_t<_T>>, int>;
} // namespace std

#endif
