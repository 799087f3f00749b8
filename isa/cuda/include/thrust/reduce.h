/* Of detail/reductions.h. */
#pragma once
#include "detail/order.h"
#include "detail/reductions.h"
