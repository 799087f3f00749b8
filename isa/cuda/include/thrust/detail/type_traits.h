/* What programs that include this want of it are the traits of the C++ library. */
#ifndef WARPSTEP_THRUST_DETAIL_TYPE_TRAITS_H
#define WARPSTEP_THRUST_DETAIL_TYPE_TRAITS_H

#include <type_traits>

#endif
