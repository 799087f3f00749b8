#include "grade/trial/test_page.h"

/* What a timeline may hold: with it, a page takes less than two megabytes. */
enum { MOST_ISSUES = 40000, MOST_BYTES = 900000 };

enum { PART_TITLE, PART_RUN, PART_DATA, PART_TIMELINE, PARTS };

/*
 * A run that was stopped is shown up to where it stopped, on the SM where that was: there are no
 * more issues in the window than it may hold. Others are shown from their beginning.
 */
static WsTimelineRecord *record_new(const WsDevice *device, const WsTrial *shown)
{
    g_autofree gboolean *sms = g_new0(gboolean, device->sms);
    JsonNode *node = json_object_get_member(ws_trial_run_object(shown), "error");
    WsTimelineWindow window = {.sms = sms,
                               .sm_count = (guint32)device->sms,
                               .first_block = TRUE,
                               .end = G_MAXUINT64,
                               .max_issues = MOST_ISSUES,
                               .max_bytes = MOST_BYTES};
    if (node != NULL && JSON_NODE_HOLDS_OBJECT(node)) {
        JsonObject *stop = json_node_get_object(node);
        gint64 cycle = json_object_get_int_member_with_default(stop, "cycle", 0);
        gint64 sm = json_object_get_int_member_with_default(stop, "sm", -1);
        gint64 cycles = MOST_ISSUES / (gint64)MAX(device->sub_cores, 1);
        window.first = (guint64)MAX(cycle - cycles, 0);
        window.first_block = sm < 0 || (guint64)sm >= device->sms;
        if (!window.first_block)
            sms[sm] = TRUE;
    }
    return ws_timeline_record_new(&window, (guint32)device->max_warps_per_sm);
}

static void add_text(GPtrArray *parts, const char *text, const char *prefix)
{
    GString *whole = g_string_new(text);
    g_string_replace(whole, prefix, "", 0);
    g_ptr_array_add(parts, g_string_free_to_bytes(whole));
}

GPtrArray *ws_test_page_make(WsJob *job, const WsRunOptions *options, const WsTrial *shown,
                             const char *folder, GError **error)
{
    g_autoptr(WsTimelineRecord) record = record_new(job->device, shown);
    const WsObserver *observers[] = {ws_timeline_record_observer(record), NULL};
    WsRunOptions observed = *options;
    observed.observers = observers;
    g_autoptr(WsResult) result = ws_simulation_run(job, &observed, error);
    if (result == NULL)
        return NULL;
    ws_timeline_record_finish(record);
    const WsPageRun run = {.job = job, .result = result, .record = record};
    g_autoptr(WsRunPage) page = ws_run_page_new(&run);
    g_autofree char *prefix = g_strconcat(folder, "/", NULL);
    GPtrArray *parts = g_ptr_array_new_with_free_func((GDestroyNotify)g_bytes_unref);
    add_text(parts, page->title, prefix);
    add_text(parts, page->run, prefix);
    add_text(parts, page->data, prefix);
    g_ptr_array_add(parts, g_bytes_ref(page->timeline));
    return parts;
}

static char *read_text(GVariant *parts, gsize part)
{
    g_autoptr(GVariant) bytes = g_variant_get_child_value(parts, part);
    return g_utf8_make_valid(g_variant_get_data(bytes), (gssize)g_variant_get_size(bytes));
}

WsRunPage *ws_test_page_read(GVariant *parts)
{
    if (g_variant_n_children(parts) != PARTS)
        return NULL;
    g_autoptr(GVariant) timeline = g_variant_get_child_value(parts, PART_TIMELINE);
    WsRunPage *page = g_new0(WsRunPage, 1);
    page->title = read_text(parts, PART_TITLE);
    page->run = read_text(parts, PART_RUN);
    page->data = read_text(parts, PART_DATA);
    page->timeline = g_bytes_new(g_variant_get_data(timeline), g_variant_get_size(timeline));
    return page;
}
