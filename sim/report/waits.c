#include "sim/report/waits.h"

#include "sim/memory/global_memory.h"
#include "sim/memory/memory_system.h"

#include <string.h>

/* Different values of one warp that are told of. */
enum { MOST_VALUES = 8 };

typedef struct {
    const WsSm *sm;
    guint32 slot;
    const WsMemorySystem *system;
    GPtrArray *found;
} Search;

static void waiting_free(gpointer data)
{
    WsWaiting *waiting = data;

    g_free(waiting->place);
    g_free(waiting->last_place);
    g_free(waiting);
}

static WsWaiting *add(Search *search, WsWaitKind kind, guint64 lanes, guint32 pc)
{
    const WsWarp *warp = &search->sm->state->warps[search->slot];
    WsWaiting *waiting = g_new0(WsWaiting, 1);

    waiting->kind = kind;
    waiting->sm = search->sm->number;
    waiting->index = search->sm->index;
    waiting->slot = search->slot;
    memcpy(waiting->block, search->sm->state->blocks[warp->block_slot].index,
           sizeof waiting->block);
    waiting->warp = warp->warp_in_block;
    waiting->lanes = lanes;
    waiting->pc = pc;
    waiting->barrier = -1;
    g_ptr_array_add(search->found, waiting);
    return waiting;
}

/* ---- barriers and lanes -------------------------------------------------------------------------
 */

/* Numbers in the block of the warps that have not come to a barrier. */
static guint64 missing_warps(const WsSm *sm, guint32 slot, guint32 barrier)
{
    const WsBlockState *block = &sm->state->blocks[sm->state->warps[slot].block_slot];
    guint64 missing = block->alive & ~block->barriers[barrier].arrived, numbers = 0;

    for (; missing != 0; missing &= missing - 1)
        numbers |= (guint64)1 << sm->state->warps[__builtin_ctzll(missing)].warp_in_block;
    return numbers;
}

static void add_barrier(Search *search, guint64 lanes, guint32 pc, guint32 barrier)
{
    WsWaiting *waiting = add(search, WS_WAITS_AT_BARRIER, lanes, pc);

    waiting->barrier = (gint32)barrier;
    waiting->wanted = missing_warps(search->sm, search->slot, barrier);
}

guint32 ws_lanes_wait_at(const WsProgram *program, const WsLanesAt *at)
{
    return at->at_join && ws_program_construct(program, at->pc - 1) != 0 ? at->pc - 1 : at->pc;
}

/* Lanes that do not run. */
static void add_lanes(Search *search, const WsLanesAt *at)
{
    WsWaiting *waiting;

    if (at->block_barrier != 0 && at->wanted == 0) {
        add_barrier(search, at->lanes, at->pc, at->block_barrier - 1u);
        return;
    }
    if (at->wanted == 0) /* they go on at once */
        return;
    waiting = add(search, at->in_turn ? WS_WAITS_FOR_TURN : WS_WAITS_FOR_LANES, at->lanes,
                  ws_lanes_wait_at(search->sm->context->program, at));
    waiting->wanted = at->wanted;
    waiting->barrier = (gint32)at->block_barrier - 1;
}

/* ---- values -------------------------------------------------------------------------------------
 */

/* A shared variable by its name. */
static char *shared_name(const WsKernel *kernel, guint64 offset, guint32 bytes)
{
    const WsSharedVariable *found = NULL;

    for (guint32 i = 0; i < kernel->shared_count; i++)
        if (offset >= kernel->shared[i].offset &&
            (kernel->shared[i].size == 0 ||
             offset - kernel->shared[i].offset < kernel->shared[i].size))
            found = &kernel->shared[i];
    if (found == NULL)
        return g_strdup_printf("byte %" G_GUINT64_FORMAT " of shared memory", offset);
    return ws_element_name(found->name, found->size, offset - found->offset,
                           ws_type_size(found->type), bytes);
}

static const guint8 *bytes_at(const Search *search, guint64 address, guint32 bytes, gboolean shared)
{
    gsize size;
    const guint8 *data;

    if (!shared)
        return ws_global_memory_at(ws_memory_system_contents(search->system), address, bytes);
    data = ws_sm_memory_shared(search->sm->memory,
                               search->sm->state->warps[search->slot].block_slot, &size);
    return address < size && bytes <= size - address ? data + address : NULL;
}

static void find_writer(const Search *search, guint64 address, gboolean shared, WsLastWriter *ret)
{
    const WsSm *sm = search->sm;
    guint32 block_slot = sm->state->warps[search->slot].block_slot;
    const WsLastWriter *known;

    *ret = (WsLastWriter){0};
    if (shared) {
        if (ws_sm_memory_writer(sm->memory, block_slot, address, ret))
            ret->block = sm->state->blocks[block_slot].linear;
        return;
    }
    known = ws_memory_system_writer(search->system, address);
    if (known != NULL)
        *ret = *known;
}

static gboolean same_writer(const WsLastWriter *a, const WsLastWriter *b)
{
    return a->known == b->known &&
           (!a->known || (a->block == b->block && a->warp == b->warp && a->pc == b->pc));
}

static char *name_of(const Search *search, guint64 address, guint32 bytes, gboolean shared)
{
    return shared
               ? shared_name(search->sm->context->kernel, address, bytes)
               : ws_global_memory_name(ws_memory_system_contents(search->system), address, bytes);
}

/* One more lane that waits like others which have been found since `first`. */
static gboolean joins(Search *search, guint first, guint lane, guint32 pc, guint64 address,
                      const WsLastWriter *writer)
{
    for (guint i = first; i < search->found->len; i++) {
        WsWaiting *waiting = g_ptr_array_index(search->found, i);

        if (waiting->pc != pc || !same_writer(&waiting->writer, writer))
            continue;
        waiting->lanes |= (guint64)1 << lane;
        waiting->writer.lanes |= writer->lanes;
        if (address > waiting->address) {
            g_free(waiting->last_place);
            waiting->last_place = name_of(search, address, waiting->bytes, waiting->shared);
        }
        return TRUE;
    }
    return FALSE;
}

static void note_writer(const WsSm *sm, WsWaiting *waiting, const WsLastWriter *writer)
{
    const guint32 *grid = sm->context->launch->grid;

    waiting->writer = *writer;
    waiting->writer_block[0] = writer->block % grid[0];
    waiting->writer_block[1] = writer->block / grid[0] % grid[1];
    waiting->writer_block[2] = writer->block / grid[0] / grid[1];
}

static void add_value(Search *search, guint first, guint lane, guint32 pc, guint64 address,
                      gboolean shared)
{
    guint32 bytes = search->sm->context->decoded->instructions[pc].operation.bytes;
    const guint8 *data = bytes_at(search, address, bytes, shared);
    WsLastWriter writer;
    WsWaiting *waiting;

    if (data == NULL)
        return;
    find_writer(search, address, shared, &writer);
    if (joins(search, first, lane, pc, address, &writer) ||
        search->found->len - first >= MOST_VALUES)
        return;
    waiting = add(search, WS_WAITS_FOR_VALUE, (guint64)1 << lane, pc);
    waiting->place = name_of(search, address, bytes, shared);
    waiting->address = address;
    waiting->shared = shared;
    waiting->bytes = bytes;
    memcpy(&waiting->value, data, MIN(bytes, sizeof waiting->value));
    note_writer(search->sm, waiting, &writer);
}

/* The lanes that run, if they are in a loop that waits for values. */
static void add_values(Search *search)
{
    const WsLaunchContext *context = search->sm->context;
    const WsPath *path = &search->sm->state->warps[search->slot].path;
    const GArray *reads =
        context->spin != NULL ? ws_spin_loop_reads(context->spin, path->pc) : NULL;
    guint first = search->found->len;

    for (guint i = 0; reads != NULL && i < reads->len; i++) {
        guint32 pc = g_array_index(reads, guint32, i);
        const WsDecoded *decoded = &context->decoded->instructions[pc];
        guint64 address[WS_MAX_WARP_SIZE];
        WsAddressSpan span;

        ws_lane_addresses(context->decoded, decoded, &search->sm->state->registers[search->slot],
                          path->active, decoded->operation.bytes, address, &span);
        for (guint64 rest = path->active; rest != 0; rest &= rest - 1) {
            guint lane = (guint)__builtin_ctzll(rest);
            guint8 space = decoded->operation.space;
            guint64 offset = address[lane] - WS_SHARED_WINDOW;
            gboolean window =
                space == WS_SPACE_GENERIC && offset < WS_LOCAL_WINDOW - WS_SHARED_WINDOW;

            add_value(search, first, lane, pc, window ? offset : address[lane],
                      window || space == WS_SPACE_SHARED);
        }
    }
}

/* ---- all who wait -------------------------------------------------------------------------------
 */

static void look_at_warp(Search *search)
{
    const WsSm *sm = search->sm;
    const WsWarp *warp = &sm->state->warps[search->slot];
    WsLanesAt others[WS_MAX_PATHS];
    guint count;

    if (warp->state == WS_WARP_DRAIN || warp->state == WS_WARP_FREE)
        return;
    if (ws_warp_is_at_barrier(warp) && warp->path.active != 0)
        add_barrier(search, warp->path.active, warp->wait_pc, warp->barrier.number);
    else if (warp->path.active != 0)
        add_values(search);
    count =
        sm->context->divergence->waiting(ws_sm_path_state(sm, search->slot), &warp->path, others);
    for (guint i = 0; i < count; i++)
        add_lanes(search, &others[i]);
}

GPtrArray *ws_waits_of_warp(WsSm *const *sms, guint32 sm_count, const WsSm *sm, guint32 slot,
                            const WsMemorySystem *system)
{
    Search search = {sm, slot, system, g_ptr_array_new_with_free_func(waiting_free)};

    look_at_warp(&search);
    ws_waits_find_writers(search.found, sms, sm_count);
    return search.found;
}

GPtrArray *ws_waits_find(WsSm *const *sms, guint32 sm_count, const WsMemorySystem *system)
{
    Search search = {.system = system, .found = g_ptr_array_new_with_free_func(waiting_free)};

    for (guint32 i = 0; i < sm_count; i++)
        for (guint64 m = sms[i]->state->resident; m != 0; m &= m - 1) {
            search.sm = sms[i];
            search.slot = (guint32)__builtin_ctzll(m);
            look_at_warp(&search);
        }
    ws_waits_find_writers(search.found, sms, sm_count);
    ws_waits_find_circle(search.found, sms, sm_count);
    return search.found;
}
