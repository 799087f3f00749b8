/* Launches: kernel<<<grid, block, shared, stream>>>(...) and what programs ask of kernels. */
#include "runtime/runtime.h"
#include "runtime/stream_capture.h"

#include <stdio.h>
#include <string.h>

WS_RUNTIME_API unsigned int __cudaPushCallConfiguration(WsDim3 grid, WsDim3 block, size_t shared,
                                                        void *stream);
WS_RUNTIME_API cudaError_t __cudaPopCallConfiguration(WsDim3 *grid, WsDim3 *block, size_t *shared,
                                                      void *stream);
WS_RUNTIME_API cudaError_t cudaLaunchKernel(const void *function, WsDim3 grid, WsDim3 block,
                                            void **arguments, size_t shared, cudaStream_t stream);
WS_RUNTIME_API cudaError_t cudaLaunchCooperativeKernel(const void *function, WsDim3 grid,
                                                       WsDim3 block, void **arguments,
                                                       size_t shared, cudaStream_t stream);
WS_RUNTIME_API cudaError_t cudaFuncSetCacheConfig(const void *function, enum cudaFuncCache config);
WS_RUNTIME_API cudaError_t cudaFuncSetSharedMemConfig(const void *function,
                                                      enum cudaSharedMemConfig config);
WS_RUNTIME_API cudaError_t cudaFuncSetAttribute(const void *function,
                                                enum cudaFuncAttribute attribute, int value);
WS_RUNTIME_API cudaError_t cudaFuncGetAttributes(struct cudaFuncAttributes *ret,
                                                 const void *function);
WS_RUNTIME_API cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *ret,
                                                                         const void *function,
                                                                         int block_size,
                                                                         size_t shared);
WS_RUNTIME_API cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(
    int *ret, const void *function, int block_size, size_t shared, unsigned int flags);
WS_RUNTIME_API cudaError_t cudaOccupancyMaxPotentialBlockSize(int *ret_grid, int *ret_block,
                                                              const void *function, size_t shared,
                                                              int limit);

/* ---- what stands between <<< and >>> ----------------------------------------------------------
 */

typedef struct {
    WsDim3 grid, block;
    size_t shared;
    void *stream;
} Configuration;

/* Of a launch whose arguments are being computed: they may launch as well. */
enum { MAX_NESTED = 16 };
static _Thread_local Configuration pushed[MAX_NESTED];
static _Thread_local guint pushed_count;

unsigned int __cudaPushCallConfiguration(WsDim3 grid, WsDim3 block, size_t shared, void *stream)
{
    if (pushed_count == MAX_NESTED)
        return 1;
    pushed[pushed_count++] = (Configuration){grid, block, shared, stream};
    return 0;
}

cudaError_t __cudaPopCallConfiguration(WsDim3 *grid, WsDim3 *block, size_t *shared, void *stream)
{
    if (pushed_count == 0)
        return cudaErrorMissingConfiguration;
    const Configuration *top = &pushed[--pushed_count];
    *grid = top->grid;
    *block = top->block;
    *shared = top->shared;
    memcpy(stream, &top->stream, sizeof top->stream);
    return cudaSuccess;
}

/* ---- launches ----------------------------------------------------------------------------------
 */

static cudaError_t find_kernel(WsRuntime *runtime, const void *function, const WsEntry **ret)
{
    const WsEntry *entry = g_hash_table_lookup(runtime->kernels, function);
    *ret = entry;
    return entry == NULL ? cudaErrorInvalidDeviceFunction : ws_module_load(runtime, entry->module);
}

static void tell(WsRuntime *runtime)
{
    const warpstep_error *error = warpstep_last_error(runtime->gpu);
    /* The library knows what was left for this launch, and nothing of the others. */
    if (error->code == WARPSTEP_LIMIT && runtime->max_seconds > 0)
        fprintf(stderr,
                "warpstep: error: the launches took %g seconds of processor time, as many as "
                "WARPSTEP_MAX_SECONDS allows\n",
                runtime->max_seconds);
    else
        fprintf(stderr, "warpstep: error: %s\n%s", error->text,
                error->details != NULL ? error->details : "");
}

/* Of a launch that stopped: CUDA tells it at the next call that waits. */
static cudaError_t error_of_run(const warpstep_error *error)
{
    if (error->code != WARPSTEP_FAULT)
        return error->code == WARPSTEP_INTERNAL ? cudaErrorUnknown : cudaErrorLaunchTimeout;
    if (error->fault == NULL)
        return cudaErrorLaunchFailure;
    if (strcmp(error->fault, "out of bounds") == 0)
        return cudaErrorIllegalAddress;
    if (strcmp(error->fault, "misaligned") == 0)
        return cudaErrorMisalignedAddress;
    return strcmp(error->fault, "assertion failed") == 0 ? cudaErrorAssert : cudaErrorLaunchFailure;
}

/* Of a launch that was not made, as CUDA's runtime has them. */
static cudaError_t error_of_launch(WsRuntime *runtime, const warpstep_launch *launch)
{
    const guint64 threads = (guint64)launch->block[0] * launch->block[1] * launch->block[2];
    const gint64 most = ws_runtime_setting(runtime, "limits.threads_per_block");
    const warpstep_kernel *kernel =
        warpstep_find_kernel(runtime->gpu, launch->program, launch->kernel);
    const gint64 registers = ws_runtime_setting(runtime, "limits.registers_per_block");
    if (kernel == NULL)
        return cudaErrorInvalidDeviceFunction;
    if (threads != 0 && (gint64)threads <= most &&
        (gint64)(threads * kernel->registers) > registers)
        return cudaErrorLaunchOutOfResources;
    return cudaErrorInvalidConfiguration;
}

/* That of CUDA's own size is what a launch has that says nothing. */
static unsigned stack_bytes_of(const WsRuntime *runtime)
{
    gsize bytes = runtime->limits[cudaLimitStackSize];
    return bytes == WS_CUDA_STACK_BYTES ? 0 : (unsigned)bytes;
}

/* Blocks that an SM holds; 0: none. */
static unsigned blocks_of_kernel(WsRuntime *runtime, unsigned program, const char *kernel,
                                 gint64 block_size, gsize shared)
{
    unsigned blocks = 0;
    if (block_size < 1 || shared > G_MAXINT32 ||
        warpstep_occupancy(runtime->gpu, program, kernel, (unsigned)block_size, (unsigned)shared,
                           &blocks) != WARPSTEP_OK)
        return 0;
    return blocks;
}

static unsigned blocks_of(WsRuntime *runtime, const WsEntry *entry, gint64 block_size, gsize shared)
{
    return blocks_of_kernel(runtime, entry->module->program, entry->name, block_size, shared);
}

/* The launch that was run, on the timeline. */
static void note_time(WsRuntime *runtime, const warpstep_launch *launch)
{
    const double khz = (double)ws_runtime_setting(runtime, "clock_khz");
    const guint64 cycles = warpstep_estimated_cycles(runtime->gpu, 0);
    const gint64 threads = (gint64)launch->block[0] * launch->block[1] * launch->block[2];
    const double blocks = (double)launch->grid[0] * launch->grid[1] * launch->grid[2];
    const double room = (double)ws_runtime_setting(runtime, "sms") *
                        blocks_of_kernel(runtime, launch->program, launch->kernel, threads,
                                         launch->dynamic_shared_bytes);
    if (khz > 0)
        ws_timeline_launch(&runtime->timeline, (double)cycles / khz,
                           room > blocks ? blocks / room : 1);
}

/* Runs what waits, with all that is told of it. */
static void run(WsRuntime *runtime, const warpstep_launch *launch, const warpstep_kernel *kernel,
                const WsLaunchShape *shape)
{
    runtime->launch_number++;
    const gboolean selected = ws_selection_take(runtime, launch->program, kernel);
    if (selected)
        ws_capture_launch(runtime, kernel->name);
    if (ws_run_launch(runtime, kernel->name) != WARPSTEP_OK) {
        tell(runtime);
        runtime->pending = error_of_run(warpstep_last_error(runtime->gpu));
    }
    ws_printed_take(runtime);
    note_time(runtime, launch);
    ws_report_launch(runtime, kernel->name, shape->grid, shape->block, selected);
}

cudaError_t ws_launch_kernel(WsRuntime *runtime, unsigned program, const char *name,
                             const WsLaunchShape *shape, void **arguments, gboolean by_kernel)
{
    const warpstep_kernel *kernel = warpstep_find_kernel(runtime->gpu, program, name);
    const warpstep_launch wanted = {.size = sizeof wanted,
                                    .program = program,
                                    .kernel = name,
                                    .grid = {shape->grid.x, shape->grid.y, shape->grid.z},
                                    .block = {shape->block.x, shape->block.y, shape->block.z},
                                    .dynamic_shared_bytes =
                                        (unsigned)MIN(shape->shared, G_MAXINT32),
                                    .stack_bytes = stack_bytes_of(runtime),
                                    .arguments = (const void *const *)arguments,
                                    .argument_count = kernel != NULL ? kernel->parameter_count : 0};
    const gint64 shared = ws_runtime_setting(runtime, "limits.shared_bytes_per_block_optin");
    if (shape->shared > (gsize)shared)
        return cudaErrorInvalidValue;
    if (!by_kernel)
        ws_printed_flush(runtime);
    const cudaError_t error = ws_launches_open(runtime, program);
    if (error != cudaSuccess)
        return error;
    if (kernel == NULL || warpstep_enqueue(runtime->gpu, &wanted) != WARPSTEP_OK) {
        tell(runtime);
        ws_launches_run(runtime, program, FALSE);
        return error_of_launch(runtime, &wanted);
    }
    run(runtime, &wanted, kernel, shape);
    ws_launches_run(runtime, program, runtime->pending == cudaSuccess);
    return cudaSuccess;
}

static cudaError_t launch(WsRuntime *runtime, const void *function, const Configuration *how,
                          void **arguments)
{
    const WsEntry *entry = NULL;
    cudaError_t error = ws_runtime_machine(runtime) == NULL ? runtime->refused : runtime->sticky;
    if (error == cudaSuccess && runtime->pending != cudaSuccess)
        error = ws_runtime_use(runtime); /* CUDA's launches find out that an earlier one failed */
    if (error == cudaSuccess)
        error = find_kernel(runtime, function, &entry);
    if (error != cudaSuccess)
        return error;
    return ws_launch_kernel(runtime, entry->module->program, entry->name,
                            &(WsLaunchShape){how->grid, how->block, how->shared}, arguments, FALSE);
}

/* In a captured stream. */
static cudaError_t capture(WsCapturing *capturing, const void *function, const Configuration *how,
                           void **arguments, gboolean cooperative)
{
    const WsKernelNode kernel = {.function = function,
                                 .grid = how->grid,
                                 .block = how->block,
                                 .shared = (unsigned)MIN(how->shared, G_MAXINT32),
                                 .arguments = arguments};
    const cudaError_t error = ws_stream_capture_kernel(capturing, &kernel, cooperative);
    return ws_runtime_return(error);
}

cudaError_t cudaLaunchKernel(const void *function, WsDim3 grid, WsDim3 block, void **arguments,
                             size_t shared, cudaStream_t stream)
{
    WsCapturing *capturing = ws_stream_capturing(stream);
    const Configuration how = {grid, block, shared, stream};
    if (capturing != NULL)
        return capture(capturing, function, &how, arguments, FALSE);
    WsRuntime *runtime = ws_runtime_enter_in(stream);
    return ws_runtime_leave(runtime, launch(runtime, function, &how, arguments));
}

/* ---- what programs ask of kernels --------------------------------------------------------------
 */

static cudaError_t use_kernel(WsRuntime *runtime, const void *function, const WsEntry **ret)
{
    const cudaError_t error = ws_runtime_use(runtime);
    return error != cudaSuccess ? error : find_kernel(runtime, function, ret);
}

static cudaError_t describe_kernel(WsRuntime *runtime, const void *function,
                                   const warpstep_kernel **ret)
{
    const WsEntry *entry = NULL;
    const cudaError_t error = use_kernel(runtime, function, &entry);
    if (error != cudaSuccess)
        return error;
    *ret = warpstep_find_kernel(runtime->gpu, entry->module->program, entry->name);
    return *ret == NULL ? cudaErrorInvalidDeviceFunction : cudaSuccess;
}

/* All blocks must be on the machine at the same time. */
cudaError_t cudaLaunchCooperativeKernel(const void *function, WsDim3 grid, WsDim3 block,
                                        void **arguments, size_t shared, cudaStream_t stream)
{
    WsCapturing *capturing = ws_stream_capturing(stream);
    const Configuration how = {grid, block, shared, stream};
    const WsEntry *entry = NULL;
    if (capturing != NULL)
        return capture(capturing, function, &how, arguments, TRUE);
    WsRuntime *runtime = ws_runtime_enter_in(stream);
    cudaError_t error = use_kernel(runtime, function, &entry);
    if (error == cudaSuccess) {
        const guint64 room =
            blocks_of(runtime, entry, (gint64)block.x * block.y * block.z, shared) *
            (guint64)ws_runtime_setting(runtime, "sms");
        if (room > 0 && (guint64)grid.x * grid.y * grid.z > room)
            error = cudaErrorCooperativeLaunchTooLarge;
    }
    if (error == cudaSuccess)
        error = launch(runtime, function, &how, arguments);
    return ws_runtime_leave(runtime, error);
}

static unsigned parameters_of(WsRuntime *runtime, const WsEntry *entry)
{
    return warpstep_find_kernel(runtime->gpu, entry->module->program, entry->name)->parameter_count;
}

static void **copy_arguments(WsRuntime *runtime, const WsEntry *entry, void **arguments)
{
    const unsigned program = entry->module->program;
    const unsigned count = parameters_of(runtime, entry);
    void **copies = g_new0(void *, count + 1);
    for (unsigned i = 0; i < count; i++)
        copies[i] = g_memdup2(arguments[i],
                              warpstep_parameter_at(runtime->gpu, program, entry->name, i)->size);
    return copies;
}

cudaError_t ws_kernel_copy_arguments(const void *function, void **arguments, void ***ret)
{
    WsRuntime *runtime = ws_runtime_enter();
    const WsEntry *entry = NULL;
    cudaError_t error = use_kernel(runtime, function, &entry);
    if (error == cudaSuccess && arguments == NULL && parameters_of(runtime, entry) > 0)
        error = cudaErrorInvalidValue;
    if (error == cudaSuccess)
        *ret = copy_arguments(runtime, entry, arguments);
    return ws_runtime_leave(runtime, error);
}

void ws_arguments_free(void **arguments)
{
    for (guint i = 0; arguments != NULL && arguments[i] != NULL; i++)
        g_free(arguments[i]);
    g_free(arguments);
}

/* The simulated L1 divides itself by what blocks need; there is nothing to prefer. */
static cudaError_t take_hint(const void *function)
{
    WsRuntime *runtime = ws_runtime_enter();
    const WsEntry *entry = NULL;
    return ws_runtime_leave(runtime, use_kernel(runtime, function, &entry));
}

cudaError_t cudaFuncSetCacheConfig(const void *function, enum cudaFuncCache config)
{
    (void)config;
    return take_hint(function);
}

cudaError_t cudaFuncSetSharedMemConfig(const void *function, enum cudaSharedMemConfig config)
{
    (void)config;
    return take_hint(function);
}

cudaError_t cudaFuncSetAttribute(const void *function, enum cudaFuncAttribute attribute, int value)
{
    WsRuntime *runtime = ws_runtime_enter();
    const warpstep_kernel *kernel = NULL;
    cudaError_t error = describe_kernel(runtime, function, &kernel);
    if (error == cudaSuccess && attribute == cudaFuncAttributeMaxDynamicSharedMemorySize &&
        (value < 0 || value + (gint64)kernel->static_shared_bytes >
                          ws_runtime_setting(runtime, "limits.shared_bytes_per_block_optin")))
        error = cudaErrorInvalidValue;
    return ws_runtime_leave(runtime, error);
}

cudaError_t cudaFuncGetAttributes(struct cudaFuncAttributes *ret, const void *function)
{
    WsRuntime *runtime = ws_runtime_enter();
    const warpstep_kernel *kernel = NULL;
    cudaError_t error = describe_kernel(runtime, function, &kernel);
    if (error == cudaSuccess) {
        const int version = (int)(10 * ws_runtime_setting(runtime, "compute_capability.major") +
                                  ws_runtime_setting(runtime, "compute_capability.minor"));
        *ret = (struct cudaFuncAttributes){
            .sharedSizeBytes = kernel->static_shared_bytes,
            .localSizeBytes = kernel->local_bytes,
            .numRegs = (int)kernel->registers,
            .ptxVersion = version,
            .binaryVersion = version,
            .preferredShmemCarveout = -1,
            .maxThreadsPerBlock = (int)ws_runtime_setting(runtime, "limits.threads_per_block"),
            .maxDynamicSharedSizeBytes =
                (int)(ws_runtime_setting(runtime, "limits.shared_bytes_per_block") -
                      kernel->static_shared_bytes)};
    }
    return ws_runtime_leave(runtime, error);
}

cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *ret, const void *function,
                                                          int block_size, size_t shared)
{
    WsRuntime *runtime = ws_runtime_enter();
    const WsEntry *entry = NULL;
    cudaError_t error = use_kernel(runtime, function, &entry);
    if (error == cudaSuccess && block_size < 1)
        error = cudaErrorInvalidValue;
    if (error == cudaSuccess)
        *ret = (int)blocks_of(runtime, entry, block_size, shared);
    return ws_runtime_leave(runtime, error);
}

/* The flag that there is turns off caching in L1 where that costs occupancy, which it never does.
 */
cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int *ret, const void *function,
                                                                   int block_size, size_t shared,
                                                                   unsigned int flags)
{
    if (flags > 1)
        return ws_runtime_return(cudaErrorInvalidValue);
    return cudaOccupancyMaxActiveBlocksPerMultiprocessor(ret, function, block_size, shared);
}

/* The largest block among those with most threads on an SM. */
cudaError_t cudaOccupancyMaxPotentialBlockSize(int *ret_grid, int *ret_block, const void *function,
                                               size_t shared, int limit)
{
    WsRuntime *runtime = ws_runtime_enter();
    const WsEntry *entry = NULL;
    cudaError_t error = use_kernel(runtime, function, &entry);
    if (error == cudaSuccess) {
        const gint64 warp = ws_runtime_setting(runtime, "warp_size");
        gint64 most = ws_runtime_setting(runtime, "limits.threads_per_block"), best = 0;
        if (limit > 0)
            most = MIN(most, limit);
        *ret_grid = *ret_block = 0;
        for (gint64 size = most / warp * warp; size >= warp; size -= warp) {
            const unsigned blocks = blocks_of(runtime, entry, size, shared);
            if ((gint64)blocks * size > best) {
                best = (gint64)blocks * size;
                *ret_block = (int)size;
                *ret_grid = (int)(blocks * ws_runtime_setting(runtime, "sms"));
            }
        }
    }
    return ws_runtime_leave(runtime, error);
}
