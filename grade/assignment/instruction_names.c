#include "grade/assignment/instruction_names.h"

#include "isa/base/error.h"

#include <string.h>

char *ws_base_mnemonic(WsOpcode opcode)
{
    const char *mnemonic = ws_opcode_info(opcode)->mnemonic;
    return g_strndup(mnemonic, strcspn(mnemonic, "."));
}

gboolean ws_is_base_mnemonic(const char *name, char **ret_nearest)
{
    g_autoptr(GPtrArray) names = g_ptr_array_new_with_free_func(g_free);
    for (WsOpcode opcode = 0; opcode < ws_opcode_count; opcode++)
        g_ptr_array_add(names, ws_base_mnemonic(opcode));
    g_ptr_array_add(names, NULL);
    const char *const *list = (const char *const *)names->pdata;
    if (g_strv_contains(list, name))
        return TRUE;
    *ret_nearest = g_strdup(ws_nearest_name(name, list));
    return FALSE;
}
