/* nvcc's -maxrregcount. */
#ifndef WS_CLI_CC_REGISTERS_H
#define WS_CLI_CC_REGISTERS_H

#include <glib.h>

/*
 * The PTX with .maxnreg `registers` for each kernel without __launch_bounds__, which count instead,
 * as in nvcc. g_free. 0: no bound.
 */
char *ws_cc_bound_registers(const char *ptx, guint registers);

#endif
