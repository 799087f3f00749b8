/*
 * Warps that wait for a MEMBAR: until what they have stored can be seen in its scope (membar).
 * Inside the library only.
 */
#ifndef WS_SIM_SM_MEMBAR_WAIT_H
#define WS_SIM_SM_MEMBAR_WAIT_H

#include "sim/sm/sm.h"

/* Asks when the MEMBAR of the warp is done. */
void ws_membar_look(WsSm *sm, guint32 slot);
/* The same of all warps that wait for one; those whose MEMBAR has an end go on. */
void ws_membar_look_at_all(WsSm *sm);

#endif
