/* NVTX under the name of its second version. */
#include "nvtx3/nvToolsExt.h"
