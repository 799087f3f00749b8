#include "sim/interpreter/interpreter.h"

#include <stdarg.h>
#include <string.h>

#include "isa/base/size.h"
#include "sim/base/call_frames.h"
#include "sim/interpreter/private.h"

enum {
    DEFAULT_LIMIT = 1000000000,
    SLICE = 4096,
    SHARED_SLICE = 512, /* where blocks take turns */
    IDLE_SLICE = 16,    /* of one of these that seems to wait for another one */
    IDLE_TURNS = 4,     /* in which a block polls and changes nothing until it seems so */
    MOST_RESIDENT_BYTES = 384 << 20
};

void ws_interpret_fault(const WsInterpreter *interpreter, const WsInterpretedWarp *warp, guint lane,
                        GError **error, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    g_autofree char *text = g_strdup_vprintf(format, arguments);
    va_end(arguments);
    const guint32 *block = interpreter->block->index, *size = interpreter->launch->block;
    guint32 thread = warp->context.first_thread + lane;
    g_autofree char *place =
        interpreter->at != G_MAXUINT32
            ? ws_framed_instruction_place(interpreter->job->program, interpreter->at, TRUE)
            : NULL;
    ws_set_error(error, WS_ERROR_FAULT, "%s, block (%u,%u,%u) thread (%u,%u,%u): %s%s%s",
                 interpreter->launch->kernel->display_name, block[0], block[1], block[2],
                 thread % size[0], thread / size[0] % size[1], thread / size[0] / size[1], text,
                 place != NULL ? ", at " : "", place != NULL ? place : "");
}

/* ---- blocks ------------------------------------------------------------------------------------
 */

/* Where the launch says in which state the warp starts: its registers and its first instruction. */
static void set_initial(const WsInterpreter *interpreter, WsInterpretedWarp *warp,
                        const WsInitialWarp *initial)
{
    guint32 size = interpreter->program->warp_size;

    for (guint lane = 0; lane < size; lane++) {
        if (initial->has_start) {
            warp->pc[lane] = interpreter->launch->kernel->first + initial->start;
        }
        for (guint32 r = 0; r < initial->register_count; r++) {
            warp->registers.registers[initial->registers[r].index * size + lane] =
                initial->registers[r].value;
        }
    }
}

static void begin_warp(WsInterpreter *interpreter, guint32 number)
{
    WsInterpretedWarp *warp = &interpreter->block->warps[number];
    guint32 *registers = warp->registers.registers, size = interpreter->program->warp_size;
    guint32 threads = MIN(size, interpreter->thread_count - number * size);
    *warp = (WsInterpretedWarp){0};
    warp->registers.registers = registers;
    memset(registers, 0, (gsize)interpreter->program->rows * size * sizeof *registers);
    ws_init_predicates(&warp->registers);
    warp->alive = ~(guint64)0 >> (64 - threads);
    warp->context =
        (WsLaneContext){.first_thread = number * size,
                        .warp_slot = number,
                        .launch = (guint32)(interpreter->launch - interpreter->job->launches)};
    memcpy(warp->context.block_index, interpreter->block->index, sizeof interpreter->block->index);
    for (guint lane = 0; lane < size; lane++) {
        warp->pc[lane] = interpreter->launch->kernel->first;
    }
    const guint32 *block = interpreter->block->index;
    for (guint32 i = 0; i < interpreter->launch->initial_count; i++) {
        const WsInitialWarp *initial = &interpreter->launch->initial[i];
        if (initial->warp == number && (block[0] | block[1] | block[2]) == 0) {
            set_initial(interpreter, warp, initial);
        }
    }
}

/* Looked at between the turns of a block, some thousand instructions a warp. */
static gboolean may_go_on(const WsInterpreter *interpreter, GError **error)
{
    const WsInterpretOptions *options = interpreter->options;
    const char *kernel = interpreter->launch->kernel->display_name;
    if (options == NULL) {
        return TRUE;
    }
    if (options->interrupt != NULL && g_atomic_int_get(options->interrupt) != 0) {
        ws_set_error(error, WS_ERROR_LIMIT, "%s: the run was interrupted", kernel);
        return FALSE;
    }
    if (ws_time_limit_is_over(&options->time_limit)) {
        g_autofree char *limit = ws_time_limit_text(&options->time_limit);
        ws_set_error(error, WS_ERROR_LIMIT, "%s: %s was reached", kernel, limit);
        return FALSE;
    }
    return TRUE;
}

static void emit_waiting(const WsInterpreter *interpreter)
{
    const WsInterpretWatcher *watcher = interpreter->watcher;

    for (guint32 n = 0; watcher != NULL && n < interpreter->warp_count; n++) {
        const WsInterpretedWarp *warp = &interpreter->block->warps[n];

        for (guint64 rest = warp->alive; rest; rest &= rest - 1) {
            guint lane = (guint)__builtin_ctzll(rest);
            watcher->waits_for_ever(watcher->data, interpreter->block->slot,
                                    warp->context.first_thread + lane, warp->pc[lane] - 1);
        }
    }
}

/* No lane of the block can go on: where the first one waits. */
static void fail_waiting(const WsInterpreter *interpreter, GError **error)
{
    emit_waiting(interpreter);
    const guint32 *block = interpreter->block->index, *size = interpreter->launch->block;
    guint32 n = 0;
    while (n + 1 < interpreter->warp_count && interpreter->block->warps[n].alive == 0)
        n++;
    const WsInterpretedWarp *warp = &interpreter->block->warps[n];
    guint lane = (guint)__builtin_ctzll(warp->alive);
    guint32 thread = warp->context.first_thread + lane;
    g_autofree char *place = ws_framed_instruction_place(
        interpreter->job->program, warp->pc[lane] - 1, TRUE); /* it is past it */
    ws_set_error(error, WS_ERROR_DEADLOCK,
                 "%s: block (%u,%u,%u) waits for ever, thread (%u,%u,%u) at %s",
                 interpreter->launch->kernel->display_name, block[0], block[1], block[2],
                 thread % size[0], thread / size[0] % size[1], thread / size[0] / size[1], place);
}

static void begin_block(WsInterpreter *interpreter, WsInterpretedBlock *block, guint64 number)
{
    const guint32 *grid = interpreter->launch->grid;
    const WsInterpretWatcher *watcher = interpreter->watcher;

    interpreter->block = block;
    block->index[0] = (guint32)(number % grid[0]);
    block->index[1] = (guint32)(number / grid[0] % grid[1]);
    block->index[2] = (guint32)(number / grid[0] / grid[1]);
    block->idle = 0;
    memset(block->barriers, 0, sizeof block->barriers);
    memset(block->shared, 0, interpreter->shared_bytes);
    memset(block->local, 0, interpreter->local_bytes * interpreter->thread_count);
    for (guint32 n = 0; n < interpreter->warp_count; n++) {
        begin_warp(interpreter, n);
    }
    if (watcher != NULL) {
        watcher->block_begin(watcher->data, block->slot, number);
    }
}

/* A turn of each warp; `ret_alive` says whether lanes are left. */
static gboolean run_block(WsInterpreter *interpreter, WsInterpretedBlock *block,
                          gboolean *ret_alive, GError **error)
{
    guint64 before = interpreter->counts.warp_instructions, changes = interpreter->changes;
    guint64 polls = interpreter->polls;
    guint64 alive = 0;
    interpreter->block = block;
    for (guint32 n = 0; n < interpreter->warp_count; n++) {
        if (!ws_interpret_warp(interpreter, &block->warps[n], error)) {
            return FALSE;
        }
        alive |= block->warps[n].alive;
    }
    ws_interpret_release_barriers(interpreter);
    if (!may_go_on(interpreter, error)) {
        return FALSE;
    }
    if (interpreter->counts.warp_instructions >= interpreter->limit) {
        ws_set_error(error, WS_ERROR_LIMIT, "%s: more than %" G_GUINT64_FORMAT " warp instructions",
                     interpreter->launch->kernel->display_name, interpreter->limit);
        return FALSE;
    }
    if (alive && interpreter->counts.warp_instructions == before) {
        fail_waiting(interpreter, error);
        return FALSE;
    }
    gboolean waits = interpreter->changes == changes && interpreter->polls != polls;
    block->idle = waits ? block->idle + 1 : 0;
    *ret_alive = alive != 0;
    return TRUE;
}

/* ---- the grid ----------------------------------------------------------------------------------
 */

static WsInterpretedBlock *block_new(const WsInterpreter *interpreter, guint32 slot)
{
    guint32 size = interpreter->program->warp_size;
    gsize row_bytes = (gsize)(WS_RZ + 1 + WS_URZ) * size * sizeof(guint32);
    WsInterpretedBlock *block = g_new0(WsInterpretedBlock, 1);

    block->slot = slot;
    block->warps = g_new0(WsInterpretedWarp, interpreter->warp_count);
    for (guint32 n = 0; n < interpreter->warp_count; n++) {
        block->warps[n].registers.registers = g_aligned_alloc0(1, row_bytes, 64);
    }
    block->shared = g_malloc0(interpreter->shared_bytes + 1);
    block->local = g_malloc0(interpreter->local_bytes * interpreter->thread_count + 1);
    return block;
}

static void block_free(const WsInterpreter *interpreter, WsInterpretedBlock *block)
{
    for (guint32 n = 0; n < interpreter->warp_count; n++) {
        g_aligned_free(block->warps[n].registers.registers);
    }
    g_free(block->warps);
    g_free(block->shared);
    g_free(block->local);
    g_free(block);
}

static guint32 most_resident(const WsInterpreter *interpreter)
{
    guint64 bytes = (guint64)interpreter->warp_count * (WS_RZ + 1) *
                    interpreter->program->warp_size * sizeof(guint32);
    bytes += interpreter->shared_bytes + interpreter->local_bytes * interpreter->thread_count;
    return (guint32)MAX(1, MOST_RESIDENT_BYTES / bytes);
}

/* All of `resident` wait, as it seems. */
static gboolean all_idle(const GPtrArray *resident)
{
    for (guint i = 0; i < resident->len; i++) {
        if (((const WsInterpretedBlock *)resident->pdata[i])->idle < IDLE_TURNS) {
            return FALSE;
        }
    }
    return TRUE;
}

/* A turn of each block that is under way; those that end move to `spare`. */
static gboolean run_residents(WsInterpreter *interpreter, GPtrArray *resident, GPtrArray *spare,
                              GError **error)
{
    for (guint i = 0; i < resident->len;) {
        WsInterpretedBlock *block = resident->pdata[i];
        gboolean alive = TRUE;
        interpreter->slice = resident->len == 1          ? SLICE
                             : block->idle >= IDLE_TURNS ? IDLE_SLICE
                                                         : SHARED_SLICE;
        if (!run_block(interpreter, block, &alive, error)) {
            return FALSE;
        }
        if (alive) {
            i++;
        } else {
            g_ptr_array_add(spare, g_ptr_array_remove_index(resident, i));
        }
    }
    return TRUE;
}

/* One block after the other, but where blocks wait for others. */
static gboolean run_grid(WsInterpreter *interpreter, gboolean first_only, GError **error)
{
    guint64 blocks = first_only ? 1 : ws_size_volume(interpreter->launch->grid), begun = 0;
    guint32 most = most_resident(interpreter), made = 0;
    g_autoptr(GPtrArray) resident = g_ptr_array_new(), spare = g_ptr_array_new();
    gboolean fine = TRUE;
    while (fine && (begun < blocks || resident->len > 0)) {
        if (begun < blocks && resident->len < most && all_idle(resident)) {
            WsInterpretedBlock *block = spare->len > 0
                                            ? g_ptr_array_remove_index(spare, spare->len - 1)
                                            : block_new(interpreter, made++);
            begin_block(interpreter, block, begun++);
            g_ptr_array_add(resident, block);
        }
        fine = run_residents(interpreter, resident, spare, error);
    }
    for (guint i = 0; i < resident->len; i++) {
        block_free(interpreter, resident->pdata[i]);
    }
    for (guint i = 0; i < spare->len; i++) {
        block_free(interpreter, spare->pdata[i]);
    }
    return fine;
}

/* ---- launch ------------------------------------------------------------------------------------
 */

gboolean ws_interpret(WsJob *job, guint32 index, const WsInterpretOptions *options,
                      WsInterpretCounts *ret, GError **error)
{
    const WsLaunch *launch = &job->launches[index];
    guint64 limit = options ? options->max_warp_instructions : 0;
    g_autofree guint8 *bank0 = g_malloc0(WS_CONSTANT_BANK_BYTES);
    ws_fill_bank0(bank0, job->program, launch->kernel, launch->grid, launch->block,
                  launch->parameters);
    g_autofree guint8 *bank3 = g_malloc0(WS_CONSTANT_BANK_BYTES);
    if (job->constant_data) {
        memcpy(bank3, job->constant_data,
               MIN(job->program->constant_bytes, WS_CONSTANT_BANK_BYTES));
    }
    const guint8 *const banks[WS_CONSTANT_BANKS] = {bank0, NULL, NULL, bank3};
    g_autoptr(WsDecodedProgram) program = ws_decode_for_level(
        options ? options->level : NULL, job->program, launch->kernel, job->device, launch->grid,
        launch->block, launch->dynamic_shared_bytes, banks, error);
    if (!program) {
        return FALSE;
    }
    WsInterpreter interpreter = {
        .job = job,
        .launch = launch,
        .program = program,
        .memory = ws_global_memory_new(job),
        .warp_count = (guint32)((ws_size_volume(launch->block) + program->warp_size - 1) /
                                program->warp_size),
        .thread_count = (guint32)ws_size_volume(launch->block),
        .shared_bytes = (guint64)launch->kernel->static_shared_bytes + launch->dynamic_shared_bytes,
        .local_bytes = ws_launch_local_bytes(launch),
        .at = G_MAXUINT32,
        .options = options,
        .watcher = options ? options->watcher : NULL,
        .limit = limit ? limit : DEFAULT_LIMIT};
    gboolean fine = run_grid(&interpreter, options && options->first_block_only, error);
    ws_global_memory_free(interpreter.memory);
    if (ret) {
        *ret = interpreter.counts;
    }
    return fine;
}
