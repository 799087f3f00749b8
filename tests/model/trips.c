/* Loops: what a trip takes beside its FFMAs. */
#include "streams.h"

#define FMA "FFMA %0, R10.reuse, %0, R11.reuse"

/* A loop of `a` FFMAs in `b` streams, as nvcc writes it: cycles a trip. */
static double trip(const Row *row)
{
    g_autoptr(GString) body =
        g_string_new("    UMOV UR4, URZ ;\nloop:\n    UIADD3 UR4, UR4, 1, URZ ;\n");
    const char *step = FMA;
    double few;

    for (guint i = 0; i < row->a; i++) {
        if (i == MIN(5, row->a - 1) && row->a > 4)
            g_string_append(body, "    ISETP.LE P6, R15, UR4 ;\n");
        append_step(body, FMA, i % row->b, streams_stride(row->b));
    }
    if (row->a <= 4)
        g_string_append(body, "    ISETP.LE P6, R15, UR4 ;\n");
    g_string_append(body, "@!P6 BRA loop ;\n");
    few = streams_run(NULL, &step, 1, row->b, body->str, row->warps, 64);
    return (streams_run(NULL, &step, 1, row->b, body->str, row->warps, 192) - few) / 128;
}

#define TRIP(ffmas, ilp, warps, measured, tolerance)                                               \
    ROW(#ffmas " FFMAs, ILP " #ilp ", " #warps " warps", measured, tolerance, trip, NULL, warps,   \
        ffmas, ilp)

static const Row loop_rows[] = {
    TRIP(1, 1, 1, 29, 0),   TRIP(1, 1, 8, 29, 0),   TRIP(2, 1, 1, 29, 0),  TRIP(8, 1, 1, 40, 5),
    TRIP(16, 1, 1, 72, 2),  TRIP(32, 1, 1, 136, 2), TRIP(4, 4, 1, 30, 5),  TRIP(8, 8, 1, 30, 5),
    TRIP(16, 8, 1, 29, 5),  TRIP(32, 8, 1, 44, 0),  TRIP(64, 8, 1, 76, 0), TRIP(32, 8, 8, 70, 8),
    TRIP(64, 8, 8, 134, 8), TRIP(64, 8, 16, 268, 8)};

const Group loop_group = {
    "Loops: cycles per iteration",
    "A loop of UIADD3, FFMAs, ISETP and BRA. The figure comes from the difference between 64 and "
    "192 iterations. 8 and 16 warps are 2 and 4 per sub-core.",
    loop_rows, G_N_ELEMENTS(loop_rows)};
