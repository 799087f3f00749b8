#include "sim/report/report.h"

#include "sim/base/call_fault.h"
#include "sim/base/call_frames.h"
#include "sim/base/shared_fault.h"
#include "sim/lanes/memory_operation.h"
#include "sim/memory/assertion_text.h"
#include "sim/memory/matrix_load.h"
#include "sim/memory/memory_system.h"
#include "sim/report/waits.h"
#include "sim/sm/operand_value.h"

enum { MAX_LISTED_BLOCKS = 8 };

static void fill_thread(WsStop *ret, const WsSm *sm, guint32 slot, guint32 lane)
{
    const WsLaunchContext *context = sm->context;
    const WsWarp *warp = &sm->state->warps[slot];
    const WsBlockState *block = &sm->state->blocks[warp->block_slot];
    const guint32 *size = context->launch->block;
    guint32 thread = warp->warp_in_block * context->decoded->warp_size + lane;

    ret->sm = (gint32)sm->number;
    ret->warp = (gint32)warp->warp_in_block;
    ret->slot = (gint32)slot;
    for (guint i = 0; i < 3; i++)
        ret->block[i] = block->index[i];
    ret->lane = (gint32)lane;
    ret->thread[0] = thread % size[0];
    ret->thread[1] = thread / size[0] % size[1];
    ret->thread[2] = thread / size[0] / size[1];
}

static void clear(WsStop *ret)
{
    *ret = (WsStop){.sm = -1, .warp = -1, .lane = -1, .slot = -1, .instruction = -1};
}

static void append_warp_place(GString *text, const WsSm *sm, const char *verb, guint32 slot,
                              guint64 lanes, guint32 pc)
{
    g_autofree char *where = NULL;

    if (lanes == 0)
        return;
    where = ws_framed_instruction_place(sm->context->program, pc, TRUE);
    g_string_append_printf(text, "  warp %u, lanes ", sm->state->warps[slot].warp_in_block);
    ws_append_lanes(text, lanes);
    g_string_append_printf(text, ": %s %s\n", verb, where);
}

/* Lanes that do not run. */
static void append_path(GString *text, const WsSm *sm, guint32 slot, const WsLanesAt *at)
{
    guint32 pc = ws_lanes_wait_at(sm->context->program, at);

    append_warp_place(text, sm, pc != at->pc ? "wait for other lanes at" : at->how, slot, at->lanes,
                      pc);
}

/* Where the lanes of a warp are. */
static void append_warp(GString *text, const WsSm *sm, guint32 slot)
{
    const WsWarp *warp = &sm->state->warps[slot];
    WsLanesAt others[WS_MAX_PATHS];
    guint count = sm->context->divergence->waiting(ws_sm_path_state(sm, slot), &warp->path, others);

    if (ws_warp_is_at_barrier(warp)) {
        g_autofree char *verb = g_strdup_printf("waits at barrier %u,", warp->barrier.number);
        append_warp_place(text, sm, verb, slot, warp->path.active, warp->wait_pc);
    } else if (warp->state != WS_WARP_DRAIN && warp->state != WS_WARP_FREE) {
        append_warp_place(text, sm, "at", slot, warp->path.active, warp->path.pc);
    }
    for (guint i = 0; i < count; i++)
        append_path(text, sm, slot, &others[i]);
}

/* Who comes to a block barrier, and where the other lanes of its warp are. */
static char *barrier_details(const WsSm *sm)
{
    const WsSmStop *what = &sm->state->stop;
    const WsWarp *warp = &sm->state->warps[what->warp];
    g_autofree char *verb =
        g_strdup_printf("come to barrier %u at", ws_warp_operand(sm, what->warp, what->pc, 2));
    WsLanesAt others[WS_MAX_PATHS];
    guint count =
        sm->context->divergence->waiting(ws_sm_path_state(sm, what->warp), &warp->path, others);
    GString *text = g_string_new(NULL);

    append_warp_place(text, sm, verb, what->warp, warp->path.active, what->pc);
    for (guint i = 0; i < count; i++)
        append_path(text, sm, what->warp, &others[i]);
    return g_string_free(text, FALSE);
}

/* Numbers in the block of the warps in some slots, as bits. */
static guint64 warp_numbers(const WsSm *sm, guint64 slots)
{
    guint64 numbers = 0;

    for (; slots != 0; slots &= slots - 1)
        numbers |= (guint64)1 << sm->state->warps[__builtin_ctzll(slots)].warp_in_block;
    return numbers;
}

/* "warps 0-2,5" */
static void append_warps(GString *text, guint64 numbers)
{
    g_string_append(text, (numbers & (numbers - 1)) != 0 ? "warps " : "warp ");
    ws_append_lanes(text, numbers);
}

/* Who has come to a barrier, and who has not. */
static void append_barrier(GString *text, const WsSm *sm, const WsBlockState *block, guint number)
{
    const WsBarrier *barrier = &block->barriers[number];
    guint64 missing = block->alive & ~barrier->arrived;
    guint32 all =
        barrier->expected ? barrier->expected : (guint32)__builtin_popcountll(block->alive);

    g_string_append_printf(text, "  barrier %u: %u of %u warps %s arrived: ", number,
                           barrier->arrivals, all, barrier->arrivals == 1 ? "has" : "have");
    append_warps(text, warp_numbers(sm, barrier->arrived));
    if (missing != 0) {
        g_string_append(text, barrier->expected != 0 ? "; elsewhere: " : "; missing: ");
        append_warps(text, warp_numbers(sm, missing));
    }
    g_string_append(text, "\n");
    if (barrier->counts_differ)
        g_string_append_printf(
            text, "  barrier %u: its instructions name different numbers of threads\n", number);
}

static void append_block(GString *text, const WsSm *sm, guint32 block_slot)
{
    const WsBlockState *block = &sm->state->blocks[block_slot];
    guint64 all = ~(guint64)0 >> (64 - sm->context->warps_per_block);
    guint64 exited = all & ~warp_numbers(sm, block->alive);

    g_string_append_printf(text, "block (%u,%u,%u) on SM %u:\n", block->index[0], block->index[1],
                           block->index[2], sm->number);
    for (guint i = 0; i < WS_NAMED_BARRIERS; i++)
        if (block->barriers[i].arrivals != 0)
            append_barrier(text, sm, block, i);
    if (exited != 0) {
        g_string_append(text, "  ");
        append_warps(text, exited);
        g_string_append(text, (exited & (exited - 1)) != 0 ? " have exited\n" : " has exited\n");
    }
    for (guint64 m = block->resident; m != 0; m &= m - 1)
        append_warp(text, sm, (guint32)__builtin_ctzll(m));
}

/*
 * An instruction of shared memory has offsets of 32 bits, which may be meant as negative ones; the
 * others have whole addresses.
 */
static char *describe_address(const WsSm *sm, const WsGlobalMemory *contents)
{
    const WsSmStop *what = &sm->state->stop;
    const WsDecoded *instruction = &sm->context->decoded->instructions[what->pc];
    const WsMemoryOperation *operation = &instruction->operation;
    guint64 offset = what->address - WS_SHARED_WINDOW;
    gboolean matrix = instruction->kind == WS_KIND_MATRIX_LOAD;
    gboolean shared = matrix || operation->space == WS_SPACE_SHARED;

    if (shared ||
        (operation->space == WS_SPACE_GENERIC && offset < WS_LOCAL_WINDOW - WS_SHARED_WINDOW))
        return ws_shared_fault_describe(sm->context->kernel,
                                        sm->context->launch->dynamic_shared_bytes,
                                        shared ? (gint32)(guint32)offset : (gint64)offset,
                                        matrix ? WS_MATRIX_ROW_BYTES : operation->bytes);
    char *stack = NULL;
    if (operation->space == WS_SPACE_LOCAL || operation->space == WS_SPACE_GENERIC)
        stack =
            ws_stack_fault_describe(sm->context->kernel, ws_launch_stack_bytes(sm->context->launch),
                                    what->address - WS_LOCAL_WINDOW);
    return stack != NULL ? stack : ws_global_memory_describe(contents, what->address);
}

static char *fault_message(const WsSm *sm, const WsStop *stop, const WsGlobalMemory *contents)
{
    const WsSmStop *what = &sm->state->stop;
    g_autofree char *where = ws_framed_instruction_place(sm->context->program, what->pc, TRUE);
    g_autofree char *address = NULL;

    if (what->has_address) {
        g_autofree char *described = describe_address(sm, contents);
        address =
            g_strdup_printf(": address 0x%" G_GINT64_MODIFIER "x%s%s", what->address,
                            described != NULL ? ", " : "", described != NULL ? described : "");
    }
    return g_strdup_printf(
        "%s%s, in kernel '%s', block (%u,%u,%u), thread (%u,%u,%u), at %s", what->what,
        address != NULL ? address : "", sm->context->kernel->display_name, stop->block[0],
        stop->block[1], stop->block[2], stop->thread[0], stop->thread[1], stop->thread[2], where);
}

/* What each of the warp's lanes says whose assertion failed. */
static char *assertion_details(const WsSm *sm, const WsStop *stop, const WsGlobalMemory *contents)
{
    const WsSmStop *what = &sm->state->stop;
    const WsWarp *warp = &sm->state->warps[what->warp];
    const WsDecoded *instruction = &sm->context->decoded->instructions[what->pc];
    const WsWarpRegisters *registers = &sm->state->registers[what->warp];
    GString *text = g_string_new(NULL);

    for (guint64 rest = ws_guard_mask(instruction, registers, warp->path.active); rest != 0;
         rest &= rest - 1) {
        guint lane = (guint)__builtin_ctzll(rest);
        WsStop at = {.sm = stop->sm};
        g_autofree char *line = NULL;

        fill_thread(&at, sm, what->warp, lane);
        line = ws_assertion_text(contents, sm->context->decoded, instruction, registers, lane,
                                 at.block, at.thread);
        g_string_append_printf(text, "%s\n", line);
    }
    return g_string_free(text, FALSE);
}

/* Who waits for whom, before where all warps are. */
static GString *begin_details(WsStop *ret, const WsLaunchState *launch)
{
    GString *text = g_string_new(NULL);

    ret->waits = ws_waits_find(launch->sms, launch->sm_count, launch->system);
    ws_waits_append(text, ret->waits, launch->sms[0]->context->program);
    return text;
}

void ws_report_stop(WsStop *ret, const WsSm *sm, const WsLaunchState *launch)
{
    const WsSmStop *what = &sm->state->stop;
    const WsBlockState *block = &sm->state->blocks[what->block_slot];
    GString *text;

    clear(ret);
    fill_thread(ret, sm, what->warp, what->lane == WS_NOWHERE ? 0 : what->lane);
    ret->cycle = what->cycle;
    if (what->by_policy) {
        ret->lane = -1;
        ret->message = ws_policy_code_failure_text(sm->context->policy_code, sm->policy);
        return;
    }
    ret->instruction = what->pc;
    if (what->status == WS_STATUS_FAULT) {
        ret->message = fault_message(sm, ret, ws_memory_system_contents(launch->system));
        if (ws_is_kind(&sm->context->program->instructions[what->pc], WS_KIND_BARRIER))
            ret->details = barrier_details(sm);
        if (ws_is_kind(&sm->context->program->instructions[what->pc], WS_KIND_ASSERTFAIL))
            ret->details = assertion_details(sm, ret, ws_memory_system_contents(launch->system));
        return;
    }
    if (what->lane == WS_NOWHERE)
        ret->lane = -1;
    ret->message = g_strdup_printf("%s, in kernel '%s', block (%u,%u,%u)", what->what,
                                   sm->context->kernel->display_name, block->index[0],
                                   block->index[1], block->index[2]);
    text = begin_details(ret, launch);
    append_block(text, sm, what->block_slot);
    ret->details = g_string_free(text, FALSE);
}

/* Where all warps are, for as many blocks as are worth reading. */
static void list_blocks(GString *text, const WsLaunchState *launch)
{
    guint listed = 0, left_out = 0;

    if (launch->not_started != 0)
        g_string_append_printf(text,
                               "%" G_GUINT64_FORMAT " blocks have not started: no SM has room for "
                               "them until another block ends\n",
                               launch->not_started);
    for (guint32 i = 0; i < launch->sm_count; i++)
        for (guint32 b = 0; b < WS_MAX_BLOCK_SLOTS; b++) {
            if (!launch->sms[i]->state->blocks[b].used)
                continue;
            if (listed++ < MAX_LISTED_BLOCKS)
                append_block(text, launch->sms[i], b);
            else
                left_out++;
        }
    if (left_out != 0)
        g_string_append_printf(text, "and %u more blocks\n", left_out);
}

static void report_everywhere(WsStop *ret, const WsLaunchState *launch)
{
    GString *text;

    clear(ret);
    for (guint32 i = 0; i < launch->sm_count; i++)
        ret->cycle = MAX(ret->cycle, launch->sms[i]->state->now);
    text = begin_details(ret, launch);
    list_blocks(text, launch);
    ret->details = g_string_free(text, FALSE);
}

static char *in_kernel(const char *what, const WsLaunchState *launch)
{
    return g_strdup_printf("%s, in kernel '%s'", what,
                           launch->sms[0]->context->kernel->display_name);
}

void ws_report_nothing_happens(WsStop *ret, const WsLaunchState *launch)
{
    report_everywhere(ret, launch);
    ret->message = in_kernel("nothing can happen any more", launch);
}

/* ---- endless loops ------------------------------------------------------------------------------
 */

static gboolean any_at_barrier(const WsLaunchState *launch)
{
    for (guint32 i = 0; i < launch->sm_count; i++)
        for (guint32 b = 0; b < WS_MAX_BLOCK_SLOTS; b++) {
            const WsBlockState *block = &launch->sms[i]->state->blocks[b];

            if (block->used && block->waiting != 0)
                return TRUE;
        }
    return FALSE;
}

static const WsWaiting *first_of_kind(const GPtrArray *waits, guint kinds)
{
    for (guint i = 0; i < waits->len; i++) {
        const WsWaiting *waiting = g_ptr_array_index(waits, i);

        if (kinds >> waiting->kind & 1)
            return waiting;
    }
    return NULL;
}

static const char *livelock_words(const WsStop *stop, const WsLaunchState *launch)
{
    const guint lanes = 1 << WS_WAITS_FOR_LANES | 1 << WS_WAITS_FOR_TURN;

    if (any_at_barrier(launch))
        return "a warp repeats itself for ever while others wait for it at a block barrier";
    if (first_of_kind(stop->waits, lanes) != NULL)
        return "a warp repeats itself for ever while lanes of it wait for the others";
    if (stop->waits->len == 0)
        return "a warp repeats itself for ever";
    return ((const WsWaiting *)g_ptr_array_index(stop->waits, 0))->in_circle
               ? "warps wait for each other for ever"
               : "a warp waits for ever for a value that nothing will change";
}

void ws_report_livelock(WsStop *ret, const WsLaunchState *launch)
{
    const WsWaiting *spins;

    report_everywhere(ret, launch);
    ret->message = in_kernel(livelock_words(ret, launch), launch);
    spins = first_of_kind(ret->waits, 1 << WS_WAITS_FOR_VALUE);
    if (spins == NULL)
        return;
    fill_thread(ret, launch->sms[spins->index], spins->slot,
                (guint32)__builtin_ctzll(spins->lanes));
    ret->instruction = spins->pc;
}

void ws_report_cut_off(WsStop *ret, const WsLaunchState *launch)
{
    g_autoptr(GPtrArray) waits = ws_waits_find(launch->sms, launch->sm_count, launch->system);
    GString *text;

    /* Barriers and lanes that some wait for are there in any run: others are on their way. */
    if (first_of_kind(waits, 1 << WS_WAITS_FOR_VALUE) == NULL)
        return;
    text = g_string_new(NULL);
    ws_waits_append(text, waits, launch->sms[0]->context->program);
    ret->details = g_string_free(text, FALSE);
    ret->waits = g_steal_pointer(&waits);
}

char *ws_report_hazard(const WsProgram *program, guint32 pc, guint32 cycles)
{
    g_autofree char *where = ws_framed_instruction_place(program, pc, TRUE);

    return g_strdup_printf(
        "hazard at %s: its control fields let it issue up to %u cycles before its "
        "operands are ready",
        where, cycles);
}

char *ws_report_mixed_barrier(const WsProgram *program, guint32 a, guint32 b)
{
    g_autofree char *first = ws_framed_instruction_place(program, a, TRUE),
                    *second = ws_framed_instruction_place(program, b, TRUE);

    return g_strdup_printf("threads met at a block barrier from different instructions: %s and %s",
                           first, second);
}
