/* The table of `warpstep phases`. */
#ifndef WS_CLI_PHASES_TEXT_H
#define WS_CLI_PHASES_TEXT_H

#include "study/results/phases.h"

/*
 * Figures as lines, phases as columns; of two runs each phase has a column A and B, and how much B
 * differs, and of one run with two phases how much the second differs. `sums` is [phase][run], one
 * run or two. Stalls are shares of the warp-cycles. g_free.
 */
char *ws_phases_text(const GArray *phases, const WsPhaseSums *sums, guint runs);

#endif
