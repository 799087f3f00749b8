/*
 * Every row of kind LANES, with random modifiers, operands and values, on every host level, against
 * the scalar reference. Seeds are written here; a failure prints the instruction's number.
 */
#include <math.h>
#include <string.h>

#include "isa/bytecode/opcode.h"
#include "sim/lanes/lanes.h"
#include "tests/support/random_instruction.h"
#include "tests/support/scalar_float.h"
#include "tests/support/scalar_reference.h"
#include "tests/support/suite.h"

enum { TRIALS = 20, MORE_TRIALS = 150, REGISTER_ROWS = WS_RZ + 1 + WS_URZ };

static guint trials = TRIALS;

typedef struct {
    WsProgram program;
    WsKernel kernel;
    WsDevice device;
    WsInstruction instruction;
    guint8 banks[WS_CONSTANT_BANKS][WS_CONSTANT_BANK_BYTES];
    const guint8 *bank_pointers[WS_CONSTANT_BANKS];
    guint32 registers[REGISTER_ROWS * WS_MAX_WARP_SIZE];
    WsWarpRegisters warp;
    ScalarWarp start, expected;
    guint64 mask;
} Case;

/* ---- random state ------------------------------------------------------------------------------
 */

static guint32 hard_word(GRand *random)
{
    static const guint32 words[] = {
        0,          0x80000000, 0x3f800000, 0xbf800000, 0x7f800000, 0xff800000, 0x7fc00000,
        0xffc12345, 0x7f812345, 0x00000001, 0x80000001, 0x007fffff, 0x00800000, 0x00800001,
        0x7f7fffff, 0xff7fffff, 0x3f7fffff, 0x3f800001, 0x34000000, 0x33800000, 0x4b800001,
        0x4effffff, 0x4f000000, 0xcf000000, 0xcf000001, 0x4f800000, 0x5f000000, 0xdf000000,
        0x3f000000, 0xbf000000, 0x3fc00000, 0x40200000, 0x477fe000, 0x477ff000, 0x38800000,
        0x387fc000, 0x33000000, 0x33000001, 0x7ff00000, 0xfff00000, 0x7ff80000, 0x7ff00001,
        0x7fefffff, 0x00100000, 0x000fffff, 0x3ff00000, 0x43e00000, 0xc3e00000, 0x43f00000,
        0x41e00000, 0x41dfffff, 0x7fffffff, 0xffffffff, 0xfffffffe, 0x00000020, 0x0000001f,
        0x00000040, 0x00ff00ff, 0x7c00fc00, 0x7e00fe01, 0x03ff0400, 0x7bfffbff, 0x3c003c01,
        0x00010001, 0x7f807f81, 0x7f7fff80, 0x00800080, 0x007f8001,
    };
    switch (g_rand_int_range(random, 0, 6)) {
    case 0:
    case 1:
        return words[g_rand_int_range(random, 0, G_N_ELEMENTS(words))];
    case 2: /* a float of middling size */
        return g_rand_int(random) % 0x10000000 + 0x38000000 + (g_rand_int(random) & 0x80000000u);
    case 3:
        return (guint32)g_rand_int_range(random, -70, 70);
    case 4: /* few significant bits: exact results and ties */
        return g_rand_int(random) & 0xfff0f000u;
    default:
        return g_rand_int(random);
    }
}

static void random_lane(GRand *random, ScalarLane *lane)
{
    for (guint number = 0; number < WS_RZ; number++) {
        lane->registers[number] = hard_word(random);
    }
    for (guint number = 0; number < WS_PT; number++) {
        lane->predicates[number] = g_rand_boolean(random);
    }
    lane->registers[WS_RZ] = 0;
    lane->predicates[WS_PT] = TRUE;
}

static void random_state(GRand *random, Case *this, guint lanes)
{
    ScalarWarp *state = &this->start;
    memset(state, 0, sizeof *state);
    state->lanes = lanes;
    for (guint lane = 0; lane < lanes; lane++) {
        random_lane(random, &state->lane[lane]);
        if (lane > 0 && g_rand_int_range(random, 0, 3) == 0) {
            state->lane[lane] = state->lane[lane - 1]; /* groups for MATCH and VOTE */
        }
    }
    for (guint number = 0; number < WS_URZ; number++) {
        state->uniform[number] = hard_word(random);
    }
    for (guint number = 0; number < 8; number++) {
        state->uniform_predicates[number] = number == WS_PT || g_rand_boolean(random);
    }
    guint64 all = ~(guint64)0 >> (64 - lanes);
    guint64 bits = g_rand_int(random) | (guint64)g_rand_int(random) << 32;
    gint lone = g_rand_int_range(random, 0, (gint)lanes);
    guint64 some = g_rand_boolean(random) ? (bits & all) | 1 : (guint64)1 << lone;
    this->mask = g_rand_boolean(random) ? all : some;
    state->constants = this->bank_pointers;
    state->context = (WsLaneContext){.block_index = {3, 5, 7},
                                     .first_thread = lanes * 3,
                                     .warp_slot = 17,
                                     .sm = 4,
                                     .launch = 2,
                                     .cycle = G_GUINT64_CONSTANT(0x123456789a),
                                     .active = all & bits};
    state->block[0] = 13;
    state->block[1] = 5;
    state->block[2] = 4;
    state->clock_khz = 1755000;
    state->slots = 48;
    state->sms = 9;
    state->dynamic_shared_bytes = 4096;
    state->total_shared_bytes = 4096 + 512;
}

/* ---- the bodies --------------------------------------------------------------------------------
 */

static void load_warp(Case *this, const WsDecodedProgram *decoded)
{
    const ScalarWarp *state = &this->start;
    ck_assert_uint_le(state->lanes, WS_MAX_WARP_SIZE);
    memset(&this->warp, 0, sizeof this->warp);
    this->warp.registers = this->registers;
    ws_init_predicates(&this->warp);
    for (guint lane = 0; lane < MIN(state->lanes, WS_MAX_WARP_SIZE); lane++) {
        for (guint number = 0; number < WS_RZ; number++) {
            this->registers[number * state->lanes + lane] = state->lane[lane].registers[number];
        }
        for (guint number = 0; number < WS_PT; number++) {
            this->warp.predicates[number] |= (guint64)state->lane[lane].predicates[number] << lane;
        }
    }
    for (guint number = 0; number < WS_URZ; number++) {
        ws_set_uniform(decoded, &this->warp, number, state->uniform[number]);
    }
    for (guint number = 0; number < WS_PT; number++) {
        ws_set_uniform_predicate(&this->warp, number, state->uniform_predicates[number]);
    }
}

/* FALSE if the instruction is refused. */
static gboolean run_bodies(Case *this, const char *level)
{
    static const guint32 grid[3] = {1, 1, 1};
    g_autoptr(GError) error = NULL;
    g_autoptr(WsDecodedProgram) decoded = ws_decode_for_level(
        level, &this->program, &this->kernel, &this->device, grid, this->start.block,
        this->start.dynamic_shared_bytes, this->bank_pointers, &error);
    if (!decoded) {
        return FALSE;
    }
    const WsDecoded *instruction = &decoded->instructions[0];
    load_warp(this, decoded);
    instruction->body(decoded, instruction, &this->warp, &this->start.context, this->mask);
    return TRUE;
}

/* ---- comparison --------------------------------------------------------------------------------
 */

/* Asserts only on a difference: a passing check costs a write to the runner's pipe. */
static void check_equal(const char *what, guint lane, const char *kind, guint number,
                        guint32 actual, guint32 expected)
{
    if (actual != expected) {
        ck_abort_msg("%s: lane %u, %s%u is %08x, not %08x", what, lane, kind, number, actual,
                     expected);
    }
}

static void check_case(const Case *this, const char *what)
{
    guint lanes = this->start.lanes;
    for (guint lane = 0; lane < lanes; lane++) {
        const ScalarLane *expected = &this->expected.lane[lane];
        for (guint number = 0; number < WS_RZ; number++) {
            check_equal(what, lane, "R", number, this->registers[number * lanes + lane],
                        expected->registers[number]);
        }
        for (guint number = 0; number < WS_PT; number++) {
            check_equal(what, lane, "P", number, this->warp.predicates[number] >> lane & 1,
                        (guint)expected->predicates[number]);
        }
    }
    for (guint number = 0; number < 64; number++) {
        check_equal(what, 0, "UR", number, this->warp.uniform[number],
                    this->expected.uniform[number]);
    }
    for (guint number = 0; number < 8; number++) {
        check_equal(what, 0, "UP", number, (guint)ws_uniform_predicate(&this->warp, number),
                    (guint)this->expected.uniform_predicates[number]);
    }
    ck_assert(this->warp.predicates[WS_PT] == ~(guint64)0);
}

/* Everything an instruction is, for the message of a failure. */
static char *describe(const WsInstruction *instruction, const char *level, guint trial)
{
    const WsOpcodeInfo *info = ws_opcode_info(instruction->opcode);
    GString *text = g_string_new(info->mnemonic);
    for (guint m = 0; m < info->modifier_count; m++) {
        g_string_append_printf(
            text, ".%s",
            ws_modifier_name(info->modifiers[m], instruction->mod[info->modifiers[m]]));
    }
    for (guint n = 0; n < info->operand_count; n++) {
        const WsOperand *operand = &instruction->operand[n];
        g_string_append_printf(text, " %u:%u/%u/%x", operand->kind, operand->index, operand->flags,
                               operand->value);
    }
    g_string_append_printf(text, " (%s, trial %u)", level, trial);
    return g_string_free(text, FALSE);
}

static Case *case_new(GRand *random)
{
    Case *this = g_new0(Case, 1);
    for (guint bank = 0; bank < WS_CONSTANT_BANKS; bank++) {
        for (guint at = 0; at < WS_CONSTANT_BANK_BYTES; at += 4) {
            guint32 word = hard_word(random);
            memcpy(&this->banks[bank][at], &word, sizeof word);
        }
        this->bank_pointers[bank] = this->banks[bank];
    }
    this->program.instructions = &this->instruction;
    this->program.instruction_count = 1;
    this->program.path = (char *)"random";
    this->kernel.static_shared_bytes = 512;
    this->kernel.registers = WS_RZ;
    this->kernel.count = 1;
    this->device.clock_khz = 1755000;
    this->device.max_warps_per_sm = 48;
    this->device.sms = 9;
    return this;
}

static guint random_warp_size(GRand *random)
{
    static const guint8 sizes[] = {32, 32, 32, 32, 8, 16, 64};
    return sizes[g_rand_int_range(random, 0, G_N_ELEMENTS(sizes))];
}

START_TEST(rows_agree_with_the_reference)
{
    WsOpcode opcode = (WsOpcode)_i;
    if (!scalar_covers(opcode)) {
        return;
    }
    GRand *random = g_rand_new_with_seed(1000 + opcode);
    Case *this = case_new(random);
    g_auto(GStrv) levels = ws_lanes_host_levels();
    guint accepted = 0;
    for (guint trial = 0; trial < trials; trial++) {
        random_instruction(random, opcode, 1, &this->instruction);
        this->device.warp_size = random_warp_size(random);
        random_state(random, this, (guint)this->device.warp_size);
        this->expected = this->start;
        for (guint n = 0; levels[n]; n++) {
            g_autofree char *what = describe(&this->instruction, levels[n], trial);
            if (!run_bodies(this, levels[n])) {
                break;
            }
            if (n == 0) {
                scalar_execute(&this->instruction, &this->expected, this->mask);
                accepted++;
            }
            check_case(this, what);
        }
    }
    ck_assert_msg(accepted > trials / 8, "%s: %u accepted", ws_opcode_info(opcode)->mnemonic,
                  accepted);
    g_rand_free(random);
    g_free(this);
}
END_TEST

/* ---- MUFU --------------------------------------------------------------------------------------
 */

/* Allowed distance from the exact value of each function: docs/reference/values.md, MUFU. */
static double allowed_error(guint function, double x, double exact)
{
    double ulp = ldexp(1.0, MAX(ilogb(exact), -126) - 23);
    switch (function) {
    case WS_MUFU_EX2:
        return 2 * ulp;
    case WS_MUFU_LG2:
        return x > 0.5 && x < 2 ? 0x1p-22 : 2 * ulp;
    case WS_MUFU_SIN:
    case WS_MUFU_COS:
        return 0x1p-21;
    case WS_MUFU_TANH:
        return fabs(exact) * 0x1p-11;
    case WS_MUFU_RCP64H:
    case WS_MUFU_RSQ64H:
        return fabs(exact) * 0x1p-19;
    default:
        return ulp;
    }
}

static gboolean mufu_is_near(guint function, guint32 input, guint32 output)
{
    gboolean high = function == WS_MUFU_RCP64H || function == WS_MUFU_RSQ64H;
    double x = high ? ws_double((guint64)input << 32) : (double)ws_float(input);
    double y = high ? ws_double((guint64)output << 32) : (double)ws_float(output);
    double smallest = high ? 0x1p-1022 : 0x1p-126, largest = high ? G_MAXDOUBLE : G_MAXFLOAT;
    gboolean flushes = function != WS_MUFU_TANH;
    x = flushes && fabs(x) < smallest ? copysign(0, x) : x;
    double exact = scalar_mufu(function, x);
    if (isnan(exact)) {
        return output == 0x7fffffffu;
    }
    if (flushes && fabs(exact) < smallest) {
        double allowed = function == WS_MUFU_SIN || function == WS_MUFU_COS ? 0x1p-21 : smallest;
        return fabs(y) <= allowed;
    }
    if (isinf(exact) || fabs(exact) > largest) {
        return fabs(y) >= largest && signbit(y) == signbit(exact);
    }
    return fabs(y - exact) <= allowed_error(function, x, exact);
}

START_TEST(mufu_is_near_and_the_same_on_every_level)
{
    GRand *random = g_rand_new_with_seed(77);
    Case *this = case_new(random);
    g_auto(GStrv) levels = ws_lanes_host_levels();
    this->device.warp_size = 32;
    for (guint trial = 0; trial < 4 * trials; trial++) {
        guint32 first[32];
        ws_instruction_init(&this->instruction, WS_OP_MUFU);
        this->instruction.mod[WS_MOD_MUFU] = (guint8)_i;
        this->instruction.operand[0].index = 0;
        this->instruction.operand[1].index = 1;
        random_state(random, this, 32);
        this->mask = 0xffffffffu;
        for (guint n = 0; levels[n]; n++) {
            ck_assert(run_bodies(this, levels[n]));
            for (guint lane = 0; lane < 32; lane++) {
                guint32 output = this->registers[lane];
                first[lane] = n == 0 ? output : first[lane];
                guint32 input = this->start.lane[lane].registers[1];
                if (output != first[lane] || !mufu_is_near((guint)_i, input, output)) {
                    ck_abort_msg("%s: function %u of %08x is %08x", levels[n], (guint)_i, input,
                                 output);
                }
            }
        }
    }
    g_rand_free(random);
    g_free(this);
}
END_TEST

/* Half `bits` of the format, with 5 or 8 bits of exponent, as a number; no NaN. */
static double number_of_half(guint32 bits, guint format)
{
    gint digits = format == WS_FLOAT_F16 ? 10 : 7, bias = format == WS_FLOAT_F16 ? 15 : 127;
    gint fraction = (gint)(bits & ((1u << digits) - 1));
    gint exponent = (gint)(bits & 0x7fff) >> digits;
    double magnitude = exponent == 0 ? ldexp(fraction, 1 - bias - digits)
                                     : ldexp(fraction + (1 << digits), exponent - bias - digits);
    if (exponent == 2 * bias + 1)
        magnitude = fraction != 0 ? (double)NAN : (double)INFINITY;
    return bits & 0x8000 ? -magnitude : magnitude;
}

/* Cut towards zero: less than a unit of the last place below what is exact, never above. */
static gboolean half_is_near(guint function, guint format, guint32 input, guint32 output)
{
    gboolean bfloat = format == WS_FLOAT_BF16, flushes = bfloat && function == WS_MUFU_EX2;
    double x = number_of_half(input, format), y = number_of_half(output, format);
    if (flushes && fabs(x) < 0x1p-126)
        x = 0;
    double exact = scalar_mufu(function, x), size = fabs(exact);
    double unit =
        ldexp(1.0, MAX(size > 0 ? ilogb(size) : -999, bfloat ? -126 : -14) - (bfloat ? 7 : 10));
    if (isnan(exact) || output >> 16 != 0)
        return output == 0x7fff && isnan(exact);
    if (size >= (bfloat ? 0x1p128 : 0x1p16))
        return isinf(y);
    if (flushes && size < 0x1p-126)
        return y == 0;
    return (y == 0 || signbit(y) == signbit(exact)) && fabs(y) <= size * (1 + 0x1p-11) &&
           fabs(y) >= size * (1 - 0x1p-11) - unit;
}

START_TEST(mufu_of_every_half)
{
    GRand *random = g_rand_new_with_seed(78);
    Case *this = case_new(random);
    g_auto(GStrv) levels = ws_lanes_host_levels();
    guint function = _i & 1 ? WS_MUFU_TANH : WS_MUFU_EX2;
    guint format = _i & 2 ? WS_FLOAT_BF16 : WS_FLOAT_F16, upper = _i >> 2;
    this->device.warp_size = 32;
    ws_instruction_init(&this->instruction, WS_OP_MUFU);
    this->instruction.mod[WS_MOD_MUFU] = (guint8)function;
    this->instruction.mod[WS_MOD_MUFU_FORMAT] = (guint8)format;
    this->instruction.mod[WS_MOD_MUFU_HALF] = (guint8)upper;
    this->instruction.operand[0].index = 0;
    this->instruction.operand[1].index = 1;
    random_state(random, this, 32);
    this->mask = 0xffffffffu;
    for (guint32 half = 0; half < 1 << 16; half += 32) {
        for (guint lane = 0; lane < 32; lane++)
            this->start.lane[lane].registers[1] =
                upper ? (half + lane) << 16 | 0x1234 : 0x12340000 | (half + lane);
        for (guint n = 0; levels[n]; n++) {
            ck_assert(run_bodies(this, levels[n]));
            for (guint lane = 0; lane < 32; lane++)
                if (!half_is_near(function, format, half + lane, this->registers[lane]))
                    ck_abort_msg("%s: function %u of %04x is %08x", levels[n], function,
                                 half + lane, this->registers[lane]);
        }
    }
    g_rand_free(random);
    g_free(this);
}
END_TEST

static void add_tests(TCase *cases)
{
    tcase_set_timeout(cases, 60);
    tcase_add_loop_test(cases, rows_agree_with_the_reference, 0, WS_OP_COUNT);
    tcase_add_loop_test(cases, mufu_is_near_and_the_same_on_every_level, 0, WS_MUFU_RSQ64H + 1);
    tcase_add_loop_test(cases, mufu_of_every_half, 0, 8);
}

int main(int argc, char **argv)
{
    if (argc > 1 && g_str_equal(argv[1], "more"))
        trials = MORE_TRIALS;
    return run_suite("lanes_random", add_tests);
}
