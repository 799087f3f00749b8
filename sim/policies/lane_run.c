/* The interpreter of one lane. */
#include <string.h>

#include "sim/lanes/memory_operation.h"
#include "sim/policies/lane_code.h"

/*
 * A body wants whole rows of registers. It gets them from here: the words of a, b, c and d in lane
 * 0 of SCRATCH_ROWS rows that lie behind the cells.
 */
enum {
    LANES = 32,
    ROW_A = 0,
    ROW_B = 2,
    ROW_C = 4,
    ROW_D = 6,
    SCRATCH_ROWS = 10,
    SOURCE_WORDS = 2
};

gsize ws_lane_cells_bytes(const WsLaneCode *code)
{
    return ((gsize)code->cells + SCRATCH_ROWS * LANES) * sizeof(guint32);
}

void ws_lane_cells_init(const WsLaneCode *code, guint32 *cells)
{
    const WsDecodedProgram *decoded = code->decoded;
    guint32 *literals = cells + code->uniforms + WS_URZ + 2;

    for (guint32 i = 0; i < decoded->pool_rows; i++)
        literals[i] = decoded->pool[(gsize)i * decoded->warp_size];
}

static gboolean fail(WsLaneRun *run, const WsStep *step, WsLaneEnd end, guint64 address)
{
    run->end = end;
    run->pc = run->code->pc_of[step - run->code->steps];
    run->address = address;
    return FALSE;
}

/* ---- values -------------------------------------------------------------------------------------
 */

#define CELL(x)         (cells[step->x])
#define R(x)            CELL(x)
#define W(x)            (cells[step->x] | (guint64)cells[step->x + 1] << 32)
#define SET_W(x, value) set_pair(&cells[step->x], value)
#define P(x)            (run->predicates[step->x])

static inline void set_pair(guint32 *cell, guint64 value)
{
    cell[0] = (guint32)value;
    cell[1] = (guint32)(value >> 32);
}

static inline guint64 pair_of(guint32 low, guint32 high)
{
    return low | (guint64)high << 32;
}

static inline void set_predicate(WsLaneRun *run, guint number, gboolean value)
{
    run->predicates[number] = (guint8)value;
    run->predicates[number + 8] = (guint8)!value;
}

/* The same of a number that may be that of PT, which stays true. */
static void put_predicate(WsLaneRun *run, guint number, gboolean value)
{
    if (number != WS_PT)
        set_predicate(run, number, value);
}

/* Bit (4 a + 2 b + c) of the table, for every bit of the words. */
static inline guint32 logic(guint32 a, guint32 b, guint32 c, guint32 table)
{
    guint32 result = 0;

    for (guint row = 0; row < 8; row++)
        result |= (row & 4 ? a : ~a) & (row & 2 ? b : ~b) & (row & 1 ? c : ~c) &
                  (0u - (table >> row & 1u));
    return result;
}

static void logic_test(WsLaneRun *run, const WsStep *step)
{
    guint32 *cells = run->cells;
    guint32 value = logic(R(a), R(b), R(c), step->k & 0xff);

    put_predicate(run, step->k >> 8, P(p) | (value != 0));
    R(d) = value;
}

/* k: complements of a, b and c in bits 0 to 2; what is added in bits 4 and 5; Pd and Pe behind. */
static void add_with_carry(WsLaneRun *run, const WsStep *step)
{
    guint32 *cells = run->cells, k = step->k;
    guint64 sum = (guint64)(R(a) ^ (0u - (k & 1))) + (R(b) ^ (0u - (k >> 1 & 1))) +
                  (R(c) ^ (0u - (k >> 2 & 1))) + (k >> 4 & 3) + P(p) + P(q);

    R(d) = (guint32)sum;
    put_predicate(run, k >> 8 & 7, sum >> 32 >= 1);
    put_predicate(run, k >> 12 & 7, sum >> 32 >= 2);
}

static gboolean boolean(guint operation, gboolean a, gboolean b)
{
    return operation == 0 ? (a & b) : operation == 1 ? (a | b) : (a ^ b);
}

/* k: the instruction's flags; Pd and Pe in d. */
static void compare(WsLaneRun *run, const WsStep *step)
{
    const guint32 *cells = run->cells;
    guint32 k = step->k, bias = (k >> WS_FIELD_UNSIGNED & 1) << 31;
    gint32 x = (gint32)(R(a) ^ bias), y = (gint32)(R(b) ^ bias);
    gboolean holds = ((x < y ? 1u : x == y ? 2u : 4u) & (k >> WS_FIELD_ICMP & 7)) != 0;
    guint operation = k >> WS_FIELD_BOOLEAN & 3, other = P(p);

    if ((k >> WS_FIELD_EXTENDED & 1) && x == y)
        holds = P(q);
    put_predicate(run, step->d & 7, boolean(operation, holds, other));
    put_predicate(run, step->d >> 4 & 7, boolean(operation, !holds, other));
}

/* ---- bodies -------------------------------------------------------------------------------------
 */

static void take_scratch(WsLaneRun *run)
{
    WsWarpRegisters *scratch = run->scratch;

    scratch->registers = run->cells + run->code->cells;
    for (guint i = 0; i < WS_PT; i++)
        scratch->predicates[i] = run->predicates[i];
}

/* A uniform register that a source names is one of the scratch's own. */
static void give_source(WsLaneRun *run, guint cell, guint row, gint named)
{
    WsWarpRegisters *scratch = run->scratch;
    const guint32 *cells = run->cells;

    if (named >= WS_ROW_UNIFORM) {
        scratch->uniform[named - WS_ROW_UNIFORM] = cells[cell];
        if (named + 1 - WS_ROW_UNIFORM < WS_URZ)
            scratch->uniform[named + 1 - WS_ROW_UNIFORM] = cells[cell + 1];
        return;
    }
    for (guint i = 0; i < SOURCE_WORDS; i++)
        scratch->registers[(row + i) * LANES] = cells[cell + i];
}

/* k: the instruction. In `spare` whether d is a uniform register. */
static void run_body(WsLaneRun *run, const WsStep *step)
{
    const WsDecoded *body = &run->code->bodies[step->k];
    const WsLaneContext context = {.cycle = run->cycle, .active = 1};
    WsWarpRegisters *scratch = run->scratch;
    guint32 *cells = run->cells;

    take_scratch(run);
    give_source(run, step->a, ROW_A, body->a);
    give_source(run, step->b, ROW_B, body->b);
    give_source(run, step->c, ROW_C, body->c);
    for (guint i = 0; i < 4; i++)
        scratch->registers[(ROW_D + i) * LANES] = cells[step->d + i];
    if (step->spare && body->d + 1 < WS_URZ)
        scratch->uniform[body->d + 1] = cells[step->d + 1];
    body->body(run->code->decoded, body, scratch, &context, 1);
    if (step->spare) {
        cells[step->d] = scratch->uniform[body->d];
        if (body->d + 1 < WS_URZ)
            cells[step->d + 1] = scratch->uniform[body->d + 1];
    } else {
        for (guint i = 0; i < 4; i++)
            cells[step->d + i] = scratch->registers[(ROW_D + i) * LANES];
    }
    for (guint i = 0; i < WS_PT; i++)
        set_predicate(run, i, scratch->predicates[i] & 1);
}

/* ---- memory -------------------------------------------------------------------------------------
 */

enum { OFFSET_BITS = 24, OFFSET_MASK = (1 << OFFSET_BITS) - 1 };

static guint window_at(const WsLaneRun *run, guint64 address)
{
    return address >> 32 != 0 ? 0 : run->window_of[address >> OFFSET_BITS];
}

/* The host's address of an access that is not all there, or NULL after a failure. */
static guint8 *find(WsLaneRun *run, const WsStep *step, guint window, guint64 address,
                    guint32 bytes, gboolean write)
{
    const WsLaneWindow *of = &run->windows[window];
    guint32 offset = address & OFFSET_MASK;
    guint8 *at = of->at + offset;

    if (offset + bytes > of->readable)
        at = window == 0 ? NULL : (guint8 *)run->show(run, window, offset, bytes);
    if (at == NULL) {
        fail(run, step, WS_LANE_BOUNDS, address);
        return NULL;
    }
    if (address % bytes != 0) {
        fail(run, step, WS_LANE_ALIGNMENT, address);
        return NULL;
    }
    if (write && offset + bytes > of->writable) {
        fail(run, step, WS_LANE_READ_ONLY, address);
        return NULL;
    }
    return at;
}

/* Of the pair a, plus k. */
static inline guint64 address_of(const WsLaneRun *run, const WsStep *step)
{
    const guint32 *cells = run->cells;

    return W(a) + (guint64)(gint64)(gint32)step->k;
}

static inline const guint8 *readable(WsLaneRun *run, const WsStep *step, guint32 bytes)
{
    guint64 address = address_of(run, step);
    guint window = window_at(run, address);
    guint32 offset = address & OFFSET_MASK;

    if (G_LIKELY(offset + bytes <= run->windows[window].readable && offset % bytes == 0))
        return run->windows[window].at + offset;
    return find(run, step, window, address, bytes, FALSE);
}

static inline guint8 *writable(WsLaneRun *run, const WsStep *step, guint32 bytes)
{
    guint64 address = address_of(run, step);
    guint window = window_at(run, address);
    guint32 offset = address & OFFSET_MASK;

    if (G_LIKELY(offset + bytes <= run->windows[window].writable && offset % bytes == 0))
        return run->windows[window].at + offset;
    return find(run, step, window, address, bytes, TRUE);
}

/* Any access: the instruction's own number is k, the uniform register of its address in c. */
static guint64 any_address(const WsLaneRun *run, const WsStep *step, const WsDecoded *decoded)
{
    const guint32 *cells = run->cells;
    gboolean wide = ws_decoded_modifier(decoded, ADDRESS);
    guint64 address = (guint64)(gint64)((gint32)(decoded->immediate << 8) >> 8);

    address += wide ? W(a) : R(a);
    if (decoded->immediate >> 24 < WS_URZ)
        address += wide ? W(c) : R(c);
    return wide ? address : (guint32)address;
}

static gboolean access_memory(WsLaneRun *run, const WsStep *step)
{
    const WsDecoded *decoded = &run->code->decoded->instructions[step->k];
    const WsMemoryOperation *operation = &decoded->operation;
    guint64 address = any_address(run, step, decoded), old;
    guint window = operation->space == WS_SPACE_LOCAL ? run->local : window_at(run, address);
    guint32 *cells = run->cells;
    WsOperandRows rows = {.destination = decoded->d < 0 ? NULL : &R(d),
                          .value = decoded->b < 0 ? NULL : &R(b),
                          .second = decoded->c < 0 ? NULL : &cells[decoded->c],
                          .warp_size = 1};
    guint8 *at;

    if (operation->space == WS_SPACE_LOCAL && address > OFFSET_MASK)
        return fail(run, step, WS_LANE_BOUNDS, address);
    at = find(run, step, window, address, operation->bytes, operation->action != WS_ACTION_LOAD);
    if (at == NULL)
        return FALSE;
    if (operation->action == WS_ACTION_LOAD) {
        ws_lane_load(operation, &rows, 0, at);
    } else if (operation->action == WS_ACTION_STORE) {
        ws_lane_store(operation, &rows, 0, at);
    } else {
        ws_lane_atomic(operation, &rows, 0, at, &old);
        ws_lane_return(operation, &rows, 0, old);
    }
    return TRUE;
}

/* ---- the way ------------------------------------------------------------------------------------
 */

/* To an instruction of the program; the instructions since the last jump are counted here. */
static const WsStep *jump(WsLaneRun *run, const WsStep *step, guint32 target)
{
    const WsLaneCode *code = run->code;
    guint32 pc = code->pc_of[step - code->steps];
    guint64 taken = pc + 1 - run->from;

    if (G_UNLIKELY(taken >= run->most)) {
        fail(run, step, WS_LANE_INSTRUCTIONS, 0);
        return NULL;
    }
    run->most -= taken;
    run->from = target;
    return code->steps + code->step_of[target];
}

/* CALL, BRX and RET; k: the instruction. */
static const WsStep *jump_far(WsLaneRun *run, const WsStep *step)
{
    const WsDecoded *decoded = &run->code->decoded->instructions[step->k];
    guint32 *cells = run->cells;
    guint32 target = decoded->immediate;

    if (decoded->kind == WS_KIND_CALL) {
        if (decoded->d >= 0)
            R(d) = (step->k + 1) * WS_INSTRUCTION_BYTES;
    } else {
        guint32 bytes = R(a);
        gint64 first = decoded->kind == WS_KIND_BRX ? target : 0;
        gint64 to = first + (gint64)(gint32)bytes / WS_INSTRUCTION_BYTES - run->kernel->first;

        if (bytes % WS_INSTRUCTION_BYTES != 0 || to < 0 || to >= run->kernel->count) {
            fail(run, step, WS_LANE_JUMP, 0);
            return NULL;
        }
        target = run->kernel->first + (guint32)to;
    }
    return jump(run, step, target);
}

static gboolean interpret(WsLaneRun *run, const WsStep *step)
{
    static const void *const labels[] = {
#define STEP(NAME, ...) &&on_##NAME,
#include "sim/policies/lane_steps.def"
#undef STEP
    };
    guint32 *const cells = run->cells;

#define GO goto *labels[step->kind]
    GO;
#define STEP(NAME, ...)                                                                            \
    on_##NAME:                                                                                     \
    {                                                                                              \
        __VA_ARGS__;                                                                               \
        step++;                                                                                    \
        GO;                                                                                        \
    }
#include "sim/policies/lane_steps.def"
#undef STEP
#undef GO
}

gboolean ws_lane_run(WsLaneRun *run, const WsKernel *kernel)
{
    static const guint8 none[16] = {0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1, 0};
    const WsLaneCode *code = run->code;
    WsWarpRegisters scratch;

    memset(run->cells, 0, code->registers * sizeof *run->cells);
    if (code->uses_uniforms)
        memset(run->cells + code->uniforms, 0, (WS_URZ + 1) * sizeof *run->cells);
    memcpy(run->predicates, none, sizeof none);
    run->kernel = kernel;
    run->from = kernel->first;
    run->scratch = &scratch;
    if (code->uses_bodies) {
        memset(&scratch, 0, sizeof scratch);
        ws_init_predicates(&scratch);
    }
    return interpret(run, code->steps + code->step_of[kernel->first]);
}
