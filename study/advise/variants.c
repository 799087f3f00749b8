#include "study/advise/variants.h"

#include "isa/base/size.h"
#include "sim/occupancy/occupancy.h"

#include <string.h>

/* What the settings allow. */
enum { MOST_WARPS = 64, MOST_REGISTERS = 1 << 20, MOST_SHARED = 1 << 20 };

static void clear_variant(gpointer data)
{
    WsVariant *variant = data;
    g_free(variant->what);
    g_free(variant->how);
    g_clear_pointer(&variant->study, ws_study_free);
}

static WsStudy *copy_of(const WsStudy *study)
{
    WsStudy *copy = ws_study_new(study->target);
    copy->device = g_strdup(study->device);
    copy->settings = g_strdupv(study->settings);
    copy->launch_values = g_strdupv(study->launch_values);
    copy->defines = g_strdupv(study->defines);
    copy->max_registers = study->max_registers;
    copy->max_cycles = study->max_cycles;
    return copy;
}

/* One change: "NAME=VALUE;NAME=VALUE". Left out if a name is not there. */
static WsVariant *add(GArray *variants, const WsStudy *study, const char *changes, char *what,
                      const char *how, gboolean possible)
{
    WsVariant variant = {
        .what = what, .how = g_strdup(how), .possible = possible, .study = copy_of(study)};
    g_auto(GStrv) parts = g_strsplit(changes, ";", -1);
    for (char **part = parts; *part != NULL; part++) {
        char *equals = strchr(*part, '=');
        *equals = '\0';
        char *values[] = {equals + 1, NULL};
        if (!ws_study_add(variant.study, *part, g_strdupv(values), NULL)) {
            clear_variant(&variant);
            return NULL;
        }
    }
    g_array_append_val(variants, variant);
    return &g_array_index(variants, WsVariant, variants->len - 1);
}

/* ---- the machine ------------------------------------------------------------------------------
 */

static void add_machine(GArray *variants, const WsStudy *study, const WsJob *job,
                        const WsResult *result)
{
    const WsDevice *device = job->device;
    const WsCounters *total = &result->total;
    if (device->memory_model == WS_MEMORY_CACHED &&
        total->global_load_requests + total->global_store_requests > 0)
        add(variants, study, "memory.model=fixed", g_strdup("ideal memory"),
            "every access as fast as an L1 hit: the total cost of memory; not possible, but fewer, "
            "wider and coalesced accesses come closer",
            FALSE);
    if (total->shared_bank_conflicts > 0)
        add(variants, study, "memory.shared.conflicts=off", g_strdup("no bank conflicts"),
            "pad the rows of shared memory, or change the data layout", TRUE);
    if (device->fetch_model == WS_FETCH_CACHED)
        add(variants, study, "fetch.model=ideal", g_strdup("perfect fetch"),
            "instructions and constants are always available: not possible; larger launches and "
            "smaller loops come closer",
            FALSE);
}

static guint64 twice(guint64 value, guint64 most)
{
    return MIN(2 * value, most);
}

/* The sizes of the shared part, and twice the largest, as a value of the setting. */
static char *more_carveouts(const WsDevice *device)
{
    const WsList *sizes = &device->shared_carveouts;
    GString *text = g_string_new("[");
    guint64 largest = device->shared_bytes_per_sm;
    for (guint32 i = 0; i < sizes->count; i++) {
        g_string_append_printf(text, "%" G_GUINT64_FORMAT ",", (guint64)sizes->value[i]);
        largest = MAX(largest, (guint64)sizes->value[i]);
    }
    g_string_append_printf(text, "%" G_GUINT64_FORMAT "]", twice(largest, MOST_SHARED));
    return g_string_free(text, FALSE);
}

/* The same code on an SM with room for twice as many blocks, where something keeps them out. */
static void add_room(GArray *variants, const WsStudy *study, const WsJob *job)
{
    const WsDevice *d = job->device;
    WsOccupancy occupancy;
    const WsLaunch *launch = &job->launches[0];
    const WsOccupancyQuery query = ws_launch_occupancy_query(launch);
    ws_occupancy(d, &query, &occupancy);
    guint64 blocks = ws_size_volume(launch->grid);
    if (blocks <= (guint64)occupancy.blocks_per_sm * d->sms || occupancy.warps_per_sm >= MOST_WARPS)
        return; /* no block waits for room, or an SM can hold no more */
    g_autofree char *carveouts = more_carveouts(d);
    g_autofree char *room = g_strdup_printf(
        "lower.budget_warps=%" G_GUINT64_FORMAT ";lower.budget_registers=%" G_GUINT64_FORMAT
        ";limits.registers_per_sm=%" G_GUINT64_FORMAT ";limits.warps_per_sm=%" G_GUINT64_FORMAT
        ";limits.blocks_per_sm=%" G_GUINT64_FORMAT ";limits.shared_bytes_per_sm=%" G_GUINT64_FORMAT
        ";limits.shared_carveouts=%s;memory.l1.unified_bytes=%" G_GUINT64_FORMAT,
        d->max_warps_per_sm, d->registers_per_sm, twice(d->registers_per_sm, MOST_REGISTERS),
        twice(d->max_warps_per_sm, MOST_WARPS), twice(d->max_blocks_per_sm, MOST_WARPS),
        twice(d->shared_bytes_per_sm, MOST_SHARED), carveouts,
        d->unified_bytes + d->shared_bytes_per_sm);
    add(variants, study, room, g_strdup("more warps: an SM with twice the resources"),
        "twice the registers, shared memory and slots: not possible on this device; fewer "
        "registers (maxreg) or less shared memory come closer",
        FALSE);
}

/* ---- the launch -------------------------------------------------------------------------------
 */

static void add_registers(GArray *variants, const WsStudy *study, const WsJob *job)
{
    static const guint caps[] = {32, 40, 64, 80, 128};
    guint32 needed = job->launches[0].kernel->registers;
    const char *path = job->program->path;
    if (path == NULL || (!g_str_has_suffix(path, ".cu") && !g_str_has_suffix(path, ".ptx")))
        return;
    for (guint i = 0; i < G_N_ELEMENTS(caps); i++) {
        if (caps[i] >= needed)
            break;
        g_autofree char *change = g_strdup_printf("maxreg=%u", caps[i]);
        add(variants, study, change, g_strdup_printf("at most %u registers a thread", caps[i]),
            "compile with this limit, or with launch bounds", TRUE);
    }
}

/* As many threads in all; the launch must be one of one dimension. */
static void add_blocks(GArray *variants, const WsStudy *study, const WsJob *job)
{
    static const guint sizes[] = {64, 128, 256, 512, 1024};
    const WsLaunch *launch = &job->launches[0];
    if (job->launch_count != 1 || launch->block[1] * launch->block[2] != 1 ||
        launch->grid[1] * launch->grid[2] != 1)
        return;
    guint64 threads = (guint64)launch->grid[0] * launch->block[0];
    for (guint i = 0; i < G_N_ELEMENTS(sizes); i++) {
        if (sizes[i] == launch->block[0] || threads % sizes[i] != 0 ||
            sizes[i] > job->device->max_threads_per_block)
            continue;
        g_autofree char *change =
            g_strdup_printf("block=%u;grid=%" G_GUINT64_FORMAT, sizes[i], threads / sizes[i]);
        WsVariant *variant =
            add(variants, study, change, g_strdup_printf("blocks of %u threads", sizes[i]),
                "the same total number of threads; the kernel must support it", TRUE);
        if (variant != NULL)
            variant->launch = TRUE;
    }
}

static void add_policies(GArray *variants, const WsStudy *study, const WsJob *job)
{
    static const char *const policies[] = {WS_POLICIES(WS_POLICY_SETTING) NULL};
    for (guint i = 0; policies[i] != NULL; i++) {
        if (i == job->device->policy)
            continue;
        g_autofree char *change = g_strconcat("policy=", policies[i], NULL);
        WsVariant *variant = add(variants, study, change, g_strconcat("policy ", policies[i], NULL),
                                 "the scheduler of a device cannot be chosen", FALSE);
        if (variant != NULL)
            variant->fair = i == WS_POLICY_LRR;
    }
}

GArray *ws_variants(const WsStudy *study, const WsJob *job, const WsResult *result)
{
    GArray *variants = g_array_new(FALSE, FALSE, sizeof(WsVariant));
    g_array_set_clear_func(variants, clear_variant);
    add_machine(variants, study, job, result);
    add_room(variants, study, job);
    add_blocks(variants, study, job);
    add_registers(variants, study, job);
    add_policies(variants, study, job);
    return variants;
}
