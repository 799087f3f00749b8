/* Random programs: branches, loops, tables, calls and ends of threads. */
#include "tests/support/random_program_private.h"

/* Loops count in registers by depth; a function has its own. */
static gboolean may_loop(const Maker *maker)
{
    return maker->loops < (maker->in_function ? 2 : 3);
}

static guint counter_of(const Maker *maker)
{
    static const guint first[] = {COUNTERS, COUNTERS + 4, COUNTERS + 6};
    return first[maker->in_function] + maker->loops;
}

/* What held outside of a construct that not all lanes enter. */
typedef struct {
    gboolean together, lanes_known;
} Outside;

static Outside enter(Maker *maker)
{
    Outside outside = {maker->together, maker->lanes_known};
    maker->together = FALSE;
    maker->lanes_known = FALSE;
    return outside;
}

static void leave(Maker *maker, Outside outside)
{
    maker->together = outside.together;
    maker->lanes_known = outside.lanes_known;
}

/*
 * Programs that place their own convergence barriers leave out some: lanes then join later. Returns
 * the barrier, or -1.
 */
static gint begin_convergence(Maker *maker, const char *join, guint label)
{
    static const guint first[] = {0, 8, 12}, count[] = {8, 4, 4};
    guint barrier = first[maker->in_function] + maker->convergence;
    if (!maker->manual || maker->convergence >= count[maker->in_function] ||
        maker_chance(maker, 4)) {
        return -1;
    }
    maker->convergence++;
    g_array_append_val(maker->broken, barrier);
    maker_line(maker, "BSSY B%u, %s%u", barrier, join, label);
    return (gint)barrier;
}

static void end_convergence(Maker *maker, const char *join, guint label, gint barrier)
{
    maker_put_label(maker, join, label);
    if (barrier >= 0) {
        maker_line(maker, "BSYNC B%d", barrier);
        maker->convergence--;
        g_array_set_size(maker->broken, maker->broken->len - 1);
    } else {
        maker_line(maker, "NOP");
    }
}

/* P4 = a condition of values, true in about half, a quarter or few of the lanes. */
static void condition(Maker *maker)
{
    static const guint masks[] = {1, 2, 3, 7, 0x30};
    if (maker_chance(maker, 2)) {
        maker_line(maker, "ISETP.LT%s P4, R%u, R%u", maker_chance(maker, 2) ? ".U32" : "",
                   maker_value(maker), maker_value(maker));
    } else if (maker_chance(maker, 2)) {
        maker_line(maker, "ISETP.LT.U32 P4, R9, %u", maker_below(maker, 40));
    } else {
        maker_line(maker, "LOP3.LUT R10, R%u, 0x%x, RZ, 0xc0", maker_value(maker),
                   masks[maker_below(maker, G_N_ELEMENTS(masks))]);
        maker_line(maker, "ISETP.EQ P4, R10, RZ");
    }
}

static void if_else(Maker *maker)
{
    guint label = maker_label(maker);
    gint barrier = begin_convergence(maker, "join", label);
    Outside outside;
    condition(maker);
    outside = enter(maker);
    if (maker_chance(maker, 2)) {
        maker_line(maker, "@%sP4 BRA else%u", maker_chance(maker, 2) ? "!" : "", label);
    } else { /* by the operand, and a guard */
        maker_line(maker, "@P4 BRA %sP%u, else%u", maker_chance(maker, 2) ? "!" : "",
                   maker_predicate(maker), label);
    }
    maker_statements(maker, 1 + maker_below(maker, 3));
    if (maker_chance(maker, 2)) {
        maker_line(maker, "BRA join%u", label);
        maker_put_label(maker, "else", label);
        maker_statements(maker, 1 + maker_below(maker, 3));
    } else {
        maker_put_label(maker, "else", label);
    }
    leave(maker, outside);
    end_convergence(maker, "join", label, barrier);
}

/* Leaves the loop from inside an if, and with it the barriers inside the loop. */
static void break_out(Maker *maker, guint label, guint outer)
{
    condition(maker);
    for (guint i = outer; i < maker->broken->len; i++) {
        maker_line(maker, "@P4 BREAK B%u", g_array_index(maker->broken, guint, i));
    }
    maker_line(maker, "@P4 BRA done%u", label);
}

static void nested_break(Maker *maker, guint label, guint outer)
{
    guint inner = maker_label(maker);
    gint barrier = begin_convergence(maker, "inner", inner);
    condition(maker);
    maker_line(maker, "@P4 BRA inner%u", inner);
    break_out(maker, label, outer);
    maker_statements(maker, 1);
    end_convergence(maker, "inner", inner, barrier);
}

/* Trips by lane, with or without a way out of the middle and a way back to the head. */
static void loop(Maker *maker)
{
    guint label = maker_label(maker), counter = counter_of(maker), outer;
    gint barrier;
    Outside outside;
    if (!may_loop(maker)) {
        maker_row(maker);
        return;
    }
    barrier = begin_convergence(maker, "done", label);
    outside = enter(maker);
    outer = maker->broken->len;
    maker->loops++;
    maker_line(maker, "LOP3.LUT R%u, R%u, %u, RZ, 0xc0", counter, maker_value(maker),
               maker->loops > 1 ? 1 : 3);
    maker_put_label(maker, "loop", label);
    maker_statements(maker, 1 + maker_below(maker, 2));
    if (maker_chance(maker, 3)) {
        break_out(maker, label, outer);
    } else if (maker_chance(maker, 3)) {
        nested_break(maker, label, outer);
    }
    maker_line(maker, "IADD3 R%u, R%u, -1, RZ", counter, counter);
    maker_line(maker, "ISETP.GE P5, R%u, RZ", counter);
    if (maker_chance(maker, 3)) { /* continue */
        condition(maker);
        maker_line(maker, "ISETP.GE.AND P6, R%u, RZ, P4", counter);
        maker_line(maker, "@P6 BRA loop%u", label);
        maker_statements(maker, 1);
        maker_line(maker, "ISETP.GE P5, R%u, RZ", counter);
    }
    maker_line(maker, "@P5 BRA loop%u", label);
    maker->loops--;
    leave(maker, outside);
    end_convergence(maker, "done", label, barrier);
}

/* The same trips in all lanes: what is outside holds inside. */
static void uniform_loop(Maker *maker)
{
    guint label = maker_label(maker), counter = counter_of(maker);
    if (!may_loop(maker)) {
        maker_row(maker);
        return;
    }
    maker->loops++;
    maker_line(maker, "MOV R%u, %u", counter, 1 + maker_below(maker, 2));
    maker_put_label(maker, "times", label);
    maker_statements(maker, 1 + maker_below(maker, 3));
    maker_line(maker, "IADD3 R%u, R%u, -1, RZ", counter, counter);
    maker_line(maker, "ISETP.GE P5, R%u, RZ", counter);
    maker_line(maker, "@P5 BRA times%u", label);
    maker->loops--;
}

static void switch_case(Maker *maker)
{
    guint label = maker_label(maker), ways = 2 + maker_below(maker, 4);
    gint barrier = begin_convergence(maker, "out", label);
    Outside outside = enter(maker);
    maker_line(maker, "IMAD.HI.U32 R10, R%u, %u, RZ", maker_value(maker), ways);
    maker_line(maker, "SHF.L.U32 R10, R10, 4, RZ");
    maker_line(maker, "BRX R10, table%u", label);
    maker_put_label(maker, "table", label);
    for (guint i = 0; i < ways; i++) {
        maker_line(maker, "BRA case%u_%u", label, i);
    }
    for (guint i = 0; i < ways; i++) {
        g_string_append_printf(maker->text, "case%u_%u:\n", label, i);
        maker_statements(maker, 1);
        if (!maker_chance(maker, 5)) { /* else on to the next */
            maker_line(maker, "BRA out%u", label);
        }
    }
    leave(maker, outside);
    end_convergence(maker, "out", label, barrier);
}

/* Blocks that jump to one another as they like, until the fuel is used up. */
static void unstructured(Maker *maker)
{
    guint label = maker_label(maker), blocks = 2 + maker_below(maker, 3);
    gint barrier;
    Outside outside;
    if (maker->loops > 0 || maker->in_function) {
        maker_row(maker);
        return;
    }
    barrier = begin_convergence(maker, "end", label);
    outside = enter(maker);
    maker->joins = FALSE;
    maker->loops += 3; /* no loops inside: the fuel is one register */
    maker_line(maker, "LOP3.LUT R44, R%u, 7, RZ, 0xc0", maker_value(maker));
    for (guint i = 0; i < blocks; i++) {
        g_string_append_printf(maker->text, "block%u_%u:\n", label, i);
        maker_statements(maker, 1);
        maker_line(maker, "IADD3 R44, R44, -1, RZ");
        maker_line(maker, "ISETP.LT P4, R44, RZ");
        maker_line(maker, "@P4 BRA end%u", label);
        condition(maker);
        maker_line(maker, "@P4 BRA block%u_%u", label, maker_below(maker, blocks));
    }
    maker->loops -= 3;
    leave(maker, outside);
    end_convergence(maker, "end", label, barrier);
}

static void end_early(Maker *maker)
{
    if (!maker->exits || maker->in_function) {
        maker_odd(maker);
        return;
    }
    maker_line(maker, "LOP3.LUT R10, R%u, 0xf, RZ, 0xc0", maker_value(maker));
    maker_line(maker, "ISETP.EQ P4, R10, %u", maker_below(maker, 16));
    maker_line(maker, "@P4 STG.E [R2], R%u", maker_value(maker));
    if (maker_chance(maker, 2)) {
        maker_line(maker, "@P4 EXIT");
    } else {
        maker_line(maker, "EXIT P4");
    }
}

static void call(Maker *maker)
{
    guint function = maker->in_function ? 2 : 1 + maker_below(maker, 2);
    if (!maker->functions || maker->in_function >= 2) {
        maker_row(maker);
        return;
    }
    maker_line(maker, "CALL.REL R%u, function%u", 39 + function, function);
}

void maker_control(Maker *maker)
{
    static void (*const kinds[])(Maker *) = {if_else,      if_else,     loop,         loop,
                                             uniform_loop, switch_case, unstructured, end_early,
                                             call,         call};
    kinds[maker_below(maker, G_N_ELEMENTS(kinds))](maker);
}

/* The first may call the second. */
void maker_functions(Maker *maker)
{
    Outside outside = enter(maker);
    maker->budget = 12;
    for (guint function = 1; function <= 2; function++) {
        maker->in_function = function;
        maker->depth = 2;
        maker_put_label(maker, "function", function);
        maker_statements(maker, 2);
        maker_line(maker, "RET.REL R%u", 39 + function);
    }
    maker->in_function = 0;
    leave(maker, outside);
}
