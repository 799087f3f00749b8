/* thrust::system_error is in thrust/device_ptr.h. */
#pragma once
#include "device_ptr.h"
