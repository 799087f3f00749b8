/* thrust::cuda::par is in thrust/execution_policy.h. */
#pragma once
#include "../../execution_policy.h"
