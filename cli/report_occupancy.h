/* The answer to one occupancy query, as text, JSON, CSV and curves. All texts are freed with
 * g_free. */
#ifndef WS_CLI_REPORT_OCCUPANCY_H
#define WS_CLI_REPORT_OCCUPANCY_H

#include "sim/occupancy/occupancy.h"

/* Summary, limits, and what the next step up would need. At most 100 columns. */
char *ws_occupancy_text(const WsDevice *device, const WsOccupancyQuery *query,
                        const WsOccupancy *result);

/* Names as in docs/reference/formats.md. */
char *ws_occupancy_json(const WsDevice *device, const WsOccupancyQuery *query,
                        const WsOccupancy *result);

/* The three curves "impact of varying ...", drawn with characters; the current point is `O`. */
char *ws_occupancy_curves_text(const WsDevice *device, const WsOccupancyQuery *query);

/* The same as CSV: curve,x,warps_per_sm,occupancy,current (1 at the current point). */
char *ws_occupancy_curves_csv(const WsDevice *device, const WsOccupancyQuery *query);

/*
 * The same drawn by gnuplot: an SVG or PNG file, by the ending of `path`. Written to a temporary
 * file first, then renamed. Errors: WS_ERROR_INPUT (gnuplot missing or failed, wrong ending).
 */
gboolean ws_occupancy_plot(const WsDevice *device, const WsOccupancyQuery *query, const char *path,
                           GError **error);

#endif
