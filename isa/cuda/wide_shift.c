#include "isa/cuda/wide_shift.h"

#include <glib.h>
#include <string.h>

static const struct {
    const char *product;
    const char *factor;
    const char *extension;
    const char *shift;
    const char *count;
} forms[] = {
    {"\tmul.wide.s32 \t", ", -2147483648;", "\tcvt.s64.s32 \t", " shl.b64 \t", ", 31;"},
    {"\tmul.wide.s16 \t", ", -32768;", "\tcvt.s32.s16 \t", " shl.b32 \t", ", 15;"},
};

/* The line, mended if it is one of the products. */
static void append_line(GString *out, const char *line, gsize length)
{
    for (guint i = 0; i < G_N_ELEMENTS(forms); i++) {
        gsize head = strlen(forms[i].product), tail = strlen(forms[i].factor);
        if (length < head + tail || memcmp(line, forms[i].product, head) != 0 ||
            memcmp(line + length - tail, forms[i].factor, tail) != 0)
            continue;
        const char *operands = line + head; /* d, a */
        int rest = (int)(length - head - tail), result = (int)strcspn(operands, ",");
        g_string_append_printf(out, "%s%.*s;%s%.*s, %.*s%s", forms[i].extension, rest, operands,
                               forms[i].shift, result, operands, result, operands, forms[i].count);
        return;
    }
    g_string_append_len(out, line, (gssize)length);
}

char *ws_mend_wide_shifts(const char *ptx)
{
    static const char begin[] = "\t// begin inline asm", end[] = "\t// end inline asm";
    gboolean inline_assembly = FALSE;
    gsize length;
    if (strstr(ptx, forms[0].factor) == NULL && strstr(ptx, forms[1].factor) == NULL)
        return g_strdup(ptx);
    GString *out = g_string_sized_new(strlen(ptx) + 256);
    for (const char *line = ptx; *line != '\0'; line += length) {
        length = strcspn(line, "\n");
        if (g_str_has_prefix(line, begin) || g_str_has_prefix(line, end))
            inline_assembly = line[strlen("\t// ")] == 'b';
        if (inline_assembly)
            g_string_append_len(out, line, (gssize)length);
        else
            append_line(out, line, length);
        if (line[length] == '\n') {
            g_string_append_c(out, '\n');
            length++;
        }
    }
    return g_string_free(out, FALSE);
}
