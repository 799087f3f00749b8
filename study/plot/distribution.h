/* The distribution of samples, as box plots show it. */
#ifndef WS_STUDY_PLOT_DISTRIBUTION_H
#define WS_STUDY_PLOT_DISTRIBUTION_H

#include "study/plot/chart.h"

/*
 * Quartiles are interpolated between the samples in order: the p-quantile of n samples is at place
 * (n - 1) p (type 7 of R. Hyndman and Y. Fan, "Sample Quantiles in Statistical Packages", The
 * American Statistician 50(4), 1996; the default of R, numpy and Vega). Whiskers end at the
 * outermost samples within 1.5 times the distance of the quartiles from the box (J. Tukey,
 * "Exploratory Data Analysis", 1977).
 */
typedef struct {
    guint count;
    double low_whisker, first_quartile, median, third_quartile, high_whisker;
} WsDistribution;

/* Of at least one sample, rising. */
WsDistribution ws_distribution(const double *samples, guint count);

/* Whether the sample is outside of the whiskers. */
gboolean ws_distribution_is_outlier(const WsDistribution *distribution, double sample);

/* The curve's points at a place, by rising y: of const WsChartPoint*. g_ptr_array_unref. */
GPtrArray *ws_chart_samples(const WsChartCurve *curve, guint place);

/* The distribution of such points. */
WsDistribution ws_distribution_of(const GPtrArray *samples);

#endif
