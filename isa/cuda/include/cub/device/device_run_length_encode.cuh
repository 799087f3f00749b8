/* cub::DeviceRunLengthEncode is in device_reduce.cuh. */
#pragma once
#include "device_reduce.cuh"
