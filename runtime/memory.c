/*
 * Memory. Allocations lie in one range of the host's address space with a fixed base, at the
 * addresses that kernels have for them, so that pointers inside data mean the same to both. Host
 * code cannot touch what cudaMalloc() gives; the machine works on a second view of the same pages.
 */
#include "runtime/runtime.h"
#include "runtime/stream_capture.h"

#include <errno.h>
#include <execinfo.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

/*
 * Above the heap of any program and below its stack and libraries; clear of what sanitizers take.
 * valgrind gives a program nothing above 16 TiB, where the sanitizers begin: under it the base is
 * another one.
 */
#define BASE          G_GUINT64_CONSTANT(0x200000000000)
#define VALGRIND_BASE G_GUINT64_CONSTANT(0x080000000000)
/* Allocations have pages of their own, and a guard gap behind them. */
enum { PAGE = 65536, GAP = 65536, LINE = 128 /* of caches */ };

WS_RUNTIME_API cudaError_t cudaMalloc(void **ret, size_t size);
WS_RUNTIME_API cudaError_t cudaMallocAsync(void **ret, size_t size, cudaStream_t stream);
WS_RUNTIME_API cudaError_t cudaMallocHost(void **ret, size_t size);
WS_RUNTIME_API cudaError_t cudaHostAlloc(void **ret, size_t size, unsigned int flags);
WS_RUNTIME_API cudaError_t cudaMallocManaged(void **ret, size_t size, unsigned int flags);
WS_RUNTIME_API cudaError_t cudaFree(void *pointer);
WS_RUNTIME_API cudaError_t cudaFreeAsync(void *pointer, cudaStream_t stream);
WS_RUNTIME_API cudaError_t cudaFreeHost(void *pointer);
WS_RUNTIME_API cudaError_t cudaHostRegister(void *pointer, size_t size, unsigned int flags);
WS_RUNTIME_API cudaError_t cudaHostUnregister(void *pointer);
WS_RUNTIME_API cudaError_t cudaHostGetDevicePointer(void **ret, void *host, unsigned int flags);
WS_RUNTIME_API cudaError_t cudaMemGetInfo(size_t *ret_free, size_t *ret_total);

/* ---- the range ---------------------------------------------------------------------------------
 */

static gboolean is_under_valgrind(void)
{
    const char *preloaded = getenv("LD_PRELOAD");
    return preloaded != NULL && strstr(preloaded, "vgpreload") != NULL;
}

static guint64 base_here(void)
{
    return is_under_valgrind() ? VALGRIND_BASE : BASE;
}

/* At an address if it is free, or at any. valgrind knows no MAP_FIXED_NOREPLACE, and finds no room.
 */
static void *map(int file, guint64 address, int protection)
{
    const int fixed = is_under_valgrind() ? MAP_FIXED : address != 0 ? MAP_FIXED_NOREPLACE : 0;
    if (address == 0 && is_under_valgrind())
        address = VALGRIND_BASE + 2 * WS_DEVICE_RANGE;
    return mmap((void *)address, WS_DEVICE_RANGE, protection, MAP_SHARED | MAP_NORESERVE | fixed,
                file, 0);
}

/*
 * The pages of device memory. WARPSTEP_MEMORY_FILE is a descriptor of a file that is there for
 * them: who runs a program that may make none (`warpstep grade`) bounds its memory by it.
 */
static gboolean open_file(WsRuntime *runtime)
{
    const char *given = getenv("WARPSTEP_MEMORY_FILE");
    struct stat status;
    if (given == NULL) {
        runtime->room = WS_DEVICE_RANGE;
        runtime->file = memfd_create("warpstep device memory", MFD_CLOEXEC);
        return runtime->file >= 0 && ftruncate(runtime->file, (off_t)WS_DEVICE_RANGE) == 0;
    }
    runtime->file = atoi(given);
    if (fstat(runtime->file, &status) != 0 || !S_ISREG(status.st_mode))
        return FALSE;
    runtime->room = MIN((guint64)status.st_size, WS_DEVICE_RANGE);
    return TRUE;
}

static gboolean reserve(WsRuntime *runtime)
{
    const guint64 base = base_here();
    if (runtime->reserved != NULL)
        return TRUE;
    if (!open_file(runtime))
        return FALSE;
    void *view = map(runtime->file, 0, PROT_READ | PROT_WRITE);
    void *reserved = map(runtime->file, base, PROT_NONE);
    if (view == MAP_FAILED || reserved != (void *)base) {
        fprintf(stderr,
                "warpstep: error: the addresses from %#" G_GINT64_MODIFIER
                "x on, which are for device memory, are taken: %s\n",
                base, strerror(errno));
        return FALSE;
    }
    runtime->view = view;
    runtime->reserved = reserved;
    return TRUE;
}

static WsAllocation *at(WsRuntime *runtime, guint i)
{
    return &g_array_index(runtime->allocations, WsAllocation, i);
}

static guint64 base_of(const WsRuntime *runtime)
{
    return (guint64)(gsize)runtime->reserved;
}

static guint64 round_up(guint64 bytes)
{
    return (bytes + PAGE - 1) / PAGE * PAGE;
}

/* The first gap that is wide enough; 0: there is none. */
static guint64 find_room(WsRuntime *runtime, gsize bytes)
{
    guint64 address = base_of(runtime);
    for (guint i = 0; i < runtime->allocations->len; i++) {
        const WsAllocation *next = at(runtime, i);
        if (next->kind >= WS_MEMORY_REGISTERED || next->address < address)
            continue;
        if (address + round_up(bytes) + GAP <= next->address)
            break;
        address = next->address + round_up(MAX(next->bytes, next->reserved)) + GAP;
    }
    return address + round_up(bytes) + GAP <= base_of(runtime) + runtime->room ? address : 0;
}

static void insert(WsRuntime *runtime, const WsAllocation *allocation)
{
    guint i = 0;
    while (i < runtime->allocations->len && at(runtime, i)->address < allocation->address)
        i++;
    g_array_insert_vals(runtime->allocations, i, allocation, 1);
}

WsAllocation *ws_memory_find(WsRuntime *runtime, const void *pointer, gsize bytes)
{
    const guint64 address = (guint64)(gsize)pointer;
    guint low = 0, high = runtime->allocations->len;
    while (low < high) {
        const guint middle = low + (high - low) / 2;
        if (at(runtime, middle)->address <= address)
            low = middle + 1;
        else
            high = middle;
    }
    WsAllocation *found = low == 0 ? NULL : at(runtime, low - 1);
    return found != NULL && address - found->address < found->bytes &&
                   bytes <= found->bytes - (address - found->address)
               ? found
               : NULL;
}

static const char *const kind_names[] = {
    [WS_MEMORY_DEVICE] = "cudaMalloc",         [WS_MEMORY_HOST] = "cudaMallocHost",
    [WS_MEMORY_MANAGED] = "cudaMallocManaged", [WS_MEMORY_REGISTERED] = "cudaHostRegister",
    [WS_MEMORY_VARIABLE] = "variable",         [WS_MEMORY_GRAPH] = "cudaGraphAddMemAllocNode",
    [WS_MEMORY_CONDITION] = "condition",       [WS_MEMORY_LAUNCHES] = "launches",
};

/* What messages call a buffer, "cudaMalloc_3": by its number among all that the program made. */
static char *buffer_name(WsRuntime *runtime, WsMemoryKind kind)
{
    return g_strdup_printf("%s_%u", kind_names[kind], ++runtime->buffer_number);
}

static cudaError_t attach(WsRuntime *runtime, const WsAllocation *allocation)
{
    g_autofree char *name = buffer_name(runtime, allocation->kind);
    return warpstep_attach_at(runtime->gpu, name, NULL, allocation->bytes, allocation->data,
                              allocation->address) == WARPSTEP_OK
               ? cudaSuccess
               : cudaErrorMemoryAllocation;
}

static guint8 *data_at(WsRuntime *runtime, guint64 address)
{
    return runtime->view + (address - base_of(runtime));
}

cudaError_t ws_memory_allocate(WsRuntime *runtime, gsize bytes, WsMemoryKind kind, void **ret)
{
    if (ret == NULL)
        return cudaErrorInvalidValue;
    *ret = NULL;
    if (bytes == 0)
        return cudaSuccess;
    const guint64 address =
        bytes < WS_DEVICE_RANGE && reserve(runtime) ? find_room(runtime, bytes) : 0;
    if (address == 0)
        return cudaErrorMemoryAllocation;
    const WsAllocation made = {
        .address = address, .bytes = bytes, .kind = kind, .data = data_at(runtime, address)};
    if ((kind == WS_MEMORY_HOST || kind == WS_MEMORY_MANAGED) &&
        mprotect((void *)address, round_up(bytes), PROT_READ | PROT_WRITE) != 0)
        return cudaErrorMemoryAllocation;
    const cudaError_t error = attach(runtime, &made);
    if (error == cudaSuccess) {
        insert(runtime, &made);
        *ret = (void *)address;
    }
    return error;
}

static cudaError_t allocate(void **ret, gsize bytes, WsMemoryKind kind)
{
    WsRuntime *runtime = ws_runtime_enter();
    cudaError_t error = ws_runtime_use(runtime);
    if (error == cudaSuccess)
        error = ws_memory_allocate(runtime, bytes, kind, ret);
    return ws_runtime_leave(runtime, error);
}

gboolean ws_memory_note_variable(WsRuntime *runtime, guint64 address, gsize bytes, void *memory)
{
    const WsAllocation made = {
        .address = address, .bytes = bytes, .kind = WS_MEMORY_VARIABLE, .data = memory};
    for (guint i = 0; i < runtime->allocations->len; i++) {
        const WsAllocation *other = at(runtime, i);
        if (other->address == address && other->data == (guint8 *)memory)
            return TRUE;
        if (address < other->address + other->bytes && other->address < address + bytes)
            return FALSE;
    }
    insert(runtime, &made);
    return TRUE;
}

/* The pages of what the library no longer has. */
static void drop_pages(WsRuntime *runtime, const WsAllocation *freed)
{
    mprotect((void *)freed->address, round_up(freed->bytes), PROT_NONE);
    madvise(data_at(runtime, freed->address), round_up(freed->bytes), MADV_REMOVE);
}

static void release(WsRuntime *runtime, guint index)
{
    const WsAllocation freed = *at(runtime, index);
    g_array_remove_index(runtime->allocations, index);
    if (freed.kind == WS_MEMORY_VARIABLE || freed.bytes == 0)
        return;
    warpstep_free(runtime->gpu, freed.address / LINE * LINE);
    if (freed.kind != WS_MEMORY_REGISTERED)
        drop_pages(runtime, &freed);
}

void ws_memory_free(WsRuntime *runtime, guint64 address)
{
    const WsAllocation *found = ws_memory_find(runtime, (void *)(gsize)address, 1);
    if (found != NULL && found->address == address)
        release(runtime, (guint)(found - at(runtime, 0)));
}

/* ---- addresses that have memory at times -----------------------------------------------------
 */

cudaError_t ws_memory_reserve(WsRuntime *runtime, gsize bytes, WsMemoryKind kind, guint64 *ret)
{
    *ret = bytes < WS_DEVICE_RANGE && reserve(runtime) ? find_room(runtime, bytes) : 0;
    if (*ret == 0)
        return cudaErrorMemoryAllocation;
    const WsAllocation made = {
        .address = *ret, .kind = kind, .data = data_at(runtime, *ret), .reserved = bytes};
    insert(runtime, &made);
    return cudaSuccess;
}

/* NULL: cudaDeviceReset() has freed it. */
static WsAllocation *reserved_at(WsRuntime *runtime, guint64 address)
{
    for (guint i = 0; i < runtime->allocations->len; i++)
        if (at(runtime, i)->address == address && at(runtime, i)->reserved != 0)
            return at(runtime, i);
    return NULL;
}

void ws_memory_give_up(WsRuntime *runtime, guint64 address)
{
    const WsAllocation *found = reserved_at(runtime, address);
    if (found != NULL)
        release(runtime, (guint)(found - at(runtime, 0)));
}

cudaError_t ws_memory_fill_in(WsRuntime *runtime, guint64 address, gsize bytes)
{
    WsAllocation *found = reserved_at(runtime, address);
    if (found == NULL || found->bytes != 0)
        return cudaErrorInvalidValue;
    found->bytes = bytes;
    const cudaError_t error = attach(runtime, found);
    if (error != cudaSuccess)
        found->bytes = 0;
    return error;
}

void ws_memory_empty(WsRuntime *runtime, guint64 address)
{
    WsAllocation *found = reserved_at(runtime, address);
    if (found == NULL || found->bytes == 0)
        return;
    warpstep_free(runtime->gpu, address);
    drop_pages(runtime, found);
    found->bytes = 0;
}

/* `waits`: for all that the device has to do, as cudaFree() does. */
static cudaError_t deallocate(void *pointer, gboolean of_host, gboolean waits)
{
    WsRuntime *runtime = ws_runtime_enter();
    cudaError_t error = ws_runtime_use(runtime);
    const WsAllocation *found = pointer == NULL ? NULL : ws_memory_find(runtime, pointer, 1);
    if (error != cudaSuccess || pointer == NULL)
        return ws_runtime_leave(runtime, error);
    if (found == NULL || found->address != (guint64)(gsize)pointer ||
        found->kind >= WS_MEMORY_CONDITION || (found->kind == WS_MEMORY_HOST) != of_host)
        return ws_runtime_leave(runtime, cudaErrorInvalidValue);
    if (waits)
        ws_timeline_wait(&runtime->timeline);
    if (found->kind == WS_MEMORY_GRAPH)
        return ws_runtime_leave(runtime, ws_graph_memory_free(runtime, found->address));
    release(runtime, (guint)(found - at(runtime, 0)));
    return ws_runtime_leave(runtime, cudaSuccess);
}

/* Queues of launches are where code has them. */
void ws_memory_reset(WsRuntime *runtime)
{
    for (guint i = runtime->allocations->len; i > 0; i--)
        if (at(runtime, i - 1)->kind != WS_MEMORY_LAUNCHES)
            release(runtime, i - 1);
}

/* ---- what programs call ------------------------------------------------------------------------
 */

cudaError_t cudaMalloc(void **ret, size_t size)
{
    return allocate(ret, size, WS_MEMORY_DEVICE);
}

cudaError_t cudaMallocAsync(void **ret, size_t size, cudaStream_t stream)
{
    WsCapturing *capturing = ws_stream_capturing(stream);
    return capturing != NULL ? ws_stream_capture_allocate(capturing, ret, size)
                             : allocate(ret, size, WS_MEMORY_DEVICE);
}

cudaError_t cudaMallocHost(void **ret, size_t size)
{
    return allocate(ret, size, WS_MEMORY_HOST);
}

cudaError_t cudaHostAlloc(void **ret, size_t size, unsigned int flags)
{
    (void)flags;
    return allocate(ret, size, WS_MEMORY_HOST);
}

cudaError_t cudaMallocManaged(void **ret, size_t size, unsigned int flags)
{
    (void)flags;
    return size == 0 ? ws_runtime_return(cudaErrorInvalidValue)
                     : allocate(ret, size, WS_MEMORY_MANAGED);
}

cudaError_t cudaFree(void *pointer)
{
    return deallocate(pointer, FALSE, TRUE);
}

cudaError_t cudaFreeAsync(void *pointer, cudaStream_t stream)
{
    WsCapturing *capturing = ws_stream_capturing(stream);
    return capturing != NULL ? ws_stream_capture_free(capturing, pointer)
                             : deallocate(pointer, FALSE, FALSE);
}

cudaError_t cudaFreeHost(void *pointer)
{
    return deallocate(pointer, TRUE, TRUE);
}

/*
 * A cache line belongs to one buffer: what the first and last line have besides, which lies in the
 * same pages, is in reach of kernels too.
 */
cudaError_t cudaHostRegister(void *pointer, size_t size, unsigned int flags)
{
    WsRuntime *runtime = ws_runtime_enter();
    cudaError_t error = ws_runtime_use(runtime);
    const gsize before = (gsize)pointer % LINE;
    const WsAllocation made = {.address = (guint64)(gsize)pointer,
                               .bytes = size,
                               .kind = WS_MEMORY_REGISTERED,
                               .data = pointer};
    g_autofree char *name = buffer_name(runtime, made.kind);
    (void)flags;
    if (error == cudaSuccess &&
        (pointer == NULL || size == 0 || size > G_MAXINT64 ||
         warpstep_attach_at(runtime->gpu, name, NULL, (before + size + LINE - 1) / LINE * LINE,
                            (guint8 *)pointer - before, made.address - before) != WARPSTEP_OK))
        error = cudaErrorInvalidValue;
    if (error == cudaSuccess)
        insert(runtime, &made);
    return ws_runtime_leave(runtime, error);
}

cudaError_t cudaHostUnregister(void *pointer)
{
    WsRuntime *runtime = ws_runtime_enter();
    cudaError_t error = ws_runtime_use(runtime);
    const WsAllocation *found = ws_memory_find(runtime, pointer, 1);
    if (error == cudaSuccess && (found == NULL || found->kind != WS_MEMORY_REGISTERED ||
                                 found->address != (guint64)(gsize)pointer))
        error = cudaErrorInvalidValue;
    if (error == cudaSuccess)
        release(runtime, (guint)(found - at(runtime, 0)));
    return ws_runtime_leave(runtime, error);
}

cudaError_t cudaHostGetDevicePointer(void **ret, void *host, unsigned int flags)
{
    WsRuntime *runtime = ws_runtime_enter();
    cudaError_t error = ws_runtime_use(runtime);
    const WsAllocation *found = ws_memory_find(runtime, host, 1);
    if (error == cudaSuccess &&
        (flags != 0 || ret == NULL || found == NULL || found->kind == WS_MEMORY_DEVICE))
        error = cudaErrorInvalidValue;
    if (error == cudaSuccess)
        *ret = host;
    return ws_runtime_leave(runtime, error);
}

/* Device memory is as large as the range, whatever the host has, or as its file. */
cudaError_t cudaMemGetInfo(size_t *ret_free, size_t *ret_total)
{
    WsRuntime *runtime = ws_runtime_enter();
    cudaError_t error = ws_runtime_use(runtime);
    gsize used = 0;
    for (guint i = 0; i < runtime->allocations->len; i++)
        used += at(runtime, i)->kind >= WS_MEMORY_REGISTERED ? 0 : at(runtime, i)->bytes;
    if (error == cudaSuccess && !reserve(runtime))
        error = cudaErrorMemoryAllocation;
    if (error == cudaSuccess) {
        *ret_total = runtime->room;
        *ret_free = runtime->room - MIN(used, runtime->room);
    }
    return ws_runtime_leave(runtime, error);
}

/* ---- host code that touches device memory ------------------------------------------------------
 */

static struct sigaction before;
static guint64 watched_base;

/* Calls nothing that may not be called here; backtrace() was called before, which loads what it
 * needs. */
static void report_access(int number, siginfo_t *info, void *context)
{
    const guint64 address = (guint64)(gsize)info->si_addr;
    const guint64 base = watched_base;
    if (base != 0 && address >= base && address < base + WS_DEVICE_RANGE) {
        enum { DEPTH = 16 };
        static const char text[] =
            "warpstep: error: host code reads or writes device memory: memory of cudaMalloc() is "
            "for kernels; cudaMemcpy() copies it. Called from:\n";
        void *frames[DEPTH];
        const int count = backtrace(frames, DEPTH);
        const ssize_t written = write(STDERR_FILENO, text, sizeof text - 1);
        (void)written;
        backtrace_symbols_fd(frames + 2, count > 2 ? count - 2 : 0, STDERR_FILENO);
    }
    sigaction(SIGSEGV, &before, NULL);
    if (before.sa_flags & SA_SIGINFO && before.sa_sigaction != NULL)
        before.sa_sigaction(number, info, context);
}

void ws_memory_watch_host(void)
{
    void *frame;
    struct sigaction action = {.sa_sigaction = report_access, .sa_flags = SA_SIGINFO};
    watched_base = base_here();
    backtrace(&frame, 1);
    sigemptyset(&action.sa_mask);
    sigaction(SIGSEGV, &action, &before);
}
