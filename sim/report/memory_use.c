#include "sim/report/memory_use.h"

#include "sim/device/memory_share.h"
#include "sim/memory/coalescer.h"

static const double NOTABLE = 1.05;

void ws_memory_use(const WsJob *job, const WsResult *result, WsMemoryUse *ret)
{
    const WsDevice *device = job->device;
    const WsCounters *total = &result->total;
    double cycles = (double)total->elapsed_cycles;
    guint64 held = 0;
    WsFairShare share;

    *ret = (WsMemoryUse){.known = device->memory_model == WS_MEMORY_CACHED,
                         .fair = device->memory_share == WS_SHARE_FAIR,
                         .sms = device->sms,
                         .of = device->memory_sms};
    if (!ret->known || cycles == 0)
        return;
    for (guint32 i = 0; i < result->launch_count; i++)
        held = MAX(held, result->launches[i].l2_held_bytes);
    ws_memory_fair_share(device, &share);
    ret->dram_taken = (double)(total->dram_read_bytes + total->dram_write_bytes) / cycles /
                      share.dram_bytes_per_cycle;
    ret->l2_taken =
        (double)(total->l2_lookups * WS_SECTOR_BYTES) / cycles / share.l2_bytes_per_cycle;
    ret->l2_held = (double)held / share.l2_bytes;
    /* The whole memory is that of all SMs. */
    double part = ret->fair ? 1 : (double)MIN(ret->sms, ret->of) / (double)ret->of;
    ret->dram_used = ret->dram_taken * part;
    ret->l2_used = ret->l2_taken * part;
}

char *ws_memory_use_share(const WsMemoryUse *use)
{
    const char *name = use->fair ? "fair" : "whole";
    return use->sms >= use->of
               ? g_strdup("whole")
               : g_strdup_printf("%s (%" G_GUINT64_FORMAT " of %" G_GUINT64_FORMAT " SMs)", name,
                                 use->sms, use->of);
}

char *ws_memory_use_warning(const WsMemoryUse *use)
{
    const struct {
        double times;
        const char *verb, *what;
    } parts[] = {
        {use->dram_taken, "took", "DRAM bandwidth"},
        {use->l2_taken, "took", "L2 bandwidth"},
        {use->l2_held, "held", "L2"},
    };
    const char *whose = use->sms == 1 ? "its" : "their";
    if (!use->known || use->fair || use->sms >= use->of)
        return NULL;
    g_autoptr(GString) out = g_string_new(NULL);
    const char *verb = "";
    for (guint i = 0; i < G_N_ELEMENTS(parts); i++) {
        if (parts[i].times < NOTABLE)
            continue;
        gboolean again = g_str_equal(verb, parts[i].verb);
        verb = parts[i].verb;
        g_string_append_printf(out, "%s%s%s%.1f times %s share of %s", out->len == 0 ? "" : ", ",
                               again ? "" : verb, again ? "" : " ", parts[i].times, whose,
                               parts[i].what);
    }
    if (out->len == 0)
        return NULL;
    return g_strdup_printf("%" G_GUINT64_FORMAT " SM%s of %" G_GUINT64_FORMAT
                           " %s; see --share fair",
                           use->sms, use->sms == 1 ? "" : "s", use->of, out->str);
}
