#include "isa/bytecode/shared_variables.h"

WsSharedVariable *ws_shared_variables_copy(const WsSharedVariable *from, guint32 count)
{
    WsSharedVariable *copy = g_memdup2(from, count * sizeof *from);
    for (guint32 v = 0; v < count; v++)
        copy[v].name = g_strdup(from[v].name);
    return copy;
}

void ws_shared_variables_free(WsSharedVariable *variables, guint32 count)
{
    for (guint32 v = 0; v < count; v++)
        g_free(variables[v].name);
    g_free(variables);
}
