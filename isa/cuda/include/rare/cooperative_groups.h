/*
 * Cooperative groups: the grid, the thread block, tiles, and the threads that are active together.
 */
#ifndef WARPSTEP_COOPERATIVE_GROUPS_H
#define WARPSTEP_COOPERATIVE_GROUPS_H

#include "warpstep/groups/coalesced_group.h"
#include "warpstep/groups/grid_group.h"
#include "warpstep/groups/invoke.h"
#include "warpstep/groups/partitions.h"
#include "warpstep/groups/thread_block.h"
#include "warpstep/groups/thread_group.h"
#include "warpstep/groups/tile.h"

#endif
