/*
 * Which files clang's process may open, by Landlock (Linux 5.13): its own program, the system's
 * headers and libraries, to read. What it has inherited stays open to it.
 */
#ifndef WS_ISA_CUDA_LANDLOCK_RULES_H
#define WS_ISA_CUDA_LANDLOCK_RULES_H

#include <glib.h>

/* A descriptor of the rules for the program `clang`, closed on exec; -1 where there is no Landlock.
 */
int ws_landlock_rules_new(const char *clang);

/*
 * Puts the calling thread, which can have no new privileges, under them for ever; in a child
 * process, before exec. FALSE if the kernel refuses.
 */
gboolean ws_landlock_rules_enter(int rules);

#endif
