#include "sim/check/check.h"

#include "isa/base/size.h"
#include "sim/check/private.h"
#include "sim/launch/host_memory.h"

#include <string.h>

/* Blocks that wait for others spin for longer than where all run at once. */
enum { SPARE_INSTRUCTIONS = 4000000 };
/* Instructions of the unoptimised program for one of the other: 10 to 20 at most, and a reserve. */
enum { PLAIN_TIMES = 40 };
/* Of shadow memory: a cell for each word takes 16 times what is touched. */
static const guint64 MOST_SHADOW_BYTES = G_GUINT64_CONSTANT(1) << 30;

/* ---- life ---------------------------------------------------------------------------------------
 */

/* What notes of an instruction's accesses say. */
static guint16 note_flags(const WsInstruction *instruction)
{
    const WsOpcodeInfo *info = ws_opcode_info(instruction->opcode);
    guint8 cache = instruction->mod[WS_MOD_CACHE];

    if (info->flags & WS_FLAG_ATOMIC) {
        gboolean of_block =
            (info->flags & WS_FLAG_SHARED) == 0 && instruction->mod[WS_MOD_SCOPE] == WS_SCOPE_CTA;

        return WS_NOTE_ATOMIC | WS_NOTE_WRITE | WS_NOTE_STRONG | (of_block ? WS_NOTE_OF_BLOCK : 0);
    }
    guint16 flags = info->flags & WS_FLAG_STORE ? WS_NOTE_WRITE : 0;
    if (cache >= WS_CACHE_STRONG_CTA && cache <= WS_CACHE_STRONG_SYS)
        flags |= WS_NOTE_STRONG;
    return cache == WS_CACHE_STRONG_CTA ? flags | WS_NOTE_OF_BLOCK : flags;
}

static WsJob *copy_job(const WsJob *job)
{
    WsJob *copy = g_memdup2(job, sizeof *job);

    copy->buffers = g_memdup2(job->buffers, job->buffer_count * sizeof *job->buffers);
    for (guint32 i = 0; i < job->buffer_count; i++)
        copy->buffers[i].data = g_memdup2(job->buffers[i].data, job->buffers[i].bytes);
    copy->module_data = g_memdup2(job->module_data, job->program->module_bytes);
    return copy;
}

static gboolean check_memory(const WsJob *job, GError **error)
{
    guint64 bytes = ws_size_add(job->host_bytes, job->program->module_bytes);

    for (guint32 i = 0; i < job->buffer_count; i++)
        bytes = ws_size_add(bytes, job->buffers[i].bytes);
    if (bytes <= ws_host_memory_limit(job))
        return TRUE;
    WsPosition position = {.file = job->path};
    g_autofree char *needed = ws_host_memory_text(bytes);
    g_autofree char *limit = ws_host_memory_text(ws_host_memory_limit(job));
    ws_set_error_at(error, WS_ERROR_INPUT, &position,
                    "the checks run on a copy of the buffers: with it the run takes %s of memory, "
                    "and may take %s; --max-memory allows more",
                    needed, limit);
    return FALSE;
}

/* By file of a program: the reported program's file of that name. */
static guint32 *map_files(const WsProgram *program, const WsProgram *reported)
{
    guint count = program->files != NULL ? g_strv_length(program->files) : 0;
    guint32 *files = g_new0(guint32, count + 1);

    for (guint i = 1; i < count; i++) {
        if (program == reported)
            files[i] = i;
        for (guint k = 1; files[i] == 0 && reported->files != NULL && reported->files[0] != NULL &&
                          reported->files[k] != NULL;
             k++)
            if (strcmp(program->files[i], reported->files[k]) == 0)
                files[i] = k;
    }
    return files;
}

/* Makes `job` the one that runs. */
static void begin_program(WsCheck *check, WsJob *job)
{
    const WsProgram *program = job->program;

    check->job = job;
    check->files = map_files(program, check->reported->program);
    check->note_flags = g_new0(guint16, MAX(program->instruction_count, 1));
    for (guint32 i = 0; i < program->instruction_count; i++)
        check->note_flags[i] = note_flags(&program->instructions[i]);
    ws_check_read_ptx(check);
    ws_check_find_elements(check);
    ws_check_indices_find(check);
    if (!ws_check_looks_for(check, WS_CHECK_UNINITIALISED))
        return;
    if (!check->is_plain)
        ws_check_unwritten_new(check);
    if (check->module != NULL)
        check->copies = ws_undefined_copies_new(check->module, check->lines);
}

static void end_program(WsCheck *check)
{
    ws_check_unwritten_end(check);
    ws_check_bounds_clear(check);
    g_hash_table_remove_all(check->by_pair);
    g_clear_pointer(&check->copies, ws_undefined_copies_free);
    g_clear_pointer(&check->module, ws_ptx_module_free);
    g_clear_pointer(&check->bases, g_free);
    g_clear_pointer(&check->spare, g_free);
    g_clear_pointer(&check->loose, g_free);
    g_clear_pointer(&check->files, g_free);
    g_clear_pointer(&check->note_flags, g_free);
    g_clear_pointer(&check->element, g_free);
    g_clear_pointer(&check->pointer, g_free);
    check->lines = 0;
    check->job = NULL;
}

static void copy_free(WsJob *copy)
{
    for (guint32 i = 0; i < copy->buffer_count; i++)
        g_free(copy->buffers[i].data);
    g_free(copy->buffers);
    g_free(copy->module_data);
    g_free(copy);
}

WsCheck *ws_check_new(const WsJob *job, guint kinds, GError **error)
{
    WsCheck *check;

    if (!check_memory(job, error))
        return NULL;
    check = g_new0(WsCheck, 1);
    check->reported = job;
    check->copy = copy_job(job);
    check->kinds = kinds;
    check->findings = ws_findings_new(kinds);
    check->by_lines = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
    check->by_pair = g_hash_table_new_full(g_int64_hash, g_int64_equal, g_free, NULL);
    return check;
}

static void block_free(gpointer data)
{
    WsCheckBlock *block = data;

    if (block == NULL)
        return;
    if (block->shared != NULL)
        ws_shadow_free(block->shared);
    g_free(block->shared_written);
    g_free(block->local_written);
    g_free(block->pointers);
    g_free(block);
}

void ws_check_free(WsCheck *check)
{
    if (check == NULL)
        return;
    g_clear_pointer(&check->copy, copy_free);
    g_clear_pointer(&check->findings, ws_findings_free);
    g_hash_table_unref(check->by_lines);
    g_hash_table_unref(check->by_pair);
    g_free(check);
}

/* ---- what the interpreter tells -----------------------------------------------------------------
 */

static void block_begin(void *data, guint32 slot, guint64 number)
{
    WsCheck *check = data;
    WsCheckBlock *block;

    check->serial = check->first_serial + (guint32)number;
    if (slot >= check->blocks->len)
        g_ptr_array_set_size(check->blocks, (gint)slot + 1);
    if (check->blocks->pdata[slot] == NULL) {
        block = g_new0(WsCheckBlock, 1);
        block->shared = ws_shadow_new(&check->room);
        check->blocks->pdata[slot] = block;
    }
    ws_order_begin_block(check->order, slot, check->serial);
    ws_check_uninitialised_begin(check, check->blocks->pdata[slot]);
    ws_check_barriers_release(check, slot);
    if (check->copies != NULL)
        ws_undefined_copies_begin(check->copies, slot);
}

static void access_memory(void *data, const WsWatchedAccess *access)
{
    WsCheck *check = data;

    if (check->spare[access->instruction] || ws_check_index_access(check, access))
        return;
    gboolean inside = check->meant == NULL || ws_check_bounds_access(check, access);
    if (check->pointer != NULL)
        ws_check_parts_access(check, access);
    if (ws_check_looks_for(check, WS_CHECK_UNINITIALISED) && inside)
        ws_check_uninitialised_access(check, access);
    if (ws_check_looks_for(check, WS_CHECK_RACES) && !check->is_plain)
        ws_check_races_access(check, access);
}

static void atomic_done(void *data, const WsWatchedAccess *access, gboolean changed)
{
    WsCheck *check = data;

    if (!check->is_plain)
        ws_check_races_atomic_done(check, access, changed);
}

static void lanes_meet(void *data, guint32 slot, guint32 warp, guint64 mask, gboolean all)
{
    ws_order_lanes_meet(((WsCheck *)data)->order, slot, warp, mask, all);
}

static void fence(void *data, guint32 slot, guint32 warp, guint64 mask, guint8 scope)
{
    ws_order_fence(((WsCheck *)data)->order, slot, warp, mask, scope != WS_SCOPE_CTA);
}

static void barrier_arrive(void *data, guint32 slot, guint32 warp, guint64 mask,
                           guint32 instruction, guint32 number, gboolean waits)
{
    WsCheck *check = data;

    ws_order_arrive(check->order, slot, warp, mask, number, waits);
    if (number == 0 && waits && ws_check_looks_for(check, WS_CHECK_BARRIERS))
        ws_check_barriers_arrive(
            check, slot, warp * check->warp_size + (guint32)__builtin_ctzll(mask), instruction);
}

static void barrier_release(void *data, guint32 slot, guint32 number, gboolean all)
{
    WsCheck *check = data;

    ws_order_release_barrier(check->order, slot, number, all);
    if (number == 0)
        ws_check_barriers_release(check, slot);
}

static void waits_for_ever(void *data, guint32 slot, guint32 thread, guint32 instruction)
{
    WsCheck *check = data;

    if (ws_check_looks_for(check, WS_CHECK_BARRIERS) && check->is_plain)
        ws_check_barriers_stuck(check, slot, thread, instruction);
}

guint64 ws_check_enough(guint64 warp_instructions)
{
    return 4 * warp_instructions + SPARE_INSTRUCTIONS;
}

/* ---- running ------------------------------------------------------------------------------------
 */

static void begin_launch(WsCheck *check, guint32 index)
{
    const WsLaunch *launch = &check->job->launches[index];

    check->launch = index;
    check->kernel = launch->kernel;
    check->first_serial = check->serial + 1;
    check->shared_bytes =
        (guint64)launch->kernel->static_shared_bytes + launch->dynamic_shared_bytes;
    check->local_bytes = ws_launch_local_bytes(launch);
    check->threads = (guint32)ws_size_volume(launch->block);
    check->warp_size = (guint32)check->job->device->warp_size;
    check->order = ws_order_new(check->threads, check->warp_size);
    check->blocks = g_ptr_array_new_with_free_func(block_free);
    ws_check_parts_begin(check);
    if (ws_check_looks_for(check, WS_CHECK_BOUNDS))
        ws_check_bounds_begin(check);
}

/* Why not all of the launch was looked at, or NULL. */
static char *end_launch(WsCheck *check, GError *failure)
{
    char *reason = NULL;

    check->limited = check->limited || g_error_matches(failure, WS_ERROR, WS_ERROR_LIMIT);
    if (failure != NULL) {
        gsize skip = g_str_has_prefix(failure->message, "error: ") ? strlen("error: ") : 0;
        reason = g_strdup_printf("the checks ended early: %s", failure->message + skip);
    } else if (check->room.full) {
        reason = g_strdup("races were not checked in all of memory: the kernels access more than "
                          "the shadow memory covers");
    } else if (ws_order_is_incomplete(check->order)) {
        reason =
            g_strdup("races were not checked in the whole run: too many atomics order its threads");
    }
    g_clear_pointer(&check->order, ws_order_free);
    g_clear_pointer(&check->blocks, g_ptr_array_unref);
    return reason;
}

static char *run_launch(WsCheck *check, guint32 index, const WsCheckLimits *limits)
{
    const WsInterpretWatcher watcher = {.data = check,
                                        .block_begin = block_begin,
                                        .access = access_memory,
                                        .atomic_done = atomic_done,
                                        .lanes_meet = lanes_meet,
                                        .fence = fence,
                                        .barrier_arrive = barrier_arrive,
                                        .barrier_release = barrier_release,
                                        .waits_for_ever = waits_for_ever};
    const WsInterpretOptions options = {.max_warp_instructions = limits->warp_instructions,
                                        .time_limit = limits->time_limit,
                                        .interrupt = limits->interrupt,
                                        .watcher = &watcher};
    const guint32 *grid = check->job->launches[index].grid;
    g_autoptr(GError) failure = NULL;

    if (ws_size_volume(grid) >= G_MAXUINT32 - check->serial)
        return g_strdup("the checks ended early: more blocks than they can count");
    begin_launch(check, index);
    ws_interpret(check->job, index, &options, NULL, &failure);
    return end_launch(check, failure);
}

static char *run_launches(WsCheck *check, const WsCheckLimits *limits)
{
    char *reason = NULL;

    check->room.left = limits->shadow_bytes != 0 ? limits->shadow_bytes : MOST_SHADOW_BYTES;
    check->room.full = FALSE;
    check->global = ws_shadow_new(&check->room);
    for (guint32 i = 0; i < check->job->launch_count && reason == NULL; i++)
        reason = run_launch(check, i, limits);
    g_clear_pointer(&check->global, ws_shadow_free);
    return reason;
}

void ws_check_run(WsCheck *check, const WsCheckLimits *limits)
{
    begin_program(check, check->copy);
    check->findings->incomplete = run_launches(check, limits);
    end_program(check);
    g_clear_pointer(&check->copy, copy_free);
}

gboolean ws_check_wants_plain(const WsCheck *check)
{
    const guint kinds = WS_CHECK_BIT(WS_CHECK_UNINITIALISED) | WS_CHECK_BIT(WS_CHECK_BOUNDS) |
                        WS_CHECK_BIT(WS_CHECK_BARRIERS);

    return (check->kinds & kinds) != 0 && !check->limited &&
           g_str_has_suffix(check->reported->program->path, ".cu");
}

void ws_check_run_plain(WsCheck *check, WsJob *plain, const WsCheckLimits *limits)
{
    WsCheckLimits more = *limits;

    /* What is there for blocks that wait is enough for those here. */
    if (more.warp_instructions > SPARE_INSTRUCTIONS)
        more.warp_instructions =
            ws_size_add(ws_size_multiply(more.warp_instructions - SPARE_INSTRUCTIONS, PLAIN_TIMES),
                        SPARE_INSTRUCTIONS);
    check->is_plain = TRUE;
    begin_program(check, plain);
    g_autofree char *reason = run_launches(check, &more);
    end_program(check);
    if (check->findings->incomplete == NULL)
        check->findings->incomplete = g_steal_pointer(&reason);
}

void ws_check_miss_plain(WsCheck *check, const GError *error)
{
    if (check->findings->incomplete == NULL)
        check->findings->incomplete =
            g_strdup_printf("variables, rows of arrays and barriers of branches were not checked, "
                            "because the program does not compile without optimisation: %s",
                            error->message);
}

WsFindings *ws_check_take_findings(WsCheck *check)
{
    WsFindings *findings = g_steal_pointer(&check->findings);

    if (findings->incomplete == NULL && check->left_out > 0)
        findings->incomplete = g_strdup_printf(
            "findings of more than %u pairs of lines: the others are omitted", findings->list->len);
    return findings;
}
