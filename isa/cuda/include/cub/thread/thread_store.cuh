/* ThreadStore is in thread_load.cuh. */
#pragma once
#include "thread_load.cuh"
