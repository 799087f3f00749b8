#include "sim/memory/global_memory.h"

#include <string.h>

enum { WS_PAGE_BYTES = 4096 };

struct WsGlobalMemory {
    const WsJob *job;
    WsRegion *regions; /* ascending by base */
    guint32 region_count;
};

static int compare_regions(const void *left, const void *right)
{
    const WsRegion *a = left, *b = right;
    return a->base < b->base ? -1 : a->base > b->base;
}

static void add_region(WsGlobalMemory *memory, guint64 base, guint64 bytes, guint8 *data,
                       gint32 buffer)
{
    if (bytes == 0 || data == NULL)
        return;
    memory->regions[memory->region_count++] =
        (WsRegion){.base = base,
                   .bytes = bytes,
                   .data = data,
                   .buffer = buffer,
                   .read_only = base == WS_CONSTANT_WINDOW && buffer == -2};
}

WsGlobalMemory *ws_global_memory_new(WsJob *job)
{
    WsGlobalMemory *memory = g_new0(WsGlobalMemory, 1);
    memory->job = job;
    memory->regions = g_new0(WsRegion, (gsize)job->buffer_count + 2);
    for (guint32 i = 0; i < job->buffer_count; i++)
        add_region(memory, job->buffers[i].address, job->buffers[i].bytes, job->buffers[i].data,
                   (gint32)i);
    if (job->program != NULL) {
        add_region(memory, WS_MODULE_WINDOW, job->program->module_bytes, job->module_data, -1);
        add_region(memory, WS_CONSTANT_WINDOW, job->program->constant_bytes, job->constant_data,
                   -2);
    }
    qsort(memory->regions, memory->region_count, sizeof(WsRegion), compare_regions);
    return memory;
}

void ws_global_memory_free(WsGlobalMemory *memory)
{
    if (memory == NULL)
        return;
    g_free(memory->regions);
    g_free(memory);
}

guint32 ws_global_memory_region_count(const WsGlobalMemory *memory)
{
    return memory->region_count;
}

const WsRegion *ws_global_memory_region(const WsGlobalMemory *memory, guint32 index)
{
    return &memory->regions[index];
}

/* Last region that begins at or below `address`, or NULL. */
static const WsRegion *region_below(const WsGlobalMemory *memory, guint64 address)
{
    guint32 low = 0, high = memory->region_count;
    while (low < high) {
        guint32 middle = low + (high - low) / 2;
        if (memory->regions[middle].base <= address)
            low = middle + 1;
        else
            high = middle;
    }
    return low == 0 ? NULL : &memory->regions[low - 1];
}

const WsRegion *ws_global_memory_find(const WsGlobalMemory *memory, guint64 address, guint64 bytes)
{
    const WsRegion *region = region_below(memory, address);
    if (region == NULL)
        return NULL;
    guint64 offset = address - region->base;
    if (offset >= region->bytes || bytes > region->bytes - offset)
        return NULL;
    return region;
}

guint8 *ws_global_memory_at(const WsGlobalMemory *memory, guint64 address, guint64 bytes)
{
    const WsRegion *region = ws_global_memory_find(memory, address, bytes);
    return region == NULL ? NULL : region->data + (address - region->base);
}

const WsTexture *ws_global_memory_texture(const WsGlobalMemory *memory, guint64 handle,
                                          const guint8 **ret_data)
{
    const WsJob *job = memory->job;
    if (handle - 1 >= job->texture_count || job->textures[handle - 1].channels == 0)
        return NULL;
    const WsTexture *texture = &job->textures[handle - 1];
    const WsBuffer *buffer = &job->buffers[texture->buffer];
    *ret_data = buffer->data + (texture->address - buffer->address);
    return texture;
}

gboolean ws_global_memory_is_literal(const WsGlobalMemory *memory, guint64 address)
{
    const WsRegion *region = ws_global_memory_find(memory, address, 1);
    const WsProgram *program = memory->job->program;

    if (region == NULL || region->buffer >= 0)
        return FALSE;
    /* Compilers name literals as no source can: $str, _$_str. */
    for (guint32 i = 0; !region->read_only && i < program->symbol_count; i++) {
        const WsSymbol *symbol = &program->symbols[i];
        if (symbol->space == WS_SYMBOL_GLOBAL && address - symbol->address < symbol->size)
            return strchr(symbol->name, '$') != NULL;
    }
    return region->read_only;
}

char *ws_element_name(const char *name, guint64 size, guint64 offset, guint32 element,
                      guint32 bytes)
{
    if (element <= 1)
        element = bytes;
    if (size == element && offset == 0)
        return g_strdup(name);
    if (offset % element == 0)
        return g_strdup_printf("%s[%" G_GUINT64_FORMAT "]", name, offset / element);
    return g_strdup_printf("byte %" G_GUINT64_FORMAT " of %s", offset, name);
}

char *ws_global_memory_name(const WsGlobalMemory *memory, guint64 address, guint32 bytes)
{
    const WsRegion *region = ws_global_memory_find(memory, address, 1);
    const WsProgram *program = memory->job->program;

    if (region != NULL && region->buffer >= 0) {
        const WsBuffer *buffer = &memory->job->buffers[region->buffer];
        return ws_element_name(buffer->name, G_MAXUINT64, address - region->base,
                               ws_type_size(buffer->type), bytes);
    }
    for (guint32 i = 0; program != NULL && i < program->symbol_count; i++) {
        const WsSymbol *symbol = &program->symbols[i];
        if (symbol->space == WS_SYMBOL_GLOBAL && address - symbol->address < symbol->size)
            return ws_element_name(symbol->name, symbol->size, address - symbol->address,
                                   ws_type_size(symbol->type), bytes);
    }
    return g_strdup_printf("the word at 0x%" G_GINT64_MODIFIER "x", address);
}

static char *region_name(const WsGlobalMemory *memory, const WsRegion *region)
{
    if (region->buffer == -1)
        return g_strdup("the __device__ variables");
    if (region->buffer == -2)
        return g_strdup("the __constant__ variables");
    const WsBuffer *buffer = &memory->job->buffers[region->buffer];
    return g_strdup_printf("buffer '%s' (%s[%" G_GUINT64_FORMAT "])", buffer->name,
                           ws_type_name(buffer->type), buffer->count);
}

static char *describe_inside(const WsGlobalMemory *memory, const WsRegion *region, guint64 offset)
{
    g_autofree char *name = region_name(memory, region);
    if (region->read_only)
        return g_strdup_printf("byte %" G_GUINT64_FORMAT " of %s, which are read only", offset,
                               name);
    return g_strdup_printf("byte %" G_GUINT64_FORMAT " of %s", offset, name);
}

/* The nearer of the regions on both sides of an address that belongs to none. */
static char *describe_outside(const WsGlobalMemory *memory, const WsRegion *below, guint64 address)
{
    const WsRegion *end = memory->regions + memory->region_count;
    const WsRegion *above = below == NULL ? memory->regions : below + 1;
    guint64 past = below == NULL ? G_MAXUINT64 : address - below->base - below->bytes;
    guint64 before = above == end ? G_MAXUINT64 : above->base - address;
    const WsRegion *nearest = past <= before ? below : above;
    g_autofree char *name = region_name(memory, nearest);
    if (nearest == below && past == 0)
        return g_strdup_printf("just past the end of %s", name);
    guint64 distance = MIN(past, before);
    return g_strdup_printf("%" G_GUINT64_FORMAT " byte%s %s of %s", distance,
                           distance == 1 ? "" : "s",
                           nearest == below ? "past the end" : "before the start", name);
}

char *ws_global_memory_describe(const WsGlobalMemory *memory, guint64 address)
{
    if (address < WS_PAGE_BYTES)
        return g_strdup(address == 0 ? "a null pointer" : "near a null pointer");
    const WsRegion *region = region_below(memory, address);
    if (region != NULL && address - region->base < region->bytes)
        return describe_inside(memory, region, address - region->base);
    if (address - WS_SHARED_WINDOW < WS_LOCAL_WINDOW - WS_SHARED_WINDOW)
        return g_strdup_printf("byte %" G_GUINT64_FORMAT " of the window of shared memory",
                               address - WS_SHARED_WINDOW);
    if (address - WS_LOCAL_WINDOW < WS_CONSTANT_WINDOW - WS_LOCAL_WINDOW)
        return g_strdup_printf("byte %" G_GUINT64_FORMAT " of the window of local memory",
                               address - WS_LOCAL_WINDOW);
    if (memory->region_count == 0)
        return g_strdup("no buffer is mapped");
    return describe_outside(memory, region, address);
}
