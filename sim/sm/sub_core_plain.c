/* The issue loop that nobody watches. */
#define OBSERVED 0
#define IDEAL    0
#define STEP     ws_sub_core_step_plain
#include "sim/sm/issue_loop.h"
