/*
 * The CUDA runtime on top of libwarpstep: what its files share. Programs are linked with it by
 * `warpstep cc`; what they call is declared in warpstep/runtime_api.h.
 *
 * A process has one runtime with one device, made when it is asked for first, and a lock around it.
 * Launches run when they are made, one after the other; when they would have run on a GPU is told
 * by the timeline. Errors of launches are told as CUDA does, by a call that waits for them, and
 * stick until cudaDeviceReset().
 */
#ifndef WS_RUNTIME_RUNTIME_H
#define WS_RUNTIME_RUNTIME_H

#include "include/warpstep/warpstep.h"
#include "isa/cuda/include/warpstep/array_types.h"
#include "isa/cuda/include/warpstep/relocatable.h"
#include "isa/cuda/include/warpstep/runtime_types.h"
#include "runtime/timeline.h"

#include <glib.h>

#define WS_RUNTIME_API __attribute__((visibility("default")))

/* Bytes of device memory: of addresses, as what is not touched costs nothing. */
#define WS_DEVICE_RANGE ((guint64)1 << 40)

/* Priorities of streams, as an H200 has them. They have no effect. */
enum { WS_PRIORITY_LEAST = 0, WS_PRIORITY_GREATEST = -5 };

/* As CUDA's dim3 is passed. */
typedef struct {
    unsigned int x, y, z;
} WsDim3;

/* What is between <<< and >>>, but for the stream. */
typedef struct {
    WsDim3 grid, block;
    gsize shared;
} WsLaunchShape;

/* PTX of a translation unit, or of all of a link by nvcc. */
typedef struct {
    const char *ptx;            /* NULL: it is in `fatbin` */
    const void *fatbin;         /* of nvcc */
    const void *const *fatbins; /* or of each file of a link, and NULL; or NULL */
    char *unit;                 /* the name of its source, where its code is relocatable; or NULL */
    const void *object;         /* where the program or shared library begins that it is in */
    gboolean is_loaded;
    cudaError_t error; /* of loading it */
    unsigned program;
} WsModule;

/* A kernel or variable by the address that the host has for it. */
typedef struct {
    WsModule *module;
    char *name; /* in the PTX */
    gsize size; /* of a variable */
} WsEntry;

typedef enum {
    WS_MEMORY_DEVICE,   /* cudaMalloc(): host code cannot touch it */
    WS_MEMORY_HOST,     /* cudaMallocHost(), cudaHostAlloc(): of the host, kernels reach it */
    WS_MEMORY_MANAGED,  /* cudaMallocManaged() */
    WS_MEMORY_GRAPH,    /* of a node that allocates; it has an address when it has no memory, too */
    WS_MEMORY_LAUNCHES, /* the queue of launches by kernels; the same, and no call touches it */
    WS_MEMORY_CONDITION,  /* the word of a conditional node: no call of the program touches it */
    WS_MEMORY_REGISTERED, /* cudaHostRegister(): the program's own */
    WS_MEMORY_VARIABLE    /* a __device__ or __constant__ variable whose address was asked for */
} WsMemoryKind;

typedef struct {
    guint64 address; /* as host and device have it */
    gsize bytes;     /* 0: addresses that have no memory now */
    WsMemoryKind kind;
    guint8 *data;   /* the same bytes, always readable */
    gsize reserved; /* bytes of addresses that have memory at times; else 0 */
} WsAllocation;

/* Memory of nodes that allocate, for cudaDeviceGetGraphMemAttribute(). */
typedef struct {
    GPtrArray *blocks; /* addresses that nodes have; NULL: none so far */
    guint64 used;      /* bytes that are allocated */
    guint64 kept;      /* the most that were, since the memory was trimmed */
    guint64 high;      /* the most that were kept */
} WsGraphMemory;

/* Which launches the environment names. */
typedef struct {
    char *kernel;  /* NULL: all */
    guint64 nth;   /* of those; 0 = each */
    guint64 count; /* that were made of the kernel */
} WsSelection;

/* A CUDA array, which a program has as a handle. */
typedef struct cudaArray {
    guint32 magic;
    struct cudaChannelFormatDesc format;
    struct cudaExtent extent; /* in elements, 0 where it has no height or depth */
    unsigned flags;
    guint channels;
    gsize texel_bytes;
    guint64 address;
} WsArray;

typedef struct {
    GMutex lock;
    warpstep *gpu;       /* NULL: not asked for yet, or refused */
    cudaError_t refused; /* why */
    warpstep_mode mode;
    GPtrArray *modules;              /* of WsModule, as they came; handles point to them */
    GHashTable *kernels, *variables; /* address -> WsEntry */
    GArray *allocations;             /* of WsAllocation, by rising address */
    guint buffer_number;             /* of the last one that was made */
    guint8 *reserved;                /* the range of the program's view */
    guint8 *view;                    /* the library's view of it */
    int file;                        /* of which both are views */
    guint64 room;                    /* bytes of it that allocations may take */
    GString *printed;                /* by kernels, and not shown yet; NULL: nothing so far */
    WsTimeline timeline;             /* simulated time */
    cudaError_t last, pending, sticky;
    gsize limits[cudaLimitDevRuntimePendingLaunchCount + 1]; /* cudaDeviceSetLimit() */
    GArray *queues;                                          /* of WsLaunchQueue; NULL: none */
    guint pending_launches;                                  /* by kernels, that have not ended */
    GPtrArray *launches;                                     /* of WsLaunchNote */
    char *report;                                            /* WARPSTEP_REPORT */
    GHashTable *textures; /* handle -> what cudaCreateTextureObject() got */
    GArray *managed;      /* of nvcc/modules.c; NULL: none so far */
    WsGraphMemory graph_memory;
    void *default_pool, *pool; /* memory pools of the device; NULL: none was asked for, or set */
    char *capture;             /* WARPSTEP_CAPTURE */
    gboolean has_page;         /* html:FILE is written */
    WsSelection selection;     /* WARPSTEP_KERNEL */
    double max_seconds;        /* WARPSTEP_MAX_SECONDS; 0: no limit */
    gint64 started;            /* the first launch, microseconds */
    guint64 cycles;            /* of all launches */
    double seconds_left;       /* of those, of processor time */
    guint launch_number;       /* of the last launch; the first is 1 */
} WsRuntime;

/* Launches by the kernels of a program. */
typedef struct {
    unsigned program;
    guint64 address;
} WsLaunchQueue;

/* A launch for the report. */
typedef struct {
    char *kernel, *json;
    WsDim3 grid, block;
    warpstep_figures figures;
    guint64 cycles;      /* its own, or those of a launch alike; 0: there are none */
    const char *wait;    /* why its warps did not issue, most often; or NULL */
    guint64 wait_cycles; /* of all warps */
    gboolean is_timed;
} WsLaunchNote;

/*
 * The runtime, locked. Every function that programs call begins and ends with these. What it does
 * is in the legacy default stream, or in one that the program gives.
 */
WsRuntime *ws_runtime_enter(void);
WsRuntime *ws_runtime_enter_in(cudaStream_t stream);
/* What this thread calls from now on is of a graph that is run in the stream; and no more. */
void ws_runtime_begin_graph(cudaStream_t stream);
void ws_runtime_end_graph(void);
/* Notes an error for cudaGetLastError(), and returns it. */
cudaError_t ws_runtime_leave(WsRuntime *runtime, cudaError_t error);
/* Both, for a call that needs nothing of the runtime but to note its error. */
cudaError_t ws_runtime_return(cudaError_t error);
/*
 * The same for a call that needs the device, and tells of launches that failed: opens the device if
 * that was not done. Anything but cudaSuccess is what the call returns, through ws_runtime_leave().
 */
cudaError_t ws_runtime_use(WsRuntime *runtime);
/* The same for a call that waits for its stream: what kernels have printed is shown. */
cudaError_t ws_runtime_wait(WsRuntime *runtime);
/* The runtime for a copy in a stream, and what ws_runtime_wait() or ws_runtime_use() said. */
WsRuntime *ws_runtime_enter_copy(cudaStream_t stream, gboolean waits, cudaError_t *ret_error);
/* The machine, whatever has failed; NULL: it could not be opened. */
warpstep *ws_runtime_machine(WsRuntime *runtime);
/* cudaLimitStackSize: CUDA's own, and the local memory that a thread may have. */
enum { WS_CUDA_STACK_BYTES = 1024, WS_CUDA_STACK_MOST = 512 << 10 };

/*
 * cudaLimitDevRuntimePendingLaunchCount: CUDA's own, the least that an H100 takes (it gives that
 * for less), and the most that a queue has addresses for.
 */
enum { WS_PENDING = 2048, WS_LEAST_PENDING = 32, WS_MOST_PENDING = 1 << 20 };

/* cudaDeviceSetLimit(). FALSE: it cannot be so. */
gboolean ws_runtime_set_limit(WsRuntime *runtime, enum cudaLimit limit, gsize value);
/* What bounds the launch that comes. */
warpstep_code ws_runtime_set_limits(WsRuntime *runtime);
/* A number among the device's settings; 0 where there is none. */
gint64 ws_runtime_setting(WsRuntime *runtime, const char *path);

/* Loads the module unless that was done. */
cudaError_t ws_module_load(WsRuntime *runtime, WsModule *module);

/* A variable by its address in host code, of a runtime that is locked. */
void ws_module_note_variable(WsRuntime *runtime, void **handle, const void *host, const char *name,
                             gsize size);

/* A launch, of a runtime that is locked; `by_kernel`: no call of the program made it. */
cudaError_t ws_launch_kernel(WsRuntime *runtime, unsigned program, const char *kernel,
                             const WsLaunchShape *shape, void **arguments, gboolean by_kernel);
/*
 * Launches by kernels. PTX that has any gets a queue: *text is longer then, and *ret its address,
 * to be noted when the program is loaded; else 0.
 */
cudaError_t ws_launches_prepare(WsRuntime *runtime, char **text, guint64 *ret);
void ws_launches_note(WsRuntime *runtime, unsigned program, guint64 address);
/* Before a launch: an empty queue, if the program has one. */
cudaError_t ws_launches_open(WsRuntime *runtime, unsigned program);
/* Behind it: runs what its grid has launched, and what those have; `run`: or leaves it. */
void ws_launches_run(WsRuntime *runtime, unsigned program, gboolean run);

/* The allocation that holds the bytes, or NULL. */
WsAllocation *ws_memory_find(WsRuntime *runtime, const void *pointer, gsize bytes);
/* Allocates, in the range; 0 bytes are a NULL. */
cudaError_t ws_memory_allocate(WsRuntime *runtime, gsize bytes, WsMemoryKind kind, void **ret);
/* Frees what ws_memory_allocate() gave. */
void ws_memory_free(WsRuntime *runtime, guint64 address);
/* Addresses without memory; they are taken back. */
cudaError_t ws_memory_reserve(WsRuntime *runtime, gsize bytes, WsMemoryKind kind, guint64 *ret);
void ws_memory_give_up(WsRuntime *runtime, guint64 address);
/* Gives them memory; takes it back, if they have any. */
cudaError_t ws_memory_fill_in(WsRuntime *runtime, guint64 address, gsize bytes);
void ws_memory_empty(WsRuntime *runtime, guint64 address);
/* cudaFree() of memory that a graph has allocated. */
cudaError_t ws_graph_memory_free(WsRuntime *runtime, guint64 address);
/* Frees the addresses of all graphs, for cudaDeviceReset(). */
void ws_graph_memory_reset(WsRuntime *runtime);
/* Takes note of a variable's memory. FALSE: something else has its address. */
gboolean ws_memory_note_variable(WsRuntime *runtime, guint64 address, gsize bytes, void *memory);
/* Frees all, for cudaDeviceReset(). */
void ws_memory_reset(WsRuntime *runtime);
/* Tells who touches device memory from the host. */
void ws_memory_watch_host(void);

/* The clock of a stream, or NULL where it is none. */
WsStreamClock *ws_stream_clock(WsRuntime *runtime, cudaStream_t stream);

/* cudaMemcpy() and cudaMemset() of a runtime that is locked. */
cudaError_t ws_copy(WsRuntime *runtime, void *to, const void *from, gsize count,
                    enum cudaMemcpyKind kind);
cudaError_t ws_fill(WsRuntime *runtime, void *pointer, int value, gsize count);

/* What the launch that was run has printed waits to be shown; and is shown. */
void ws_printed_take(WsRuntime *runtime);
void ws_printed_flush(WsRuntime *runtime);

/* Channels of a format, or 0: an array has 1, 2 or 4 of 8, 16 or 32 bits, and floats of 16 or 32.
 */
guint ws_format_channels(const struct cudaChannelFormatDesc *format);
/* NULL: it is none. */
WsArray *ws_array_of(cudaArray_const_t array);
/* Its rows and slices. */
struct cudaPitchedPtr ws_array_memory(const WsArray *array);

/* Starts to watch what the environment asks for; reads WARPSTEP_REPORT. */
gboolean ws_report_begin(WsRuntime *runtime);
/* `selected`: it is one that WARPSTEP_KERNEL names. */
void ws_report_launch(WsRuntime *runtime, const char *kernel, WsDim3 grid, WsDim3 block,
                      gboolean selected);

/* Runs the launch that waits, within what is left of the time, and shows it on a terminal. */
warpstep_code ws_run_launch(WsRuntime *runtime, const char *kernel);

/* Reads WARPSTEP_KERNEL; FALSE after a message. */
gboolean ws_selection_begin(WsSelection *selection);
/* Takes note of a launch of the kernel, by its two names. Whether the environment names it. */
gboolean ws_selection_take(WsRuntime *runtime, unsigned program, const warpstep_kernel *kernel);

/* Reads WARPSTEP_CAPTURE, and makes the folder; FALSE after a message. */
gboolean ws_capture_begin(WsRuntime *runtime);
/* Writes the launch that waits, if that is wanted. `kernel`: its name. */
void ws_capture_launch(WsRuntime *runtime, const char *kernel);

#endif
