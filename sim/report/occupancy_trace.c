#include "sim/report/occupancy_trace.h"

#include "isa/base/error.h"
#include "sim/base/number_list.h"

#include <string.h>

typedef struct {
    guint64 cycle;
    gint64 change; /* in warps */
} Change;

struct WsOccupancyTrace {
    GPtrArray *sms; /* by SM: GArray of Change, or NULL if not asked for */
    WsObserver observer;
};

/* ---- the list of SMs ---------------------------------------------------------------------------
 */

static void unref_array(gpointer array)
{
    if (array != NULL)
        g_array_unref(array);
}

static gboolean add_sms(WsOccupancyTrace *trace, guint32 from, guint32 to, GError **error)
{
    if (to >= trace->sms->len) {
        ws_set_error(error, WS_ERROR_USAGE, "--occupancy-sms: no SM %u, the device has SMs 0 to %u",
                     to, trace->sms->len - 1);
        return FALSE;
    }
    for (guint32 i = from; i <= to; i++)
        if (trace->sms->pdata[i] == NULL)
            trace->sms->pdata[i] = g_array_new(FALSE, FALSE, sizeof(Change));
    return TRUE;
}

static gboolean read_list(WsOccupancyTrace *trace, const char *text, GError **error)
{
    g_autoptr(GArray) list = ws_number_list_parse(text);

    if (list == NULL) {
        g_autofree char *shown = ws_printable(text);
        ws_set_error(error, WS_ERROR_USAGE, "--occupancy-sms: '%s' is no list of SMs such as 0-3,7",
                     shown);
        return FALSE;
    }
    for (guint i = 0; i < list->len; i++) {
        const WsNumberRange *range = &g_array_index(list, WsNumberRange, i);

        if (!add_sms(trace, range->from, range->to, error))
            return FALSE;
    }
    return TRUE;
}

/* ---- events ------------------------------------------------------------------------------------
 */

static void note(void *data, const WsTraceEvent *event)
{
    const WsOccupancyTrace *trace = data;
    GArray *changes = trace->sms->pdata[event->sm];
    gboolean begins = event->kind == WS_TRACE_BLOCK_BEGIN;
    Change change = {begins ? event->block_begin.since : event->cycle,
                     begins ? (gint64)event->block_begin.warps : -1};

    if (changes != NULL)
        g_array_append_val(changes, change);
}

/* ---- life --------------------------------------------------------------------------------------
 */

WsOccupancyTrace *ws_occupancy_trace_new(const char *list, guint32 sm_count, GError **error)
{
    g_autoptr(WsOccupancyTrace) trace = g_new0(WsOccupancyTrace, 1);

    trace->sms = g_ptr_array_new_with_free_func(unref_array);
    g_ptr_array_set_size(trace->sms, (gint)sm_count);
    trace->observer = (WsObserver){
        .data = trace, .kinds = WS_TRACE_BIT(BLOCK_BEGIN) | WS_TRACE_BIT(WARP_END), .event = note};
    if (list == NULL ? !add_sms(trace, 0, sm_count - 1, error) : !read_list(trace, list, error))
        return NULL;
    return g_steal_pointer(&trace);
}

void ws_occupancy_trace_free(WsOccupancyTrace *trace)
{
    if (trace == NULL)
        return;
    g_ptr_array_unref(trace->sms);
    g_free(trace);
}

const WsObserver *ws_occupancy_trace_observer(WsOccupancyTrace *trace)
{
    return &trace->observer;
}

/* ---- output ------------------------------------------------------------------------------------
 */

static gint compare_cycles(gconstpointer a, gconstpointer b)
{
    const Change *x = a, *y = b;

    return x->cycle < y->cycle ? -1 : x->cycle > y->cycle;
}

/* An SM may be told of the start of a block late, so its events are not quite in order. */
static void append_sm(GString *out, guint sm, const GArray *changes)
{
    g_autoptr(GArray) sorted = g_array_sized_new(FALSE, FALSE, sizeof(Change), changes->len);
    gint64 warps = 0, shown = 0;

    if (changes->len != 0)
        g_array_append_vals(sorted, changes->data, changes->len);
    g_array_sort(sorted, compare_cycles);
    for (guint i = 0; i < sorted->len; i++) {
        const Change *change = &g_array_index(sorted, Change, i);

        warps += change->change;
        if (warps == shown || (i + 1 < sorted->len && change[1].cycle == change->cycle))
            continue;
        g_string_append_printf(out, "%u,%" G_GUINT64_FORMAT ",%" G_GINT64_FORMAT "\n", sm,
                               change->cycle, warps);
        shown = warps;
    }
}

char *ws_occupancy_trace_csv(const WsOccupancyTrace *trace)
{
    GString *out = g_string_new("sm,cycle,warps\n");

    for (guint i = 0; i < trace->sms->len; i++)
        if (trace->sms->pdata[i] != NULL)
            append_sm(out, i, trace->sms->pdata[i]);
    return g_string_free(out, FALSE);
}
