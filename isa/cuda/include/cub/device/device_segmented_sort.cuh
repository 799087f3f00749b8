/* Sorts of segments are in device_radix_sort.cuh. */
#pragma once
#include "device_radix_sort.cuh"
