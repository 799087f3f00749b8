/* Random programs: accesses of one thread to memory, and atomic operations that commute. */
#include "tests/support/random_program_private.h"

/* Widths of an access: suffix, bytes. */
typedef struct {
    const char *suffix;
    guint bytes;
} Width;

static const Width widths[] = {{"", 4},     {"", 4},     {".U8", 1}, {".S8", 1},
                               {".U16", 2}, {".S16", 2}, {".64", 8}, {".128", 16}};

static const Width *width(Maker *maker)
{
    return &widths[maker_below(maker, G_N_ELEMENTS(widths))];
}

/* A value register, pair or quad for the access. */
static guint data(Maker *maker, const Width *w)
{
    return w->bytes == 16  ? maker_quad(maker)
           : w->bytes == 8 ? maker_pair(maker)
                           : maker_value(maker);
}

/* An offset inside `bytes` bytes, aligned for the access. */
static guint offset(Maker *maker, const Width *w, guint bytes)
{
    return w->bytes * maker_below(maker, bytes / w->bytes);
}

static char *guard(Maker *maker)
{
    if (!maker_chance(maker, 4)) {
        return g_strdup("");
    }
    return g_strdup_printf("@%sP%u ", maker_chance(maker, 2) ? "!" : "", maker_predicate(maker));
}

/* Load or store, by the flip of a coin. `address` is what stands in the brackets. */
static void access_at(Maker *maker, const char *space, const char *address_form, const Width *w,
                      const char *address)
{
    g_autofree char *condition = guard(maker);
    if (maker_chance(maker, 2)) {
        maker_line(maker, "%sLD%s%s%s R%u, [%s]", condition, space, address_form, w->suffix,
                   data(maker, w), address);
    } else {
        maker_line(maker, "%sST%s%s%s [%s], R%u", condition, space, address_form, w->suffix,
                   address, data(maker, w));
    }
}

/* ---- global memory ------------------------------------------------------------------------------
 */

static void own_slot(Maker *maker)
{
    const Width *w = width(maker);
    guint at = offset(maker, w, 32);
    g_autofree char *plain = g_strdup_printf("R2+%u", at);
    g_autofree char *with_uniform = g_strdup_printf("R2+UR4+%d", (gint)at - 4096);
    const char *space = maker_chance(maker, 3) ? "" : "G";
    if (maker_chance(maker, 6)) {
        maker_line(maker, "UMOV UR4, 4096");
        maker_line(maker, "UMOV UR5, URZ");
        access_at(maker, space, ".E", w, with_uniform);
    } else {
        access_at(maker, space, maker_chance(maker, 4) ? "" : ".E", w, plain);
    }
}

/* Reads anywhere in the buffer that nobody writes. */
static void input(Maker *maker)
{
    static const char *const caches[] = {
        "", ".CONSTANT", ".EF", ".STRONG.GPU", ".STRONG.SYS", ".STRONG.CTA", ".LU"};
    const Width *w = width(maker);
    g_autofree char *condition = guard(maker);
    maker_line(maker, "LOP3.LUT R10, R%u, 0x%x, RZ, 0xc0", maker_value(maker),
               maker_chance(maker, 2) ? 31 : RANDOM_PROGRAM_INPUT_BYTES / w->bytes - 1);
    maker_line(maker, "IMAD.WIDE.U32 R10, R10, %u, R4", w->bytes);
    maker_line(maker, "%sLDG.E%s%s R%u, [R10]", condition, w->suffix,
               caches[maker_below(maker, G_N_ELEMENTS(caches))], data(maker, w));
}

/* ---- other spaces -------------------------------------------------------------------------------
 */

static void own_shared(Maker *maker)
{
    const Width *w = width(maker);
    g_autofree char *address = g_strdup_printf("R8+%u", SHARED_OWN + offset(maker, w, 16));
    if (!maker_chance(maker, 3)) {
        access_at(maker, "S", "", w, address);
        return;
    }
    maker_line(maker, "IADD3 R10, R8, c[0x0][0x18], RZ");
    maker_line(maker, "MOV R11, RZ");
    g_free(address);
    address = g_strdup_printf("R10+%u", SHARED_OWN + offset(maker, w, 16));
    access_at(maker, "", ".E", w, address);
}

static void own_local(Maker *maker)
{
    const Width *w = width(maker);
    g_autofree char *fixed = g_strdup_printf("RZ+%u", offset(maker, w, LOCAL_BYTES));
    switch (maker_below(maker, 3)) {
    case 0:
        access_at(maker, "L", "", w, fixed);
        break;
    case 1: /* an offset by lane */
        maker_line(maker, "LOP3.LUT R10, R%u, 0x%x, RZ, 0xc0", maker_value(maker),
                   LOCAL_BYTES - w->bytes);
        access_at(maker, "L", "", w, "R10");
        break;
    default:
        maker_line(maker, "LOP3.LUT R10, R%u, 0x%x, RZ, 0xc0", maker_value(maker),
                   LOCAL_BYTES - w->bytes);
        maker_line(maker, "IADD3 R10, R10, c[0x0][0x1c], RZ");
        maker_line(maker, "MOV R11, RZ");
        access_at(maker, "", ".E", w, "R10");
        break;
    }
}

static void constant(Maker *maker)
{
    const Width *w = width(maker);
    if (maker_chance(maker, 2)) {
        maker_line(maker, "LOP3.LUT R10, R%u, 0x%x, RZ, 0xc0", maker_value(maker), 64 - w->bytes);
        maker_line(maker, "LDC%s R%u, c[0x3][R10]", w->suffix, data(maker, w));
    } else {
        maker_line(maker, "LDC%s R%u, c[0x3][%u]", w->suffix, data(maker, w), offset(maker, w, 64));
    }
}

void maker_memory(Maker *maker)
{
    switch (maker_below(maker, 6)) {
    case 0:
    case 1:
        own_slot(maker);
        break;
    case 2:
        input(maker);
        break;
    case 3:
        own_shared(maker);
        break;
    case 4:
        own_local(maker);
        break;
    default:
        constant(maker);
        break;
    }
}

/* ---- atomic operations --------------------------------------------------------------------------
 */

/*
 * The operation of each column of the sums, so that all operations on a cell commute: floats add
 * small whole numbers, INC, DEC and EXCH have one operand everywhere.
 */
typedef enum { ANY_32, ANY_64, SMALL_F32, SMALL_F64, SMALL_HALVES, FIXED } Operand;

static const struct {
    const char *operation;
    Operand operand;
} columns[SUMS_COLUMNS] = {{"ADD", ANY_32},        {"MIN.S32", ANY_32},
                           {"MAX.S32", ANY_32},    {"MIN", ANY_32},
                           {"MAX", ANY_32},        {"AND", ANY_32},
                           {"OR", ANY_32},         {"XOR", ANY_32},
                           {"INC", FIXED},         {"ADD.U64", ANY_64},
                           {"MIN.S64", ANY_64},    {"MAX.U64", ANY_64},
                           {"ADD.F32", SMALL_F32}, {"ADD.F64", SMALL_F64},
                           {"EXCH", FIXED},        {"ADD.F16X2", SMALL_HALVES}};

/* The operand, in R12 or R12:R13. */
static void operand_of(Maker *maker, Operand kind)
{
    guint v = maker_value(maker);
    switch (kind) {
    case ANY_32:
        maker_line(maker, "MOV R12, R%u", v);
        break;
    case ANY_64:
        maker_line(maker, "MOV R12, R%u", v);
        maker_line(maker, "MOV R13, R%u", maker_value(maker));
        break;
    case SMALL_F32:
    case SMALL_F64:
        maker_line(maker, "LOP3.LUT R12, R%u, 0xff, RZ, 0xc0", v);
        maker_line(maker, kind == SMALL_F32 ? "I2FP.F32.S32 R12, R12" : "I2F.F64.S32 R12, R12");
        break;
    case SMALL_HALVES: /* 0 or 1 */
        maker_line(maker, "LOP3.LUT R12, R%u, 1, RZ, 0xc0", v);
        maker_line(maker, "IMAD R12, R12, 0x3c003c00, RZ");
        break;
    default:
        maker_line(maker, "MOV R12, 1000");
        break;
    }
}

/* Adds by compare and swap, until nobody came in between. The cell has a column of its own kind. */
static void swap_loop(Maker *maker, guint column)
{
    guint label = maker_label(maker);
    maker_line(maker, "LDG.E.STRONG.GPU R12, [R10+%u]", 8 * column);
    maker_put_label(maker, "again", label);
    maker_line(maker, "IADD3 R13, R12, R%u, RZ", VALUES);
    maker_line(maker, "ATOMG.CAS.E R14, [R10+%u], R12, R13", 8 * column);
    maker_line(maker, "ISETP.EQ P4, R14, R12");
    maker_line(maker, "MOV R12, R14");
    maker_line(maker, "@!P4 BRA again%u", label);
}

void maker_atomic(Maker *maker)
{
    guint column = maker_below(maker, SUMS_COLUMNS);
    const char *operation = columns[column].operation;
    g_autofree char *condition = guard(maker);
    gboolean one_cell = maker_chance(maker, 2);
    maker_line(maker, "LOP3.LUT R10, R%u, 0x%x, RZ, 0xc0", one_cell ? 0 : maker_value(maker),
               one_cell ? 0 : 3);
    operand_of(maker, columns[column].operand);
    if (maker_chance(maker, 3)) {
        maker_line(maker, "IMAD R10, R10, 128, RZ");
        maker_line(maker, "%sATOMS.%s R14, [R10+%u], R12", condition, operation, 8 * column);
        return;
    }
    if (maker_chance(maker, 6)) { /* shared memory by its window */
        maker_line(maker, "IMAD R10, R10, 128, RZ");
        maker_line(maker, "IADD3 R10, R10, c[0x0][0x18], RZ");
        maker_line(maker, "MOV R11, RZ");
        maker_line(maker, "%sATOM.E.%s R14, [R10+%u], R12", condition, operation, 8 * column);
        return;
    }
    maker_line(maker, "IMAD.WIDE.U32 R10, R10, 128, R6");
    if (column == 0 && maker_chance(maker, 2)) {
        swap_loop(maker, column);
    } else if (maker_chance(maker, 2)) {
        maker_line(maker, "%sRED.E.%s [R10+%u], R12", condition, operation, 8 * column);
    } else {
        maker_line(maker, "%sATOM%s.E.%s R14, [R10+%u], R12", condition,
                   maker_chance(maker, 2) ? "G" : "", operation, 8 * column);
    }
}

/*
 * A counter behind a lock, with plain accesses inside. The lock is the upper half of a cell of the
 * column ADD, the counter that of the next row. Lanes that hold it must get on while others spin.
 * A policy that prefers old warps starves a young one that holds it as long as the old ones can
 * fill all issue slots, so who spins sleeps longer than 64 warps of one sub-core need for a round
 * of the loop: 64 x 7 instructions x 4 cycles, a switch of 3 included.
 */
void maker_lock(Maker *maker)
{
    guint label = maker_label(maker);
    if (!maker->options->independent || maker->manual) {
        maker_odd(maker);
        return;
    }
    maker_line(maker,
               "NOP"); /* so that a loop around it does not begin with the same instruction */
    maker_put_label(maker, "lock", label);
    maker_line(maker, "MOV R12, RZ");
    maker_line(maker, "MOV R13, 1");
    maker_line(maker, "ATOMG.CAS.E R14, [R6+4], R12, R13");
    maker_line(maker, "ISETP.NE P4, R14, RZ");
    maker_line(maker, "@P4 NANOSLEEP 2000"); /* see above */
    maker_line(maker, "@P4 BRA lock%u", label);
    maker_line(maker, "LDG.E.STRONG.GPU R14, [R6+132]");
    maker_line(maker, "IADD3 R14, R14, R%u, RZ", maker_value(maker));
    maker_line(maker, "STG.E.STRONG.GPU [R6+132], R14");
    maker_line(maker, "MEMBAR.GPU");
    maker_line(maker, "ATOMG.EXCH.E R14, [R6+4], RZ");
}
