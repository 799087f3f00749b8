/*
 * Launches by kernels. A grid puts what it launches into a queue of device memory
 * (warpstep/device_launches.h); when it has ended, its children run, one after the other in the
 * order of their launches, each with its own children before the next, and then what it has
 * launched into cudaStreamTailLaunch. So every order that streams ask for is kept.
 */
#include "runtime/runtime.h"

#include "isa/cuda/include/warpstep/device_launches.h"

#include <stdio.h>
#include <string.h>

enum { KINDS = 2 }; /* children, and what comes behind them */

typedef struct {
    struct __ws_launch_record head;
    guint8 parameters[__WS_LAUNCH_PARAMETERS];
} Record;
G_STATIC_ASSERT(sizeof(Record) == __WS_LAUNCH_BYTES);

/* What a grid has launched. */
typedef struct {
    Record *records;
    guint count;
} Children;

static guint64 queue_of(const WsRuntime *runtime, unsigned program)
{
    for (guint i = 0; runtime->queues != NULL && i < runtime->queues->len; i++) {
        const WsLaunchQueue *queue = &g_array_index(runtime->queues, WsLaunchQueue, i);
        if (queue->program == program)
            return queue->address;
    }
    return 0;
}

cudaError_t ws_launches_prepare(WsRuntime *runtime, char **text, guint64 *ret)
{
    if (strstr(*text, __WS_LAUNCH_PREFIX) == NULL && strstr(*text, "cudaLaunchDeviceV2") == NULL)
        return cudaSuccess;
    const cudaError_t error = ws_memory_reserve(
        runtime, (gsize)(WS_MOST_PENDING + 1) * __WS_LAUNCH_BYTES, WS_MEMORY_LAUNCHES, ret);
    if (error != cudaSuccess)
        return error;
    char *more = g_strdup_printf(
        "%s\n.pragma \"warpstep: device launches at %" G_GINT64_MODIFIER "x\";\n", *text, *ret);
    g_free(*text);
    *text = more;
    return cudaSuccess;
}

void ws_launches_note(WsRuntime *runtime, unsigned program, guint64 address)
{
    const WsLaunchQueue queue = {program, address};
    if (address == 0)
        return;
    if (runtime->queues == NULL)
        runtime->queues = g_array_new(FALSE, FALSE, sizeof(WsLaunchQueue));
    g_array_append_val(runtime->queues, queue);
}

static guint8 *memory_of(WsRuntime *runtime, guint64 queue)
{
    const WsAllocation *found =
        ws_memory_find(runtime, (const void *)(gsize)queue, __WS_LAUNCH_BYTES);
    return found != NULL ? found->data : NULL;
}

cudaError_t ws_launches_open(WsRuntime *runtime, unsigned program)
{
    const guint64 queue = queue_of(runtime, program);
    if (queue == 0)
        return cudaSuccess;
    const gsize limit = runtime->limits[cudaLimitDevRuntimePendingLaunchCount];
    const guint capacity = (guint)(limit - MIN(limit, runtime->pending_launches));
    const struct __ws_launch_head head = {
        .capacity = capacity,
        .most_threads = (guint)ws_runtime_setting(runtime, "limits.threads_per_block"),
        .most_shared = (guint)ws_runtime_setting(runtime, "limits.shared_bytes_per_block_optin")};
    const cudaError_t error =
        ws_memory_fill_in(runtime, queue, (gsize)(capacity + 1) * __WS_LAUNCH_BYTES);
    if (error == cudaSuccess)
        memcpy(memory_of(runtime, queue), &head, sizeof head);
    return error;
}

/* Of a grid that has ended. Its queue has no memory then: the next grid uses it. */
static Children take(WsRuntime *runtime, guint64 queue)
{
    const guint8 *memory = memory_of(runtime, queue);
    struct __ws_launch_head head;
    memcpy(&head, memory, sizeof head);
    const guint count = MIN(head.taken, head.capacity);
    Children children = {g_memdup2(memory + __WS_LAUNCH_BYTES, (gsize)count * __WS_LAUNCH_BYTES),
                         count};
    ws_memory_empty(runtime, queue);
    return children;
}

static const warpstep_kernel *find_kernel(WsRuntime *runtime, unsigned program, guint64 number)
{
    const warpstep_kernel *kernel;
    for (unsigned i = 0; (kernel = warpstep_kernel_at(runtime->gpu, program, i)) != NULL; i++)
        if (__ws_kernel_number(kernel->symbol) == number)
            return kernel;
    return NULL;
}

static cudaError_t run_child(WsRuntime *runtime, unsigned program, Record *record)
{
    const struct __ws_launch_record *head = &record->head;
    const warpstep_kernel *kernel = find_kernel(runtime, program, head->kernel);
    if (kernel == NULL) {
        fputs("warpstep: error: a kernel launches one that is not supported or not there\n",
              stderr);
        return cudaErrorInvalidDeviceFunction;
    }
    const WsLaunchShape shape = {{head->grid[0], head->grid[1], head->grid[2]},
                                 {head->block[0], head->block[1], head->block[2]},
                                 head->shared};
    g_autofree char *name = g_strdup(kernel->symbol);
    g_autofree void **arguments = g_new0(void *, kernel->parameter_count + 1);
    for (unsigned i = 0; i < kernel->parameter_count; i++)
        arguments[i] =
            record->parameters + warpstep_parameter_at(runtime->gpu, program, name, i)->offset;
    return ws_launch_kernel(runtime, program, name, &shape, arguments, TRUE);
}

/* Of a launch that fails the others are not made, as behind any error of the device. */
void ws_launches_run(WsRuntime *runtime, unsigned program, gboolean run)
{
    const guint64 queue = queue_of(runtime, program);
    if (queue == 0)
        return;
    const Children children = take(runtime, queue);
    const guint before = runtime->pending_launches;
    guint done = 0;
    runtime->pending_launches += children.count;
    for (guint k = 0; k < KINDS; k++)
        for (guint i = 0; run && i < children.count && runtime->pending == cudaSuccess; i++) {
            Record *record = &children.records[i];
            const gboolean is_tail = record->head.stream == __WS_LAUNCH_TAIL;
            if (!record->head.is_launched || is_tail != (k == 1))
                continue;
            const cudaError_t error = run_child(runtime, program, record);
            if (error != cudaSuccess && runtime->pending == cudaSuccess)
                runtime->pending = error;
            runtime->pending_launches = before + children.count - ++done;
        }
    runtime->pending_launches = before;
    g_free(children.records);
}
