/* Scans of a thread's items are in thread_reduce.cuh. */
#pragma once
#include "thread_reduce.cuh"
