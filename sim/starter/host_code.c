#include "sim/starter/host_code.h"

#include <string.h>

/* Behind a comment, or a text in quotes, that begins here; `at` itself if none does. */
static const char *skip_text(const char *at)
{
    if (g_str_has_prefix(at, "//"))
        return at + strcspn(at, "\n");
    if (g_str_has_prefix(at, "/*")) {
        const char *end = strstr(at + 2, "*/");
        return end != NULL ? end + 2 : at + strlen(at);
    }
    if (*at != '"' && *at != '\'')
        return at;
    const char *end = at + 1;
    while (*end != '\0' && *end != *at && *end != '\n')
        end += end[0] == '\\' && end[1] != '\0' ? 2 : 1;
    return *end == *at ? end + 1 : at + 1;
}

static gboolean is_word(char c)
{
    return g_ascii_isalnum(c) || c == '_';
}

/* "main (" of a definition or declaration. */
static gboolean is_main(const char *at)
{
    if (!g_str_has_prefix(at, "main") || is_word(at[4]))
        return FALSE;
    at += strlen("main");
    return at[strspn(at, " \t\r\n")] == '(';
}

WsHostCode ws_host_code_find(const char *source)
{
    WsHostCode code = {0};
    guint32 line = 1;
    char before = '\n';
    for (const char *at = source; *at != '\0';) {
        const char *next = skip_text(at);
        if (next == at) {
            gboolean launch = g_str_has_prefix(at, "<<<");
            if (launch && code.launches++ == 0)
                code.launch_line = line;
            else if (code.main_line == 0 && !is_word(before) && is_main(at))
                code.main_line = line;
            next = at + (launch ? strlen("<<<") : 1);
        }
        for (const char *c = at; c < next; c++)
            line += *c == '\n';
        before = next[-1];
        at = next;
    }
    return code;
}

char *ws_host_code_text(const WsHostCode *code)
{
    g_autoptr(GString) text = g_string_new(NULL);
    if (code->main_line != 0)
        g_string_append_printf(text, "main() in line %u", code->main_line);
    if (code->launches != 0)
        g_string_append_printf(text, "%sthe launch%s in line %u%s", text->len > 0 ? " and " : "",
                               code->launches > 1 ? "es" : "", code->launch_line,
                               code->launches > 1 ? " and below" : "");
    if (text->len == 0)
        return NULL;
    gboolean several = code->launches > 1 || (code->main_line != 0 && code->launches != 0);
    g_string_append_printf(text,
                           " %s ignored: only kernels are run, and a launch file says with what "
                           "grid, buffers and values",
                           several ? "are" : "is");
    return g_string_free(g_steal_pointer(&text), FALSE);
}
