/*
 * What keeps a source that finds a defect in clang from doing harm with it: parts of the kernel,
 * each of which may be missing, in an old kernel, or in a container that does not have it.
 */
#ifndef WS_ISA_CUDA_PROTECTION_H
#define WS_ISA_CUDA_PROTECTION_H

#include <glib.h>

typedef enum {
    WS_PROTECTION_FILES =
        1 << 0, /* Landlock: no files but clang's and the system's, none written */
    WS_PROTECTION_CALLS = 1 << 1, /* seccomp: no sockets, processes, signals to others, limits */
    WS_PROTECTION_EXEC = 1 << 2,  /* seccomp with a listener: no other program after its start */
    WS_PROTECTION_ALL = (1 << 3) - 1
} WsProtection;

/*
 * What clang has here, found by trying it in a process that does nothing else. The same for every
 * clang.
 */
guint ws_protection_of_host(void);

/* "full", "partial" or "none". */
const char *ws_protection_level(guint parts);

/* The name of a part: "files", "calls", "exec". */
const char *ws_protection_name(WsProtection part);

/*
 * The level, and why if it is not full: "partial: nothing keeps clang from opening files (no
 * Landlock: Linux 5.13)": the part of the kernel that is missing, and who has it. One line; g_free.
 */
char *ws_protection_text(guint parts);

#endif
