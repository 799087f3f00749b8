/* CUB: what is here of it, docs/use/programs.md lists. */
#pragma once
#include "util_debug.cuh"
#include "util_macro.cuh"
#include "util_ptx.cuh"
#include "util_type.cuh"

#include "thread/thread_load.cuh"
#include "thread/thread_operators.cuh"
#include "thread/thread_reduce.cuh"
#include "thread/thread_search.cuh"

#include "iterator/arg_index_input_iterator.cuh"
#include "iterator/cache_modified_input_iterator.cuh"
#include "iterator/constant_input_iterator.cuh"
#include "iterator/counting_input_iterator.cuh"
#include "iterator/discard_output_iterator.cuh"
#include "iterator/transform_input_iterator.cuh"

#include "warp/warp_exchange.cuh"
#include "warp/warp_reduce.cuh"
#include "warp/warp_scan.cuh"

#include "block/block_adjacent_difference.cuh"
#include "block/block_exchange.cuh"
#include "block/block_load.cuh"
#include "block/block_radix_sort.cuh"
#include "block/block_reduce.cuh"
#include "block/block_scan.cuh"
#include "block/block_store.cuh"

#include "device/device_histogram.cuh"
#include "device/device_merge_sort.cuh"
#include "device/device_radix_sort.cuh"
#include "device/device_reduce.cuh"
#include "device/device_scan.cuh"
#include "device/device_segmented_reduce.cuh"
#include "device/device_select.cuh"

/* Programs take it for granted beside CUB and Thrust. */
#include <chrono>
