/* cub::BlockDiscontinuity is in block_adjacent_difference.cuh. */
#pragma once
#include "block_adjacent_difference.cuh"
