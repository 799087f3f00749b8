/*
 * What bounds the loading of a target: which files may be read, how long clang may take, and where
 * what it made is kept. The struct is handed on whole, from the command line to clang, so that no
 * part of it can be left out on the way.
 */
#ifndef WS_ISA_BASE_LOAD_BOUNDS_H
#define WS_ISA_BASE_LOAD_BOUNDS_H

#include <glib.h>

typedef enum {
    WS_CONFINE_NOT,    /* all files that the user may read */
    WS_CONFINE_FOLDER, /* nothing outside of the target's folder */
    WS_CONFINE_STRICT  /* and clang is not run where the kernel lacks a part of its protection */
} WsConfinement;

typedef struct {
    WsConfinement confinement;
    guint clang_seconds; /* processor time that clang may take; 0 = 60, or 8 where confined */
    const char *clang_seconds_name; /* what sets it, for messages: "--max-compile-seconds" */
    const char *cache;              /* folder of isa/cuda/ptx_cache.h, or NULL for none */
    const char *header_cache;       /* the same, for precompiled headers alone */
    /*
     * Folder of programs that were compiled before, on another machine perhaps
     * (isa/cuda/carried.h), which is looked at before clang is run; or NULL. `carried_root` is the
     * folder that their names are relative to. `carries`: what it lacks is put there.
     */
    const char *carried, *carried_root;
    gboolean carries;
} WsLoadBounds;

#endif
