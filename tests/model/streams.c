#include "streams.h"

#include <string.h>

#define SHARED_OPERATIONS                                                                          \
    ".shared 4096\n.const u32 table[32] = 0, 4, 8, 12, 16, 20, 24, 28, 32, 36, 40, 44, 48, 52, "   \
    "56, "                                                                                         \
    "60, 64, 68, 72, 76, 80, 84, 88, 92, 96, 100, 104, 108, 112, 116, 120, 124\n.local 64\n"

enum { INTERLEAVED = 4 };

guint streams_stride(guint streams)
{
    return streams > 8 ? 2 : 4;
}

const char *streams_instructions(const char *step)
{
    const char *colon = strstr(step, " : ");

    return colon ? colon + 3 : step;
}

static void append_beginning(GString *setup, const char *step, guint stream, guint stride)
{
    const char *colon = strstr(step, " : ");
    g_autofree char *first =
        colon ? g_strndup(step, (gsize)(colon - step)) : g_strdup("MOV %0, R14");

    append_step(setup, first, stream, stride);
}

double streams_run(const char *setting, const char *const *steps, guint kinds, guint streams,
                   const char *body, guint warps, guint trips)
{
    g_autoptr(GString) setup =
        g_string_new("    SHF.L.U32 R5, R14, 2 ;\n    IADD3 R5, R5, 1024 ;\n    STS [R14], R14 ;\n"
                     "    STS [R5], R5 ;\n    SHF.L.U32 R8, R14, 1 ;\n"
                     "    IADD3 R8, R8, 2048 ;\n    STS [R8], R8 ;\n    STL [0], RZ ;\n");
    Probe probe = {.directives = SHARED_OPERATIONS,
                   .body = body,
                   .setting = setting,
                   .warps = warps > 32 ? warps / 2 : warps,
                   .blocks = warps > 32 ? 2 : 1,
                   .trips = trips,
                   .data_bytes = 65536,
                   .fill = probe_own_addresses};

    for (guint i = 0; i < streams; i++)
        append_beginning(setup, steps[i % kinds], i, streams_stride(streams));
    probe.setup = setup->str;
    return probe_cycles(&probe);
}

/*
 * Steps `first` to `first` + INTERLEAVED - 1. Where a step is a chain of two instructions, all
 * their first ones come before the second ones, as compiled code has it.
 */
static void append_interleaved(GString *body, const char *const *steps, guint kinds, guint first,
                               guint streams)
{
    gboolean more = TRUE;

    for (guint part = 0; more; part++) {
        more = FALSE;
        for (guint i = first; i < first + INTERLEAVED; i++) {
            g_auto(GStrv) parts =
                g_strsplit(streams_instructions(steps[i % kinds]), " ;\n    ", -1);

            if (part < g_strv_length(parts))
                append_step(body, parts[part], i % streams, streams_stride(streams));
            more = more || part + 1 < g_strv_length(parts);
        }
    }
}

/* The loop of the measurement: independent streams, `operations` steps a trip. */
static double loop(const char *const *steps, guint kinds, guint streams, guint operations,
                   guint warps, guint trips)
{
    g_autoptr(GString) body =
        g_string_new("    UMOV UR4, URZ ;\nloop:\n    UIADD3 UR4, UR4, 1, URZ ;\n");

    for (guint i = 0; i < operations; i += INTERLEAVED) {
        if (i == operations - operations / 8)
            g_string_append(body, "    ISETP.LE P6, R15, UR4 ;\n");
        append_interleaved(body, steps, kinds, i, streams);
    }
    g_string_append(body, "@!P6 BRA loop ;\n");
    return streams_run(NULL, steps, kinds, streams, body->str, warps, trips);
}

double streams_rate(const Row *row, guint streams, guint operations, guint few, guint many)
{
    g_auto(GStrv) steps = g_strsplit(row->text, "|", -1);
    const char *const *list = (const char *const *)steps;
    guint kinds = g_strv_length(steps);

    return (loop(list, kinds, streams, operations, row->warps, many) -
            loop(list, kinds, streams, operations, row->warps, few)) /
           ((double)operations * (many - few));
}
