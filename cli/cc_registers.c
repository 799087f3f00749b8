#include "cli/cc_registers.h"

#include <string.h>

char *ws_cc_bound_registers(const char *ptx, guint registers)
{
    static const char entry[] = "\n.visible .entry ", body[] = "\n{";
    GString *out = g_string_sized_new(strlen(ptx) + 1);
    const char *from = ptx, *at = ptx;
    while (registers != 0 && (at = strstr(at, entry)) != NULL) {
        const char *begin = strstr(at, body);
        if (begin == NULL)
            break;
        g_string_append_len(out, from, begin - from);
        if (g_strstr_len(at, begin - at, "\n.maxntid") == NULL &&
            g_strstr_len(at, begin - at, "\n.minnctapersm") == NULL)
            g_string_append_printf(out, "\n.maxnreg %u", registers);
        from = at = begin;
    }
    g_string_append(out, from);
    return g_string_free(out, FALSE);
}
