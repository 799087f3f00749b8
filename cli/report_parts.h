/* The parts of the report of a run. Internal to it; see report_text.h. */
#ifndef WS_CLI_REPORT_PARTS_H
#define WS_CLI_REPORT_PARTS_H

#include "cli/report_layout.h"
#include "sim/report/line_profile.h"
#include "sim/report/memory_use.h"

/* report_figures.c */
void ws_report_figures(WsReport *report, const WsJob *job, const WsResult *result, GArray *lines);
/* A line of the figures; nothing for a program that no compiler made. */
void ws_report_compiler(WsReport *report, const WsProgram *program);

/* report_findings.c; nothing for NULL */
void ws_report_findings(WsReport *report, const WsJob *job, const WsFindings *findings);

/* report_launches.c */
void ws_report_occupancy(WsReport *report, const WsJob *job, const WsLaunchResult *launch);
void ws_report_launches(WsReport *report, const WsJob *job, const WsResult *result);

/* report_lines.c */
void ws_report_stalls(WsReport *report, const WsCounters *total);
void ws_report_lines(WsReport *report, const WsJob *job, const WsCounters *total, GArray *lines);
void ws_report_splits(WsReport *report, const WsJob *job, const WsCounters *total, GArray *lines);
/* "kernel.cu:14", without the folders; "(no source line)" if not known. Free with g_free. */
char *ws_report_place(const WsProgram *program, guint32 file, guint32 line);

/* report_printed.c; nothing where nothing was printed */
void ws_report_printed(WsReport *report, const WsResult *result);

/* report_regions.c; nothing where there are none */
void ws_report_regions(WsReport *report, const WsJob *job, const WsResult *result);

/* report_memory.c */
void ws_report_memory(WsReport *report, const WsCounters *total, const WsMemoryUse *use);

#endif
