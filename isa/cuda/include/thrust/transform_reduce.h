/* Of detail/reductions.h. */
#pragma once
#include "detail/reductions.h"
