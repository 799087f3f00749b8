/*
 * Matrix instructions: bit for bit what an H200 computes, exact products of small integers against
 * plain loops, matrices loaded and transposed, and what is refused.
 */
#include <stdio.h>
#include <string.h>

#include "isa/base/error.h"
#include "isa/base/float_bits.h"
#include "isa/bytecode/opcode.h"
#include "sim/memory/matrix_load.h"
#include "tests/support/engine_fixture.h"
#include "tests/support/mma_inputs.h"
#include "tests/support/suite.h"

enum { LANES = 32, A = 0, B = 4, C = 8, D = 12, ROWS = 16 }; /* first registers of the operands */

typedef struct {
    WsProgram program;
    WsKernel kernel;
    WsDevice device;
    guint8 bank[WS_CONSTANT_BANK_BYTES];
    WsInstruction instruction;
    guint32 registers[ROWS * LANES];
    WsWarpRegisters warp;
    WsLaneContext context;
    WsDecodedProgram *decoded;
} Matrix;

static void matrix_init(Matrix *m, WsOpcode opcode)
{
    static const guint32 registers[] = {D, A, B, C};
    memset(m, 0, sizeof *m);
    ws_instruction_init(&m->instruction, opcode);
    for (guint n = 0; n < m->instruction.operand_count; n++)
        m->instruction.operand[n].index = registers[n];
    m->program.instructions = &m->instruction;
    m->program.instruction_count = 1;
    m->program.path = (char *)"test.wsasm";
    m->device.warp_size = LANES;
    m->warp.registers = m->registers;
}

static void matrix_decode(Matrix *m, const char *level)
{
    static const guint32 one[3] = {1, 1, 1}, block[3] = {LANES, 1, 1};
    const guint8 *banks[WS_CONSTANT_BANKS] = {m->bank};
    GError *error = NULL;
    m->decoded = ws_decode_for_level(level, &m->program, &m->kernel, &m->device, one, block, 0,
                                     banks, &error);
    ck_assert_msg(m->decoded != NULL, "%s", error ? error->message : "");
    ck_assert_int_eq(m->decoded->instructions[0].kind, WS_KIND_MATRIX);
}

static void matrix_run(Matrix *m)
{
    const WsDecoded *instruction = &m->decoded->instructions[0];
    instruction->body(m->decoded, instruction, &m->warp, &m->context, 0xffffffffu);
}

/* ---- what an H200 computes ----
 */

static void set_form(Matrix *m, guint form)
{
    static const guint8 shapes[] = {WS_MMA_16816, WS_MMA_1688, WS_MMA_16816, WS_MMA_1688,
                                    WS_MMA_16816, WS_MMA_1688, WS_MMA_1688,  WS_MMA_1684};
    matrix_init(m, mma_forms[form].element == MMA_F64 ? WS_OP_DMMA : WS_OP_HMMA);
    if (mma_forms[form].element == MMA_F64)
        return;
    m->instruction.mod[WS_MOD_MMA_SHAPE] = shapes[form];
    m->instruction.mod[WS_MOD_MMA_ACCUMULATOR] =
        mma_forms[form].sum == MMA_F16 ? WS_MMA_F16 : WS_MMA_F32;
    m->instruction.mod[WS_MOD_MMA_TYPE] = mma_forms[form].element; /* in the same order */
}

static char *digest(Matrix *m, guint form, guint set, guint32 ret_first[4])
{
    g_autoptr(GChecksum) sum = g_checksum_new(G_CHECKSUM_SHA256);
    for (gint number = 0; number < MMA_CASES; number++) {
        memset(m->registers, 0, sizeof m->registers);
        for (guint lane = 0; lane < LANES; lane++) {
            guint32 a[4], b[4], c[4];
            mma_fill((gint)form, (gint)set, number, (gint)lane, a, b, c);
            for (guint r = 0; r < 4; r++) {
                m->registers[(A + r) * LANES + lane] = r < mma_forms[form].a ? a[r] : 0;
                m->registers[(B + r) * LANES + lane] = r < mma_forms[form].b ? b[r] : 0;
                m->registers[(C + r) * LANES + lane] = r < mma_forms[form].c ? c[r] : 0;
            }
        }
        matrix_run(m);
        for (guint lane = 0; lane < LANES; lane++) {
            for (guint r = 0; r < 4; r++) {
                guint32 word = m->registers[(D + r) * LANES + lane];
                const guint8 bytes[4] = {(guint8)word, (guint8)(word >> 8), (guint8)(word >> 16),
                                         (guint8)(word >> 24)};
                g_checksum_update(sum, bytes, 4);
                if (number == 0 && lane == 0)
                    ret_first[r] = word;
            }
        }
    }
    return g_strdup(g_checksum_get_string(sum));
}

static char *measured_row(guint form, guint set)
{
    g_autofree char *path =
        g_build_filename(g_getenv("WS_TEST_DATA"), "mma_h200.csv", (char *)NULL);
    g_autofree char *text = NULL, *begin = NULL;
    ck_assert(g_file_get_contents(path, &text, NULL, NULL));
    begin = g_strdup_printf("\n%s,%u,", mma_forms[form].name, set);
    const char *row = strstr(text, begin);
    ck_assert_msg(row != NULL, "no row %s", begin);
    row += strlen(begin);
    return g_strndup(row, strcspn(row, "\n"));
}

START_TEST(sums_are_those_of_an_h200)
{
    enum { SPECIAL = 7 };
    guint form = (guint)_i / MMA_SETS, set = (guint)_i % MMA_SETS;
    /* Which of several NaNs DMMA passes on is not known: 47 of 12,288 sums differ in that. */
    if (mma_forms[form].element == MMA_F64 && set == SPECIAL)
        return;
    g_auto(GStrv) levels = ws_lanes_host_levels();
    g_autofree char *expected = measured_row(form, set);
    for (guint n = 0; levels[n]; n++) {
        Matrix m;
        guint32 first[4];
        set_form(&m, form);
        matrix_decode(&m, levels[n]);
        g_autofree char *sum = digest(&m, form, set, first);
        g_autofree char *row =
            g_strdup_printf("%s,%08x,%08x,%08x,%08x", sum, first[0], first[1], first[2], first[3]);
        ck_assert_msg(g_str_equal(row, expected), "%s, set %u, %s:\n%s, an H200 has\n%s",
                      mma_forms[form].name, set, levels[n], row, expected);
        ws_decoded_program_free(m.decoded);
    }
}
END_TEST

/* ---- small integers ----
 */

/* Places an element of a matrix in a fragment: lane, register, bit. */
typedef struct {
    guint lane, word, bit;
} Place;

/* Elements of `bits` bits; `row` along the lanes' groups of four, `k` along the sum. */
static Place place_of_factor(guint bits, guint row, guint k)
{
    guint in_word = 32 / bits, span = 4 * in_word;
    return (Place){row % 8 * 4 + k % span / in_word, k / span * 2 + row / 8, k % in_word * bits};
}

static Place place_of_sum(guint i, guint j, gboolean packed)
{
    guint lane = i % 8 * 4 + j / 2;
    return packed ? (Place){lane, i / 8, j % 2 * 16} : (Place){lane, i / 8 * 2 + j % 2, 0};
}

static guint32 code_of(guint kind, gint value)
{
    guint32 bits = ws_float_bits((float)value);
    switch (kind) {
    case MMA_F16: /* magnitudes below 2048 are exact */
        return value == 0 ? 0
                          : (bits >> 16 & 0x8000) | (((bits >> 23 & 0xff) - 112) << 10) |
                                (bits >> 13 & 0x3ff);
    case MMA_BF16:
        return bits >> 16;
    default:
        return bits;
    }
}

typedef struct {
    guint opcode, shape, type, accumulator; /* modifiers; IMMA: type is DOT */
    guint kind, bits, depth;
    gint low, high; /* of the elements */
} IntegerCase;

static const IntegerCase integer_cases[] = {
    {WS_OP_HMMA, WS_MMA_16816, WS_MMA_HALF, WS_MMA_F32, MMA_F16, 16, 16, -9, 10},
    {WS_OP_HMMA, WS_MMA_1688, WS_MMA_HALF, WS_MMA_F32, MMA_F16, 16, 8, -9, 10},
    {WS_OP_HMMA, WS_MMA_16816, WS_MMA_HALF, WS_MMA_F16, MMA_F16, 16, 16, -9, 10},
    {WS_OP_HMMA, WS_MMA_1688, WS_MMA_HALF, WS_MMA_F16, MMA_F16, 16, 8, -9, 10},
    {WS_OP_HMMA, WS_MMA_16816, WS_MMA_BF16, WS_MMA_F32, MMA_BF16, 16, 16, -9, 10},
    {WS_OP_HMMA, WS_MMA_1688, WS_MMA_BF16, WS_MMA_F32, MMA_BF16, 16, 8, -9, 10},
    {WS_OP_HMMA, WS_MMA_1688, WS_MMA_TF32, WS_MMA_F32, MMA_TF32, 32, 8, -9, 10},
    {WS_OP_HMMA, WS_MMA_1684, WS_MMA_TF32, WS_MMA_F32, MMA_TF32, 32, 4, -9, 10},
    {WS_OP_IMMA, WS_IMMA_16832, 1, 0, -1, 8, 32, -128, 128},
    {WS_OP_IMMA, WS_IMMA_16816, 1, 0, -1, 8, 16, -128, 128},
    {WS_OP_IMMA, WS_IMMA_16832, 0, 0, -1, 8, 32, 0, 256},
    {WS_OP_IMMA, WS_IMMA_16816, 0, 0, -1, 8, 16, 0, 256},
};

static void put(Matrix *m, guint base, Place place, guint32 code)
{
    m->registers[(base + place.word) * LANES + place.lane] |= code << place.bit;
}

static guint32 encode(const IntegerCase *c, gint value)
{
    return c->opcode == WS_OP_IMMA ? (guint8)value : code_of(c->kind, value);
}

/* Fills A, B and C with random integers and returns the products in `expected`. */
static void fill_integers(Matrix *m, const IntegerCase *c, GRand *random, gint expected[16][8])
{
    gint a[16][32], b[32][8];
    gboolean packed = c->opcode == WS_OP_HMMA && c->accumulator == WS_MMA_F16;
    for (guint k = 0; k < c->depth; k++) {
        for (guint i = 0; i < 16; i++) {
            a[i][k] = g_rand_int_range(random, c->low, c->high);
            put(m, A, place_of_factor(c->bits, i, k), encode(c, a[i][k]));
        }
        for (guint j = 0; j < 8; j++) {
            Place place = place_of_factor(c->bits, j, k);
            b[k][j] = g_rand_int_range(random, c->low, c->high);
            place.word /= 2; /* B has eight columns where A has sixteen rows */
            put(m, B, place, encode(c, b[k][j]));
        }
    }
    for (guint i = 0; i < 16; i++) {
        for (guint j = 0; j < 8; j++) {
            gint value = expected[i][j] = g_rand_int_range(random, -300, 300);
            put(m, C, place_of_sum(i, j, packed),
                c->opcode == WS_OP_IMMA ? (guint32)value
                                        : code_of(packed ? MMA_F16 : MMA_F32, value));
            for (guint k = 0; k < c->depth; k++)
                expected[i][j] += a[i][k] * b[k][j];
        }
    }
}

START_TEST(small_integers_are_exact)
{
    const IntegerCase *c = &integer_cases[_i];
    gboolean integer = c->opcode == WS_OP_IMMA, packed = !integer && c->accumulator == WS_MMA_F16;
    GRand *random = g_rand_new_with_seed(500 + (guint32)_i);
    g_auto(GStrv) levels = ws_lanes_host_levels();
    for (guint trial = 0; trial < 20; trial++) {
        Matrix m;
        gint expected[16][8];
        matrix_init(&m, c->opcode);
        m.instruction.mod[integer ? WS_MOD_IMMA_SHAPE : WS_MOD_MMA_SHAPE] = (guint8)c->shape;
        m.instruction.mod[integer ? WS_MOD_DOT : WS_MOD_MMA_TYPE] = (guint8)c->type;
        m.instruction.mod[WS_MOD_MMA_ACCUMULATOR] = (guint8)c->accumulator;
        fill_integers(&m, c, random, expected);
        for (guint n = 0; levels[n]; n++) {
            matrix_decode(&m, levels[n]);
            matrix_run(&m);
            ws_decoded_program_free(m.decoded);
            for (guint i = 0; i < 16; i++) {
                for (guint j = 0; j < 8; j++) {
                    Place place = place_of_sum(i, j, packed);
                    guint32 word = m.registers[(D + place.word) * LANES + place.lane] >> place.bit;
                    guint32 code = integer ? (guint32)expected[i][j]
                                           : code_of(packed ? MMA_F16 : MMA_F32, expected[i][j]);
                    ck_assert_uint_eq(packed ? word & 0xffff : word, code);
                }
            }
        }
    }
    g_rand_free(random);
}
END_TEST

START_TEST(integer_sums_wrap_or_saturate)
{
    for (guint saturate = 0; saturate < 2; saturate++) {
        Matrix m;
        matrix_init(&m, WS_OP_IMMA);
        m.instruction.mod[WS_MOD_DOT] = 1; /* S8.S8 */
        m.instruction.mod[WS_MOD_SAT] = (guint8)saturate;
        for (guint word = 0; word < 4 * LANES; word++) {
            m.registers[A * LANES + word] = 0x01010101;
            m.registers[B * LANES + word] = 0x01010101;
            m.registers[C * LANES + word] = 0x7ffffff0;
        }
        matrix_decode(&m, NULL);
        matrix_run(&m);
        ck_assert_uint_eq(m.registers[D * LANES], saturate ? 0x7fffffff : 0x80000010);
        ws_decoded_program_free(m.decoded);
    }
}
END_TEST

START_TEST(destination_may_be_any_operand)
{
    Matrix apart, same;
    set_form(&apart, 0);
    for (guint word = 0; word < ROWS * LANES; word++)
        apart.registers[word] = 0x3c003c00u + word * 0x01010101u % 0x03ff;
    for (guint base = A; base <= C; base += 4) {
        same = apart;
        same.warp.registers = same.registers;
        same.program.instructions = &same.instruction;
        same.instruction.operand[0].index = base;
        matrix_decode(&same, NULL);
        matrix_run(&same);
        ws_decoded_program_free(same.decoded);
        Matrix reference = apart;
        reference.warp.registers = reference.registers;
        reference.program.instructions = &reference.instruction;
        matrix_decode(&reference, NULL);
        matrix_run(&reference);
        ws_decoded_program_free(reference.decoded);
        ck_assert_mem_eq(same.registers + base * LANES, reference.registers + D * LANES,
                         4 * LANES * sizeof(guint32));
    }
}
END_TEST

/* ---- matrices in shared memory ----
 */

#define START_OF_LOAD                                                                              \
    "S2R R0, SR_TID.X ;\nMOV R2, c[x] ;\nMOV R3, c[x+4] ;\nSHF.L.U32 R1, R0, 4 ;\n"                \
    "IMAD.WIDE.U32 R2, R0, 16, R2 ;\nLDG.E.128 R4, [R2] ;\nSTS.128 [R1], R4 ;\nBAR.SYNC 0 ;\n"

/* Word w of the buffer is loaded, as 16-byte rows, and lane l's registers come back at 4l. */
static Engine *run_load(const char *load)
{
    g_autofree char *text =
        g_strdup_printf(".shared 512\n" START_OF_LOAD "%s ;\nSTG.E.128 [R2], R8 ;\nEXIT ;\n", load);
    Engine *e = engine_new("h200", NULL, text, 1, 32, 128);
    for (guint word = 0; word < 128; word++)
        engine_words(e)[word] = word * 2 | (word * 2 + 1) << 16; /* element n is n */
    engine_run(e);
    return e;
}

typedef struct {
    const char *text;
    guint count;
    gboolean transposed;
} LoadCase;

static const LoadCase load_cases[] = {
    {"LDSM.16.M88 R8, [R1]", 1, FALSE},
    {"LDSM.16.M88.2 R8, [R1]", 2, FALSE},
    {"LDSM.16.M88.4 R8, [R1]", 4, FALSE},
    {"LDSM.16.MT88 R8, [R1]", 1, TRUE},
    {"LDSM.16.MT88.2 R8, [R1]", 2, TRUE},
    {"LDSM.16.MT88.4 R8, [R1]", 4, TRUE},
    {"LDSM.16.M88 R8, [R1] ;\nMOVM.16.MT88 R8, R8", 1, TRUE},
};

START_TEST(matrices_are_loaded)
{
    const LoadCase *c = &load_cases[_i];
    Engine *e = run_load(c->text);
    ck_assert_msg(e->result->status == WS_STATUS_OK, "%s", e->result->stop.message);
    for (guint lane = 0; lane < LANES; lane++) {
        for (guint m = 0; m < c->count; m++) {
            guint row = lane / 4, column = lane % 4 * 2;
            guint low = c->transposed ? column * 8 + row : row * 8 + column;
            guint high = c->transposed ? low + 8 : low + 1;
            ck_assert_uint_eq(engine_words(e)[4 * lane + m], (64 * m + low) | (64 * m + high)
                                                                                  << 16);
        }
    }
    engine_free(e);
}
END_TEST

/*
 * A matrix takes a pass where its rows lie in other banks, and one a row where all lie in the same
 * ones: of 32 passes of four matrices 28 are those of conflicts.
 */
static const struct {
    const char *load;
    guint shift; /* of the row's number: bytes from one to the next */
    guint64 passes, conflicts;
} load_passes[] = {{"LDSM.16.M88 R8, [R1]", 4, 1, 0},
                   {"LDSM.16.M88.4 R8, [R1]", 4, 4, 0},
                   {"LDSM.16.M88.4 R8, [R1]", 5, 8, 4},
                   {"LDSM.16.M88.4 R8, [R1]", 7, 32, 28}};

START_TEST(passes_of_a_load)
{
    g_autofree char *text =
        g_strdup_printf(".shared 4096\nS2R R0, SR_TID.X ;\nSHF.L.U32 R1, R0, %u ;\n%s ;\nEXIT ;\n",
                        load_passes[_i].shift, load_passes[_i].load);
    Engine *e = engine_new("h200", NULL, text, 1, 32, 1);

    engine_run(e);
    ck_assert_int_eq(e->result->status, WS_STATUS_OK);
    ck_assert_uint_eq(e->result->total.shared_wavefronts, load_passes[_i].passes);
    ck_assert_uint_eq(e->result->total.shared_bank_conflicts, load_passes[_i].conflicts);
    engine_free(e);
}
END_TEST

typedef struct {
    const char *text, *message;
    guint threads;
} FaultCase;

static const FaultCase fault_cases[] = {
    {"HMMA.16816.F32 R4, R4, R8, RZ", WS_LANES_MISSING, 16},
    {"S2R R0, SR_TID.X ;\nISETP.LT P0, R0, 31 ;\n@P0 HMMA.1688.F16 R4, R4, R8, RZ",
     WS_LANES_MISSING, 32},
    {"MOVM.16.MT88 R4, R4", WS_LANES_MISSING, 31},
    {"LDSM.16.M88 R4, [RZ]", WS_LANES_MISSING, 8},
    {"LDSM.16.M88 R4, [0x200]", "out of bounds", 32},
    {"LDSM.16.M88 R4, [8]", "misaligned", 32},
};

START_TEST(missing_lanes_and_rows_are_faults)
{
    const FaultCase *c = &fault_cases[_i];
    g_autofree char *text = g_strdup_printf(".shared 512\n%s ;\nEXIT ;\n", c->text);
    Engine *e = engine_new("h200", NULL, text, 1, c->threads, 4);
    engine_run(e);
    ck_assert_int_eq(e->result->status, WS_STATUS_FAULT);
    ck_assert_msg(strstr(e->result->stop.message, c->message) != NULL, "%s",
                  e->result->stop.message);
    engine_free(e);
}
END_TEST

START_TEST(other_warp_sizes_are_refused)
{
    static const guint32 one[3] = {1, 1, 1}, block[3] = {64, 1, 1};
    const guint8 bank[WS_CONSTANT_BANK_BYTES] = {0}, *banks[WS_CONSTANT_BANKS] = {bank};
    static const WsOpcode opcodes[] = {WS_OP_HMMA, WS_OP_IMMA, WS_OP_DMMA, WS_OP_LDSM, WS_OP_MOVM};
    for (guint n = 0; n < G_N_ELEMENTS(opcodes); n++) {
        Matrix m;
        g_autoptr(GError) error = NULL;
        matrix_init(&m, opcodes[n]);
        m.device.warp_size = 64;
        ck_assert_ptr_null(
            ws_decode(&m.program, &m.kernel, &m.device, one, block, 0, banks, &error));
        ck_assert_msg(strstr(error->message, "warp size of 32") != NULL, "%s", error->message);
    }
}
END_TEST

/* Measured on an H200: 23 + 2 (passes - 1) cycles, 37 for one matrix with rows 128 bytes apart, 85
 * and 53 for four with rows 128 and 64 bytes apart. */
START_TEST(rows_in_the_same_banks_take_turns)
{
    static const struct {
        guint count, stride, passes;
    } cases[] = {{WS_MATRIX_ONE, 16, 1},  {WS_MATRIX_TWO, 16, 2},    {WS_MATRIX_FOUR, 16, 4},
                 {WS_MATRIX_ONE, 128, 8}, {WS_MATRIX_FOUR, 128, 32}, {WS_MATRIX_FOUR, 64, 16},
                 {WS_MATRIX_FOUR, 144, 4}};
    for (guint n = 0; n < G_N_ELEMENTS(cases); n++) {
        WsDecoded load = {.flags = (guint16)(cases[n].count << WS_FIELD_MATRIX_COUNT)};
        guint64 offset[WS_MAX_WARP_SIZE];
        for (guint lane = 0; lane < LANES; lane++)
            offset[lane] = (guint64)lane * cases[n].stride;
        ck_assert_uint_eq(ws_matrix_load_passes(&load, offset, 32), cases[n].passes);
    }
}
END_TEST

static void add_tests(TCase *cases)
{
    tcase_set_timeout(cases, 60);
    tcase_add_loop_test(cases, sums_are_those_of_an_h200, 0, MMA_FORMS * MMA_SETS);
    tcase_add_loop_test(cases, small_integers_are_exact, 0, G_N_ELEMENTS(integer_cases));
    tcase_add_test(cases, integer_sums_wrap_or_saturate);
    tcase_add_test(cases, destination_may_be_any_operand);
    tcase_add_loop_test(cases, passes_of_a_load, 0, G_N_ELEMENTS(load_passes));
    tcase_add_loop_test(cases, matrices_are_loaded, 0, G_N_ELEMENTS(load_cases));
    tcase_add_loop_test(cases, missing_lanes_and_rows_are_faults, 0, G_N_ELEMENTS(fault_cases));
    tcase_add_test(cases, rows_in_the_same_banks_take_turns);
    tcase_add_test(cases, other_warp_sizes_are_refused);
}

int main(void)
{
    return run_suite("matrix", add_tests);
}
