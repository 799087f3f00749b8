#include <string.h>

#include "inspect/dap/adapter.h"
#include "isa/base/error.h"
#include "sim/base/element.h"
#include "sim/memory/global_memory.h"

enum { MOST_BYTES = 1 << 20, MOST_ELEMENTS = 1 << 16, WORD = 4 };
static const char shared_prefix[] = "shared:";

/* ---- variables ----------------------------------------------------------------------------------
 */

static const guint8 *shared_of(WsWarpPlace place, gsize *ret_bytes)
{
    return ws_sm_memory_shared(place.sm->memory, place.sm->state->warps[place.slot].block_slot,
                               ret_bytes);
}

void ws_dap_list_memory(WsDapAdapter *adapter, const WsDapReference *scope, WsWarpPlace place,
                        JsonArray *list)
{
    WsDapReference part = *scope;
    JsonObject *variable;
    gsize bytes;

    shared_of(place, &bytes);
    if (bytes > 0) {
        g_autofree char *value = g_strdup_printf("%zu bytes", bytes);
        g_autofree char *reference = g_strdup_printf("%s%u", shared_prefix, scope->block);

        part.kind = WS_DAP_SHARED;
        variable =
            ws_dap_add_variable(list, "shared", value, "words", ws_dap_refer(adapter, &part));
        json_object_set_string_member(variable, "memoryReference", reference);
        json_object_set_int_member(variable, "indexedVariables", (gint64)(bytes / WORD));
    }
    part.kind = WS_DAP_BUFFER;
    for (part.number = 0; part.number < adapter->job->buffer_count; part.number++) {
        const WsBuffer *buffer = &adapter->job->buffers[part.number];
        g_autofree char *address = g_strdup_printf("0x%" G_GINT64_MODIFIER "x", buffer->address);
        g_autofree char *type =
            g_strdup_printf("%s[%" G_GUINT64_FORMAT "]", ws_type_name(buffer->type), buffer->count);

        variable =
            ws_dap_add_variable(list, buffer->name, address, type, ws_dap_refer(adapter, &part));
        json_object_set_string_member(variable, "memoryReference", address);
        json_object_set_int_member(variable, "indexedVariables",
                                   (gint64)MIN(buffer->count, G_MAXINT32));
    }
}

/* Elements of the page, of `count` that lie at `data`. */
static void list_elements(const guint8 *data, guint64 count, WsType type, const WsDapPage *page,
                          JsonArray *list)
{
    guint64 most = page->count != 0 ? MIN(page->count, MOST_ELEMENTS) : MOST_ELEMENTS;
    guint64 end = MIN(count, page->start + most);
    guint size = MAX(1, ws_type_size(type));

    for (guint64 i = page->start; i < end; i++) {
        g_autofree char *name = g_strdup_printf("[%" G_GUINT64_FORMAT "]", i);
        const guint8 *at = data + i * size;
        g_autofree char *value =
            page->hexadecimal && !ws_element_is_float(type)
                ? g_strdup_printf("0x%" G_GINT64_MODIFIER "x", ws_element_load_integer(type, at))
                : ws_element_text(type, at);

        ws_dap_add_variable(list, name, value, ws_type_name(type), 0);
    }
}

void ws_dap_list_buffer(const WsDapAdapter *adapter, const WsDapReference *reference,
                        const WsDapPage *page, JsonArray *list)
{
    const WsBuffer *buffer = &adapter->job->buffers[reference->number];
    const WsSimulation *simulation = ws_timeline_simulation(ws_session_timeline(adapter->session));
    const guint8 *data =
        ws_global_memory_at(ws_simulation_contents(simulation), buffer->address, buffer->bytes);

    if (data != NULL)
        list_elements(data, buffer->count, buffer->type, page, list);
}

void ws_dap_list_shared(const WsDapReference *shared, WsWarpPlace place, const WsDapPage *page,
                        JsonArray *list)
{
    gsize bytes;
    const guint8 *data = shared_of(place, &bytes);

    list_elements(data, bytes / WORD, WS_TYPE_U32, page, list);
}

/* ---- readMemory ---------------------------------------------------------------------------------
 */

/* What can be read from an address on. */
typedef struct {
    const guint8 *data;
    guint64 bytes;
    guint64 address; /* as the program sees it */
} Readable;

static gboolean find_shared(const WsDapAdapter *adapter, const char *block, gint64 offset,
                            Readable *ret, GError **error)
{
    WsDapReference any = {0};
    WsWarpPlace place = {0};
    const guint8 *data;
    guint64 number;
    gsize bytes;

    if (!g_ascii_string_to_unsigned(block, 10, 0, G_MAXUINT32, &number, NULL)) {
        ws_set_error(error, WS_ERROR_USAGE, "the number of a block is expected after '%s'",
                     shared_prefix);
        return FALSE;
    }
    any.block = (guint32)number;
    for (; place.sm == NULL && any.warp < WS_MAX_WARP_SLOTS; any.warp++)
        place = ws_find_warp(ws_session_timeline(adapter->session), any.block, any.warp);
    if (place.sm == NULL) {
        ws_set_error(error, WS_ERROR_USAGE, "block %u is on no SM at this cycle", any.block);
        return FALSE;
    }
    data = shared_of(place, &bytes);
    *ret = (Readable){.address = WS_SHARED_WINDOW + (guint64)offset};
    if (offset >= 0 && (guint64)offset < bytes) {
        ret->data = data + offset;
        ret->bytes = bytes - (guint64)offset;
    }
    return TRUE;
}

static gboolean find_readable(const WsDapAdapter *adapter, const char *reference, gint64 offset,
                              Readable *ret, GError **error)
{
    const WsSimulation *simulation = ws_timeline_simulation(ws_session_timeline(adapter->session));
    const WsRegion *region;
    gint64 address;

    if (g_str_has_prefix(reference, shared_prefix))
        return find_shared(adapter, reference + strlen(shared_prefix), offset, ret, error);
    if (!ws_dap_read_address(reference, offset, &address, error))
        return FALSE;
    region = ws_global_memory_find(ws_simulation_contents(simulation), (guint64)address, 1);
    *ret = (Readable){.address = (guint64)address};
    if (region != NULL) {
        ret->data = region->data + ((guint64)address - region->base);
        ret->bytes = region->base + region->bytes - (guint64)address;
    }
    return TRUE;
}

gboolean ws_dap_readMemory(WsDapAdapter *adapter, WsDapArguments *arguments, JsonObject *body,
                           GError **error)
{
    const char *reference = ws_dap_text(arguments, "memoryReference", TRUE);
    gint64 offset = ws_dap_number(arguments, "offset", 0, -G_MAXINT64, G_MAXINT64);
    guint64 count = (guint64)ws_dap_number(arguments, "count", WS_DAP_REQUIRED, 0, MOST_BYTES);
    g_autofree char *address = NULL, *text = NULL;
    Readable readable;
    gsize bytes;

    if (!ws_dap_arguments_end(arguments, error) ||
        !find_readable(adapter, reference, offset, &readable, error))
        return FALSE;
    bytes = (gsize)MIN(count, readable.bytes);
    address = g_strdup_printf("0x%" G_GINT64_MODIFIER "x", readable.address);
    text = g_base64_encode(readable.data, bytes);
    json_object_set_string_member(body, "address", address);
    json_object_set_string_member(body, "data", text);
    if (bytes < count)
        json_object_set_int_member(body, "unreadableBytes", (gint64)(count - bytes));
    return TRUE;
}
