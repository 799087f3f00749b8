/* Everything is in cuda.h. */
#pragma once
#include "cuda.h"
