/* Lists of numbers as sets. */
#ifndef WS_ISA_BASE_NUMBER_SET_H
#define WS_ISA_BASE_NUMBER_SET_H

#include <glib.h>

/* Puts the numbers (guint32) in ascending order, each once. */
void ws_number_set(GArray *numbers);

#endif
