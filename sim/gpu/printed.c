#include "sim/gpu/printed.h"

#include "sim/gpu/stepping.h"

typedef struct {
    const WsPrintedCall *call;
    const char *text;
} Printed;

static gint compare(gconstpointer left, gconstpointer right)
{
    const WsPrintedCall *a = ((const Printed *)left)->call, *b = ((const Printed *)right)->call;

    if (a->cycle != b->cycle)
        return a->cycle < b->cycle ? -1 : 1;
    if (a->sm != b->sm)
        return a->sm < b->sm ? -1 : 1;
    if (a->slot != b->slot)
        return a->slot < b->slot ? -1 : 1;
    return (gint)a->lane - (gint)b->lane;
}

/* Calls of a log in [from, to). */
static void add_calls(GArray *calls, const WsPrintLog *log, guint64 from, guint64 to)
{
    gsize at = 0;
    Printed printed;

    while ((printed.call = ws_print_log_next(log, &at, &printed.text)) != NULL)
        if (printed.call->cycle >= from && printed.call->cycle < to)
            g_array_append_val(calls, printed);
}

/* Of the window that is open, in order; NULL: nothing. */
static GArray *calls_of_window(const WsGpuLaunch *launch, guint64 from, guint64 to)
{
    GArray *calls = NULL;

    for (guint32 i = 0; i < launch->sm_count; i++) {
        const WsPrintLog *log = &launch->sms[i]->printed;
        if (log->end == log->first)
            continue;
        if (calls == NULL)
            calls = g_array_new(FALSE, FALSE, sizeof(Printed));
        add_calls(calls, log, from, to);
    }
    if (calls != NULL)
        g_array_sort(calls, compare);
    return calls;
}

void ws_gpu_take_printed(WsGpuLaunch *launch, guint64 last)
{
    GArray *calls = calls_of_window(launch, 0, last + 1);

    if (calls == NULL)
        return;
    for (guint i = 0; i < calls->len; i++) {
        const Printed *printed = &g_array_index(calls, Printed, i);
        ws_print_log_add(&launch->printed, printed->call, printed->text);
    }
    for (guint32 i = 0; i < launch->sm_count; i++) {
        launch->printed.lost += launch->sms[i]->printed.lost;
        ws_print_log_empty(&launch->sms[i]->printed);
    }
    g_array_unref(calls);
}

void ws_simulation_printed(const WsSimulation *simulation, guint64 from, guint64 to, GString *ret)
{
    const WsResult *result = ws_simulation_result(simulation);
    const WsGpuLaunch *launch = ws_simulation_gpu_launch(simulation);
    g_autoptr(GArray) calls = g_array_new(FALSE, FALSE, sizeof(Printed));
    g_autoptr(GArray) open = NULL;

    for (guint32 i = 0; i < result->launch_count; i++)
        add_calls(calls, &result->launches[i].printed, from, to);
    if (launch != NULL && result->launch_count <= ws_simulation_launch(simulation)) {
        add_calls(calls, &launch->printed, from, to);
        open = calls_of_window(launch, from, to);
    }
    if (open != NULL)
        g_array_append_vals(calls, open->data, open->len);
    for (guint i = 0; i < calls->len; i++) {
        const Printed *printed = &g_array_index(calls, Printed, i);
        g_string_append_len(ret, printed->text, (gssize)printed->call->length);
    }
}
