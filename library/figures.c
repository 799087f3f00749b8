/* Figures of the last run. */
#include "library/machine.h"

#include "sim/base/stall.h"
#include "sim/report/json.h"

static warpstep_figures figures_of(const WsLaunchResult *launch)
{
    const WsCounters *c = &launch->counters;
    return (warpstep_figures){
#define SAME(name) .name = c->name
        SAME(cycles),
        SAME(elapsed_cycles),
        SAME(active_sm_cycles),
        SAME(warp_instructions),
        SAME(thread_instructions),
        SAME(thread_instructions_pred_on),
        SAME(branches_executed),
        SAME(branches_divergent),
        SAME(warps_launched),
        SAME(warps_diverged),
        SAME(blocks_launched),
        SAME(warp_cycles),
        SAME(global_load_requests),
        SAME(global_load_sectors),
        SAME(global_store_requests),
        SAME(global_store_sectors),
        SAME(texture_requests),
        SAME(texture_sectors),
        SAME(local_load_requests),
        SAME(local_store_requests),
        SAME(shared_wavefronts),
        SAME(shared_bank_conflicts),
        SAME(l1_lookups),
        SAME(l1_hits),
        SAME(l2_lookups),
        SAME(l2_hits),
        SAME(dram_read_bytes),
        SAME(dram_write_bytes),
#undef SAME
        .theoretical_occupancy = launch->occupancy.theoretical,
        .achieved_occupancy = launch->occupancy.achieved,
    };
}

warpstep_code ws_machine_finish(warpstep *gpu, WsResult *result)
{
    gpu->result = result;
    for (guint32 i = 0; i < result->launch_count; i++) {
        const warpstep_figures figures = figures_of(&result->launches[i]);
        g_array_append_val(gpu->figures, figures);
        ws_machine_note_printed(gpu, &result->launches[i].printed);
    }
    return ws_machine_note_end(gpu, result->status, &result->stop);
}

void ws_machine_note_printed(warpstep *gpu, const WsPrintLog *printed)
{
    WsPrintedText text = {.lost = printed->lost};
    text.text = ws_print_log_text(printed, &text.length);
    g_array_append_val(gpu->printed, text);
}

const char *warpstep_printed(warpstep *gpu, unsigned index, size_t *ret_length, uint64_t *ret_lost)
{
    const WsPrintedText none = {0};
    const WsPrintedText *found =
        index < gpu->printed->len ? &g_array_index(gpu->printed, WsPrintedText, index) : &none;
    if (ret_length != NULL)
        *ret_length = found->length;
    if (ret_lost != NULL)
        *ret_lost = found->lost;
    return found->text;
}

unsigned warpstep_launch_count(const warpstep *gpu)
{
    return gpu->figures->len;
}

const warpstep_figures *warpstep_figures_of(warpstep *gpu, unsigned index)
{
    return index < gpu->figures->len ? &g_array_index(gpu->figures, warpstep_figures, index) : NULL;
}

int warpstep_is_timed(const warpstep *gpu)
{
    return gpu->is_timed;
}

uint64_t warpstep_estimated_cycles(warpstep *gpu, unsigned index)
{
    const warpstep_figures *figures = warpstep_figures_of(gpu, index);
    return figures == NULL ? 0 : gpu->is_timed ? figures->elapsed_cycles : gpu->estimated_cycles;
}

const char *warpstep_stall_name(unsigned reason)
{
    return reason < WS_STALL_COUNT ? ws_stall_name((WsStall)reason) : NULL;
}

const char *warpstep_stall_help(unsigned reason)
{
    return reason < WS_STALL_COUNT ? ws_stall_help((WsStall)reason) : NULL;
}

uint64_t warpstep_stall_cycles(const warpstep *gpu, unsigned index, unsigned reason)
{
    return gpu->result != NULL && index < gpu->result->launch_count && reason < WS_STALL_COUNT
               ? gpu->result->launches[index].counters.stalls[reason]
               : 0;
}

const char *warpstep_json(warpstep *gpu)
{
    if (gpu->json == NULL && gpu->result != NULL)
        gpu->json = ws_report_json(gpu->job, gpu->result);
    return gpu->json;
}

warpstep_code warpstep_record_page(warpstep *gpu, int on)
{
    const warpstep_code code = ws_machine_check_idle(gpu);
    if (code == WARPSTEP_OK)
        gpu->records_page = on != 0;
    return code;
}

const char *warpstep_html(warpstep *gpu)
{
    gsize length;
    const WsPageRun run = {.job = gpu->job,
                           .result = gpu->result,
                           .record = gpu->record,
                           .opening = WS_HIGHLIGHT_COUNT};
    if (gpu->html == NULL && gpu->record != NULL && gpu->result != NULL && ws_run_page_is_built())
        gpu->html = ws_run_page_html(&run, &length);
    return gpu->html;
}
