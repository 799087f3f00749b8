/* CUB's namespace macros are in util_macro.cuh. */
#pragma once
#include "util_macro.cuh"
