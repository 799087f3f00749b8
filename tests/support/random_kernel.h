/*
 * Random kernels in `.wsasm`: arithmetic of all pipes, memory, shuffles, branches and loops by
 * lane, barriers outside of divergent code. Free of races: a thread writes only its own words.
 */
#ifndef WS_TESTS_RANDOM_KERNEL_H
#define WS_TESTS_RANDOM_KERNEL_H

#include <glib.h>

/* Words of the buffer that each thread owns: word w of thread t is x[(w * threads) + t]. */
enum { RANDOM_KERNEL_WORDS = 4 };

/* The text of kernel number `seed`, without a .kernel line, for blocks of `threads` threads. */
char *random_kernel(guint64 seed, guint threads, guint blocks);

#endif
