/*
 * mbarrier, the barriers in shared memory of PTX, as atomic operations on 64 bits, which PTX does
 * not say the meaning of: bits 0 to 19 the arrivals that are pending, 20 to 39 those that are
 * expected in a phase, 40 to 60 the bytes that are (tx-count) and 2^20, as more may have come than
 * are expected yet, 61 to 63 the phase. A phase ends when nothing is pending: then the expected
 * arrivals are pending again, and the phase is the next. Arrivals change the low word, bytes the
 * high one.
 *
 * Also what tells such a barrier when it is done: cp.async.mbarrier.arrive, after copies that are
 * loads and stores here, and cp.async.bulk from global to shared memory, which the thread that
 * begins it does itself.
 */
#ifndef WS_ISA_PTX_MBARRIERS_H
#define WS_ISA_PTX_MBARRIERS_H

#include <glib.h>

/*
 * The text with other statements in place of these, in as many lines; g_free. NULL: it has none.
 * Barriers of other blocks of a cluster are left as they are.
 */
char *ws_ptx_replace_mbarriers(const char *text, gsize length);

#endif
