/* CUB_VERSION is in util_macro.cuh. */
#pragma once
#include "util_macro.cuh"
