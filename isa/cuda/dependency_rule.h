/* What clang says that it has read: a rule of `make` (-MD). */
#ifndef WS_ISA_CUDA_DEPENDENCY_RULE_H
#define WS_ISA_CUDA_DEPENDENCY_RULE_H

#include <glib.h>

/* Calls `found` for each name of the rule in the memory file, the rule's own among them. */
void ws_dependency_rule_read(int descriptor, void (*found)(const char *name, gpointer data),
                             gpointer data);

#endif
