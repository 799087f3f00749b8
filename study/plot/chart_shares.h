/* What the runs of a chart had of L2 and DRAM (sim/device/memory_share.h). */
#ifndef WS_STUDY_PLOT_CHART_SHARES_H
#define WS_STUDY_PLOT_CHART_SHARES_H

#include "study/plot/chart.h"

/*
 * Puts it into the title and `shares`, from the column `memory_share` of the rows that are drawn:
 * curves of one SM mean little where nobody knows what it had, and how much more than its share it
 * took. A table without the column changes
 * nothing.
 */
void ws_chart_name_shares(WsChart *chart, const WsTable *table);

#endif
