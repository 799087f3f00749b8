/* Of thrust/random.h. */
#pragma once
#include "../random.h"
