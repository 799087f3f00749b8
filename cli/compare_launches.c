#include "cli/compare_launches.h"

#include "cli/captured_launch.h"
#include "inspect/profile/launch_match.h"

#include <string.h>

/* Launch files of the target: itself, or those of a program's launches, in a folder. */
typedef struct {
    GPtrArray *paths; /* of char* */
    WsTemporaryFolder *folder;
    WsJob *job; /* of the only path, loaded; NULL: of several each is loaded when it is needed */
} Source;

static void source_clear(Source *source)
{
    g_clear_pointer(&source->paths, g_ptr_array_unref);
    g_clear_pointer(&source->folder, ws_temporary_folder_free);
    g_clear_pointer(&source->job, ws_job_free);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Source, source_clear)

/* A launch of the target: where it is, and what it is called. */
typedef struct {
    guint path;     /* of the source */
    guint32 launch; /* of its job */
} Place;

/* ---- launch files -------------------------------------------------------------------------------
 */

static gboolean open_source(WsSimulationOptions *options, const char *target, Source *source,
                            GError **error)
{
    if (ws_is_whole_program(target) && options->kernel == NULL) {
        source->paths = ws_captured_launches(options, target, &source->folder, error);
        if (source->paths == NULL)
            return FALSE;
        options->arguments = NULL; /* these were for the program, and are in the launch files */
        g_clear_pointer(&options->defines, g_strfreev);
        g_clear_pointer(&options->includes, g_strfreev);
    } else {
        source->paths = g_ptr_array_new_with_free_func(g_free);
        g_ptr_array_add(source->paths, g_strdup(target));
    }
    if (source->paths->len > 1)
        return TRUE;
    source->job = ws_simulation_options_load(options, source->paths->pdata[0], error);
    return source->job != NULL;
}

/* ---- matching -----------------------------------------------------------------------------------
 */

static void clear_identity(gpointer identity)
{
    ws_launch_identity_clear(identity);
}

static void add_job(const WsJob *job, guint path, GArray *places, GArray *identities)
{
    for (guint32 i = 0; i < job->launch_count; i++) {
        const WsLaunch *launch = &job->launches[i];
        Place place = {path, i};
        WsLaunchIdentity identity = {.mangled = g_strdup(launch->kernel->name),
                                     .display_name = g_strdup(launch->kernel->display_name)};

        memcpy(identity.grid, launch->grid, sizeof identity.grid);
        memcpy(identity.block, launch->block, sizeof identity.block);
        g_array_append_val(places, place);
        g_array_append_val(identities, identity);
    }
}

static gboolean identify(WsSimulationOptions *options, const Source *source, GArray *places,
                         GArray *identities, GError **error)
{
    if (source->job != NULL) {
        add_job(source->job, 0, places, identities);
        return TRUE;
    }
    for (guint i = 0; i < source->paths->len; i++) {
        g_autoptr(WsJob) job = ws_simulation_options_load(options, source->paths->pdata[i], error);

        if (job == NULL)
            return FALSE;
        add_job(job, i, places, identities);
    }
    return TRUE;
}

/* N of --kernel NAME,N; 0: it was not given. */
static guint nth_of(const WsSimulationOptions *options)
{
    const char *comma = options->kernel != NULL ? strrchr(options->kernel, ',') : NULL;

    return comma != NULL ? (guint)MIN(g_ascii_strtoull(comma + 1, NULL, 10), G_MAXUINT) : 0;
}

/* As ws_match_launches(); the nth launch of a kernel of a program is the nth of the profile too. */
static gint *match(const WsSimulationOptions *options, const WsMeasuredProfile *profile,
                   const GArray *identities, const char *id, GError **error)
{
    const WsLaunchIdentity *all = (const WsLaunchIdentity *)(const void *)identities->data;
    guint nth = nth_of(options);
    gint place;

    if (nth == 0 || id != NULL || identities->len != 1)
        return ws_match_launches(profile, all, identities->len, id, error);
    place = ws_match_nth_launch(profile, all, nth);
    if (place >= 0)
        return g_memdup2(&place, sizeof place);
    ws_set_error(error, WS_ERROR_INPUT,
                 "the profile has fewer than %u launches of '%s'; --launch-id chooses one", nth,
                 all[0].display_name);
    return NULL;
}

/* ---- running ------------------------------------------------------------------------------------
 */

static gboolean compare_job(const WsJob *job, const WsResult *result, const GArray *places,
                            const gint *matched, guint path, const WsMeasuredProfile *profile,
                            WsCompareReport *report, GError **error)
{
    for (guint i = 0; i < places->len; i++) {
        const Place *place = &g_array_index(places, Place, i);
        WsProfileComparison *comparison;

        if (place->path != path || matched[i] < 0 || place->launch >= result->launch_count)
            continue;
        comparison = ws_profile_comparison_new(
            job, result, place->launch, ws_measured_launch(profile, (guint)matched[i]), error);
        if (comparison == NULL)
            return FALSE;
        g_ptr_array_add(report->comparisons, comparison);
    }
    return TRUE;
}

static gboolean is_wanted(const GArray *places, const gint *matched, guint path)
{
    for (guint i = 0; i < places->len; i++)
        if (g_array_index(places, Place, i).path == path && matched[i] >= 0)
            return TRUE;
    return FALSE;
}

/* Simulates the launches of a path that the profile has. `code` gets that of a run that failed. */
static gboolean run_path(WsSimulationOptions *options, Source *source, guint path,
                         const GArray *places, const gint *matched,
                         const WsMeasuredProfile *profile, WsCompareReport *report, int *code,
                         GError **error)
{
    g_autoptr(WsJob) job = g_steal_pointer(&source->job);

    if (job == NULL)
        job = ws_simulation_options_load(options, source->paths->pdata[path], error);
    if (job == NULL)
        return FALSE;
    g_autoptr(WsResult) result = ws_simulation_options_run(options, job, NULL, 0, error);
    if (result == NULL)
        return FALSE;
    *code = *code != 0 ? *code : ws_status_exit_code(result->status);
    if (report->device == NULL)
        report->device = g_strdup(job->device->name);
    return compare_job(job, result, places, matched, path, profile, report, error);
}

static void list_unmatched(const GArray *identities, const gint *matched,
                           const WsMeasuredProfile *profile, const char *id,
                           WsCompareReport *report)
{
    g_autofree gboolean *taken = g_new0(gboolean, MAX(profile->launches->len, 1));

    for (guint i = 0; i < identities->len; i++) {
        if (matched[i] >= 0)
            taken[matched[i]] = TRUE;
        else if (id == NULL)
            g_ptr_array_add(report->only_simulated,
                            g_strdup(g_array_index(identities, WsLaunchIdentity, i).display_name));
    }
    for (guint i = 0; i < profile->launches->len && id == NULL; i++)
        if (!taken[i])
            g_ptr_array_add(report->only_measured, ws_measured_launch(profile, i));
}

static gboolean compare_all(WsSimulationOptions *options, const char *target,
                            const WsMeasuredProfile *profile, const char *id,
                            WsCompareReport *report, int *code, GError **error)
{
    g_auto(Source) source = {0};
    g_autoptr(GArray) places = g_array_new(FALSE, FALSE, sizeof(Place));
    g_autoptr(GArray) identities = g_array_new(FALSE, FALSE, sizeof(WsLaunchIdentity));

    g_array_set_clear_func(identities, clear_identity);
    if (!open_source(options, target, &source, error) ||
        !identify(options, &source, places, identities, error))
        return FALSE;
    g_autofree gint *matched = match(options, profile, identities, id, error);
    if (matched == NULL)
        return FALSE;
    for (guint i = 0; i < source.paths->len; i++)
        if (is_wanted(places, matched, i) &&
            !run_path(options, &source, i, places, matched, profile, report, code, error))
            return FALSE;
    list_unmatched(identities, matched, profile, id, report);
    return TRUE;
}

int ws_compare_launches(WsSimulationOptions *options, const char *target,
                        const WsMeasuredProfile *profile, const char *id, WsCompareReport *report)
{
    GError *error = NULL;
    int code = 0;

    if (compare_all(options, target, profile, id, report, &code, &error))
        return ws_simulation_options_exit_code(options, code);
    g_ptr_array_set_size(report->comparisons, 0);
    return ws_report_error(error);
}
