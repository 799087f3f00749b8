/*
 * Which files a confined process may open, by Landlock (Linux 5.13): of clang its own program and
 * the system's libraries, to read. What it has inherited stays open to it.
 */
#ifndef WS_ISA_CUDA_LANDLOCK_RULES_H
#define WS_ISA_CUDA_LANDLOCK_RULES_H

#include <glib.h>

/*
 * A descriptor of the rules for the program `clang`, closed on exec; -1 where there is no Landlock.
 * `reads`: files and folders besides that it may read, NULL-terminated, or NULL.
 */
int ws_landlock_rules_new(const char *clang, const char *const *reads);

/*
 * The same for a program that was handed in: it reads itself, the system's libraries and `reads`,
 * and writes plain files in the folder `writes`. It makes no folders, links, pipes or sockets, and
 * deletes nothing.
 */
int ws_landlock_rules_new_for_program(const char *program, const char *const *reads,
                                      const char *writes);

/*
 * Puts the calling thread, which can have no new privileges, under them for ever; in a child
 * process, before exec. FALSE if the kernel refuses.
 */
gboolean ws_landlock_rules_enter(int rules);

#endif
