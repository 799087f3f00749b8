#include "isa/base/csv_cell.h"

#include <string.h>

gboolean ws_csv_is_formula(const char *text)
{
    static const char *const starts[] = {"=",  "+",      "-",      "@",      "\t",    "\r",
                                         "\n", "\uff1d", "\uff0b", "\uff0d", "\uff20"};
    char *end;
    text += strspn(text, " ");
    g_ascii_strtod(text, &end);
    if (end != text && *end == '\0')
        return FALSE;
    for (guint i = 0; i < G_N_ELEMENTS(starts); i++)
        if (g_str_has_prefix(text, starts[i]))
            return TRUE;
    return FALSE;
}

void ws_csv_append_cell(GString *csv, const char *text)
{
    gboolean formula = ws_csv_is_formula(text);
    if (!formula && strpbrk(text, "\",;\t\r\n") == NULL) {
        g_string_append(csv, text);
        return;
    }
    g_string_append(csv, formula ? "\"'" : "\"");
    for (; *text != '\0'; text++) {
        if (*text == '"')
            g_string_append_c(csv, '"');
        g_string_append_c(csv, *text);
    }
    g_string_append_c(csv, '"');
}
