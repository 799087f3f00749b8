#include "study/results/aligned_text.h"

guint ws_characters(const char *text)
{
    return (guint)g_utf8_strlen(text, -1);
}

void ws_append_left(GString *out, const char *text, guint width)
{
    guint count = ws_characters(text);
    if (count > width)
        text = g_utf8_offset_to_pointer(text, (glong)(count - width));
    g_string_append_printf(out, "%s%*s", text, (int)(width - MIN(width, count)), "");
}

void ws_append_right(GString *out, const char *text, guint width)
{
    g_string_append_printf(out, "%*s%s", (int)(width - MIN(width, ws_characters(text))), "", text);
}
