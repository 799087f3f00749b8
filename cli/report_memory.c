/* What a run asked of memory. */
#include "cli/report_parts.h"

static void append_requests(WsReport *report, const char *name, guint64 requests, guint64 sectors)
{
    if (requests == 0)
        return;
    g_autofree char *remark =
        g_strdup_printf("requests, %.1f sectors of 32 bytes each (32 words in a row: 4)",
                        (double)sectors / (double)requests);
    ws_report_field(report, name, requests, remark);
}

void ws_report_memory(WsReport *report, const WsCounters *total)
{
    ws_report_heading(report, "Memory");
    append_requests(report, "global loads", total->global_load_requests,
                    total->global_load_sectors);
    append_requests(report, "global stores", total->global_store_requests,
                    total->global_store_sectors);
    if (total->local_load_requests + total->local_store_requests != 0) {
        g_autofree char *stores = ws_grouped(total->local_store_requests);
        g_autofree char *remark =
            g_strdup_printf("requests, and %s stores: spills, local arrays", stores);
        ws_report_field(report, "local loads", total->local_load_requests, remark);
    }
    append_requests(report, "texture fetches", total->texture_requests, total->texture_sectors);
    if (total->shared_wavefronts != 0) {
        g_autofree char *conflicts = ws_grouped(total->shared_bank_conflicts);
        g_autofree char *remark =
            g_strdup_printf("wavefronts, %s of them for bank conflicts", conflicts);
        ws_report_field(report, "shared memory", total->shared_wavefronts, remark);
    }
    g_autofree char *l1 = ws_percent(total->l1_hits, total->l1_lookups);
    g_autofree char *l2 = ws_percent(total->l2_hits, total->l2_lookups);
    if (total->l1_lookups != 0)
        ws_report_field_text(report, "L1 hits", l1, "of sectors looked up");
    if (total->l2_lookups != 0)
        ws_report_field_text(report, "L2 hits", l2, "of sectors looked up");
    if (total->dram_read_bytes != 0 || total->dram_write_bytes != 0) {
        g_autofree char *written = ws_grouped(total->dram_write_bytes);
        g_autofree char *remark = g_strdup_printf("bytes, and %s bytes written", written);
        ws_report_field(report, "DRAM read", total->dram_read_bytes, remark);
    }
    if (total->global_load_requests + total->global_store_requests + total->shared_wavefronts +
            total->texture_requests ==
        0)
        ws_report_add(report, "  no global or shared memory was used\n");
}
