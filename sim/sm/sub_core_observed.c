/* The issue loop that tells an observer of every issue. */
#define OBSERVED 1
#define IDEAL    0
#define STEP     ws_sub_core_step_observed
#include "sim/sm/issue_loop.h"
