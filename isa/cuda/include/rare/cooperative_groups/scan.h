/* inclusive_scan() and exclusive_scan() for the groups of cooperative_groups.h. */
#pragma once
#include "cooperative_groups.h"
#include "warpstep/groups/scan.h"
