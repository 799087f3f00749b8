#include "sim/interpreter/interpreter.h"

#include <stdarg.h>
#include <string.h>

#include "isa/base/size.h"
#include "sim/base/instruction_place.h"
#include "sim/interpreter/private.h"

enum { DEFAULT_LIMIT = 1000000000 };

void ws_interpret_fault(const WsInterpreter *interpreter, const WsInterpretedWarp *warp, guint lane,
                        GError **error, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    g_autofree char *text = g_strdup_vprintf(format, arguments);
    va_end(arguments);
    const guint32 *block = interpreter->block, *size = interpreter->launch->block;
    guint32 thread = warp->context.first_thread + lane;
    g_autofree char *place = interpreter->at != G_MAXUINT32
                                 ? ws_instruction_place(interpreter->job->program, interpreter->at)
                                 : NULL;
    ws_set_error(error, WS_ERROR_FAULT, "%s, block (%u,%u,%u) thread (%u,%u,%u): %s%s%s",
                 interpreter->launch->kernel->display_name, block[0], block[1], block[2],
                 thread % size[0], thread / size[0] % size[1], thread / size[0] / size[1], text,
                 place != NULL ? ", at " : "", place != NULL ? place : "");
}

/* ---- blocks ------------------------------------------------------------------------------------
 */

static void begin_warp(WsInterpreter *interpreter, guint32 number)
{
    WsInterpretedWarp *warp = &interpreter->warps[number];
    guint32 *registers = warp->registers.registers, size = interpreter->program->warp_size;
    guint32 threads = MIN(size, interpreter->thread_count - number * size);
    *warp = (WsInterpretedWarp){0};
    warp->registers.registers = registers;
    memset(registers, 0, (gsize)(WS_RZ + 1) * size * sizeof *registers);
    warp->registers.predicates[WS_PT] = ~(guint64)0;
    warp->registers.uniform_predicates = 0x80;
    warp->alive = ~(guint64)0 >> (64 - threads);
    warp->context =
        (WsLaneContext){.first_thread = number * size,
                        .warp_slot = number,
                        .launch = (guint32)(interpreter->launch - interpreter->job->launches)};
    memcpy(warp->context.block_index, interpreter->block, sizeof interpreter->block);
    for (guint lane = 0; lane < size; lane++) {
        warp->pc[lane] = interpreter->launch->kernel->first;
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
    if (options->deadline != 0 && g_get_monotonic_time() >= options->deadline) {
        ws_set_error(error, WS_ERROR_LIMIT, "%s: the limit of seconds was reached", kernel);
        return FALSE;
    }
    return TRUE;
}

/* No lane of the block can go on: where the first one waits. */
static void fail_waiting(const WsInterpreter *interpreter, GError **error)
{
    const guint32 *block = interpreter->block, *size = interpreter->launch->block;
    guint32 n = 0;
    while (n + 1 < interpreter->warp_count && interpreter->warps[n].alive == 0)
        n++;
    const WsInterpretedWarp *warp = &interpreter->warps[n];
    guint lane = (guint)__builtin_ctzll(warp->alive);
    guint32 thread = warp->context.first_thread + lane;
    g_autofree char *place =
        ws_instruction_place(interpreter->job->program, warp->pc[lane] - 1); /* it is past it */
    ws_set_error(error, WS_ERROR_DEADLOCK,
                 "%s: block (%u,%u,%u) waits for ever, thread (%u,%u,%u) at %s",
                 interpreter->launch->kernel->display_name, block[0], block[1], block[2],
                 thread % size[0], thread / size[0] % size[1], thread / size[0] / size[1], place);
}

/* Warps in turn until all lanes are gone. */
static gboolean run_block(WsInterpreter *interpreter, GError **error)
{
    memset(interpreter->barriers, 0, sizeof interpreter->barriers);
    memset(interpreter->shared, 0, interpreter->shared_bytes);
    memset(interpreter->local, 0, interpreter->local_bytes * interpreter->thread_count);
    for (guint32 n = 0; n < interpreter->warp_count; n++) {
        begin_warp(interpreter, n);
    }
    for (guint64 alive = 1; alive;) {
        guint64 before = interpreter->counts.warp_instructions;
        alive = 0;
        for (guint32 n = 0; n < interpreter->warp_count; n++) {
            if (!ws_interpret_warp(interpreter, &interpreter->warps[n], error)) {
                return FALSE;
            }
            alive |= interpreter->warps[n].alive;
        }
        ws_interpret_release_barriers(interpreter);
        if (!may_go_on(interpreter, error)) {
            return FALSE;
        }
        if (interpreter->counts.warp_instructions >= interpreter->limit) {
            ws_set_error(error, WS_ERROR_LIMIT,
                         "%s: more than %" G_GUINT64_FORMAT " warp instructions",
                         interpreter->launch->kernel->display_name, interpreter->limit);
            return FALSE;
        }
        if (alive && interpreter->counts.warp_instructions == before) {
            fail_waiting(interpreter, error);
            return FALSE;
        }
    }
    return TRUE;
}

static gboolean run_grid(WsInterpreter *interpreter, gboolean first_only, GError **error)
{
    const guint32 *grid = interpreter->launch->grid;
    guint64 blocks = first_only ? 1 : ws_size_volume(grid);
    for (guint64 block = 0; block < blocks; block++) {
        interpreter->block[0] = (guint32)(block % grid[0]);
        interpreter->block[1] = (guint32)(block / grid[0] % grid[1]);
        interpreter->block[2] = (guint32)(block / grid[0] / grid[1]);
        if (!run_block(interpreter, error)) {
            return FALSE;
        }
    }
    return TRUE;
}

/* ---- launch ------------------------------------------------------------------------------------
 */

static void allocate(WsInterpreter *interpreter)
{
    const WsLaunch *launch = interpreter->launch;
    guint32 size = interpreter->program->warp_size;
    gsize row_bytes = (gsize)(WS_RZ + 1) * size * sizeof(guint32);
    interpreter->thread_count = (guint32)ws_size_volume(launch->block);
    interpreter->warp_count = (interpreter->thread_count + size - 1) / size;
    interpreter->warps = g_new0(WsInterpretedWarp, interpreter->warp_count);
    for (guint32 n = 0; n < interpreter->warp_count; n++) {
        interpreter->warps[n].registers.registers = g_aligned_alloc0(1, row_bytes, 64);
    }
    interpreter->shared_bytes =
        (guint64)launch->kernel->static_shared_bytes + launch->dynamic_shared_bytes;
    interpreter->shared = g_malloc0(interpreter->shared_bytes + 1);
    interpreter->local_bytes = launch->kernel->local_bytes;
    interpreter->local = g_malloc0(interpreter->local_bytes * interpreter->thread_count + 1);
}

static void release_all(WsInterpreter *interpreter)
{
    for (guint32 n = 0; n < interpreter->warp_count; n++) {
        g_aligned_free(interpreter->warps[n].registers.registers);
    }
    g_free(interpreter->warps);
    g_free(interpreter->shared);
    g_free(interpreter->local);
    ws_global_memory_free(interpreter->memory);
}

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
    WsInterpreter interpreter = {.job = job,
                                 .launch = launch,
                                 .program = program,
                                 .memory = ws_global_memory_new(job),
                                 .at = G_MAXUINT32,
                                 .options = options,
                                 .limit = limit ? limit : DEFAULT_LIMIT};
    allocate(&interpreter);
    gboolean fine = run_grid(&interpreter, options && options->first_block_only, error);
    release_all(&interpreter);
    if (ret) {
        *ret = interpreter.counts;
    }
    return fine;
}
