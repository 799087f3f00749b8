/* Branches that split a warp: sides, trees, switches, loops, exits. */
#include <string.h>

#include "rows.h"

/* FFMAs, each waiting for the one before, with the stall count that follows the last. */
static void chain(GString *body, guint count, guint stall)
{
    for (guint i = 1; i <= count; i++)
        g_string_append_printf(body, "    FFMA R20, R10, R20, R11 ; {stall=%u}\n",
                               i < count ? 4 : stall);
}

/* Stall counts are those of the code that nvcc 13.0 made, and of use only to a machine that obeys
 * them: "dependences=control". */
static double with_lanes(const GString *body, guint lanes, const char *tail)
{
    g_autofree char *setup =
        g_strdup_printf("    S2R R16, SR_LANEID ;\n    ISETP.GE P0, R16, %u ;\n", lanes);
    Probe probe = {.setup = setup,
                   .body = body->str,
                   .tail = tail,
                   .setting = "dependences=control",
                   .passes = 3};

    return probe_cycles(&probe);
}

static const char *const head = "    IADD3 R18, R18, 1 {stall=1} ;\n    BSSY B0, join {stall=3} ;\n"
                                "    ISETP.NE P1, R18, 3 {stall=1} ;\n";
static const char *const foot = "meet:\n    BSYNC B0 {stall=5} ;\njoin:\n    NOP ;\n";

/* `a` FFMAs on either side, lanes below `b` on the taken one. */
static GString *two_sides(const Row *row, gboolean stamps)
{
    const char *start = stamps ? "    CS2R.64 R22, SR_CLOCKLO {stall=1} ;\n" : "";
    GString *body = g_string_new(head);

    g_string_append_printf(body, "@!P0 BRA other {stall=12} ;\n%s", start);
    chain(body, row->a, 1);
    g_string_append(body, stamps ? "    CS2R.64 R24, SR_CLOCKLO {stall=1} ;\n" : "");
    g_string_append_printf(body, "    BRA meet {stall=6} ;\nother:\n%s", start);
    chain(body, row->a, stamps ? 1 : 7);
    g_string_append(body, stamps ? "    CS2R.64 R24, SR_CLOCKLO {stall=7} ;\n" : "");
    g_string_append(body, foot);
    return body;
}

static double if_else(const Row *row)
{
    g_autoptr(GString) body = two_sides(row, FALSE);

    return with_lanes(body, row->b, NULL);
}

/* When the side of lane `warps` starts. */
static double side_start(const Row *row)
{
    g_autoptr(GString) body = two_sides(row, TRUE);
    g_autofree char *tail = g_strdup_printf("    SHFL.IDX R8, R22, %u, 31 ;\n", row->warps);

    return with_lanes(body, row->b, tail);
}

/* A tree of branches on the bits of the lane, `a` FFMAs in every node, one join. */
static void tree(GString *body, guint depth, guint bit, gboolean last)
{
    gsize place = body->len;

    if (depth == 0)
        return;
    g_string_append_printf(body, "@P%u BRA side%" G_GSIZE_FORMAT " {stall=%u} ;\n",
                           bit == 0 ? 0 : bit + 1, place, bit == 0 ? 12 : 6);
    for (guint side = 0; side < 2; side++) {
        gboolean at_end = last && side == 1;

        chain(body, 16, at_end && depth == 1 ? 7 : 1);
        tree(body, depth - 1, bit + 1, at_end);
        if (depth == 1 && !at_end)
            g_string_append(body, "    BRA meet {stall=6} ;\n");
        if (side == 0)
            g_string_append_printf(body, "side%" G_GSIZE_FORMAT ":\n", place);
    }
}

/* P0, P2, P3 and so on: the bits of the lane from bit `a` - 1 down; `b`: of lane 21 for all. */
static double with_tree(const Row *row, const GString *body)
{
    g_autoptr(GString) setup = g_string_new("    S2R R16, SR_LANEID ;\n");
    Probe probe = {.body = body->str, .setting = "dependences=control", .passes = 3};

    g_string_append(setup, row->b ? "    MOV R16, 21 ;\n" : "");
    for (guint i = 0; i < row->a; i++)
        g_string_append_printf(
            setup, "    LOP3.LUT R17, R16, %u, RZ, 0xc0 ;\n    ISETP.EQ P%u, R17, RZ ;\n",
            1u << (row->a - 1 - i), i == 0 ? 0 : i + 1);
    probe.setup = setup->str;
    return probe_cycles(&probe);
}

static double nested(const Row *row)
{
    g_autoptr(GString) body = g_string_new(head);

    tree(body, row->a, 0, TRUE);
    g_string_append(body, foot);
    return with_tree(row, body);
}

/* Half of a branch in the tree below: what `depth` levels more hold, then code behind their join.
 */
static void bush(GString *body, guint depth, guint bit, gboolean last)
{
    gsize place = body->len;

    if (depth == 0) {
        chain(body, 16, last ? 7 : 1);
        return;
    }
    g_string_append_printf(body,
                           "    FFMA R20, R10, R20, R11 ; {stall=1}\n"
                           "    ISETP.NE P5, R17, RZ {stall=1} ;\n"
                           "    BSSY B%u, behind%" G_GSIZE_FORMAT " {stall=2} ;\n",
                           bit, place);
    chain(body, 15, 1);
    g_string_append_printf(body, "@P%u BRA other%" G_GSIZE_FORMAT " {stall=6} ;\n", bit + 1, place);
    bush(body, depth - 1, bit + 1, FALSE);
    g_string_append_printf(body,
                           "    BRA together%" G_GSIZE_FORMAT " {stall=6} ;\n"
                           "other%" G_GSIZE_FORMAT ":\n",
                           place, place);
    bush(body, depth - 1, bit + 1, TRUE);
    g_string_append_printf(body,
                           "together%" G_GSIZE_FORMAT ":\n    BSYNC B%u {stall=5} ;\n"
                           "behind%" G_GSIZE_FORMAT ":\n",
                           place, bit, place);
    chain(body, 4, last ? 7 : 1);
}

/* A tree of `a` levels with 4 FFMAs behind each join. */
static double joined(const Row *row)
{
    g_autoptr(GString) body = g_string_new(head);

    g_string_append(body, "@P0 BRA other {stall=12} ;\n");
    bush(body, row->a - 1, 1, FALSE);
    g_string_append(body, "    BRA meet {stall=6} ;\nother:\n");
    bush(body, row->a - 1, 1, TRUE);
    g_string_append(body, foot);
    g_string_truncate(body, body->len - strlen("    NOP ;\n"));
    g_string_append(body, "    FFMA R20, R10, R20, R11 ; {stall=1}\n    NOP {stall=3} ;\n");
    chain(body, 3, 1);
    return with_tree(row, body);
}

/* One side only, of `a` FFMAs, for the lanes below `b`. */
static double one_side(const Row *row)
{
    g_autoptr(GString) body = g_string_new(head);

    g_string_append(body, "@P0 BRA meet {stall=12} ;\n");
    chain(body, row->a, 7);
    g_string_append(body, foot);
    return with_lanes(body, row->b, NULL);
}

enum { WAYS = 32, WAY_LENGTH = 64 };
/* Bytes from the first branch of a table to each. */
#define WAY_TABLE ".shared 64\n.const u32 table[2] = 0, 16\n"

/* R16 = lane modulo `a`, a power of two. */
static double with_ways(const Row *row, const GString *body)
{
    g_autofree char *setup =
        g_strdup_printf("    S2R R16, SR_LANEID ;\n    LOP3.LUT R16, R16, %u, RZ, 0xc0 ;\n"
                        "    ISETP.GT P0, R16, %u ;\n",
                        row->a - 1, WAYS / 2 - 1);
    Probe probe = {.setup = setup,
                   .directives = WAY_TABLE,
                   .body = body->str,
                   .setting = "dependences=control",
                   .passes = 3};

    return probe_cycles(&probe);
}

/* 32 ifs in a row, of which each lane takes one: `a` are taken. */
static double if_sequence(const Row *row)
{
    g_autoptr(GString) body = g_string_new(NULL);

    for (guint way = 0; way < WAYS; way++) {
        g_string_append_printf(
            body,
            "    ISETP.NE P2, R16, %u {stall=1} ;\n"
            "    BSSY B0, join%u {stall=12} ;\n"
            "@P2 BRA skip%u {stall=5} ;\n    CS2R.64 R22, SR_CLOCKLO {stall=1} ;\n",
            way, way, way);
        chain(body, WAY_LENGTH, 7);
        g_string_append_printf(body, "skip%u:\n    BSYNC B0 {stall=5} ;\njoin%u:\n", way, way);
    }
    g_string_append(body, "    NOP {stall=1} ;\n");
    return with_ways(row, body);
}

/*
 * `warps` ifs in a row of `a` FFMAs each, with a clock read behind each; all lanes take those whose
 * bit is set in `b`.
 */
static double stamped_ifs(const Row *row)
{
    g_autoptr(GString) body = g_string_new("    IADD3 R18, R18, 1 {stall=1} ;\n");
    Probe probe = {.setup = "    MOV R16, RZ ;\n    ISETP.EQ P0, R16, RZ ;\n",
                   .setting = "dependences=control",
                   .passes = 4};

    for (guint n = 0; n < row->warps; n++) {
        if (n == 0)
            g_string_append_printf(body,
                                   "    BSSY B0, join0 {stall=3} ;\n    NOP {stall=1} ;\n"
                                   "@%sP0 BRA skip0 {stall=12} ;\n",
                                   row->b & 1 ? "!" : "");
        else
            g_string_append_printf(body,
                                   "    ISETP.EQ P2, R16, %u {stall=1} ;\n"
                                   "    BSSY B0, join%u {stall=12} ;\n"
                                   "@!P2 BRA skip%u {stall=5} ;\n",
                                   row->b >> n & 1 ? 0 : 1, n, n);
        chain(body, row->a, 7);
        g_string_append_printf(body,
                               "skip%u:\n    BSYNC B0 {stall=5} ;\njoin%u:\n"
                               "    CS2R.64 R22, SR_CLOCKLO {stall=2} ;\n",
                               n, n);
    }
    probe.body = body->str;
    return probe_cycles(&probe);
}

/* Word i holds the address of word i. */
static void addresses(guint32 *data, guint32 address, guint words)
{
    for (guint i = 0; i < words; i++)
        data[i] = address + 4 * i;
}

/* Lines of L2 that take as long as those of the machine, about 303 and 288 cycles a load. */
enum { SIDE_LOADS = 8, ONE_LINE = 0x10010000 + 128 * 67, OTHER_LINE = 0x10010000 + 128 * 51 };

/* Loads, each from the address that the one before gave, with the stall count that follows. */
static void loads(GString *body, guint stall)
{
    for (guint i = 0; i < SIDE_LOADS; i++)
        g_string_append_printf(body, "    LDG.E.STRONG.GPU R24, [R24] {stall=2 wr=2%s} ;\n",
                               i > 0 ? " wait=4" : "");
    g_string_append_printf(body,
                           "    I2FP.F32.U32 R23, R24 {stall=5 wait=4} ;\n"
                           "    FFMA R20, R23, 0.5, R20 {stall=%u} ;\n",
                           stall);
}

/* Loads for the lanes below `b`, the same or `a` FFMAs for the others. */
static double sides_with_loads(const Row *row)
{
    g_autoptr(GString) body = g_string_new("    BSSY B0, join {stall=4} ;\n"
                                           "@P0 BRA other {stall=5} ;\n");
    g_autofree char *setup =
        g_strdup_printf("    S2R R16, SR_LANEID ;\n    ISETP.GE P0, R16, %u ;\n    MOV R25, RZ ;\n"
                        "    MOV R24, %u ;\n@P0 MOV R24, %u ;\n    IADD3 R24, R24, R14, RZ ;\n",
                        row->b, ONE_LINE, OTHER_LINE);
    Probe probe = {.setup = setup,
                   .setting = "dependences=control",
                   .passes = 3,
                   .data_bytes = 65536,
                   .fill = addresses};

    loads(body, 2);
    g_string_append(body, "    BRA meet {stall=6} ;\nother:\n");
    if (row->a == 0)
        loads(body, 8);
    else
        chain(body, row->a, 7);
    g_string_append(body, foot);
    probe.body = body->str;
    return probe_cycles(&probe);
}

/* 16 trips of an if with 32 FFMAs a side, lanes below `b` on one; with __syncwarp() behind if `a`.
 */
static double sides_in_loop(const Row *row)
{
    g_autoptr(GString) body =
        g_string_new("    MOV R19, RZ {stall=4} ;\n    NOP {stall=13} ;\nloop:\n"
                     "    IADD3 R19, R19, 1 {stall=1} ;\n    BSSY B0, join {stall=3} ;\n"
                     "    ISETP.NE P2, R19, 16 {stall=1} ;\n@!P0 BRA other {stall=12} ;\n");
    g_autofree char *setup =
        g_strdup_printf("    S2R R16, SR_LANEID ;\n    ISETP.GE P0, R16, %u ;\n", row->b);
    Probe probe = {.setup = setup, .setting = "dependences=control", .passes = 3};

    chain(body, 32, 1);
    g_string_append(body, "    BRA meet {stall=6} ;\nother:\n");
    chain(body, 32, 7);
    g_string_append_printf(body,
                           "meet:\n    BSYNC B0 {stall=5} ;\njoin:\n%s"
                           "@P2 BRA loop {stall=5} ;\n    NOP {stall=1} ;\n",
                           row->a ? "    NOP {stall=1} ;\n" : "");
    probe.body = body->str;
    return probe_cycles(&probe);
}

/* Trips of a loop of 8 FFMAs: lane + 1, all 32, or lane 0 32 and the rest one. */
static double lane_trips(const Row *row)
{
    static const char *const setups[] = {
        "    S2R R16, SR_LANEID ;\n    IADD3 R16, R16, 1 ;\n", "    MOV R16, 32 ;\n",
        "    S2R R16, SR_LANEID ;\n    ISETP.EQ P0, R16, RZ ;\n    SEL R16, R15, 1, P0 ;\n",
        "    S2R R16, SR_LANEID ;\n    IADD3 R16, R15, -R16, RZ ;\n", "    MOV R16, 1 ;\n"};
    static const char *const loop =
        "    ISETP.GE P1, R16, 1 {stall=1} ;\n    BSSY B0, join {stall=1} ;\n"
        "    IADD3 R18, R18, 1 {stall=4} ;\n    ISETP.GE.U32 P0, R18, 3 {stall=7} ;\n"
        "@!P1 BRA meet {stall=6} ;\n    MOV R17, RZ {stall=7} ;\nloop:\n"
        "    FFMA R20, R10, R20, R11 {stall=1} ;\n    IADD3 R17, R17, 1 {stall=3} ;\n"
        "    FFMA R20, R10, R20, R11 {stall=1} ;\n    ISETP.GE P1, R17, R16 {stall=3} ;\n";
    g_autoptr(GString) body = g_string_new(loop);
    Probe probe = {
        .setup = setups[row->a], .trips = 32, .passes = 3, .setting = "dependences=control"};

    chain(body, 6, 1);
    g_string_append(body, "@!P1 BRA loop {stall=6} ;\n");
    g_string_append(body, foot);
    probe.body = body->str;
    return probe_cycles(&probe);
}

/* Ways `low` to `low` + `count` - 1 of a switch: halves down to two, for which there is a table. */
static void switch_ways(GString *body, guint low, guint count)
{
    guint middle = low + count / 2;

    if (count > 2) {
        if (count < WAYS)
            g_string_append_printf(body, "    ISETP.GT P2, R16, %u {stall=13} ;\n", middle - 1);
        g_string_append_printf(body, "@P%u BRA from%uof%u {stall=%u} ;\n", count < WAYS ? 2 : 0,
                               middle, count, count < WAYS ? 5 : 12);
        switch_ways(body, low, count / 2);
        g_string_append_printf(body, "from%uof%u:\n", middle, count);
        switch_ways(body, middle, count / 2);
        return;
    }
    /* The machine has addresses for a table, here it is of branches; and one instruction more. */
    g_string_append_printf(body,
                           "    MOV R17, %u {stall=4} ;\n    IADD3 R18, R16, -R17, RZ {stall=4} ;\n"
                           "    SHF.L.U32 R18, R18, 2 {stall=4} ;\n"
                           "    LDC R18, c[0x3][R18] {stall=2 wr=0} ;\n"
                           "    SHF.R.S32.HI R19, RZ, 31, R18 {stall=4 wait=1} ;\n"
                           "    BRX R18, table%u {stall=5} ;\ntable%u:\n"
                           "    BRA way%u {stall=6} ;\n    BRA way%u {stall=6} ;\n",
                           low, low, low, low, low + 1);
    for (guint way = low; way < low + 2; way++) {
        g_string_append_printf(body, "way%u:\n    CS2R.64 R22, SR_CLOCKLO {stall=1} ;\n", way);
        chain(body, WAY_LENGTH, 1);
        g_string_append(body, "    BRA meet {stall=6} ;\n");
    }
}

/* A switch of 32 ways, of which `a` are taken. */
static double switch_cycles(const Row *row)
{
    g_autoptr(GString) body = g_string_new(head);

    switch_ways(body, 0, WAYS);
    g_string_append(body, foot);
    return with_ways(row, body);
}

/* A kernel whose lanes below `b` leave at once; 256 FFMAs on what a load gave for the others. */
static double early_exit(const Row *row)
{
    g_autofree char *leave = g_strdup_printf(
        "    CS2R.64 R6, SR_CLOCKLO {stall=3} ;\n    ISETP.GE P0, R14, %u {stall=13} ;\n"
        "@!P0 EXIT {stall=5} ;\n    LDC.64 R18, c[x] {stall=1 wr=0} ;\n"
        "    LDG.E.64.STRONG.GPU R10, [R18+32] {stall=1 wr=2 wait=1} ;\n"
        "    I2FP.F32.U32 R20, R0 {stall=5} ;\n    FADD R20, R10, R20 {stall=4 wait=4} ;\n",
        4 * row->b);
    g_autoptr(GString) body = g_string_new(leave);
    Probe probe = {.setting = "dependences=control", .no_start = TRUE, .passes = 1};

    chain(body, row->a, 1);
    probe.body = body->str;
    return probe_cycles(&probe);
}

#define SIDES(n, k, measured, tolerance)                                                           \
    ROW(#n " FFMAs a side, " #k " lanes taken", measured, tolerance, if_else, NULL, 1, n, k)
#define START(n, k, lane, measured, tolerance)                                                     \
    ROW(#n " FFMAs a side, " #k " lanes taken: start of the side of lane " #lane, measured,        \
        tolerance, side_start, NULL, lane, n, k)

#define ONE_SIDE(n, k, measured)                                                                   \
    ROW("if of " #n " FFMAs, " #k " lanes take it", measured, 5, one_side, NULL, 1, n, k)
#define JOINED(depth, leaf, text, measured)                                                        \
    ROW("tree of " #depth " levels, FFMAs after reconvergence" text, measured, 5, joined, NULL, 1, \
        depth, leaf)
#define EXIT(k, measured) ROW(#k " lanes exit, 256 FFMAs", measured, 5, early_exit, NULL, 1, 256, k)
#define SWITCH(n, measured, tolerance)                                                             \
    ROW("switch of 32 ways of 64 FFMAs, " #n " taken", measured, tolerance, switch_cycles, NULL,   \
        1, n, 0)
#define IFS(n, measured, tolerance)                                                                \
    ROW("32 ifs of 64 FFMAs, " #n " taken", measured, tolerance, if_sequence, NULL, 1, n, 0)

#define STAMPED(n, length, which, taken, measured, tolerance)                                      \
    {                                                                                              \
#n " ifs of " #length " FFMAs, clock reads, " which, measured, tolerance, stamped_ifs,     \
            NULL, n, length, taken                                                                 \
    }

static const Row divergence_rows[] = {
    {"call of 2 MOVs", 66.67, 3, calls, NULL, 1, 0, 0},
    {"call of 2 MOVs and 62 NOPs", 128.67, 3, calls, NULL, 1, 62, 0},
    SIDES(16, 0, 104, 5),
    SIDES(16, 1, 187, 5),
    SIDES(16, 16, 187, 5),
    SIDES(16, 31, 187, 5),
    SIDES(16, 32, 100, 5),
    SIDES(64, 0, 296, 5),
    SIDES(64, 16, 571, 5),
    SIDES(256, 16, 2107, 5),
    START(16, 1, 0, 19, 5),
    START(16, 1, 31, 104, 5),
    START(16, 16, 0, 108, 5),
    START(16, 16, 31, 19, 5),
    START(16, 24, 0, 108, 5),
    {"tree of 2 levels", 532, 5, nested, NULL, 1, 2, 0},
    {"tree of 3 levels", 1224, 5, nested, NULL, 1, 3, 0},
    {"tree of 4 levels", 2648, 5, nested, NULL, 1, 4, 0},
    {"tree of 5 levels", 5464, 5, nested, NULL, 1, 5, 0},
    {"tree of 4 levels, one leaf", 309, 5, nested, NULL, 1, 4, 1},
    {"tree of 5 levels, one leaf", 384, 5, nested, NULL, 1, 5, 1},
    {"tree of 2 levels, one leaf", 171, 5, nested, NULL, 1, 2, 1},
    {"tree of 3 levels, one leaf", 242, 5, nested, NULL, 1, 3, 1},
    SIDES(16, 2, 187, 5),
    SIDES(16, 24, 187, 5),
    SIDES(64, 1, 571, 5),
    SIDES(64, 31, 571, 5),
    SIDES(64, 32, 292, 5),
    SIDES(256, 0, 1064, 5),
    SIDES(256, 1, 2107, 5),
    SIDES(256, 31, 2107, 5),
    SIDES(256, 32, 1060, 5),
    ONE_SIDE(64, 0, 33),
    ONE_SIDE(64, 1, 308),
    ONE_SIDE(64, 16, 308),
    ONE_SIDE(64, 32, 292),
    JOINED(1, 0, "", 199),
    JOINED(2, 0, "", 609),
    JOINED(3, 0, "", 1427),
    JOINED(4, 0, "", 3118),
    JOINED(1, 1, ", one leaf", 116),
    JOINED(2, 1, ", one leaf", 215),
    JOINED(3, 1, ", one leaf", 322),
    JOINED(4, 1, ", one leaf", 422),
    IFS(1, 1742, 5),
    IFS(8, 3598, 5),
    IFS(16, 5903, 5),
    IFS(32, 9892, 5),
    STAMPED(8, 16, "none taken", 0, 301, 5),
    STAMPED(8, 64, "none taken", 0, 301, 5),
    STAMPED(8, 64, "first 2 taken", 0x3, 813, 5),
    STAMPED(8, 64, "first 4 taken", 0xf, 1363, 5),
    STAMPED(8, 128, "first taken", 0x1, 816, 5),
    STAMPED(8, 128, "first 2 taken", 0x3, 1387, 5),
    STAMPED(16, 16, "none taken", 0, 616, 5),
    STAMPED(16, 32, "none taken", 0, 777, 5),
    STAMPED(16, 64, "none taken", 0, 777, 5),
    STAMPED(16, 64, "first 8 taken", 0xff, 2731, 5),
    STAMPED(16, 64, "every 4th taken", 0x1111, 1756, 5),
    STAMPED(16, 128, "none taken", 0, 777, 5),
    STAMPED(16, 128, "every 2nd taken", 0x5555, 4832, 5),
    STAMPED(32, 16, "none taken", 0, 1282, 5),
    STAMPED(32, 16, "all taken", 0xffffffff, 3205, 5),
    STAMPED(32, 32, "none taken", 0, 1550, 5),
    STAMPED(32, 64, "none taken", 0, 1551, 5),
    STAMPED(32, 64, "all taken", 0xffffffff, 9346, 5),
    STAMPED(32, 96, "none taken", 0, 2105, 5),
    STAMPED(32, 128, "none taken", 0, 1633, 5),
    STAMPED(32, 128, "all taken", 0xffffffff, 17538, 5),
    SWITCH(1, 430, 5),
    SWITCH(2, 759, 5),
    SWITCH(4, 1487, 5),
    SWITCH(8, 3017, 5),
    SWITCH(16, 6023, 5),
    SWITCH(32, 12354, 5),
    {"8 loads a side, 32 lanes on one", 2512, 5, sides_with_loads, NULL, 1, 0, 32},
    {"8 loads a side, 1 lane and 31", 4875, 5, sides_with_loads, NULL, 1, 0, 1},
    {"8 loads a side, 16 lanes each", 4897, 5, sides_with_loads, NULL, 1, 0, 16},
    {"8 loads or 256 FFMAs, 16 lanes each", 3570, 5, sides_with_loads, NULL, 1, 256, 16},
    {"16 trips of 32 FFMAs, 32 lanes", 2815, 5, sides_in_loop, NULL, 1, 0, 0},
    {"16 trips of 32 FFMAs a side", 5167, 5, sides_in_loop, NULL, 1, 0, 16},
    {"the same and __syncwarp(), 32 lanes", 2831, 5, sides_in_loop, NULL, 1, 1, 0},
    {"the same and __syncwarp(), both sides", 5183, 5, sides_in_loop, NULL, 1, 1, 16},
    EXIT(0, 1492),
    EXIT(1, 1499),
    EXIT(16, 1498),
    EXIT(31, 1499),
    {"loop, lane + 1 trips", 1689, 5, lane_trips, NULL, 1, 0, 0},
    {"loop, 32 trips", 1286, 5, lane_trips, NULL, 1, 1, 0},
    {"loop, one lane 32 trips, the rest 1", 1302, 5, lane_trips, NULL, 1, 2, 0},
    {"loop, 32 - lane trips", 1689, 5, lane_trips, NULL, 1, 3, 0},
    {"loop, 1 trip", 77, 5, lane_trips, NULL, 1, 4, 0},
};

const Group divergence_group = {
    "Divergence",
    "Divergence model `its`. BSSY, BRA, both sides and BSYNC are between two clock reads. A tree "
    "has 16 FFMAs in every side of a branch and, if the row says so, 4 after each reconvergence "
    "point. Lanes are spread evenly over the cases of a switch (a tree of branches, then tables of "
    "two) and over consecutive ifs; where these have clock reads, all lanes take the same ones. "
    "Lanes that exit do so before a load and FFMAs of the other lanes. All code has the stall "
    "counts of compiled code, which the simulated device obeys (`dependences=control`).",
    divergence_rows, G_N_ELEMENTS(divergence_rows)};
