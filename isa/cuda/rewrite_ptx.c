#include "isa/cuda/rewrite_ptx.h"

#include <glib.h>
#include <stdio.h>
#include <string.h>

enum { MAX_LINE = 128 };

/* Registers of an instruction, as in `%rd12`, and its numbers. */
typedef struct {
    char d[24], a[24];
    guint bits, start, length;
} Fields;

#define REGISTER "%23[%a-z0-9]"

/* d = a * -2^(bits - 1), a product of twice the bits. */
static gboolean mend_product(GString *out, const char *line)
{
    Fields f;
    int end = 0;
    if (sscanf(line, "\tmul.wide.s%u \t" REGISTER ", " REGISTER ", -%u;%n", &f.bits, f.d, f.a,
               &f.start, &end) != 4 ||
        end == 0 || line[end] != '\0' || (f.bits != 16 && f.bits != 32) ||
        f.start != 1u << (f.bits - 1))
        return FALSE;
    g_string_append_printf(out, "\tcvt.s%u.s%u \t%s, %s; shl.b%u \t%s, %s, %u;", 2 * f.bits, f.bits,
                           f.d, f.a, 2 * f.bits, f.d, f.d, f.bits - 1);
    return TRUE;
}

/* d = `length` bits of a from `start` on, its last bit among them and maybe more. */
static gboolean mend_field(GString *out, const char *line)
{
    Fields f;
    int end = 0;
    if (sscanf(line, "\tbfe.u%u \t" REGISTER ", " REGISTER ", %u, %u;%n", &f.bits, f.d, f.a,
               &f.start, &f.length, &end) != 5 ||
        end == 0 || line[end] != '\0' || f.start >= f.bits || f.length >= f.bits ||
        f.start + f.length < f.bits)
        return FALSE;
    g_string_append_printf(out, "\tshr.s%u \t%s, %s, %u;", f.bits, f.d, f.a, f.start);
    if (f.start + f.length > f.bits)
        g_string_append_printf(out, " and.b%u \t%s, %s, %" G_GUINT64_FORMAT ";", f.bits, f.d, f.d,
                               (G_GUINT64_CONSTANT(1) << f.length) - 1);
    return TRUE;
}

static void append_line(GString *out, const char *line, gsize length)
{
    if (length < MAX_LINE && (g_str_has_prefix(line, "\tmul.wide.s") || /* most are neither */
                              g_str_has_prefix(line, "\tbfe.u"))) {
        char copy[MAX_LINE];
        memcpy(copy, line, length);
        copy[length] = '\0';
        if (mend_product(out, copy) || mend_field(out, copy))
            return;
    }
    g_string_append_len(out, line, (gssize)length);
}

char *ws_cuda_rewrite_ptx(const char *ptx)
{
    static const char begin[] = "\t// begin inline asm", end[] = "\t// end inline asm";
    gboolean inline_assembly = FALSE;
    GString *out = g_string_sized_new(strlen(ptx) + MAX_LINE);
    gsize length;
    for (const char *line = ptx; *line != '\0'; line += length) {
        length = strcspn(line, "\n");
        if (g_str_has_prefix(line, begin) || g_str_has_prefix(line, end))
            inline_assembly = g_str_has_prefix(line, begin);
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
