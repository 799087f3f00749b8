/* Parts of charts that are drawn with characters. */
#ifndef WS_STUDY_PLOT_TEXT_PARTS_H
#define WS_STUDY_PLOT_TEXT_PARTS_H

#include "study/plot/chart.h"

/* The panel's name, and "speed, by policy". */
void ws_text_head(GString *out, const WsChart *chart, const WsChartPanel *panel);

/* What the runs had of L2 and DRAM, below all panels. */
void ws_text_shares(GString *out, const WsChart *chart);

/* A line of characters for numbers from `low` to `high`. */
typedef struct {
    double low, high;
    gboolean logarithmic;
    guint width; /* at least 1 */
} WsTextScale;

/* The column of a number. */
guint ws_text_column(const WsTextScale *scale, double value);

/* `indent` blanks, the numbers at the ends of the scale at its ends, `label` between them. */
void ws_text_axis(GString *out, const WsTextScale *scale, guint indent, const char *label);

/* Characters that the names in front of such lines take, at most `most`. */
guint ws_text_names(const WsChart *chart, guint most);

#endif
