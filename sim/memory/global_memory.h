/*
 * Contents of the global address space: buffers, the module window and constant bank 3, mapped in
 * place. Built once for a job and constant while SMs run, so every thread may search it.
 */
#ifndef WS_SIM_MEMORY_GLOBAL_MEMORY_H
#define WS_SIM_MEMORY_GLOBAL_MEMORY_H

#include "sim/memory/memory.h"

typedef struct {
    guint64 base;
    guint64 bytes;
    guint8 *data;
    gint32 buffer; /* index into the job's buffers, -1 module window, -2 constant window */
    gboolean read_only;
} WsRegion;

/* Region that holds all of [address, address + bytes), or NULL. */
/* What is mapped, ascending by address. */
guint32 ws_global_memory_region_count(const WsGlobalMemory *memory);
const WsRegion *ws_global_memory_region(const WsGlobalMemory *memory, guint32 index);
const WsRegion *ws_global_memory_find(const WsGlobalMemory *memory, guint64 address, guint64 bytes);
/* TRUE for what nobody writes: string literals of the program, and constant memory. */
gboolean ws_global_memory_is_literal(const WsGlobalMemory *memory, guint64 address);
/*
 * What `bytes` bytes at a mapped address are called: "x[3]" of a buffer, "lock" of a __device__
 * variable that is no array; elements of `bytes` bytes where the type is not known. g_free.
 */
char *ws_global_memory_name(const WsGlobalMemory *memory, guint64 address, guint32 bytes);
/* The same of an array, for all memory: `size` bytes, `offset` into it; `element` bytes or 0. */
char *ws_element_name(const char *name, guint64 size, guint64 offset, guint32 element,
                      guint32 bytes);

#endif
