/*
 * Compiled into the library: the CUDA header, /warpstep/include/..., and /warpstep/ptx/library.ptx.
 * They are a GResource bundle held in constant memory and not registered with GLib: registering
 * needs writable globals.
 */
#ifndef WS_ISA_BASE_RESOURCES_H
#define WS_ISA_BASE_RESOURCES_H

#include <gio/gio.h>

extern const unsigned char ws_isa_bundle[];
extern const unsigned ws_isa_bundle_size;
/* Of the bundle and the sources of isa/cuda, in hex. */
extern const char ws_isa_bundle_digest[];

/* Unref after use. */
GResource *ws_isa_resource(void);

/* A bundle in constant memory that is part of the program. Unref after use. */
GResource *ws_resource_open(const unsigned char *data, unsigned size);

#endif
