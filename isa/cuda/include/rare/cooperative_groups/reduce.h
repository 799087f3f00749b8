/* reduce() for the groups of cooperative_groups.h. */
#pragma once
#include "cooperative_groups.h"
#include "warpstep/groups/reduce.h"
