/* Of detail/elements.h. */
#pragma once
#include "detail/elements.h"
