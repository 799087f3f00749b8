/* Buffers of a machine. */
#include "library/machine.h"

#include <string.h>

#include "sim/launch/host_memory.h"

/* As in a launch file: an access behind the end of a buffer finds nothing for at least 64 KiB. */
enum { ALIGNMENT = 512, GAP = 65536, LINE = 128 /* of caches: it belongs to one buffer */ };

/* A buffer to be. */
typedef struct {
    const char *name, *type; /* or NULL */
    guint64 count, address;  /* 0: where there is room */
    void *memory;            /* of the caller, or NULL */
} Wanted;

static WsHeldBuffer *held_at(const warpstep *gpu, guint i)
{
    return &g_array_index(gpu->buffers, WsHeldBuffer, i);
}

/* The buffer that holds the byte at an address, or NULL. */
static WsHeldBuffer *find(const warpstep *gpu, guint64 address)
{
    guint low = 0, high = gpu->buffers->len;
    while (low < high) {
        const guint middle = low + (high - low) / 2;
        if (held_at(gpu, middle)->buffer.address <= address)
            low = middle + 1;
        else
            high = middle;
    }
    WsHeldBuffer *held = low == 0 ? NULL : held_at(gpu, low - 1);
    return held != NULL && address - held->buffer.address < held->buffer.bytes ? held : NULL;
}

/*
 * The first place with room, and where it comes among the buffers: what is allocated, freed and
 * allocated again has the same addresses, and so the same cycles.
 */
static guint64 find_room(const warpstep *gpu, guint64 bytes, guint *ret_index)
{
    guint64 address = WS_BUFFER_BASE;
    for (*ret_index = 0; *ret_index < gpu->buffers->len; (*ret_index)++) {
        const WsBuffer *next = &held_at(gpu, *ret_index)->buffer;
        if (address + bytes + GAP <= next->address)
            break;
        address = (next->address + next->bytes + GAP + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    }
    return address;
}

/* Where a buffer at the address comes among the others. FALSE: there is no room for it. */
static gboolean find_place(const warpstep *gpu, guint64 address, guint64 bytes, guint *ret_index)
{
    if (address < WS_BUFFER_BASE || bytes > G_MAXINT64 || address > G_MAXINT64)
        return FALSE;
    for (*ret_index = 0; *ret_index < gpu->buffers->len; (*ret_index)++) {
        const WsBuffer *next = &held_at(gpu, *ret_index)->buffer;
        if (address + bytes <= next->address)
            break;
        if (address < next->address + next->bytes)
            return FALSE;
    }
    return TRUE;
}

/* The size of what is wanted, and that there may be as much. */
static warpstep_code check_size(warpstep *gpu, const Wanted *wanted, WsType *ret_type)
{
    const warpstep_code code = ws_machine_check_idle(gpu);
    const guint64 limit =
        gpu->limits.max_memory != 0 ? gpu->limits.max_memory : WS_DEFAULT_MAX_MEMORY;
    if (code != WARPSTEP_OK)
        return code;
    *ret_type = WS_TYPE_U8;
    if (wanted->type != NULL &&
        (!ws_type_by_name(wanted->type, ret_type) || ws_type_size(*ret_type) == 0))
        return ws_machine_refuse(gpu, "'%s' is not a type of elements, such as f32 or u8",
                                 wanted->type);
    const guint64 size = ws_type_size(*ret_type);
    if (wanted->count == 0 || wanted->count > G_MAXINT64 / size)
        return ws_machine_refuse(gpu, "a buffer has at least 1 element");
    if (wanted->count * size > limit - MIN(limit, gpu->buffer_bytes)) {
        g_autofree char *text = ws_host_memory_text(limit);
        return ws_machine_refuse(gpu, "buffers would take more than %s (max_memory)", text);
    }
    return WARPSTEP_OK;
}

/* At `ret_address`, or where that is 0 at the first place with room, which goes there. */
static warpstep_code add(warpstep *gpu, const Wanted *wanted, uint64_t *ret_address)
{
    WsHeldBuffer held = {.is_owned = wanted->memory == NULL};
    WsType type;
    guint index = 0;
    const warpstep_code code = check_size(gpu, wanted, &type);
    if (code != WARPSTEP_OK)
        return code;
    held.buffer = (WsBuffer){.type = type,
                             .count = wanted->count,
                             .bytes = wanted->count * ws_type_size(type),
                             .address = wanted->address,
                             .has_contents = TRUE};
    if (wanted->address == 0)
        held.buffer.address = find_room(gpu, held.buffer.bytes, &index);
    else if (!find_place(gpu, wanted->address, held.buffer.bytes, &index))
        return ws_machine_refuse(gpu, "there is no room for a buffer at 0x%" G_GINT64_MODIFIER "x",
                                 wanted->address);
    held.buffer.data = held.is_owned ? g_try_malloc0(held.buffer.bytes) : wanted->memory;
    if (held.buffer.data == NULL)
        return ws_machine_refuse(gpu, "the host has no memory for the buffer");
    held.buffer.name = wanted->name != NULL ? ws_printable(wanted->name)
                                            : g_strdup_printf("buffer %u", gpu->buffers->len);
    if (ret_address != NULL)
        *ret_address = held.buffer.address;
    gpu->buffer_bytes += held.buffer.bytes;
    g_array_insert_val(gpu->buffers, index, held);
    return WARPSTEP_OK;
}

warpstep_code warpstep_alloc(warpstep *gpu, const char *name, const char *type, uint64_t count,
                             uint64_t *ret_address)
{
    return add(gpu, &(Wanted){.name = name, .type = type, .count = count}, ret_address);
}

warpstep_code warpstep_attach(warpstep *gpu, const char *name, const char *type, uint64_t count,
                              void *memory, uint64_t *ret_address)
{
    const Wanted wanted = {.name = name, .type = type, .count = count, .memory = memory};
    return memory == NULL ? ws_machine_refuse(gpu, "no memory can be attached")
                          : add(gpu, &wanted, ret_address);
}

warpstep_code warpstep_attach_at(warpstep *gpu, const char *name, const char *type, uint64_t count,
                                 void *memory, uint64_t address)
{
    const Wanted wanted = {
        .name = name, .type = type, .count = count, .memory = memory, .address = address};
    if (memory == NULL)
        return ws_machine_refuse(gpu, "no memory can be attached");
    if (address == 0 || address % LINE != 0)
        return ws_machine_refuse(gpu, "the address of a buffer is a multiple of %d, and not 0",
                                 LINE);
    return add(gpu, &wanted, NULL);
}

warpstep_code warpstep_free(warpstep *gpu, uint64_t address)
{
    const warpstep_code code = ws_machine_check_idle(gpu);
    if (code != WARPSTEP_OK)
        return code;
    for (guint i = 0; i < gpu->buffers->len; i++)
        if (held_at(gpu, i)->buffer.address == address) {
            ws_machine_forget(gpu);
            gpu->buffer_bytes -= held_at(gpu, i)->buffer.bytes;
            g_array_remove_index(gpu->buffers, i);
            return WARPSTEP_OK;
        }
    return ws_machine_refuse(gpu, "no buffer begins at 0x%" G_GINT64_MODIFIER "x",
                             (guint64)address);
}

/* Where the bytes are, or NULL with the error. */
static guint8 *find_bytes(warpstep *gpu, guint64 address, gsize bytes)
{
    WsHeldBuffer *held = find(gpu, address);
    if (held != NULL && bytes <= held->buffer.bytes - (address - held->buffer.address))
        return held->buffer.data + (address - held->buffer.address);
    if (held == NULL)
        ws_machine_refuse(gpu, "there is no buffer at 0x%" G_GINT64_MODIFIER "x", address);
    else
        ws_machine_refuse(gpu, "buffer '%s' ends past %" G_GUINT64_FORMAT " of these bytes",
                          held->buffer.name, held->buffer.bytes - (address - held->buffer.address));
    return NULL;
}

warpstep_code warpstep_write(warpstep *gpu, uint64_t to, const void *from, size_t bytes)
{
    const warpstep_code code = ws_machine_check_idle(gpu);
    guint8 *at = code == WARPSTEP_OK ? find_bytes(gpu, to, bytes) : NULL;
    if (at == NULL)
        return WARPSTEP_BAD_CALL;
    memcpy(at, from, bytes);
    return WARPSTEP_OK;
}

warpstep_code warpstep_read(warpstep *gpu, void *to, uint64_t from, size_t bytes)
{
    const guint8 *at = find_bytes(gpu, from, bytes);
    if (at == NULL)
        return WARPSTEP_BAD_CALL;
    memcpy(to, at, bytes);
    return WARPSTEP_OK;
}

void *warpstep_pointer(warpstep *gpu, uint64_t address, size_t *ret_left)
{
    const WsHeldBuffer *held = find(gpu, address);
    if (held == NULL)
        return NULL;
    const guint64 offset = address - held->buffer.address;
    if (ret_left != NULL)
        *ret_left = held->buffer.bytes - offset;
    return held->buffer.data + offset;
}

WsBuffer *ws_machine_buffers(const warpstep *gpu)
{
    WsBuffer *buffers = g_new0(WsBuffer, gpu->buffers->len + 1);
    for (guint i = 0; i < gpu->buffers->len; i++) {
        buffers[i] = held_at(gpu, i)->buffer;
        buffers[i].name = g_strdup(buffers[i].name);
    }
    return buffers;
}
