/* The functions are in cuda_pipeline_primitives.h, the class in <cuda/pipeline>. */
#pragma once
#include "cuda_pipeline_primitives.h"
#include "warpstep/libcu/pipeline.h"
