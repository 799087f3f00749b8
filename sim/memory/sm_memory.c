#include "sim/memory/sm_memory.h"

static WsL1Shape l1_shape(const WsDevice *device, guint64 carveout_bytes)
{
    return (WsL1Shape){.bytes = device->unified_bytes - MIN(carveout_bytes, device->unified_bytes),
                       .unified_bytes = device->unified_bytes,
                       .ways = (guint32)device->l1_ways,
                       .under_way_percent = (guint32)device->l1_lines_under_way,
                       .replacement = (WsL1Replacement)device->l1_replacement,
                       .clock_up_to = (guint32)device->l1_clock_up_to,
                       .clock_ways = (guint32)device->l1_clock_ways,
                       .reserved = (guint32)device->l1_reserved_lines,
                       .tag_percent = (guint32)device->l1_tag_percent,
                       .spare_above = (guint32)device->l1_spare_above};
}

/* What the ways between the SM and L2 take for a message, by its sectors. */
static void set_rates(WsSmMemory *memory)
{
    const WsDevice *device = memory->device;
    guint32 times = (guint32)device->ideal_bandwidth;
    for (guint8 mask = 0; !device->ideal_caches && mask < 1 << WS_SECTORS_PER_LINE; mask++)
        memory->inbox.service[mask] =
            (guint32)MAX(1000 / times, ws_sector_count(mask) * WS_SECTOR_BYTES * 1000 /
                                           device->l2_sm_bytes_per_cycle);
    for (guint32 flits = 0; flits < G_N_ELEMENTS(memory->outbox.flits); flits++)
        memory->outbox.flits[flits] = (guint8)((flits + times - 1) / times);
}

WsSmMemory *ws_sm_memory_new(WsMemorySystem *system, const WsDevice *device, guint32 sm,
                             guint32 warp_slots, guint64 carveout_bytes, guint32 local_bytes)
{
    WsStateArena *arena = ws_memory_system_arena(system);
    WsSmMemory *memory = ws_state_new(arena, WsSmMemory, 1);
    memory->arena = arena;
    memory->device = device;
    memory->system = system;
    memory->as_usual = device->memory_model == WS_MEMORY_CACHED && !device->ideal_coalescing;
    memory->geometry = ws_memory_system_geometry(system);
    memory->contents = ws_memory_system_contents(system);
    memory->sm = sm;
    memory->warp_size = (guint32)device->warp_size;
    memory->partition = ws_l2_partition_of(memory->geometry, sm);
    memory->trips = ws_state_new(arena, guint32, memory->geometry->ring);
    for (guint32 place = 0; place < memory->geometry->ring; place++)
        memory->trips[place] = (guint32)ws_l2_trip(memory->geometry, sm, place);
    memory->warps = ws_state_new(arena, WsWarpTraffic, warp_slots);
    memory->l1_shape = l1_shape(device, carveout_bytes);
    if (device->memory_model == WS_MEMORY_CACHED && device->unified_bytes > carveout_bytes)
        ws_l1_init(&memory->l1, arena, &memory->l1_shape);
    ws_mshr_table_init(&memory->mshrs, arena);
    ws_pool_init(&memory->accesses, arena, sizeof(WsPendingAccess));
    ws_pool_init(&memory->atomics, arena, sizeof(WsAtomicRecord));
    ws_pool_init(&memory->stores, arena, sizeof(WsLineBytes));
    ws_pool_init(&memory->replies, arena, sizeof(WsReply));
    set_rates(memory);
    memory->inbox.completed.arena = arena;
    memory->fence.scope = WS_SCOPE_CTA; /* none was sent */
    ws_lsu_init(&memory->lsu, device);
    ws_shared_memory_init(&memory->shared, arena, device);
    ws_local_memory_init(&memory->local, arena, warp_slots, memory->warp_size, local_bytes);
    ws_memory_system_attach(system, sm, memory);
    return memory;
}

void ws_sm_memory_free(WsSmMemory *memory)
{
    if (memory == NULL)
        return;
    ws_memory_system_drain(memory->system);
    ws_memory_system_detach(memory->system, memory->sm);
    ws_shared_memory_clear(&memory->shared);
    ws_local_memory_clear(&memory->local);
    ws_l1_clear(&memory->l1);
    ws_mshr_table_clear(&memory->mshrs);
    ws_pool_clear(&memory->accesses);
    ws_pool_clear(&memory->atomics);
    ws_pool_clear(&memory->stores);
    ws_pool_clear(&memory->replies);
    ws_state_free(memory->arena, memory->outbox.messages);
    ws_state_free(memory->arena, memory->outbox.deferred);
    ws_state_free(memory->arena, memory->inbox.entries);
    ws_state_array_clear(&memory->inbox.completed);
    ws_state_free(memory->arena, memory->warps);
    ws_state_free(memory->arena, memory->trips);
    ws_state_free(memory->arena, memory);
}

void ws_sm_memory_begin_block(WsSmMemory *memory, guint32 block_slot, guint64 bytes)
{
    ws_shared_memory_begin_block(&memory->shared, block_slot, bytes);
    if (memory->polls != NULL)
        ws_shared_memory_keep_writers(&memory->shared, block_slot);
}

const guint8 *ws_sm_memory_shared(const WsSmMemory *memory, guint32 block_slot, gsize *ret_bytes)
{
    const WsSharedBlock *block = &memory->shared.blocks[block_slot];

    *ret_bytes = block->bytes;
    return block->bytes != 0 ? block->data : NULL;
}

void ws_sm_memory_name_warp(WsSmMemory *memory, guint32 warp_slot, guint32 block, guint32 warp)
{
    memory->warps[warp_slot].block = block;
    memory->warps[warp_slot].number = (guint8)warp;
}

void ws_sm_memory_begin_warp(WsSmMemory *memory, guint32 warp_slot)
{
    ws_local_memory_begin_warp(&memory->local, warp_slot);
}

gboolean ws_sm_memory_stores_under_way(const WsSmMemory *memory)
{
    guint32 spare = 0;
    for (guint32 i = memory->stores.free_head; i != WS_NONE;
         i = *(const guint32 *)ws_pool_at(&memory->stores, i))
        spare++;
    return spare != memory->stores.used;
}

const WsGlobalMemory *ws_sm_memory_contents(const WsSmMemory *memory)
{
    return memory->contents;
}

guint64 ws_sm_memory_free_cycle(const WsSmMemory *memory, guint32 sub_core)
{
    return ws_lsu_free_cycle(&memory->lsu, sub_core);
}

gboolean ws_sm_memory_full(const WsSmMemory *memory)
{
    return memory->outbox.waiting >= memory->device->l1_miss_queue;
}

guint64 ws_sm_memory_unit(WsSmMemory *memory, guint64 cycle, guint32 sub_core,
                          WsClass execution_class, guint32 ways)
{
    const WsClassTiming *timing = &memory->device->timing[execution_class];
    guint64 late;
    ways = MAX(ways, 1);
    guint64 start = ws_lsu_issue(&memory->lsu, cycle, sub_core, ws_lsu_stage(execution_class),
                                 timing->interval, ways, timing->sm_interval, &late);
    if (ways == 1)
        return start + late + timing->latency;
    /* One pass finds that lanes differ, then each of their values takes one. */
    memory->lsu.queues[sub_core].free += timing->interval;
    return start + late + timing->latency + (guint64)timing->extra_per_way * ways;
}

/* ---- checks ------------------------------------------------------------------------------------
 */

static void set_fault(WsIssue *issue, gint lane, guint64 address, const char *text)
{
    /* The lowest lane is reported when lanes of several spaces fail. */
    if (issue->result.outcome == WS_ACCESS_FAULT && issue->result.fault_lane <= (guint32)lane)
        return;
    issue->result.outcome = WS_ACCESS_FAULT;
    issue->result.fault_lane = (guint32)lane;
    issue->result.fault_address = address;
    issue->result.fault = text;
}

static gboolean may_write(const WsIssue *issue, const WsRegion *region)
{
    return issue->operation.action == WS_ACTION_LOAD || !region->read_only;
}

static gboolean in_thread_window(guint64 address)
{
    return address - WS_SHARED_WINDOW < WS_CONSTANT_WINDOW - WS_SHARED_WINDOW;
}

static void check_global_lane(WsIssue *issue, guint lane)
{
    guint64 address = issue->address[lane];
    guint32 bytes = issue->operation.bytes;
    const WsRegion *region = ws_global_memory_find(issue->memory->contents, address, bytes);
    if (address & (bytes - 1))
        set_fault(issue, (gint)lane, address, "misaligned");
    else if (in_thread_window(address))
        set_fault(issue, (gint)lane, address, "wrong space");
    else if (region == NULL)
        set_fault(issue, (gint)lane, address, "out of bounds");
    else if (!may_write(issue, region))
        set_fault(issue, (gint)lane, address, "read only");
}

static void check_global(WsIssue *issue, guint64 mask)
{
    const WsAddressSpan *span = &issue->span;
    guint32 bytes = issue->operation.bytes;
    issue->region = NULL;
    if (span->misaligned == 0 && span->high <= G_MAXUINT64 - bytes) {
        issue->region = ws_global_memory_find(issue->memory->contents, span->low,
                                              span->high - span->low + bytes);
        if (issue->region != NULL && may_write(issue, issue->region))
            return;
    }
    for (guint64 rest = mask; rest != 0; rest &= rest - 1)
        check_global_lane(issue, (guint)__builtin_ctzll(rest));
}

static void check_window(WsIssue *issue, guint64 mask, gboolean shared)
{
    const char *text = NULL;
    WsSmMemory *memory = issue->memory;
    if (shared && ws_shared_memory_holds(&memory->shared, issue->block_slot, &issue->span,
                                         issue->operation.bytes))
        return;
    gint lane = shared ? ws_shared_memory_check(&memory->shared, issue->block_slot, issue->address,
                                                mask, issue->operation.bytes, &text)
                       : ws_local_memory_check(&memory->local, issue->warp_slot, issue->address,
                                               mask, issue->operation.bytes, &text);
    if (lane >= 0)
        set_fault(issue, lane, issue->address[lane] + (shared ? WS_SHARED_WINDOW : WS_LOCAL_WINDOW),
                  text);
}

static void check_spaces(WsIssue *issue, guint64 shared, guint64 local, guint64 global)
{
    if (shared != 0)
        check_window(issue, shared, TRUE);
    if (local != 0)
        check_window(issue, local, FALSE);
    if (global != 0)
        check_global(issue, global);
}

/* ---- accesses ----------------------------------------------------------------------------------
 */

const WsRegion *ws_issue_region(const WsIssue *issue, guint64 address)
{
    return issue->region != NULL
               ? issue->region
               : ws_global_memory_find(issue->memory->contents, address, issue->operation.bytes);
}

static guint8 *place_of(const WsIssue *issue, guint lane)
{
    const WsRegion *region = ws_issue_region(issue, issue->address[lane]);
    return region->data + (issue->address[lane] - region->base);
}

/* Values of more than one register take longer to write back, unless they come in pairs. */
static guint64 extra_words(const WsIssue *issue, WsBankPasses passes)
{
    return MIN(issue->operation.words, passes.least) - 1u;
}

void ws_issue_finish(WsIssue *issue, guint64 start, guint64 ready)
{
    WsMemoryAccess *result = &issue->result;
    result->ready_cycle = MAX(result->ready_cycle, ready);
    result->source_cycle = MAX(result->source_cycle, start + issue->memory->lsu.source_latency);
}

static void access_shared(WsIssue *issue, guint64 mask)
{
    WsSmMemory *memory = issue->memory;
    const WsClassTiming *timing = issue->timing;
    /* Of a generic access it may have lanes of other spaces. */
    const WsAddressSpan *span = issue->operation.space == WS_SPACE_SHARED ? &issue->span : NULL;
    WsBankPasses passes = ws_shared_memory_passes(&memory->shared, &issue->operation,
                                                  issue->address, mask, memory->warp_size, span);
    guint32 pass_cycles =
        MAX(timing->sm_interval, (guint32)memory->device->shared_wavefront_interval);
    guint64 late;
    guint64 start =
        ws_lsu_issue(&memory->lsu, issue->cycle, issue->sub_core, WS_STAGE_DATA, timing->interval,
                     ws_bank_passes_taken(passes), pass_cycles, &late);
    if (G_UNLIKELY(memory->watched || memory->polls != NULL))
        ws_do_shared_noted(issue, mask);
    else
        ws_shared_memory_do(&memory->shared, issue->block_slot, &issue->operation, &issue->rows,
                            issue->address, mask, span);
    issue->result.level = WS_LEVEL_SHARED;
    memory->counters.shared_wavefronts += passes.wavefronts;
    memory->counters.shared_bank_conflicts += passes.conflicts;
    issue->result.wavefronts += passes.wavefronts;
    issue->result.extra_wavefronts += passes.conflicts;
    ws_issue_finish(issue, start,
                    start + late + timing->latency +
                        (guint64)timing->extra_per_way * (passes.wavefronts - 1) +
                        extra_words(issue, passes));
}

/* memory.model = fixed: the latency of the class, contents at once. */
static void access_fixed(WsIssue *issue, guint64 mask, gboolean global)
{
    WsSmMemory *memory = issue->memory;
    guint64 late;
    guint64 start = ws_lsu_issue(&memory->lsu, issue->cycle, issue->sub_core, WS_STAGE_DATA,
                                 issue->timing->interval, 1, issue->timing->sm_interval, &late);
    ws_issue_finish(issue, start, start + late + issue->timing->latency);
    issue->result.level = WS_LEVEL_FIXED;
    if (global && G_UNLIKELY(memory->polls != NULL))
        ws_note_lines(issue, mask);
    if (!global) {
        ws_local_memory_do(&memory->local, issue->warp_slot, &issue->operation, &issue->rows,
                           issue->address, mask);
        return;
    }
    for (guint64 rest = mask; rest != 0; rest &= rest - 1) {
        guint lane = (guint)__builtin_ctzll(rest);
        guint8 *place = place_of(issue, lane);
        guint64 old;
        WsBefore before;
        if (issue->operation.action == WS_ACTION_LOAD) {
            ws_lane_load(&issue->operation, &issue->rows, lane, place);
            continue;
        }
        ws_note_before(issue, place, &before);
        if (issue->operation.action == WS_ACTION_STORE) {
            ws_lane_store(&issue->operation, &issue->rows, lane, place);
        } else {
            ws_lane_atomic(&issue->operation, &issue->rows, lane, place, &old);
            ws_lane_return(&issue->operation, &issue->rows, lane, old);
        }
        ws_note_global(issue, lane, place, &before);
    }
}

static void count_global(WsIssue *issue, guint64 mask, guint32 sectors)
{
    WsSmMemoryCounters *counters = &issue->memory->counters;
    guint32 bytes = (guint32)__builtin_popcountll(mask) * issue->operation.bytes;
    guint32 ideal = (bytes + WS_SECTOR_BYTES - 1) / WS_SECTOR_BYTES;
    issue->result.sectors += sectors;
    issue->result.global_sectors += sectors;
    issue->result.extra_sectors += sectors > ideal ? sectors - ideal : 0;
    if (issue->operation.action == WS_ACTION_LOAD) {
        counters->global_load_requests++;
        counters->global_load_sectors += sectors;
    } else {
        counters->global_store_requests++;
        counters->global_store_sectors += sectors;
    }
}

static void access_global(WsIssue *issue, guint64 mask)
{
    WsCoalesced coalesced;
    guint32 tags = (guint32)issue->memory->device->l1_tags_per_cycle;
    if (issue->span.ascending)
        ws_coalesce_ascending(issue->address[0], issue->memory->warp_size, issue->operation.bytes,
                              tags, &coalesced);
    else if (issue->span.low == issue->span.high)
        ws_coalesce_same(issue->span.low, mask, issue->memory->warp_size, issue->operation.bytes,
                         &coalesced);
    else
        ws_coalesce(issue->address, mask, issue->memory->warp_size, issue->operation.bytes, tags,
                    &coalesced);
    count_global(issue, mask, coalesced.sectors);
    if (G_LIKELY(issue->memory->as_usual))
        ws_cached_global(issue, mask, &coalesced);
    else if (issue->memory->device->memory_model == WS_MEMORY_FIXED)
        access_fixed(issue, mask, TRUE);
    else
        ws_ideal_global(issue, mask, &coalesced);
}

/* Of addresses that have changed. What is left of each space may lie closer than that. */
static void measure_lanes(WsIssue *issue, guint64 mask)
{
    WsAddressSpan *span = &issue->span;
    span->ascending = span->rising = FALSE;
    span->low = G_MAXUINT64;
    span->high = 0;
    for (guint64 rest = mask; rest != 0; rest &= rest - 1) {
        guint64 address = issue->address[__builtin_ctzll(rest)];
        span->low = MIN(span->low, address);
        span->high = MAX(span->high, address);
    }
}

/* Lanes of a generic access by space; addresses in a window become offsets. */
static void split_generic(WsIssue *issue, guint64 mask, guint64 *shared, guint64 *local)
{
    *shared = *local = 0;
    for (guint64 rest = mask; rest != 0; rest &= rest - 1) {
        guint lane = (guint)__builtin_ctzll(rest);
        guint64 address = issue->address[lane];
        if (!in_thread_window(address))
            continue;
        gboolean is_local = address >= WS_LOCAL_WINDOW;
        issue->address[lane] = address - (is_local ? WS_LOCAL_WINDOW : WS_SHARED_WINDOW);
        *(is_local ? local : shared) |= G_GUINT64_CONSTANT(1) << lane;
    }
}

static void find_spaces(WsIssue *issue, guint64 mask, guint64 *shared, guint64 *local)
{
    *shared = issue->operation.space == WS_SPACE_SHARED ? mask : 0;
    *local = issue->operation.space == WS_SPACE_LOCAL ? mask : 0;
    if (issue->operation.space == WS_SPACE_GENERIC && issue->span.high >= WS_SHARED_WINDOW &&
        issue->span.low < WS_CONSTANT_WINDOW) {
        split_generic(issue, mask, shared, local);
        if ((*shared | *local) != 0)
            measure_lanes(issue, mask);
    }
}

static void access_local(WsIssue *issue, guint64 mask)
{
    if (issue->operation.action == WS_ACTION_LOAD)
        issue->memory->counters.local_load_requests++;
    else
        issue->memory->counters.local_store_requests++;
    if (issue->memory->device->memory_model == WS_MEMORY_FIXED)
        access_fixed(issue, mask, FALSE);
    else
        ws_cached_local(issue, mask);
}

/* An access that waits for lines answers later. */
static void note_pending(WsIssue *issue)
{
    if (issue->access == WS_NONE)
        return;
    WsPendingAccess *access = ws_pool_at(&issue->memory->accesses, issue->access);
    access->ready = issue->result.ready_cycle;
    issue->result.outcome = WS_ACCESS_PENDING;
    issue->result.token = issue->access;
}

static void access_checked(WsIssue *issue, guint64 shared, guint64 local, guint64 global)
{
    guint32 deferred = issue->memory->outbox.deferred_count;
    if (shared != 0)
        access_shared(issue, shared);
    if (local != 0)
        access_local(issue, local);
    if (global != 0)
        access_global(issue, global);
    ws_sm_end_access(issue->memory, deferred);
}

/* 32 bits a lane of global memory, all lanes in order, one line: most accesses of most kernels. */
static gboolean is_row(const WsIssue *issue)
{
    const WsMemoryOperation *operation = &issue->operation;
    return issue->span.ascending && issue->span.low % WS_LINE_BYTES == 0 &&
           operation->width == WS_WIDTH_32 && operation->action <= WS_ACTION_STORE &&
           (operation->space == WS_SPACE_GLOBAL || operation->space == WS_SPACE_GENERIC);
}

/* The short way for a row that lies in global memory: FALSE if something about it is not so. */
static gboolean access_row(WsIssue *issue)
{
    WsSmMemory *memory = issue->memory;
    const WsRegion *region = memory->region;
    guint32 deferred = memory->outbox.deferred_count;
    if (region == NULL || issue->span.low - region->base >= region->bytes)
        region = ws_global_memory_find(memory->contents, issue->span.low, 1);
    if (region == NULL || region->bytes - (issue->span.low - region->base) < WS_LINE_BYTES ||
        !may_write(issue, region) || in_thread_window(issue->span.low) ||
        memory->device->memory_model == WS_MEMORY_FIXED)
        return FALSE;
    memory->region = issue->region = region;
    count_global(issue, G_MAXUINT32, WS_SECTORS_PER_LINE); /* 32 words fill a line */
    ws_cached_row(issue);
    ws_sm_end_access(memory, deferred);
    note_pending(issue);
    return TRUE;
}

/* Kinds whose lanes do not each reach memory for themselves. */
static WsMemoryAccess access_together(WsIssue *issue, const WsDecodedProgram *program,
                                      const WsDecoded *instruction, WsWarpRegisters *warp,
                                      guint64 mask)
{
    static void (*const access[])(WsIssue *, const WsDecodedProgram *, const WsDecoded *,
                                  WsWarpRegisters *, guint64) = {
        [WS_KIND_MATRIX_LOAD] = ws_matrix_access,
        [WS_KIND_TEXTURE] = ws_texture_access,
    };
    guint32 deferred = issue->memory->outbox.deferred_count;
    access[instruction->kind](issue, program, instruction, warp, mask);
    ws_sm_end_access(issue->memory, deferred);
    note_pending(issue);
    return issue->result;
}

WsMemoryAccess ws_sm_memory_access(WsSmMemory *memory, guint64 cycle, guint32 sub_core,
                                   guint32 warp_slot, guint32 block_slot,
                                   const WsDecodedProgram *program, const WsDecoded *instruction,
                                   WsWarpRegisters *warp, guint64 mask)
{
    WsIssue issue;
    guint64 shared, local;
    memory->now = MAX(memory->now, cycle);
    ws_sm_memory_end_batch(memory, cycle);
    issue.memory = memory;
    issue.cycle = cycle;
    issue.sub_core = sub_core;
    issue.warp_slot = warp_slot;
    issue.block_slot = block_slot;
    issue.pc = (guint32)(instruction - program->instructions);
    issue.destination = instruction->d;
    issue.timing = &memory->device->timing[instruction->execution_class];
    issue.region = NULL;
    issue.access = WS_NONE;
    issue.result =
        (WsMemoryAccess){.outcome = WS_ACCESS_DONE, .ready_cycle = cycle, .level = WS_LEVEL_L1};
    if (G_UNLIKELY(instruction->kind != WS_KIND_MEMORY))
        return access_together(&issue, program, instruction, warp, mask);
    issue.operation = instruction->operation;
    ws_operand_rows_init(&issue.rows, program, instruction, warp);
    ws_lane_span(program, instruction, warp, mask, issue.operation.bytes, issue.address,
                 &issue.span);
    if (is_row(&issue) && access_row(&issue))
        return issue.result;
    if (issue.span.ascending)
        ws_fill_ascending(issue.address, memory->warp_size, issue.operation.bytes);
    find_spaces(&issue, mask, &shared, &local);
    guint64 global = mask & ~(shared | local);
    check_spaces(&issue, shared, local, global);
    if (issue.result.outcome != WS_ACCESS_FAULT) {
        access_checked(&issue, shared, local, global);
        note_pending(&issue);
    }
    return issue.result;
}

/* A barrier beyond the block: what this SM knows may be old, so L1 starts afresh. */
static void forget_lines(WsSmMemory *memory)
{
    ws_l1_drop_all(&memory->l1);
    ws_mshr_unlist_all(&memory->mshrs);
}

guint64 ws_sm_memory_membar(WsSmMemory *memory, guint64 cycle, guint32 warp_slot, guint scope)
{
    const WsDevice *device = memory->device;
    const WsWarpTraffic *traffic = &memory->warps[warp_slot];
    if (scope == WS_SCOPE_CTA)
        return ws_fence_take(&memory->fence, device, cycle, scope);
    if (traffic->deferred_stores != 0 || traffic->pending != 0)
        return G_MAXUINT64;
    ws_sm_memory_end_batch(memory, cycle);
    forget_lines(memory);
    /* It follows the warp's stores out of the SM, and comes to the port as they do. */
    guint64 port = MAX(cycle + device->l1_lookup_latency, traffic->left);
    return ws_fence_take(&memory->fence, device, port - device->l1_lookup_latency, scope);
}

gboolean ws_sm_memory_warp_busy(const WsSmMemory *memory, guint32 warp_slot)
{
    return memory->warps[warp_slot].pending != 0;
}

guint64 ws_sm_memory_drain_cycle(const WsSmMemory *memory, guint32 warp_slot)
{
    const WsWarpTraffic *traffic = &memory->warps[warp_slot];
    return traffic->deferred_stores != 0 ? G_MAXUINT64
           : traffic->left != 0          ? traffic->left + memory->device->store_drain
                                         : 0;
}

void ws_sm_memory_add_counters(const WsSmMemory *memory, WsCounters *counters)
{
    const WsSmMemoryCounters *own = &memory->counters;
    counters->global_load_requests += own->global_load_requests;
    counters->global_load_sectors += own->global_load_sectors;
    counters->global_store_requests += own->global_store_requests;
    counters->global_store_sectors += own->global_store_sectors;
    counters->shared_wavefronts += own->shared_wavefronts;
    counters->shared_bank_conflicts += own->shared_bank_conflicts;
    counters->local_load_requests += own->local_load_requests;
    counters->local_store_requests += own->local_store_requests;
    counters->texture_requests += own->texture_requests;
    counters->texture_sectors += own->texture_sectors;
    counters->l1_lookups += own->l1_lookups;
    counters->l1_hits += own->l1_hits;
}
