#include "study/advise/variants.h"

#include "isa/base/size.h"

#include <string.h>

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
    WsVariant variant = {.what = what,
                         .how = g_strdup(how),
                         .possible = possible,
                         .cause = WS_CAUSE_NONE,
                         .study = copy_of(study)};
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

static void add_causes(GArray *variants, const WsStudy *study, const WsJob *job,
                       const WsResult *result)
{
    for (guint kind = 0; kind < WS_CAUSE_COUNT; kind++) {
        const WsCause *cause = ws_cause(kind);
        WsVariant *variant;
        if (!ws_cause_is_possible(kind, job, result))
            continue;
        variant = add(variants, study, cause->changes, g_strdup(cause->what), cause->how, FALSE);
        if (variant != NULL)
            variant->cause = kind;
    }
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
    add_causes(variants, study, job, result);
    add_blocks(variants, study, job);
    add_registers(variants, study, job);
    add_policies(variants, study, job);
    return variants;
}
