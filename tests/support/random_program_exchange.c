/* Random programs: exchange between the lanes of a warp and between the threads of a block. */
#include "tests/support/random_program_private.h"

/* ---- lanes of a warp ----------------------------------------------------------------------------
 */

/* Lanes meet: those of the innermost mask, or all of the warp. */
static void meet(Maker *maker)
{
    if (maker->masks == 0) {
        maker_line(maker, "WARPSYNC 0xffffffff");
    } else {
        maker_line(maker, "WARPSYNC R%u", MASKS + maker->masks - 1);
    }
}

/* From a lane that is sure to be there. */
static void broadcast(Maker *maker)
{
    maker_line(maker, "VOTE.ANY R45, PT");
    maker_line(maker, "FLO.U32 R46, R45");
    maker_line(maker, "SHFL.IDX P%u, R%u, R%u, R46, 0x1f", maker_predicate(maker),
               maker_value(maker), maker_value(maker));
}

/* Lanes that have ended, or never were, still have registers; so only whole warps shuffle freely.
 */
static void shuffle(Maker *maker)
{
    static const char *const modes[] = {"IDX", "UP", "DOWN", "BFLY"};
    static const guint clamps[] = {0x1f, 0x0, 0x181f, 0x1c1f, 0x1f, 0x1800};
    const char *mode = modes[maker_below(maker, 4)];
    guint clamp = clamps[maker_below(maker, G_N_ELEMENTS(clamps))];
    if (maker->masks > 0) {
        broadcast(maker);
    } else if (maker_chance(maker, 2)) {
        maker_line(maker, "SHFL.%s P%u, R%u, R%u, %u, 0x%x", mode, maker_predicate(maker),
                   maker_value(maker), maker_value(maker), maker_below(maker, 33), clamp);
    } else {
        maker_line(maker, "SHFL.%s P%u, R%u, R%u, R%u, 0x%x", mode, maker_predicate(maker),
                   maker_value(maker), maker_value(maker), maker_value(maker), clamp);
    }
}

static void reduction(Maker *maker)
{
    static const char *const operations[] = {"SUM", "MIN", "MAX", "AND", "OR", "XOR"};
    maker_line(maker, "REDUX.%s%s UR4, R%u", operations[maker_below(maker, 6)],
               maker_chance(maker, 2) ? ".S32" : "", maker_value(maker));
    maker_line(maker, "IADD3 R%u, R%u, UR4, RZ", maker_value(maker), maker_value(maker));
}

static void vote(Maker *maker)
{
    static const char *const modes[] = {"ALL", "ANY", "EQ"};
    g_autofree char *condition =
        maker_chance(maker, 3) ? g_strdup_printf("@P%u ", maker_predicate(maker)) : g_strdup("");
    maker_line(maker, "%sVOTE.%s R%u, P%u, %sP%u", condition, modes[maker_below(maker, 3)],
               maker_value(maker), maker_predicate(maker), maker_chance(maker, 2) ? "!" : "",
               maker_predicate(maker));
}

static void match(Maker *maker)
{
    gboolean wide = maker_chance(maker, 4);
    maker_line(maker, "LOP3.LUT R46, R%u, 0x3, RZ, 0xc0", maker_value(maker));
    maker_line(maker, "MOV R47, RZ");
    maker_line(maker, "MATCH.%s%s R%u, P%u, R46", maker_chance(maker, 2) ? "ANY" : "ALL",
               wide ? ".U64" : "", maker_value(maker), maker_predicate(maker));
}

void maker_exchange(Maker *maker)
{
    static void (*const kinds[])(Maker *) = {shuffle, shuffle, reduction, vote, match};
    guint count = 1 + maker_below(maker, 3);
    if (!maker->lanes_known) {
        maker_memory(maker);
        return;
    }
    meet(maker);
    if (maker_chance(maker, 5)) {
        maker_line(maker, "S2R R%u, SR_ACTIVEMASK", maker_value(maker));
    }
    for (guint i = 0; i < count; i++) {
        kinds[maker_below(maker, G_N_ELEMENTS(kinds))](maker);
    }
}

/* The two sides of a branch, each with the mask of its lanes. */
void maker_partial_exchange(Maker *maker)
{
    guint label = maker_label(maker), mask = MASKS + maker->masks, p = maker_predicate(maker);
    gboolean together = maker->together;
    if (!maker->lanes_known || maker->masks >= 7 || maker->depth > 3) {
        maker_atomic(maker);
        return;
    }
    meet(maker);
    maker_line(maker, "MOV R45, RZ");
    maker_line(maker, "@P%u MOV R45, 1", p);
    maker_line(maker, "VOTE.ANY R%u, P%u", mask, p);
    maker_line(maker, "VOTE.ANY R46, !P%u", p);
    maker_line(maker, "ISETP.EQ P4, R45, RZ");
    maker_line(maker, "@P4 MOV R%u, R46", mask);
    maker_line(maker, "@P4 BRA other%u", label);
    maker->together = FALSE;
    maker->masks++;
    maker_exchange(maker);
    maker_statements(maker, 1 + maker_below(maker, 2));
    maker_line(maker, "BRA both%u", label);
    maker_put_label(maker, "other", label);
    maker_exchange(maker);
    maker_statements(maker, maker_below(maker, 3));
    maker->masks--;
    maker->together = together;
    maker_put_label(maker, "both", label);
    maker_line(maker, "NOP");
}

/* ---- threads of a block -------------------------------------------------------------------------
 */

static guint whole_block(const Maker *maker)
{
    const RandomProgramOptions *options = maker->options;
    return (options->threads + options->warp_size - 1) / options->warp_size * options->warp_size;
}

static void wait_for_all(Maker *maker)
{
    guint number = maker_below(maker, 16);
    if (!maker->exits && maker_chance(maker, 3) && whole_block(maker) <= 1024) {
        maker_line(maker, "BAR.SYNC %u, %u", number, whole_block(maker));
    } else {
        maker_line(maker, "BAR.SYNC %u", number);
    }
}

/* R10 = a thread of the block. */
static void any_thread(Maker *maker)
{
    maker_line(maker, "IMAD.HI.U32 R10, R%u, %u, RZ", maker_value(maker), maker->options->threads);
}

/* Each thread writes, all wait, each reads what another has written, all wait. */
void maker_phase(Maker *maker)
{
    guint at = SHARED_OWN + 16 * maker->options->threads, word = 4 * maker_below(maker, 8);
    if (!maker->together) {
        maker_memory(maker);
        return;
    }
    if (maker_chance(maker, 2)) {
        maker_line(maker, "IMAD R10, R0, 4, RZ");
        maker_line(maker, "STS [R10+%u], R%u", at, maker_value(maker));
        wait_for_all(maker);
        any_thread(maker);
        maker_line(maker, "IMAD R10, R10, 4, RZ");
        maker_line(maker, "LDS R%u, [R10+%u]", maker_value(maker), at);
    } else {
        maker_line(maker, "STG.E [R2+%u], R%u", word, maker_value(maker));
        maker_line(maker, "MEMBAR.CTA");
        wait_for_all(maker);
        any_thread(maker);
        maker_line(maker, "IADD3 R10, R10, -R0, RZ");
        maker_line(maker, "IMAD.WIDE R10, R10, %u, R2", maker->options->own_stride);
        maker_line(maker, "LDG.E R%u, [R10+%u]", maker_value(maker), word);
    }
    wait_for_all(maker);
}

/* One half of the warps arrives and goes on, the other waits for it. */
static void arrive_and_wait(Maker *maker)
{
    guint label = maker_label(maker), number = 1 + maker_below(maker, 15);
    guint at = SHARED_OWN + 16 * maker->options->threads, threads = whole_block(maker);
    maker_line(maker, "WARPSYNC 0xffffffff");
    maker_line(maker, "LOP3.LUT R10, R0, 0x20, RZ, 0xc0");
    maker_line(maker, "ISETP.EQ P4, R10, RZ");
    maker_line(maker, "IMAD R10, R0, 4, RZ");
    maker_line(maker, "@P4 BRA waits%u", label);
    maker_line(maker, "STS [R10+%u], R%u", at, maker_value(maker));
    maker_line(maker, "BAR.ARV %u, %u", number, threads);
    maker_line(maker, "BRA over%u", label);
    maker_put_label(maker, "waits", label);
    maker_line(maker, "BAR.SYNC %u, %u", number, threads);
    maker_line(maker, "LOP3.LUT R11, R0, 0x20, RZ, 0xfc");
    maker_line(maker, "ISETP.LT.U32 P5, R11, %u", maker->options->threads);
    maker_line(maker, "IMAD R11, R11, 4, RZ");
    maker_line(maker, "@P5 LDS R%u, [R11+%u]", maker_value(maker), at);
    maker_put_label(maker, "over", label);
    maker_line(maker, "BAR.SYNC 0");
}

/* Two warps each meet at a barrier of their own, the last of an odd number by itself. */
static void pairs(Maker *maker)
{
    guint at = SHARED_OWN + 16 * maker->options->threads, size = maker->options->warp_size;
    guint warps = whole_block(maker) / size;
    maker_line(maker, "SHF.R.U32 R10, R0, %u, RZ", (guint)__builtin_ctz(size));
    maker_line(maker, "SHF.R.U32 R11, R10, 1, RZ");
    maker_line(maker, "IADD3 R11, R11, 1, RZ");
    maker_line(maker, "MOV R12, %u", 2 * size);
    if (warps % 2 == 1) {
        maker_line(maker, "ISETP.EQ P4, R10, %u", warps - 1);
        maker_line(maker, "@P4 MOV R12, %u", size);
    }
    maker_line(maker, "IMAD R10, R0, 4, RZ");
    maker_line(maker, "STS [R10+%u], R%u", at, maker_value(maker));
    maker_line(maker, "BAR.SYNC R11, R12");
    maker_line(maker, "LOP3.LUT R13, R0, %u, RZ, 0x3c", size);
    maker_line(maker, "ISETP.LT.U32 P5, R13, %u", maker->options->threads);
    maker_line(maker, "IMAD R13, R13, 4, RZ");
    maker_line(maker, "@P5 LDS R%u, [R13+%u]", maker_value(maker), at);
    maker_line(maker, "BAR.SYNC R11, R12");
    maker_line(maker, "BAR.SYNC 0"); /* before a barrier has another use */
}

void maker_barrier(Maker *maker)
{
    static const char *const modes[] = {"POPC", "AND", "OR"};
    if (!maker->together) {
        maker_odd(maker);
        return;
    }
    if (maker_chance(maker, 3) && !maker->exits &&
        whole_block(maker) <= 30 * maker->options->warp_size) {
        pairs(maker);
        return;
    }
    if (maker_chance(maker, 2) && maker->lanes_known && maker->masks == 0 && !maker->exits &&
        whole_block(maker) <= 1024) {
        arrive_and_wait(maker);
        return;
    }
    maker_line(maker, "BAR.RED.%s R%u, P%u, %u, RZ, %sP%u", modes[maker_below(maker, 3)],
               maker_value(maker), maker_predicate(maker), maker_below(maker, 16),
               maker_chance(maker, 2) ? "!" : "", maker_predicate(maker));
}
