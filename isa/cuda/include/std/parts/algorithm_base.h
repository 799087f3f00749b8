/* Algorithms that come with most headers of libstdc++, and programs take for granted. */
#ifndef WARPSTEP_PARTS_ALGORITHM_BASE_H
#define WARPSTEP_PARTS_ALGORITHM_BASE_H

#include <parts/execution_policy.h>
#include <parts/iterator_functions.h>
#include <utility>

namespace std
{
template <typename _I, typename _J, __unless_policy<_I> = 0> pair<_I, _J> mismatch(_I, _I, _J) __WS_HOST
template <typename _Policy, typename _I, typename _J, __if_policy<_Policy> = 0> pair<_I, _J> mismatch(_Policy &&, _I, _I, _J) __WS_HOST
template <typename _I, typename _J, __unless_policy<_I> = 0> pair<_I, _J> mismatch(_I, _I, _J, _J) __WS_HOST
template <typename _Policy, typename _I, typename _J, __if_policy<_Policy> = 0> pair<_I, _J> mismatch(_Policy &&, _I, _I, _J, _J) __WS_HOST
template <typename _I, typename _J, typename _Equal, __unless_policy<_I> = 0> pair<_I, _J> mismatch(_I, _I, _J, _Equal) __WS_HOST
template <typename _Policy, typename _I, typename _J, typename _Equal, __if_policy<_Policy> = 0> pair<_I, _J> mismatch(_Policy &&, _I, _I, _J, _Equal) __WS_HOST
template <typename _I, typename _J, __unless_policy<_I> = 0> bool equal(_I, _I, _J) __WS_HOST
template <typename _Policy, typename _I, typename _J, __if_policy<_Policy> = 0> bool equal(_Policy &&, _I, _I, _J) __WS_HOST
template <typename _I, typename _J, __unless_policy<_I> = 0> bool equal(_I, _I, _J, _J) __WS_HOST
template <typename _Policy, typename _I, typename _J, __if_policy<_Policy> = 0> bool equal(_Policy &&, _I, _I, _J, _J) __WS_HOST
template <typename _I, typename _J, typename _Equal, __unless_policy<_I> = 0> bool equal(_I, _I, _J, _Equal) __WS_HOST
template <typename _Policy, typename _I, typename _J, typename _Equal, __if_policy<_Policy> = 0> bool equal(_Policy &&, _I, _I, _J, _Equal) __WS_HOST
template <typename _I, typename _J, typename _Equal, __unless_policy<_I> = 0> bool equal(_I, _I, _J, _J, _Equal) __WS_HOST
template <typename _Policy, typename _I, typename _J, typename _Equal, __if_policy<_Policy> = 0> bool equal(_Policy &&, _I, _I, _J, _J, _Equal) __WS_HOST
template <typename _I, typename _O, __unless_policy<_I> = 0> _O copy(_I, _I, _O) __WS_HOST
template <typename _Policy, typename _I, typename _O, __if_policy<_Policy> = 0> _O copy(_Policy &&, _I, _I, _O) __WS_HOST
template <typename _I, typename _O, __unless_policy<_I> = 0> _O copy_backward(_I, _I, _O) __WS_HOST
template <typename _Policy, typename _I, typename _O, __if_policy<_Policy> = 0> _O copy_backward(_Policy &&, _I, _I, _O) __WS_HOST
template <typename _I, typename _O, __unless_policy<_I> = 0> _O move(_I, _I, _O) __WS_HOST
template <typename _Policy, typename _I, typename _O, __if_policy<_Policy> = 0> _O move(_Policy &&, _I, _I, _O) __WS_HOST
template <typename _I, typename _O, __unless_policy<_I> = 0> _O move_backward(_I, _I, _O) __WS_HOST
template <typename _Policy, typename _I, typename _O, __if_policy<_Policy> = 0> _O move_backward(_Policy &&, _I, _I, _O) __WS_HOST
template <typename _I, typename _J, __unless_policy<_I> = 0> _J swap_ranges(_I, _I, _J) __WS_HOST
template <typename _Policy, typename _I, typename _J, __if_policy<_Policy> = 0> _J swap_ranges(_Policy &&, _I, _I, _J) __WS_HOST
template <typename _I, typename _J, __unless_policy<_I> = 0> void iter_swap(_I, _J) __WS_HOST
template <typename _Policy, typename _I, typename _J, __if_policy<_Policy> = 0> void iter_swap(_Policy &&, _I, _J) __WS_HOST
template <typename _I, typename _T, __unless_policy<_I> = 0> void fill(_I, _I, const _T &) __WS_HOST
template <typename _Policy, typename _I, typename _T, __if_policy<_Policy> = 0> void fill(_Policy &&, _I, _I, const _T &) __WS_HOST
template <typename _O, typename _N, typename _T, __unless_policy<_O> = 0> _O fill_n(_O, _N, const _T &) __WS_HOST
template <typename _Policy, typename _O, typename _N, typename _T, __if_policy<_Policy> = 0> _O fill_n(_Policy &&, _O, _N, const _T &) __WS_HOST
template <typename _I, typename _T, __unless_policy<_I> = 0> _I lower_bound(_I, _I, const _T &) __WS_HOST
template <typename _Policy, typename _I, typename _T, __if_policy<_Policy> = 0> _I lower_bound(_Policy &&, _I, _I, const _T &) __WS_HOST
template <typename _I, typename _T, typename _Less, __unless_policy<_I> = 0> _I lower_bound(_I, _I, const _T &, _Less) __WS_HOST
template <typename _Policy, typename _I, typename _T, typename _Less, __if_policy<_Policy> = 0> _I lower_bound(_Policy &&, _I, _I, const _T &, _Less) __WS_HOST
template <typename _I, typename _J, __unless_policy<_I> = 0> bool lexicographical_compare(_I, _I, _J, _J) __WS_HOST
template <typename _Policy, typename _I, typename _J, __if_policy<_Policy> = 0> bool lexicographical_compare(_Policy &&, _I, _I, _J, _J) __WS_HOST
template <typename _I, typename _J, typename _Less, __unless_policy<_I> = 0> bool lexicographical_compare(_I, _I, _J, _J, _Less) __WS_HOST
template <typename _Policy, typename _I, typename _J, typename _Less, __if_policy<_Policy> = 0> bool lexicographical_compare(_Policy &&, _I, _I, _J, _J, _Less) __WS_HOST
} // namespace std

#endif
