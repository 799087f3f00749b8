/*
 * Greedy then least recent: the same warp as long as it can issue, then, of the oldest block that
 * has a warp that can, the one whose last issue but one is longest ago. Measured on an H200.
 *
 * Blocks: with one warp of each on a sub-core, all of which spin on the clock, the first three run
 * as if they were alone, the fourth gets half of its turns, the fifth a fifth, and the rest issue
 * nothing until these end. A block that takes the place of one that has ended comes last.
 *
 * Warps of a block: where stalls are short they take turns two issues at a time, and one that comes
 * back from a long wait issues twice before it takes its turn. So warps that wait for memory catch
 * up with the others, and those of a loop stay together.
 */
#include "sim/policies/policy.h"

static guint pick(const WsPolicyView *view, guint64 eligible)
{
    return ws_issue_order_least_of_two(&view->issues, ws_block_age_oldest(&view->blocks, eligible));
}

const WsPolicy ws_policy_greedy_then_least_recent = {.greedy = TRUE, .pick = pick};
