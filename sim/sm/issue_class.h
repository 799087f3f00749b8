/*
 * What issue needs to know of the execution classes of a device.
 */
#ifndef WS_SIM_SM_ISSUE_CLASS_H
#define WS_SIM_SM_ISSUE_CLASS_H

#include "sim/device/device.h"
#include "sim/sm/issue_table.h"

/* TRUE if half of the FMA pipe is enough for the class. */
gboolean ws_class_takes_half(const WsClassTiming *timing, guint execution_class);

/* What an issue of the class contends for. */
WsResource ws_class_resource(const WsClassTiming *timing, guint execution_class);

/* Fills what the table has by class: what each use waits beyond the latency, holds, waits. */
void ws_issue_classes_fill(const WsDevice *device, WsIssueTable *table);

#endif
