/* The process's runtime, its machine, and errors. */
#include "runtime/runtime.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void free_entry(gpointer entry)
{
    g_free(((WsEntry *)entry)->name);
    g_free(entry);
}

/* A process has one, as with CUDA: programs have no handle to give. */
static WsRuntime *the_runtime(void)
{
    static WsRuntime *made;
    static gsize once;
    if (g_once_init_enter(&once)) {
        made = g_new0(WsRuntime, 1);
        g_mutex_init(&made->lock);
        made->modules = g_ptr_array_new();
        made->kernels = g_hash_table_new_full(NULL, NULL, NULL, free_entry);
        made->variables = g_hash_table_new_full(NULL, NULL, NULL, free_entry);
        made->allocations = g_array_new(FALSE, TRUE, sizeof(WsAllocation));
        made->textures = g_hash_table_new_full(NULL, NULL, NULL, g_free);
        made->launches = g_ptr_array_new();
        ws_timeline_init(&made->timeline);
        made->file = -1;
        made->limits[cudaLimitStackSize] = WS_CUDA_STACK_BYTES;
        made->limits[cudaLimitMallocHeapSize] = 8 << 20;
        made->limits[cudaLimitDevRuntimePendingLaunchCount] = WS_PENDING;
        g_once_init_leave(&once, 1);
    }
    return made;
}

/* The stream in which the thread runs a graph. */
static _Thread_local struct {
    gboolean runs;
    cudaStream_t stream;
} graph;

void ws_runtime_begin_graph(cudaStream_t stream)
{
    graph.runs = TRUE;
    graph.stream = stream;
}

void ws_runtime_end_graph(void)
{
    graph.runs = FALSE;
}

WsRuntime *ws_runtime_enter_in(cudaStream_t stream)
{
    WsRuntime *runtime = the_runtime();
    g_mutex_lock(&runtime->lock);
    WsStreamClock *clock = ws_stream_clock(runtime, graph.runs ? graph.stream : stream);
    runtime->timeline.current = clock != NULL ? clock : &runtime->timeline.legacy;
    runtime->timeline.in_graph = graph.runs;
    return runtime;
}

WsRuntime *ws_runtime_enter(void)
{
    return ws_runtime_enter_in(NULL);
}

cudaError_t ws_runtime_leave(WsRuntime *runtime, cudaError_t error)
{
    if (error != cudaSuccess && error != cudaErrorNotReady)
        runtime->last = error;
    ws_timeline_end_call(&runtime->timeline);
    g_mutex_unlock(&runtime->lock);
    return error;
}

cudaError_t ws_runtime_return(cudaError_t error)
{
    return ws_runtime_leave(ws_runtime_enter(), error);
}

/* ---- the machine -------------------------------------------------------------------------------
 */

static gboolean read_sample(WsRuntime *runtime)
{
    const char *rule = getenv("WARPSTEP_SAMPLE");
    runtime->mode = WARPSTEP_SAMPLED;
    if (rule == NULL || warpstep_set_sampling(runtime->gpu, rule) == WARPSTEP_OK)
        return TRUE;
    fprintf(stderr, "warpstep: error: WARPSTEP_SAMPLE is first, every:N or nth:N, not '%s'\n",
            rule);
    return FALSE;
}

/* Processor time that launches may take, all of them. */
static gboolean read_seconds(WsRuntime *runtime)
{
    const char *text = getenv("WARPSTEP_MAX_SECONDS");
    char *end = NULL;
    if (text == NULL)
        return TRUE;
    runtime->max_seconds = runtime->seconds_left = g_ascii_strtod(text, &end);
    if (end != text && *end == '\0' && runtime->max_seconds > 0)
        return TRUE;
    fprintf(stderr, "warpstep: error: WARPSTEP_MAX_SECONDS is a number above 0, not '%s'\n", text);
    return FALSE;
}

static gboolean read_mode(WsRuntime *runtime)
{
    const char *text = getenv("WARPSTEP_MODE");
    if (text == NULL || strcmp(text, "cycle") == 0)
        runtime->mode = WARPSTEP_CYCLES;
    else if (strcmp(text, "functional") == 0)
        runtime->mode = WARPSTEP_FUNCTIONAL;
    else if (strcmp(text, "sampled") == 0)
        return read_sample(runtime);
    else
        fprintf(stderr,
                "warpstep: error: WARPSTEP_MODE is cycle, functional or sampled, not '%s'\n", text);
    return text == NULL || strcmp(text, "cycle") == 0 || strcmp(text, "functional") == 0;
}

/* Buffers are sparse: what a program allocates costs what it touches. */
warpstep_code ws_runtime_set_limits(WsRuntime *runtime)
{
    const warpstep_limits limits = {.size = sizeof limits,
                                    .max_cycles = G_MAXINT64,
                                    .max_memory = WS_DEVICE_RANGE,
                                    .max_seconds = runtime->seconds_left,
                                    .printf_bytes = runtime->limits[cudaLimitPrintfFifoSize]};
    return warpstep_set_limits(runtime->gpu, &limits);
}

gboolean ws_runtime_set_limit(WsRuntime *runtime, enum cudaLimit limit, gsize value)
{
    const gsize before = runtime->limits[limit];
    if (value == 0 && limit == cudaLimitPrintfFifoSize)
        return FALSE;
    if (limit == cudaLimitDevRuntimeSyncDepth)
        return FALSE;
    if (limit == cudaLimitDevRuntimePendingLaunchCount)
        value = CLAMP(value, WS_LEAST_PENDING, WS_MOST_PENDING);
    if (limit == cudaLimitStackSize && (value == 0 || value > WS_CUDA_STACK_MOST))
        return FALSE;
    runtime->limits[limit] = value;
    if (ws_runtime_set_limits(runtime) == WARPSTEP_OK)
        return TRUE;
    runtime->limits[limit] = before;
    return FALSE;
}

/* Between commas; those of a list, "limits.x=[1, 2]", are none. */
static GPtrArray *split_settings(const char *text)
{
    GPtrArray *settings = g_ptr_array_new_with_free_func(g_free);
    while (*text != '\0') {
        const char *end = text;
        for (gint depth = 0; *end != '\0' && (depth > 0 || *end != ','); end++)
            depth += (*end == '[') - (*end == ']');
        if (end > text)
            g_ptr_array_add(settings, g_strndup(text, (gsize)(end - text)));
        text = end + (*end == ',');
    }
    return settings;
}

/* Without time, copies take none either. Rates are in MB/s, bytes in a microsecond. */
static void read_costs_of_copies(WsRuntime *runtime)
{
    static const char *const names[WS_TRANSFERS] = {
        [WS_TRANSFER_TO_DEVICE] = "to_device",
        [WS_TRANSFER_TO_HOST] = "to_host",
        [WS_TRANSFER_PAGEABLE_TO_DEVICE] = "pageable_to_device",
        [WS_TRANSFER_PAGEABLE_TO_HOST] = "pageable_to_host",
        [WS_TRANSFER_ON_DEVICE] = "on_device",
        [WS_TRANSFER_FILL] = "fill"};
    for (guint i = 0; i < WS_TRANSFERS && runtime->mode != WARPSTEP_FUNCTIONAL; i++) {
        g_autofree char *start = g_strdup_printf("copies.%s.start_ns", names[i]);
        g_autofree char *rate = g_strdup_printf("copies.%s.rate", names[i]);
        const double megabytes = (double)ws_runtime_setting(runtime, rate);
        runtime->timeline.costs[i].start = (double)ws_runtime_setting(runtime, start) / 1e6;
        runtime->timeline.costs[i].byte = megabytes > 0 ? 1 / (megabytes * 1e3) : 0;
    }
}

static void open_machine(WsRuntime *runtime)
{
    const char *settings = getenv("WARPSTEP_SET");
    const char *policy = getenv("WARPSTEP_POLICY");
    g_autofree char *policy_setting = policy != NULL ? g_strdup_printf("policy=%s", policy) : NULL;
    g_autoptr(GPtrArray) given = split_settings(settings != NULL ? settings : "");
    if (policy_setting != NULL)
        g_ptr_array_add(given, g_steal_pointer(&policy_setting));
    g_ptr_array_add(given, NULL);
    const warpstep_code code =
        warpstep_open(getenv("WARPSTEP_DEVICE"), (const char *const *)given->pdata, &runtime->gpu);
    if (code != WARPSTEP_OK)
        fprintf(stderr, "warpstep: error: %s\n", warpstep_last_error(runtime->gpu)->text);
    if (code != WARPSTEP_OK || !read_mode(runtime) || !read_seconds(runtime) ||
        !ws_selection_begin(&runtime->selection) || !ws_report_begin(runtime) ||
        !ws_capture_begin(runtime)) {
        warpstep_close(runtime->gpu);
        runtime->gpu = NULL;
        runtime->refused = cudaErrorInitializationError;
        return;
    }
    runtime->limits[cudaLimitPrintfFifoSize] =
        (gsize)ws_runtime_setting(runtime, "limits.printf_bytes");
    ws_runtime_set_limits(runtime);
    read_costs_of_copies(runtime);
    ws_memory_watch_host();
}

warpstep *ws_runtime_machine(WsRuntime *runtime)
{
    if (runtime->gpu == NULL && runtime->refused == cudaSuccess)
        open_machine(runtime);
    return runtime->gpu;
}

cudaError_t ws_runtime_use(WsRuntime *runtime)
{
    if (ws_runtime_machine(runtime) == NULL)
        return runtime->refused;
    if (runtime->pending != cudaSuccess) {
        runtime->sticky = runtime->pending;
        runtime->pending = cudaSuccess;
    }
    return runtime->sticky;
}

cudaError_t ws_runtime_wait(WsRuntime *runtime)
{
    ws_printed_flush(runtime);
    runtime->timeline.waits = TRUE;
    return ws_runtime_use(runtime);
}

WsRuntime *ws_runtime_enter_copy(cudaStream_t stream, gboolean waits, cudaError_t *ret_error)
{
    WsRuntime *runtime = ws_runtime_enter_in(stream);
    *ret_error = waits ? ws_runtime_wait(runtime) : ws_runtime_use(runtime);
    return runtime;
}

gint64 ws_runtime_setting(WsRuntime *runtime, const char *path)
{
    const char *text = warpstep_setting(runtime->gpu, path);
    return text == NULL ? 0 : g_ascii_strtoll(text, NULL, 10);
}

/* ---- errors ------------------------------------------------------------------------------------
 */

static const struct {
    cudaError_t error;
    const char *name, *text;
} errors[] = {
#define ERROR(name, text) {name, #name, text},
#include "runtime/errors.def"
#undef ERROR
};

WS_RUNTIME_API const char *cudaGetErrorName(cudaError_t error);
WS_RUNTIME_API const char *cudaGetErrorString(cudaError_t error);
WS_RUNTIME_API cudaError_t cudaGetLastError(void);
WS_RUNTIME_API cudaError_t cudaPeekAtLastError(void);

const char *cudaGetErrorName(cudaError_t error)
{
    for (guint i = 0; i < G_N_ELEMENTS(errors); i++)
        if (errors[i].error == error)
            return errors[i].name;
    return "unrecognized error code";
}

const char *cudaGetErrorString(cudaError_t error)
{
    for (guint i = 0; i < G_N_ELEMENTS(errors); i++)
        if (errors[i].error == error)
            return errors[i].text;
    return "unrecognized error code";
}

/* An error that sticks is the last one for ever. */
static cudaError_t last_error(WsRuntime *runtime)
{
    return runtime->sticky != cudaSuccess ? runtime->sticky : runtime->last;
}

cudaError_t cudaGetLastError(void)
{
    WsRuntime *runtime = ws_runtime_enter();
    const cudaError_t error = last_error(runtime);
    runtime->last = cudaSuccess;
    g_mutex_unlock(&runtime->lock);
    return error;
}

cudaError_t cudaPeekAtLastError(void)
{
    WsRuntime *runtime = ws_runtime_enter();
    const cudaError_t error = last_error(runtime);
    g_mutex_unlock(&runtime->lock);
    return error;
}
