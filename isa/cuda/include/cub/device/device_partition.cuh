/* cub::DevicePartition is in device_select.cuh. */
#pragma once
#include "device_select.cuh"
