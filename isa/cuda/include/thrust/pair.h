/* thrust::pair is in tuple.h. */
#pragma once
#include "tuple.h"
