/* The issue loop of what-if runs in which warps do not wait for all that they would (ideal_time.h),
 * watched or not. */
#define OBSERVED 1
#define IDEAL    1
#define STEP     ws_sub_core_step_ideal
#include "sim/sm/issue_loop.h"
