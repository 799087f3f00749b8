#include "isa/cuda/code_dump.h"

#include <string.h>

/* Without the memory that the instruction reaches, which stands in front of its place. */
static void append_line(GString *dump, const char *line, gsize length)
{
    const char *memory = g_strstr_len(line, (gssize)length, " :: (");
    const char *end = line + length, *place = NULL;
    if (length == 0 || *line == ';')
        return;
    for (const char *at = memory; at != NULL; at = g_strstr_len(at + 1, end - at - 1, "; "))
        place = at;
    g_string_append(dump, "//");
    g_string_append_len(dump, line, memory == NULL ? (gssize)length : memory - line);
    if (place != NULL && place != memory)
        g_string_append_len(dump, place, end - place);
    g_string_append_c(dump, '\n');
}

char *ws_take_code_dump(char *messages)
{
    static const char begin[] = "# *** IR Dump After ", end[] = "# End machine code for function ";
    GString *dump = g_string_new(NULL);
    char *kept = messages;
    gboolean inside = FALSE;
    for (const char *at = messages; *at != '\0';) {
        const gsize length = strcspn(at, "\n"), whole = length + (at[length] == '\n');
        inside = inside || g_str_has_prefix(at, begin);
        if (inside) {
            append_line(dump, at, length);
        } else {
            memmove(kept, at, whole);
            kept += whole;
        }
        inside = inside && !g_str_has_prefix(at, end);
        at += whole;
    }
    *kept = '\0';
    return g_string_free(dump, FALSE);
}
