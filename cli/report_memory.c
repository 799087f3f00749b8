/* What a run asked of memory. */
#include "cli/report_parts.h"

#include <string.h>

static void append_requests(WsReport *report, const char *name, guint64 requests, guint64 sectors)
{
    if (requests == 0)
        return;
    g_autofree char *remark =
        g_strdup_printf("requests, %.1f sectors of 32 bytes each (32 words in a row: 4)",
                        (double)sectors / (double)requests);
    ws_report_field(report, name, requests, remark);
}

/* Whose L2 and DRAM it was, and how much of a fair share was taken of them. */
static void append_share(WsReport *report, const WsMemoryUse *use)
{
    g_autofree char *share = ws_memory_use_share(use);
    const char *between = strchr(share, ' ');
    g_autofree char *name =
        between == NULL ? g_strdup(share) : g_strndup(share, (gsize)(between - share));
    g_autofree char *remark =
        use->sms >= use->of
            ? g_strdup("all SMs that they are made for are simulated")
            : g_strdup_printf("for %" G_GUINT64_FORMAT " of the %" G_GUINT64_FORMAT
                              " SMs that they are made for; %.1f times the fair share of DRAM "
                              "bandwidth, %.1f of L2 bandwidth, %.1f of L2",
                              use->sms, use->of, use->dram_taken, use->l2_taken, use->l2_held);
    if (use->known)
        ws_report_field_text(report, "L2 and DRAM", name, remark);
}

void ws_report_memory(WsReport *report, const WsCounters *total, const WsMemoryUse *use)
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
    append_share(report, use);
    if (total->global_load_requests + total->global_store_requests + total->shared_wavefronts +
            total->texture_requests ==
        0)
        ws_report_add(report, "  no global or shared memory was used\n");
}
