#include "grade/trial/launch_sum.h"

#include "grade/trial/trial_report.h"
#include "sim/report/json.h"
#include "sim/report/statistics.h"

#include <json-glib/json-glib.h>
#include <string.h>

WsLaunchSum *ws_launch_sum_new(const WsCaptured *captured)
{
    WsLaunchSum *sum = g_new0(WsLaunchSum, 1);
    const char *const *settings = (const char *const *)captured->test->run->settings;
    sum->job = g_new0(WsJob, 1);
    sum->job->program = ws_program_ref(captured->program);
    sum->job->device = ws_device_load(captured->test->run->device, settings, NULL);
    sum->job->sources = ws_sources_load(captured->program);
    sum->result = g_new0(WsResult, 1);
    sum->result->status = WS_STATUS_OK;
    sum->result->warnings = g_new0(char *, 1);
    sum->memory = g_array_new(FALSE, FALSE, sizeof(WsLaunchMemory));
    return sum;
}

void ws_launch_sum_free(WsLaunchSum *sum)
{
    if (sum == NULL)
        return;
    ws_result_free(sum->result);
    ws_job_free(sum->job);
    g_array_unref(sum->memory);
    g_free(sum);
}

static void take_launch(WsLaunchSum *sum, WsJob *job)
{
    WsJob *all = sum->job;
    WsLaunchMemory memory = {.buffers = job->buffer_count};
    for (guint32 i = 0; i < job->buffer_count; i++)
        memory.bytes += job->buffers[i].bytes;
    g_array_append_val(sum->memory, memory);
    all->launches = g_renew(WsLaunch, all->launches, all->launch_count + 1);
    all->launches[all->launch_count++] = job->launches[0];
    job->launch_count = 0;
}

/* Findings name the launch that they are of. */
static void take_findings(WsResult *all, WsResult *result, guint32 launch)
{
    gboolean more = result->findings != NULL && result->findings->list->len > 0;
    if (all->findings != NULL && (!more || all->findings->list->len > 0))
        return;
    for (guint i = 0; more && i < result->findings->list->len; i++)
        ((WsCheckFinding *)result->findings->list->pdata[i])->launch = launch;
    if (all->findings != NULL)
        ws_findings_free(all->findings);
    all->findings = g_steal_pointer(&result->findings);
}

void ws_launch_sum_add(WsLaunchSum *sum, WsJob *job, WsResult *result)
{
    WsResult *all = sum->result;
    const guint32 place = sum->job->launch_count;
    take_launch(sum, job);
    take_findings(all, result, place);
    if (all->status == WS_STATUS_OK && result->status != WS_STATUS_OK) {
        all->status = result->status;
        all->stop = result->stop;
        all->stop.launch = place;
        result->stop = (WsStop){0};
    }
    if (result->launch_count != 1)
        return; /* it has not even begun */
    all->launches = g_renew(WsLaunchResult, all->launches, all->launch_count + 1);
    all->launches[all->launch_count++] = result->launches[0];
    result->launch_count = 0;
    ws_counters_add_launch(&all->total, &all->launches[all->launch_count - 1].counters);
}

/* ---- the report -------------------------------------------------------------------------------
 */

static char *member_name(const WsKernel *kernel)
{
    char *name = g_strdup(kernel->display_name);
    for (char *at = name; *at != '\0'; at++)
        if (!g_ascii_isalnum(*at))
            *at = '_';
    return name;
}

static JsonObject *object_of(JsonNode *node)
{
    return node != NULL && JSON_NODE_HOLDS_OBJECT(node) ? json_node_get_object(node) : NULL;
}

/* Of some launches of the run: shallow copies, which own nothing. */
typedef struct {
    GArray *launches, *results; /* of WsLaunch, WsLaunchResult */
    GArray *places;             /* of guint: in the run */
} Part;

static void part_free(gpointer data)
{
    Part *part = data;
    g_array_unref(part->launches);
    g_array_unref(part->results);
    g_array_unref(part->places);
    g_free(part);
}

static Part *part_new(void)
{
    Part *part = g_new0(Part, 1);
    part->launches = g_array_new(FALSE, FALSE, sizeof(WsLaunch));
    part->results = g_array_new(FALSE, FALSE, sizeof(WsLaunchResult));
    part->places = g_array_new(FALSE, FALSE, sizeof(guint));
    return part;
}

/* Numbers that are figures; lists and texts of the report are not. */
static void keep_figures(JsonObject *object)
{
    static const char *const other[] = {"lines",  "bottlenecks", "let",     "warnings", "launches",
                                        "checks", "error",       "schema",  "version",  "compiler",
                                        "status", "device",      "findings"};
    for (guint i = 0; i < G_N_ELEMENTS(other); i++)
        if (json_object_has_member(object, other[i]))
            json_object_remove_member(object, other[i]);
}

static void add_launch(JsonObject *kernel, JsonObject *launch, guint number,
                       const WsLaunchMemory *memory)
{
    g_autofree char *name = g_strdup_printf("launch_%u", number);
    json_object_ref(launch);
    keep_figures(launch);
    json_object_set_int_member(launch, "buffers", memory->buffers);
    json_object_set_int_member(launch, "buffer_bytes", (gint64)memory->bytes);
    json_object_set_object_member(kernel, name, launch);
}

/* The report of the launches as if they were all. */
static JsonObject *figures_of(const WsLaunchSum *sum, const Part *part)
{
    WsJob job = *sum->job;
    WsResult result = {.status = WS_STATUS_OK,
                       .launches = (WsLaunchResult *)(void *)part->results->data,
                       .launch_count = part->results->len,
                       .warnings = sum->result->warnings};
    job.launches = (WsLaunch *)(void *)part->launches->data;
    job.launch_count = part->launches->len;
    job.expectation_count = 0;
    for (guint i = 0; i < part->results->len; i++)
        ws_counters_add_launch(&result.total, &result.launches[i].counters);
    g_autofree char *text = ws_report_json(&job, &result);
    g_autoptr(JsonNode) root = json_from_string(text, NULL);
    JsonObject *object = json_object_ref(object_of(root));
    JsonArray *launches = json_array_ref(json_object_get_array_member(object, "launches"));
    keep_figures(object);
    json_object_set_int_member(object, "launches", part->launches->len);
    for (guint i = 0; i < json_array_get_length(launches); i++)
        add_launch(
            object, json_array_get_object_element(launches, i), i + 1,
            &g_array_index(sum->memory, WsLaunchMemory, g_array_index(part->places, guint, i)));
    json_array_unref(launches);
    return object;
}

static JsonObject *kernels_of(const WsLaunchSum *sum)
{
    g_autoptr(GHashTable) parts = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, part_free);
    JsonObject *kernels = json_object_new();
    for (guint i = 0; i < sum->job->launch_count; i++) {
        g_autofree char *name = member_name(sum->job->launches[i].kernel);
        Part *part = g_hash_table_lookup(parts, name);
        if (part == NULL) {
            part = part_new();
            g_hash_table_insert(parts, g_strdup(name), part);
        }
        g_array_append_val(part->launches, sum->job->launches[i]);
        g_array_append_val(part->places, i);
        if (i < sum->result->launch_count)
            g_array_append_val(part->results, sum->result->launches[i]);
    }
    g_autoptr(GList) names = g_list_sort(g_hash_table_get_keys(parts), (GCompareFunc)strcmp);
    for (GList *at = names; at != NULL; at = at->next)
        json_object_set_object_member(kernels, at->data,
                                      figures_of(sum, g_hash_table_lookup(parts, at->data)));
    return kernels;
}

char *ws_launch_sum_report(const WsLaunchSum *sum, const char *program, const char *folder)
{
    char *const no_writers[] = {NULL};
    g_autofree char *text = ws_trial_report_write(sum->job, sum->result, no_writers, folder);
    g_autoptr(JsonNode) root = json_from_string(text, NULL);
    JsonObject *report = object_of(root);
    JsonObject *run = json_object_get_object_member(report, "run");
    json_object_set_int_member(run, "launches", sum->job->launch_count);
    json_object_set_object_member(run, "kernels", kernels_of(sum));
    json_object_set_member(report, "program", json_from_string(program, NULL));
    return json_to_string(root, FALSE);
}
