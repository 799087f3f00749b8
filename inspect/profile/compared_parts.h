/* The parts of a comparison, one file each. Inside the module only. */
#ifndef WS_INSPECT_PROFILE_COMPARED_PARTS_H
#define WS_INSPECT_PROFILE_COMPARED_PARTS_H

#include "inspect/profile/profile_comparison.h"

/* comparison_rows.c: fills in `metrics` and `counts`. */
gboolean ws_compare_metrics(WsProfileComparison *comparison, const WsSimulatedLaunch *launch,
                            GError **error);
/* line_rows.c: fills in `lines`, `opcodes` and `columns`. */
void ws_compare_source(WsProfileComparison *comparison, const WsSimulatedLaunch *launch);

#endif
