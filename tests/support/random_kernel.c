#include "tests/support/random_kernel.h"

#include "tests/support/split_mix.h"

typedef struct {
    guint64 state;
    GString *text;
    guint labels, depth, threads, total;
    gboolean shared;
} Maker;

static guint64 next(Maker *m)
{
    return split_mix_next(&m->state);
}

static guint pick(Maker *m, guint count)
{
    return (guint)(next(m) % count);
}

/* R0 thread in block, R1 word index, R2:R3 address; R4..R11 values; R12.. loop counters. */
static guint value(Maker *m)
{
    return 4 + pick(m, 8);
}

static void arithmetic(Maker *m)
{
    guint d = value(m), a = value(m), b = value(m), c = value(m), p = pick(m, 3);

    switch (pick(m, 11)) {
    case 0:
        g_string_append_printf(m->text, "IADD3 R%u, R%u, R%u, R%u ;\n", d, a, b, c);
        break;
    case 1:
        g_string_append_printf(m->text, "LOP3.LUT R%u, R%u, R%u, R%u, 0x%x ;\n", d, a, b, c,
                               pick(m, 256));
        break;
    case 2:
        g_string_append_printf(m->text, "IMAD R%u, R%u, R%u, R%u ;\n", d, a, b, c);
        break;
    case 3:
        g_string_append_printf(m->text, "IMAD.WIDE.U32 R%u, R%u, R%u, R%u ;\n", d & ~1u, a, b,
                               c & ~1u);
        break;
    case 4:
        g_string_append_printf(m->text, "SHF.R.U32 R%u, R%u, %u, RZ ;\n", d, a, pick(m, 32));
        break;
    case 5:
        g_string_append_printf(m->text, "POPC R%u, R%u ;\n", d, a);
        break;
    case 6:
        g_string_append_printf(m->text, "ISETP.LT P%u, R%u, R%u ;\n", p, a, b);
        break;
    case 7:
        g_string_append_printf(m->text, "@P%u MOV R%u, R%u ;\n", p, d, a);
        break;
    case 8:
        g_string_append_printf(m->text, "SEL R%u, R%u, R%u, !P%u ;\n", d, a, b, p);
        break;
    case 9:
        g_string_append_printf(m->text, "I2FP.F32.S32 R%u, R%u ;\nFFMA R%u, R%u, 0.5, R%u ;\n", d,
                               a, d, d, d);
        break;
    default:
        g_string_append_printf(m->text, "IADD3 R%u, R%u, %u, RZ ;\n", d, a, pick(m, 1000));
        break;
    }
}

static void memory(Maker *m)
{
    guint w = pick(m, RANDOM_KERNEL_WORDS) * 4 * m->total;

    switch (pick(m, m->shared ? 4 : 2)) {
    case 0:
        g_string_append_printf(m->text, "LDG.E R%u, [R2+%u] ;\n", value(m), w);
        break;
    case 1:
        g_string_append_printf(m->text, "STG.E [R2+%u], R%u ;\n", w, value(m));
        break;
    case 2:
        g_string_append_printf(m->text, "STS [R1], R%u ;\n", value(m));
        break;
    default:
        g_string_append_printf(m->text, "LDS R%u, [R1] ;\n", value(m));
        break;
    }
}

static void statements(Maker *m, guint count);

static void branch(Maker *m)
{
    guint label = m->labels++, p = pick(m, 3);

    g_string_append_printf(m->text, "ISETP.LT.U32 P%u, R%u, R%u ;\n", p, value(m), value(m));
    g_string_append_printf(m->text, "@P%u BRA else%u ;\n", p, label);
    statements(m, 1 + pick(m, 4));
    if (pick(m, 2)) {
        g_string_append_printf(m->text, "BRA join%u ;\nelse%u:\n", label, label);
        statements(m, 1 + pick(m, 4));
        g_string_append_printf(m->text, "join%u:\n", label);
    } else {
        g_string_append_printf(m->text, "else%u:\n", label);
    }
    g_string_append(m->text, "NOP ;\n");
}

/* As many trips as the low bits of a value say, by lane. */
static void loop(Maker *m)
{
    guint label = m->labels++, counter = 12 + m->depth;

    g_string_append_printf(m->text, "LOP3.LUT R%u, R%u, 0x3, RZ, 0xc0 ;\nloop%u:\n", counter,
                           value(m), label);
    statements(m, 1 + pick(m, 3));
    g_string_append_printf(m->text,
                           "IADD3 R%u, R%u, -1, RZ ;\nISETP.GT P3, R%u, RZ ;\n@P3 BRA loop%u ;\n",
                           counter, counter, counter, label);
}

static void statements(Maker *m, guint count)
{
    m->depth++;
    for (guint i = 0; i < count; i++) {
        guint kind = pick(m, 10);

        if (kind < 6 || m->depth > 4)
            arithmetic(m);
        else if (kind < 8)
            memory(m);
        else if (kind == 8)
            branch(m);
        else
            loop(m);
    }
    m->depth--;
}

char *random_kernel(guint64 seed, guint threads, guint blocks)
{
    Maker m = {.state = seed,
               .text = g_string_new(NULL),
               .threads = threads,
               .total = threads * blocks,
               .shared = seed & 1};
    guint parts = 1 + pick(&m, 3);

    if (m.shared)
        g_string_append_printf(m.text, ".shared %u\n", threads * 4);
    g_string_append_printf(m.text,
                           "S2R R0, SR_TID.X ;\nS2R R4, SR_CTAID.X ;\n"
                           "IMAD R4, R4, %u, R0 ;\nMOV R2, c[x] ;\nMOV R3, c[x+4] ;\n"
                           "IMAD.WIDE.U32 R2, R4, 4, R2 ;\nSHF.L.U32 R1, R0, 2, RZ ;\n",
                           threads);
    for (guint r = 5; r < 12; r++)
        g_string_append_printf(m.text, "IMAD R%u, R%u, %u, R%u ;\n", r, r - 1, 3 + 2 * r, r - 1);
    for (guint i = 0; i < parts; i++) {
        statements(&m, 3 + pick(&m, 6));
        if (m.shared)
            g_string_append(m.text, "BAR.SYNC 0 ;\n");
    }
    for (guint w = 0; w < RANDOM_KERNEL_WORDS; w++)
        g_string_append_printf(m.text, "STG.E [R2+%u], R%u ;\n", w * 4 * m.total, 4 + 2 * w);
    g_string_append(m.text, "EXIT ;\n");
    return g_string_free(m.text, FALSE);
}
