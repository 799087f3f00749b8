#include "study/advise/causes.h"

#include "isa/base/size.h"
#include "isa/bytecode/instruction.h"
#include "sim/occupancy/occupancy.h"

/* ---- what an instruction loses ----------------------------------------------------------------
 */

typedef struct {
    const WsInstruction *instruction;
    const WsInstructionCounters *counters;
    guint64 warp_size;
} Place;

static guint64 none(const Place *place)
{
    return 0;
}

static guint64 extra_sectors(const Place *place)
{
    return place->counters->extra_sectors;
}

static gboolean is_atomic(const WsInstruction *instruction)
{
    switch (ws_opcode_info(instruction->opcode)->execution_class) {
    case WS_CLASS_SHARED_ATOMIC:
    case WS_CLASS_SHARED_CAS:
    case WS_CLASS_GLOBAL_ATOMIC:
    case WS_CLASS_GLOBAL_REDUCTION:
        return TRUE;
    default:
        return FALSE;
    }
}

static guint64 atomic_lanes(const Place *place)
{
    return is_atomic(place->instruction) ? place->counters->lanes_on : 0;
}

static guint64 extra_wavefronts(const Place *place)
{
    return place->counters->extra_wavefronts;
}

static guint64 unused_lanes(const Place *place)
{
    guint64 all = place->counters->issued * place->warp_size;
    return all - MIN(all, place->counters->lanes_on);
}

static guint64 barrier_stalls(const Place *place)
{
    return place->counters->stalls[WS_STALL_BARRIER];
}

static guint64 fixed_stalls(const Place *place)
{
    return place->counters->stalls[WS_STALL_WAIT];
}

static guint64 fetch_stalls(const Place *place)
{
    return place->counters->stalls[WS_STALL_NO_INSTRUCTION] +
           place->counters->stalls[WS_STALL_IMC_MISS];
}

static guint64 sectors(const Place *place)
{
    return place->counters->sectors;
}

static guint64 memory_stalls(const Place *place)
{
    return place->counters->stalls[WS_STALL_LONG_SCOREBOARD] +
           place->counters->stalls[WS_STALL_LG_THROTTLE];
}

/* ---- the table --------------------------------------------------------------------------------
 */

static const struct {
    WsCause cause;
    guint64 (*loss)(const Place *);
} causes[] = {
#define CAUSE(ENUM, name, changes, what, loss, how) {{name, changes, what, how}, loss},
#include "study/advise/causes.def"
#undef CAUSE
};

const WsCause *ws_cause(WsCauseKind kind)
{
    g_return_val_if_fail(kind < WS_CAUSE_COUNT, NULL);
    return &causes[kind].cause;
}

static guint64 loss_of(WsCauseKind kind, const WsJob *job, const WsInstructionCounters *counters,
                       guint32 i)
{
    const Place place = {&job->program->instructions[i], &counters[i], job->device->warp_size};
    return causes[kind].loss(&place);
}

WsCauseLine ws_cause_line(WsCauseKind kind, const WsJob *job, const WsInstructionCounters *counters)
{
    guint32 count = job->program->instruction_count;
    g_autofree WsInstructionCounters *losses = g_new0(WsInstructionCounters, MAX(count, 1));
    WsCauseLine ret = {0};
    guint64 most = 0, all = 0;
    for (guint32 i = 0, barrier = 0; i < count; i++) {
        if (ws_is_kind(&job->program->instructions[i], WS_KIND_BARRIER))
            barrier = i;
        /* What a warp waits at a barrier is charged to the first instruction behind it. */
        losses[kind == WS_CAUSE_BARRIERS && barrier != 0 ? barrier : i].issued +=
            loss_of(kind, job, counters, i);
    }
    g_autoptr(GArray) lines = ws_line_profile(job->program, losses);
    for (guint i = 0; i < lines->len; i++) {
        const WsLineCounters *line = &g_array_index(lines, WsLineCounters, i);
        all += line->counters.issued;
        if (line->counters.issued <= most || line->file == 0)
            continue;
        most = line->counters.issued;
        ret.file = line->file;
        ret.line = line->line;
    }
    ret.share = all == 0 ? 0 : (double)most / (double)all;
    return ret;
}

/* ---- which a launch can have ------------------------------------------------------------------
 */

static gboolean blocks_wait(const WsJob *job, const WsResult *result)
{
    for (guint32 i = 0; i < result->launch_count; i++) {
        const WsOccupancyQuery query = ws_launch_occupancy_query(&job->launches[i]);
        WsOccupancy occupancy;
        ws_occupancy(job->device, &query, &occupancy);
        if (!occupancy.limiting[WS_OCCUPANCY_WARPS] &&
            ws_size_volume(job->launches[i].grid) >
                (guint64)occupancy.blocks_per_sm * job->device->sms)
            return TRUE;
    }
    return FALSE;
}

static gboolean any_loses(WsCauseKind kind, const WsJob *job, const WsResult *result)
{
    guint32 count = job->program->instruction_count;
    for (guint32 launch = 0; launch < result->launch_count; launch++)
        for (guint32 i = 0; i < count; i++)
            if (loss_of(kind, job, result->launches[launch].instructions, i) > 0)
                return TRUE;
    return FALSE;
}

gboolean ws_cause_is_possible(WsCauseKind kind, const WsJob *job, const WsResult *result)
{
    const WsCounters *total = &result->total;
    gboolean cached = job->device->memory_model == WS_MEMORY_CACHED;
    guint64 local = total->local_load_requests + total->local_store_requests;
    guint64 global = total->global_load_requests + total->global_store_requests;

    switch (kind) {
    case WS_CAUSE_BLOCKS:
        return blocks_wait(job, result);
    case WS_CAUSE_FETCH:
        return job->device->fetch_model == WS_FETCH_CACHED;
    case WS_CAUSE_BANK_CONFLICTS:
        return total->shared_bank_conflicts > 0;
    case WS_CAUSE_BANDWIDTH:
    case WS_CAUSE_CACHES:
        return cached && local + global + total->texture_requests > 0;
    case WS_CAUSE_COALESCING:
        return cached && any_loses(kind, job, result);
    default:
        return any_loses(kind, job, result);
    }
}
