/* The parameters of the preset studies. */
#include "isa/base/size.h"
#include "sim/device/passes.h"
#include "sim/occupancy/occupancy.h"
#include "study/plan/values.h"
#include "study/preset/preset.h"

#include <string.h>

static gboolean add(WsStudy *study, const char *name, const char *values, GError **error)
{
    char **list = ws_study_values(name, values, error);
    return list != NULL && ws_study_add(study, name, list, error);
}

static gboolean add_list(WsStudy *study, const char *name, GPtrArray *values, GError **error)
{
    g_ptr_array_add(values, NULL);
    return ws_study_add(study, name, g_strdupv((char **)values->pdata), error);
}

static void add_number(GPtrArray *values, guint64 value)
{
    g_ptr_array_add(values, g_strdup_printf("%" G_GUINT64_FORMAT, value));
}

static gboolean has_let(const WsJob *job, const char *name)
{
    for (guint32 i = 0; i < job->let_count; i++)
        if (strcmp(job->let[i].name, name) == 0)
            return TRUE;
    return FALSE;
}

static gboolean refuse(const WsJob *job, GError **error, const char *why)
{
    WsPosition position = {.file = job->path};
    ws_set_error_at(error, WS_ERROR_INPUT, &position, "%s", why);
    return FALSE;
}

static guint64 warps_of_block(const WsJob *job)
{
    guint64 threads = ws_size_volume(job->launches[0].block);
    return (threads + job->device->warp_size - 1) / job->device->warp_size;
}

static void add_text(char ***list, char *text)
{
    guint count = *list == NULL ? 0 : g_strv_length(*list);
    *list = g_renew(char *, *list, count + 2);
    (*list)[count] = text;
    (*list)[count + 1] = NULL;
}

/* An SM has so many warps at a time at most: its slots, or what the grid has for it. */
static gboolean most_warps(const WsJob *job, guint64 *ret, GError **error)
{
    guint64 blocks = 0, sms = MAX(job->device->sms, 1), step = warps_of_block(job);
    for (guint32 i = 0; i < job->launch_count; i++)
        blocks = MAX(blocks, ws_size_volume(job->launches[i].grid));
    *ret = MIN(job->device->max_warps_per_sm, (blocks + sms - 1) / sms * step);
    if (*ret >= 2 * step)
        return TRUE;
    g_autofree char *why =
        *ret == job->device->max_warps_per_sm || blocks > sms
            ? g_strdup_printf("a block has %" G_GUINT64_FORMAT " warps, and an SM holds one such "
                              "block only: smaller blocks are needed to vary its warps",
                              step)
            : g_strdup_printf("%" G_GUINT64_FORMAT " block%s on %" G_GUINT64_FORMAT
                              " SM%s: none has more than one block, of %" G_GUINT64_FORMAT
                              " warp%s, and there is nothing to vary. Give fewer SMs (--sms 1) or "
                              "more blocks",
                              blocks, blocks == 1 ? "" : "s", sms, sms == 1 ? "" : "s", step,
                              step == 1 ? "" : "s");
    return refuse(job, error, why);
}

/*
 * A launch file may say how many warps there are; else the SM gets room for fewer of its blocks,
 * with code that is the same each time.
 */
gboolean ws_preset_prepare_warps(WsStudy *study, const WsJob *job, GError **error)
{
    guint64 most = job->device->max_warps_per_sm, step = warps_of_block(job);
    g_autoptr(GPtrArray) values = g_ptr_array_new_with_free_func(g_free);
    gboolean named = has_let(job, "warps");
    if (!named && !most_warps(job, &most, error))
        return FALSE;
    if (!named)
        add_text(&study->settings, g_strdup_printf("lower.budget_warps=%" G_GUINT64_FORMAT,
                                                   job->device->max_warps_per_sm));
    for (guint64 warps = named ? 1 : step; warps <= most; warps += named ? 1 : step)
        add_number(values, warps);
    return add_list(study, named ? "warps" : "limits.warps_per_sm", values, error);
}

gboolean ws_preset_prepare_policies(WsStudy *study, const WsJob *job, GError **error)
{
    static const char *const policies[] = {WS_POLICIES(WS_POLICY_SETTING) NULL};
    (void)job;
    return ws_study_add(study, "policy", g_strdupv((char **)policies), error);
}

/* Where the grid does not follow the block: so many threads as there are now. */
static gboolean keep_threads(WsStudy *study, const WsJob *job, GError **error)
{
    g_auto(WsStudyPoint) point = {0};
    ws_study_point_init(&point, study, 0);
    g_autoptr(GPtrArray) values = g_ptr_array_new();
    for (guint i = 0; point.options.launch_values[i] != NULL; i++)
        g_ptr_array_add(values, (gpointer)point.options.launch_values[i]);
    guint32 other = job->launches[0].block[0] == 64 ? 128 : 64;
    g_autofree char *block = g_strdup_printf("block=%u", other);
    g_ptr_array_add(values, block);
    g_ptr_array_add(values, NULL);
    point.options.launch_values = (const char *const *)values->pdata;
    g_autoptr(WsJob) varied = ws_job_load(point.target, &point.options, error);
    if (varied == NULL)
        return FALSE;
    if (varied->launches[0].grid[0] != job->launches[0].grid[0])
        return TRUE; /* the grid follows the block */
    add_text(&study->launch_values,
             g_strdup_printf("grid=ceil_div(%" G_GUINT64_FORMAT ", block.x)",
                             (guint64)job->launches[0].grid[0] * job->launches[0].block[0]));
    return TRUE;
}

gboolean ws_preset_prepare_block(WsStudy *study, const WsJob *job, GError **error)
{
    const WsLaunch *launch = &job->launches[0];
    if (job->launch_count != 1 || launch->block[1] != 1 || launch->block[2] != 1 ||
        launch->grid[1] != 1 || launch->grid[2] != 1)
        return refuse(
            job, error,
            "the study 'block' takes one launch with a grid and a block of one dimension; "
            "vary others with -P block=[16,16],[32,8]");
    if (!keep_threads(study, job, error))
        return FALSE;
    static const guint sizes[] = {32, 64, 96, 128, 192, 256, 384, 512, 768, 1024};
    g_autoptr(GPtrArray) values = g_ptr_array_new_with_free_func(g_free);
    for (guint i = 0; i < G_N_ELEMENTS(sizes); i++)
        if (sizes[i] <= job->device->max_threads_per_block)
            add_number(values, sizes[i]);
    return add_list(study, "block", values, error);
}

/* Caps up to what the kernel takes without one, and none: as many as a thread may have. */
gboolean ws_preset_prepare_registers(WsStudy *study, const WsJob *job, GError **error)
{
    static const guint caps[] = {16, 20, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224};
    g_autoptr(GPtrArray) values = g_ptr_array_new_with_free_func(g_free);
    guint32 needed = 0;
    for (guint32 i = 0; i < job->launch_count; i++)
        needed = MAX(needed, job->launches[i].kernel->registers);
    for (guint i = 0; i < G_N_ELEMENTS(caps) && caps[i] <= needed; i++)
        add_number(values, caps[i]);
    if (needed < caps[0])
        g_ptr_array_set_size(values, 0);
    add_number(values, job->max_registers != 0 ? job->max_registers
                                               : job->device->max_registers_per_thread);
    return add_list(study, "maxreg", values, error);
}

/* The most dynamic shared memory that leaves room for so many blocks. */
gboolean ws_preset_prepare_shared(WsStudy *study, const WsJob *job, GError **error)
{
    const WsLaunch *launch = &job->launches[0];
    WsOccupancyQuery query = ws_launch_occupancy_query(launch);
    const guint64 least = launch->dynamic_shared_bytes, step = 1024;
    WsOccupancy result;
    g_autoptr(GPtrArray) values = g_ptr_array_new_with_free_func(g_free);
    query.carveout = -1;
    ws_occupancy(job->device, &query, &result);
    add_number(values, least);
    for (guint32 blocks = result.blocks_per_sm; blocks > 1;) {
        while (result.blocks_per_sm == blocks && query.dynamic_shared < G_MAXINT32) {
            query.dynamic_shared += step;
            ws_occupancy(job->device, &query, &result);
        }
        blocks = result.blocks_per_sm;
        if (blocks >= 1)
            add_number(values, query.dynamic_shared);
    }
    return add_list(study, "dynamic_shared_bytes", values, error);
}

static gboolean add_scaled(WsStudy *study, const char *name, guint64 value, GError **error)
{
    static const guint percents[] = {25, 50, 75, 100, 150, 200, 300, 400};
    g_autoptr(GPtrArray) values = g_ptr_array_new_with_free_func(g_free);
    for (guint i = 0; i < G_N_ELEMENTS(percents); i++)
        add_number(values, MAX(value * percents[i] / 100, 2));
    return add_list(study, name, values, error);
}

/* All of memory behind L1 becomes faster or slower in the same proportion. */
gboolean ws_preset_prepare_latency(WsStudy *study, const WsJob *job, GError **error)
{
    const WsDevice *device = job->device;
    if (study->parameters->len > 0)
        return refuse(job, error, "the study 'latency' takes no additional parameters");
    if (device->memory_model == WS_MEMORY_FIXED)
        return add_scaled(study, "classes.global_load.latency",
                          device->classes[WS_CLASS_GLOBAL_LOAD].latency, error);
    study->design = WS_DESIGN_ZIP;
    return add_scaled(study, "memory.dram.latency", device->dram_latency, error) &&
           add_scaled(study, "memory.l2.near_latency", device->l2_near_latency, error) &&
           add_scaled(study, "memory.l2.far_latency", device->l2_far_latency, error);
}

gboolean ws_preset_prepare_divergence(WsStudy *study, const WsJob *job, GError **error)
{
    return has_let(job, "taken")
               ? add(study, "taken", "0..32", error)
               : refuse(job, error,
                        "the study 'divergence' needs a value `taken` in `let`: the number of "
                        "lanes of a warp that take one side (see the workload "
                        "lanes_taken)");
}

gboolean ws_preset_prepare_stride(WsStudy *study, const WsJob *job, GError **error)
{
    return has_let(job, "stride") ? add(study, "stride", "1,2,3,4,5,6,7,8,12,16,32", error)
                                  : refuse(job, error,
                                           "the study 'stride' needs a value `stride` in `let`: "
                                           "the stride between lanes (see the workload stride)");
}

/* Numbers of values that divide 240: the work is then the same (workloads/register_cliff). */
gboolean ws_preset_prepare_cliff(WsStudy *study, const WsJob *job, GError **error)
{
    for (guint i = 0; job->defines != NULL && job->defines[i] != NULL; i++)
        if (g_str_has_prefix(job->defines[i], "VALUES="))
            return add(study, "define.VALUES", "16,20,24,30,40", error);
    return refuse(job, error,
                  "the study 'cliff' needs a macro VALUES in compile.define: the number of live "
                  "values of a thread");
}

/*
 * All sizes that there are, if no kernel names lanes (such run with 32 only), on the pipes that the
 * device has: a machine that widens with its warps would answer what more lanes are good for.
 */
gboolean ws_preset_prepare_warp_size(WsStudy *study, const WsJob *job, GError **error)
{
    for (guint32 i = 0; i < job->launch_count; i++)
        if (job->launches[i].kernel->names_lanes)
            return refuse(job, error,
                          "a kernel names lanes, as shuffles, votes and __syncwarp() do, and runs "
                          "with warps of 32 only");
    add_text(&study->settings,
             g_strdup_printf("pipe_lanes=%" G_GUINT64_FORMAT, ws_pipe_lanes(job->device)));
    return add(study, "warp_size", "8,16,32,64", error);
}

gboolean ws_preset_prepare_schedulers(WsStudy *study, const WsJob *job, GError **error)
{
    (void)job;
    return add(study, "sub_cores", "1,2,4,8", error);
}

/* The carve-out takes from L1 what it gives to shared memory. */
gboolean ws_preset_prepare_l1(WsStudy *study, const WsJob *job, GError **error)
{
    (void)job;
    return add(study, "carveout", "0..100:10", error);
}
