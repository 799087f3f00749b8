#include "isa/bytecode/construct.h"

static const char *const names[WS_CONSTRUCT_KINDS] = {
    [WS_CONSTRUCT_NONE] = "",          [WS_CONSTRUCT_IF] = "if",  [WS_CONSTRUCT_FOR] = "for",
    [WS_CONSTRUCT_WHILE] = "while",    [WS_CONSTRUCT_DO] = "do",  [WS_CONSTRUCT_SWITCH] = "switch",
    [WS_CONSTRUCT_CONDITIONAL] = "?:", [WS_CONSTRUCT_AND] = "&&", [WS_CONSTRUCT_OR] = "||",
};

char *ws_construct_name(const WsConstruct *constructs, guint32 index)
{
    const WsConstruct *construct = &constructs[index];
    const char *name = construct->name != NULL ? construct->name : "";

    switch (construct->kind) {
    case WS_CONSTRUCT_MACRO:
    case WS_CONSTRUCT_OPERATION:
        return g_strdup(name);
    case WS_CONSTRUCT_FUNCTION:
        return g_strdup_printf("%s()", name);
    case WS_CONSTRUCT_ROUND:
        return g_strdup_printf("iteration of the %s", names[constructs[construct->parent].kind]);
    case WS_CONSTRUCT_REST: {
        g_autofree char *of = ws_construct_name(constructs, construct->parent);
        return g_strdup_printf("common tail of the %s", of);
    }
    default:
        return g_strdup(names[construct->kind]);
    }
}

gboolean ws_construct_is_loop(WsConstructKind kind)
{
    return kind == WS_CONSTRUCT_FOR || kind == WS_CONSTRUCT_WHILE || kind == WS_CONSTRUCT_DO;
}

gboolean ws_construct_has_sides(WsConstructKind kind)
{
    return kind == WS_CONSTRUCT_IF || kind == WS_CONSTRUCT_SWITCH ||
           kind == WS_CONSTRUCT_CONDITIONAL;
}

void ws_constructs_free(WsConstruct *constructs, guint32 count)
{
    for (guint32 i = 0; constructs != NULL && i < count; i++)
        g_free(constructs[i].name);
    g_free(constructs);
}
