#include "tests/support/random_program_private.h"

#include <string.h>

const char random_program_constants[] =
    ".const u32 table[16] = 1, 2, 0x80000000, 0xffffffff, 0x3f800000, 0xbf000000, 0x7f800000, 0, "
    "17, 0x12345678, 0x9abcdef0, 31, 64, 0x00ff00ff, 0xfffffffe, 5\n";
const char random_program_parameters[] =
    ".param u64 own\n.param u64 input\n.param u64 sums\n.param u64 out\n.param u32 seven\n";

/* ---- what statements are made of ----------------------------------------------------------------
 */

guint maker_below(Maker *maker, guint limit)
{
    return (guint)g_rand_int_range(maker->random, 0, (gint32)limit);
}

gboolean maker_chance(Maker *maker, guint one_in)
{
    return maker_below(maker, one_in) == 0;
}

guint maker_value(Maker *maker)
{
    return VALUES + maker_below(maker, VALUE_COUNT);
}

guint maker_pair(Maker *maker)
{
    return VALUES + 2 * maker_below(maker, VALUE_COUNT / 2);
}

guint maker_quad(Maker *maker)
{
    return VALUES + 4 * maker_below(maker, VALUE_COUNT / 4);
}

guint maker_predicate(Maker *maker)
{
    return maker_below(maker, 4);
}

guint maker_label(Maker *maker)
{
    return maker->labels++;
}

static void append_control(Maker *maker)
{
    static const char *const barriers[] = {"wr=0 ", "wr=3 ", "rd=1 ", "rd=5 ", ""};
    if (maker->control == CONTROL_SAFE) {
        g_string_append(maker->text, " {stall=15 wr=0 rd=1 wait=0x3}");
    } else if (maker->control == CONTROL_RANDOM && maker_chance(maker, 2)) {
        g_string_append_printf(maker->text, " {stall=%u %s%swait=0x%x}", maker_below(maker, 16),
                               maker_chance(maker, 3) ? "yield " : "",
                               barriers[maker_below(maker, G_N_ELEMENTS(barriers))],
                               maker_below(maker, 64));
    }
}

void maker_line(Maker *maker, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    g_string_append(maker->text, "    ");
    g_string_append_vprintf(maker->text, format, arguments);
    va_end(arguments);
    append_control(maker);
    g_string_append(maker->text, " ;\n");
}

void maker_put_label(Maker *maker, const char *name, guint number)
{
    g_string_append_printf(maker->text, "%s%u:\n", name, number);
}

/* ---- statements ---------------------------------------------------------------------------------
 */

static void statement_of_kind(Maker *maker, guint kind)
{
    if (kind < 30 || (maker->depth > 3 && kind >= 58)) {
        maker_row(maker);
    } else if (kind < 46) {
        maker_memory(maker);
    } else if (kind < 50) {
        maker_uniform(maker);
    } else if (kind < 54) {
        maker_odd(maker);
    } else if (kind < 58) {
        maker_atomic(maker);
    } else if (kind < 80) {
        maker_control(maker);
    } else if (kind < 88) {
        maker_exchange(maker);
    } else if (kind < 92) {
        maker_partial_exchange(maker);
    } else if (kind < 96) {
        maker_phase(maker);
    } else if (kind < 99) {
        maker_barrier(maker);
    } else {
        maker_lock(maker);
    }
}

static void statement(Maker *maker)
{
    const RandomProgramOptions *options = maker->options;
    guint number = maker->statement++;
    gsize start = maker->text->len;
    maker->budget--;
    maker->depth++;
    statement_of_kind(maker, maker_below(maker, 100));
    maker->depth--;
    if (number < options->dropped_count && options->dropped[number]) {
        g_string_truncate(maker->text, start);
    }
}

void maker_statements(Maker *maker, guint count)
{
    for (guint i = 0; i < count && maker->budget > 0; i++) {
        statement(maker);
    }
}

/* ---- the program --------------------------------------------------------------------------------
 */

static void linear_numbers(Maker *maker)
{
    static const char *const axes[] = {"X", "Y", "Z"};
    for (guint i = 0; i < 3; i++) {
        maker_line(maker, "S2R R%u, SR_TID.%s", 16 + i, axes[i]);
        maker_line(maker, "S2R R%u, SR_CTAID.%s", 20 + i, axes[i]);
    }
    maker_line(maker, "MOV R10, c[0x0][0x0]");
    maker_line(maker, "IMAD R17, R18, c[0x0][0x4], R17");
    maker_line(maker, "IMAD R0, R17, R10, R16");
    maker_line(maker, "MOV R10, c[0x0][0xc]");
    maker_line(maker, "IMAD R21, R22, c[0x0][0x10], R21");
    maker_line(maker, "IMAD R23, R21, R10, R20");
    /* in every second launch another block has the same threads of the grid */
    maker_line(maker, "S2R R10, SR_GRIDID");
    maker_line(maker, "LOP3.LUT R10, R10, 1, RZ, 0xc0");
    maker_line(maker, "IADD3 R23, R23, R10, RZ");
    maker_line(maker, "ISETP.GE P0, R23, %u", maker->options->blocks);
    maker_line(maker, "@P0 IADD3 R23, R23, -%u, RZ", maker->options->blocks);
    maker_line(maker, "IMAD R1, R23, %u, R0", maker->options->threads);
}

static void prologue(Maker *maker)
{
    static const char *const pointers[] = {"own", "input", "sums"};
    linear_numbers(maker);
    for (guint i = 0; i < 3; i++) {
        maker_line(maker, "MOV R%u, c[%s]", 2 + 2 * i, pointers[i]);
        maker_line(maker, "MOV R%u, c[%s+4]", 3 + 2 * i, pointers[i]);
    }
    maker_line(maker, "IMAD.WIDE.U32 R2, R1, %u, R2", maker->options->own_stride);
    maker_line(maker, "IMAD R8, R0, 16, RZ");
    maker_line(maker, "LOP3.LUT R9, R0, %u, RZ, 0xc0", maker->options->warp_size - 1);
    maker_line(maker, "IMAD R16, R1, 0x9e3779b1, R1");
    for (guint r = VALUES + 1; r < VALUES + VALUE_COUNT; r++) {
        if (maker_chance(maker, 3)) {
            maker_line(maker, "IADD3 R%u, R0, %u, RZ", r, maker_below(maker, 64));
        } else {
            maker_line(maker, "IMAD R%u, R%u, 0x%x, R1", r, r - 1, 0x2545f491 + 2 * r);
        }
    }
    for (guint p = 0; p < 4; p++) {
        maker_line(maker, "ISETP.LT P%u, R%u, R%u", p, maker_value(maker), maker_value(maker));
    }
}

/* What the thread has come to, into its words of `out`; the block's sums through shared memory. */
static void epilogue(Maker *maker)
{
    guint total = maker->options->threads * maker->options->blocks;
    if (maker->joins) {
        g_string_append(maker->text, RANDOM_PROGRAM_JOINED ":\n");
    }
    maker_line(maker, "BAR.SYNC 0");
    maker_line(maker, "MOV R12, c[out]");
    maker_line(maker, "MOV R13, c[out+4]");
    maker_line(maker, "IMAD.WIDE.U32 R12, R1, 4, R12");
    for (guint w = 0; w < VALUE_COUNT; w++) {
        maker_line(maker, "STG.E [R12+%u], R%u", 4 * w * total, VALUES + w);
    }
    maker_line(maker, "P2R R14, RZ, 0xf");
    maker_line(maker, "STG.E [R12+%u], R14", 4 * VALUE_COUNT * total);
    maker_line(maker, "LOP3.LUT R14, R0, 0x7f, RZ, 0xc0");
    maker_line(maker, "SHF.L.U32 R14, R14, 2, RZ");
    maker_line(maker, "LDS R15, [R14]");
    maker_line(maker, "STG.E [R12+%u], R15", 4 * (VALUE_COUNT + 1) * total);
    maker_line(maker, "LDS.64 R14, [R8+%u]", SHARED_OWN + 8);
    maker_line(maker, "STG.E [R12+%u], R14", 4 * (VALUE_COUNT + 2) * total);
    maker_line(maker, "LDL R14, [RZ+%u]", 4 * maker_below(maker, LOCAL_BYTES / 4));
    maker_line(maker, "STG.E [R12+%u], R14", 4 * (VALUE_COUNT + 3) * total);
    maker_line(maker, "EXIT");
}

static void choose(Maker *maker)
{
    static const ControlFields fields[] = {CONTROL_NONE, CONTROL_NONE, CONTROL_SAFE,
                                           CONTROL_RANDOM};
    maker->exits = maker_chance(maker, 3);
    maker->manual = maker_chance(maker, 3);
    maker->joins = !maker->manual;
    maker->functions = maker_chance(maker, 3);
    maker->reuse = maker_chance(maker, 2);
    maker->control = fields[maker_below(maker, G_N_ELEMENTS(fields))];
}

char *random_program(const RandomProgramOptions *options, guint *ret_statements)
{
    Maker maker = {
        .random = g_rand_new_with_seed_array(
            (const guint32[]){(guint32)options->seed, (guint32)(options->seed >> 32)}, 2),
        .options = options,
        .text = g_string_new(NULL),
        .budget = (gint)(4 * options->statements),
        .broken = g_array_new(FALSE, FALSE, sizeof(guint)),
        .together = TRUE,
        .lanes_known = options->warp_size == 32};
    choose(&maker);
    g_string_append_printf(maker.text, ".shared %u\n.local %u\n.registers 64\n",
                           SHARED_OWN + 20 * options->threads, LOCAL_BYTES);
    if (maker.manual) {
        g_string_append(maker.text, ".reconvergence manual\n");
    }
    if (maker.control == CONTROL_SAFE) {
        g_string_append(maker.text, RANDOM_PROGRAM_WAITS "\n");
    }
    prologue(&maker);
    maker_statements(&maker, options->statements);
    epilogue(&maker);
    if (maker.functions) {
        maker_functions(&maker);
    }
    *ret_statements = maker.statement;
    g_rand_free(maker.random);
    g_array_unref(maker.broken);
    return g_string_free(maker.text, FALSE);
}
