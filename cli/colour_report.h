/* Colour for a finished report, which is laid out without a thought of it. */
#ifndef WS_CLI_COLOUR_REPORT_H
#define WS_CLI_COLOUR_REPORT_H

/*
 * Puts a text report on stdout, coloured if that is a terminal. JSON and what goes into files by
 * name is written as it is.
 */
void ws_put_report(const char *text);

#endif
