/* Inside the library only. */
#ifndef WS_SIM_SM_CYCLE_H
#define WS_SIM_SM_CYCLE_H

#include <glib.h>

/* A cycle that does not come. Leaves room for a class below it in an entry, and for sums. */
#define WS_NEVER ((guint64)1 << 56)

#endif
