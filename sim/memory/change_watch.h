/*
 * Whether what memory holds still changes, for those who look for endless loops: writes of what is
 * there already, and compare-and-swaps that fail, change nothing. Looked at only while somebody
 * watches; a program that nobody suspects pays a test for each store.
 */
#ifndef WS_SIM_MEMORY_CHANGE_WATCH_H
#define WS_SIM_MEMORY_CHANGE_WATCH_H

#include "sim/memory/memory.h"

/* From now on changes of global and shared memory are counted, from 0; or no longer. */
void ws_memory_system_watch(WsMemorySystem *system, gboolean on);
guint64 ws_memory_system_changes(const WsMemorySystem *system);
/*
 * Cycle before which every store and atomic that the SMs have issued so far takes effect;
 * G_MAXUINT64 while one of them waits inside an SM.
 */
guint64 ws_memory_system_applied(const WsMemorySystem *system);
/*
 * A line of some L1 holds what memory does not, and lines have come or gone since the watch began:
 * what loads of that line return may change though memory does not.
 */
gboolean ws_memory_system_is_stale(const WsMemorySystem *system);

/* Local memory of a warp, which only its own threads see; NULL and 0 where it has touched none. */
const guint32 *ws_sm_memory_local(const WsSmMemory *memory, guint32 warp_slot, gsize *ret_words);

#endif
