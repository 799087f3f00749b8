#include "inspect/dap/adapter.h"
#include "isa/base/error.h"

enum { INSTRUCTION_BYTES = 16, MOST_INSTRUCTIONS = 1 << 16 };

static void add_instruction(const WsDapAdapter *adapter, JsonArray *list, gint64 index)
{
    const WsProgram *program = adapter->job->program;
    JsonObject *object = json_object_new();
    g_autofree char *address =
        g_strdup_printf("0x%" G_GINT64_MODIFIER "x", (guint64)index * INSTRUCTION_BYTES);
    g_autofree char *text = NULL;

    json_object_set_string_member(object, "address", address);
    if (index >= 0 && index < program->instruction_count) {
        const char *label = program->labels != NULL ? program->labels[index] : NULL;

        text = ws_dap_instruction_text(adapter, (guint32)index);
        if (label != NULL && g_utf8_validate(label, -1, NULL))
            json_object_set_string_member(object, "symbol", label);
        if (ws_dap_add_position(adapter, object, (guint32)index))
            json_object_set_object_member(
                object, "location",
                json_object_ref(json_object_get_object_member(object, "source")));
        json_object_remove_member(object, "source");
    } else {
        json_object_set_string_member(object, "presentationHint", "invalid");
    }
    json_object_set_string_member(object, "instruction", text != NULL ? text : "(no instruction)");
    json_array_add_object_element(list, object);
}

gboolean ws_dap_disassemble(WsDapAdapter *adapter, WsDapArguments *arguments, JsonObject *body,
                            GError **error)
{
    const char *reference = ws_dap_text(arguments, "memoryReference", TRUE);
    gint64 bytes = ws_dap_number(arguments, "offset", 0, -G_MAXINT32, G_MAXINT32);
    gint64 offset = ws_dap_number(arguments, "instructionOffset", 0, -G_MAXINT32, G_MAXINT32);
    gint64 count =
        ws_dap_number(arguments, "instructionCount", WS_DAP_REQUIRED, 0, MOST_INSTRUCTIONS);
    JsonArray *list;
    gint64 address;

    if (!ws_dap_arguments_end(arguments, error) ||
        !ws_dap_read_address(reference, bytes, &address, error))
        return FALSE;
    list = json_array_new();
    for (gint64 i = 0; i < count; i++)
        add_instruction(adapter, list, address / INSTRUCTION_BYTES + offset + i);
    json_object_set_array_member(body, "instructions", list);
    return TRUE;
}
