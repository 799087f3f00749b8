/* Of detail/order.h. */
#pragma once
#include "detail/order.h"
