#include "isa/cuda/protection.h"

#include "isa/cuda/clang_start.h"

static const struct {
    WsProtection part;
    const char *name, *otherwise;
} parts_known[] = {
    {WS_PROTECTION_FILES, "files", "opening files (no Landlock: Linux 5.13)"},
    {WS_PROTECTION_CALLS, "calls", "opening sockets and starting processes (no seccomp)"},
    {WS_PROTECTION_EXEC, "exec",
     "running another program (no seccomp user notification: Linux 5.5)"},
};

/* exec of a folder fails, but comes as far as exec would. */
guint ws_protection_of_host(void)
{
    static const char *const arguments[] = {"/", NULL};
    g_auto(WsClangSandbox) sandbox;
    WsClangStarted started;
    ws_clang_sandbox_init(&sandbox, "/usr/bin/clang", NULL);
    const WsClangStart start = {.arguments = arguments,
                                .environment = arguments + 1,
                                .input = -1,
                                .output = -1,
                                .messages = -1,
                                .sandbox = &sandbox};
    ws_clang_start(&start, &started, NULL);
    return started.protection;
}

const char *ws_protection_level(guint parts)
{
    parts &= WS_PROTECTION_ALL;
    return parts == WS_PROTECTION_ALL ? "full" : parts == 0 ? "none" : "partial";
}

const char *ws_protection_name(WsProtection part)
{
    for (guint i = 0; i < G_N_ELEMENTS(parts_known); i++)
        if (parts_known[i].part == part)
            return parts_known[i].name;
    return NULL;
}

char *ws_protection_text(guint parts)
{
    g_autoptr(GString) text = g_string_new(ws_protection_level(parts));
    const char *before = ": nothing keeps clang from ";
    for (guint i = 0; i < G_N_ELEMENTS(parts_known); i++) {
        if ((parts & parts_known[i].part) != 0)
            continue;
        g_string_append_printf(text, "%s%s", before, parts_known[i].otherwise);
        before = ", ";
    }
    return g_string_free(g_steal_pointer(&text), FALSE);
}
