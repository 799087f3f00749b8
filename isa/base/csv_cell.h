/* Texts in cells of CSV (RFC 4180), for tables that somebody opens in a spreadsheet. */
#ifndef WS_ISA_BASE_CSV_CELL_H
#define WS_ISA_BASE_CSV_CELL_H

#include <glib.h>

/*
 * Whether a spreadsheet may take the text for a formula: it begins with = + - or @, in their wide
 * forms too, behind blanks or not, or with a tab or an end of line, and is no number.
 */
gboolean ws_csv_is_formula(const char *text);

/*
 * Appends the text as a cell: a quote mark (') stands in front of what would be a formula, and what
 * holds a separator of any country's spreadsheets, or an end of line, stands between quotes.
 */
void ws_csv_append_cell(GString *csv, const char *text);

#endif
