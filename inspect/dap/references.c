#include "inspect/dap/adapter.h"

gint64 ws_dap_refer(WsDapAdapter *adapter, const WsDapReference *reference)
{
    g_array_append_vals(adapter->references, reference, 1);
    return adapter->first_reference + adapter->references->len - 1;
}

const WsDapReference *ws_dap_reference(const WsDapAdapter *adapter, gint64 number, GError **error)
{
    if (number >= adapter->first_reference &&
        number < adapter->first_reference + adapter->references->len)
        return &g_array_index(adapter->references, WsDapReference,
                              (guint)(number - adapter->first_reference));
    ws_set_error(error, WS_ERROR_USAGE, "%" G_GINT64_FORMAT " stands for nothing at this cycle",
                 number);
    return NULL;
}

void ws_dap_forget(WsDapAdapter *adapter)
{
    adapter->first_reference += adapter->references->len;
    if (adapter->first_reference > G_MAXINT32 / 2) /* the protocol's most is 2^31 - 1 */
        adapter->first_reference = 1;
    g_array_set_size(adapter->references, 0);
    g_string_chunk_clear(adapter->texts);
    g_array_set_size(adapter->goto_cycles, 0);
}

gboolean ws_dap_place(const WsDapAdapter *adapter, const WsDapReference *reference,
                      WsWarpPlace *ret, GError **error)
{
    *ret = ws_find_warp(ws_session_timeline(adapter->session), reference->block, reference->warp);
    if (ret->sm != NULL)
        return TRUE;
    ws_set_error(error, WS_ERROR_USAGE, "warp %u of block %u is on no SM at this cycle",
                 reference->warp, reference->block);
    return FALSE;
}

JsonObject *ws_dap_add_variable(JsonArray *list, const char *name, const char *value,
                                const char *type, gint64 reference)
{
    JsonObject *variable = json_object_new();

    json_object_set_string_member(variable, "name", name);
    json_object_set_string_member(variable, "value", value);
    if (type != NULL)
        json_object_set_string_member(variable, "type", type);
    json_object_set_int_member(variable, "variablesReference", reference);
    json_array_add_object_element(list, variable);
    return variable;
}
