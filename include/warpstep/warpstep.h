/*
 * libwarpstep: a simulated GPU inside a program of your own.
 *
 *     warpstep *gpu;
 *     unsigned program;
 *     uint64_t x;
 *     warpstep_open("h200", NULL, &gpu);
 *     warpstep_load_file(gpu, "scale.cu", NULL, &program);
 *     warpstep_attach(gpu, "x", "f32", 1024, data, &x);
 *     int n = 1024;
 *     const void *arguments[] = {&x, &n};
 *     const warpstep_launch launch = {
 *         .size = sizeof launch, .program = program, .kernel = "scale", .grid = {4, 1, 1}, .block =
 * {256, 1, 1}, .arguments = arguments, .argument_count = 2}; warpstep_enqueue(gpu, &launch); if
 * (warpstep_run(gpu, WARPSTEP_CYCLES) != WARPSTEP_OK) fprintf(stderr, "%s\n",
 * warpstep_last_error(gpu)->text); printf("%llu cycles\n", (unsigned long
 * long)warpstep_figures_of(gpu, 0)->cycles); warpstep_close(gpu);
 *
 * A handle is one machine: a device, programs, buffers, a queue of launches and at most one run.
 * There is no global state. Different handles may be used by different threads at the same time,
 * one handle by one thread at a time. Results are the same bytes on every host.
 *
 * Functions that can fail return a code; warpstep_last_error() has the text, and the position in a
 * file or on the machine, until the next call that fails. A call that fails changes nothing, unless
 * it says so. Pointers that functions return belong to the handle and are valid until the next call
 * that changes what they show, or until warpstep_close().
 *
 * Names of the library begin with warpstep_ and WARPSTEP_. As long as the shared object has the
 * same number, functions stay and structs gain members at their end alone. Structs that the caller
 * fills in begin with their size, sizeof the struct, by which the library knows what they have;
 * what they have not is 0.
 */
#ifndef WARPSTEP_H
#define WARPSTEP_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#if defined(__GNUC__)
#define WARPSTEP_API __attribute__((visibility("default")))
#else
#define WARPSTEP_API
#endif

/* The version of the library that runs: "0.1.0". */
WARPSTEP_API const char *warpstep_version(void);

/* ---- the machine ----------------------------------------------------------------------------- */

typedef struct warpstep warpstep;

/* The numbers are the exit codes of the command line. */
typedef enum {
    WARPSTEP_OK = 0,
    WARPSTEP_BAD_CALL = 2,  /* an argument is wrong, or the call does not fit the handle's state */
    WARPSTEP_BAD_INPUT = 3, /* a program, device or setting; a launch that the device cannot hold */
    WARPSTEP_FAULT = 4,     /* a kernel did something it must not */
    WARPSTEP_DEADLOCK = 5,  /* or livelock */
    WARPSTEP_LIMIT = 6,     /* cycles or seconds ran out, or the run was interrupted */
    WARPSTEP_INTERNAL = 70  /* a defect of the library */
} warpstep_code;

typedef struct {
    warpstep_code code;
    const char
        *text; /* complete, without a line end; with a position in front where one is known */
    const char *file;      /* that the text is about, or NULL */
    unsigned line, column; /* from 1; 0 = not known */
    /* FAULT, DEADLOCK and LIMIT: where the run stopped; -1 = does not apply */
    long long launch; /* of the run, from 0 */
    long long cycle;
    int block[3], thread[3];
    int sm, warp, lane;
    const char *details; /* further lines, such as who waits for whom; or NULL */
    const char *fault; /* FAULT: "out of bounds", "misaligned", "assertion failed", ...; or NULL */
} warpstep_error;

/*
 * A machine. `device`: one of `warpstep devices`, or the path of a YAML file; NULL: h200.
 * `settings`: "PATH=VALUE" as --set takes them, NULL-terminated, or NULL. `ret` is set even if the
 * device is refused, so that the error can be read: such a handle can only be closed.
 */
WARPSTEP_API warpstep_code warpstep_open(const char *device, const char *const *settings,
                                         warpstep **ret);
/* Frees everything; what the caller attached stays his. NULL does nothing. */
WARPSTEP_API void warpstep_close(warpstep *gpu);

/* Of the last call that failed; a text of "" before the first. Never NULL. */
WARPSTEP_API const warpstep_error *warpstep_last_error(const warpstep *gpu);

/* The value of a setting, as `warpstep devices NAME` prints it. NULL: there is none of this name.
 */
WARPSTEP_API const char *warpstep_setting(warpstep *gpu, const char *path);

/* What bounds a run. 0: the default. */
typedef struct {
    size_t size;
    uint64_t max_cycles;  /* of a run, or warp instructions of a launch without timing; 0 = 10^9 */
    double max_seconds;   /* processor time of a run; 0 = no limit */
    uint64_t max_memory;  /* bytes of the host for buffers and machine; 0 = 4 GiB */
    unsigned threads;     /* of the host, that run SMs; 0 = 1 */
    const int *interrupt; /* the run ends when this becomes other than 0; or NULL */
    size_t printf_bytes;  /* of the buffer of printf; 0 = the setting limits.printf_bytes */
} warpstep_limits;
WARPSTEP_API warpstep_code warpstep_set_limits(warpstep *gpu, const warpstep_limits *limits);

/* ---- programs -------------------------------------------------------------------------------- */

typedef struct {
    size_t size;
    const char *const *defines; /* "NAME" or "NAME=VALUE", NULL-terminated, or NULL; CUDA C alone */
    const char *const *includes; /* folders of headers, NULL-terminated, or NULL; CUDA C alone */
    unsigned max_registers;      /* of a thread; 0 = 255. CUDA C and PTX */
    int variables;               /* the program knows the variables of its source */
    int debug;                   /* not optimised: each variable lives until its scope ends */
} warpstep_compile;

/*
 * Loads a program by the ending of its name: .cu (through clang), .ptx, .wsasm, .wsbin. `ret` gets
 * its number: 0, 1, ... BAD_INPUT, with file, line and column. A kernel that uses something that is
 * not supported is an error when it is launched.
 */
WARPSTEP_API warpstep_code warpstep_load_file(warpstep *gpu, const char *path,
                                              const warpstep_compile *options, unsigned *ret);
/* The same from `length` bytes in memory. `name` says the kind by its ending, and is what messages
 * and listings show: "inline.cu". */
WARPSTEP_API warpstep_code warpstep_load_memory(warpstep *gpu, const char *name, const void *bytes,
                                                size_t length, const warpstep_compile *options,
                                                unsigned *ret);

typedef struct {
    const char *name; /* of the source, for messages */
    const char *text;
    size_t length;
} warpstep_unit;

/*
 * Joins PTX texts that refer to each other, as nvlink does with relocatable code, into one, for
 * warpstep_load_memory(). `ret` gets it, ending with a byte 0. Names that are not .visible or .weak
 * stay a text's own, and so do statics of C++: where several texts have one of a name, "$N" is
 * behind it, N the number of the text, from 1. BAD_INPUT: a name that is defined nowhere or twice.
 */
WARPSTEP_API warpstep_code warpstep_link(warpstep *gpu, const warpstep_unit *units, unsigned count,
                                         const char **ret);

/*
 * The PTX in a fat binary of nvcc, the newest that the device takes, for warpstep_load_memory() and
 * warpstep_link(). `ret` gets it, ending with a byte 0; it stays until the next call of this
 * function. BAD_INPUT: it is damaged, or has no PTX that the device takes; the message has the
 * architectures that are there.
 */
WARPSTEP_API warpstep_code warpstep_fatbin_ptx(warpstep *gpu, const void *bytes, size_t length,
                                               const char **ret);
/* Bytes of the fat binary whose first 16 bytes are at `header`; 0: it is none. */
WARPSTEP_API size_t warpstep_fatbin_bytes(const void *header);

typedef struct {
    const char *name;   /* as in the source: "scale" */
    const char *symbol; /* as in the PTX: "_Z5scalePfi" */
    unsigned registers; /* of a thread */
    unsigned static_shared_bytes, local_bytes, spill_bytes;
    unsigned parameter_count, parameter_bytes;
    unsigned instructions;
} warpstep_kernel;
typedef struct {
    const char *name;
    const char *type;      /* "s32", "b64", "bytes" */
    unsigned offset, size; /* bytes, in the parameter block */
} warpstep_parameter;

/* Kernel `index` of a program, or NULL past the last one. */
WARPSTEP_API const warpstep_kernel *warpstep_kernel_at(warpstep *gpu, unsigned program,
                                                       unsigned index);
/* By either name, where only one fits: "axpy" finds "axpy<float>". NULL: BAD_CALL, as the error. */
WARPSTEP_API const warpstep_kernel *warpstep_find_kernel(warpstep *gpu, unsigned program,
                                                         const char *name);
/* Parameter `index` of a kernel, or NULL past the last one. */
WARPSTEP_API const warpstep_parameter *warpstep_parameter_at(warpstep *gpu, unsigned program,
                                                             const char *kernel, unsigned index);

/* Blocks of so many threads that an SM holds at a time: theoretical occupancy. 0: none. */
WARPSTEP_API warpstep_code warpstep_occupancy(warpstep *gpu, unsigned program, const char *kernel,
                                              unsigned block_threads, unsigned dynamic_shared_bytes,
                                              unsigned *ret_blocks);

/* ---- memory ---------------------------------------------------------------------------------- */

/*
 * A buffer of `count` elements, zero. `name` is what messages call it. `type`: "f32", "s32", "u8",
 * ... as in launch files; NULL: bytes. `ret_address`: what kernels are given, a multiple of 512.
 */
WARPSTEP_API warpstep_code warpstep_alloc(warpstep *gpu, const char *name, const char *type,
                                          uint64_t count, uint64_t *ret_address);
/*
 * The same over memory of the caller, who may read and write it between runs and keeps it until the
 * buffer is freed or the handle closed. Kernels work on it in place.
 */
WARPSTEP_API warpstep_code warpstep_attach(warpstep *gpu, const char *name, const char *type,
                                           uint64_t count, void *memory, uint64_t *ret_address);
/*
 * The same at an address of the caller's choice, such as that of the memory itself, so that
 * pointers inside data mean the same to both sides. BAD_CALL: it is no multiple of 128, the size of
 * a cache line; another buffer is there; or it is below 0x10000000, where the windows of shared,
 * local and constant memory are.
 */
WARPSTEP_API warpstep_code warpstep_attach_at(warpstep *gpu, const char *name, const char *type,
                                              uint64_t count, void *memory, uint64_t address);
/* By the address of its start. Kernels that touch it later fault. */
WARPSTEP_API warpstep_code warpstep_free(warpstep *gpu, uint64_t address);

/* Bytes from and to buffers. BAD_CALL: they are not all in one buffer. */
WARPSTEP_API warpstep_code warpstep_write(warpstep *gpu, uint64_t to, const void *from,
                                          size_t bytes);
WARPSTEP_API warpstep_code warpstep_read(warpstep *gpu, void *to, uint64_t from, size_t bytes);
/* Where the host has the byte at an address, and how many follow; NULL: it is in no buffer. */
WARPSTEP_API void *warpstep_pointer(warpstep *gpu, uint64_t address, size_t *ret_left);

/*
 * Where a __device__ or __constant__ variable is for kernels of its program, where the host has it,
 * and its bytes; each may be NULL. Variables of several programs may have the same address. The
 * memory stays until the handle is closed.
 */
WARPSTEP_API warpstep_code warpstep_symbol(warpstep *gpu, unsigned program, const char *name,
                                           uint64_t *ret_address, void **ret_memory,
                                           size_t *ret_bytes);
/* Bytes of a __device__ or __constant__ variable, from `offset` on. */
WARPSTEP_API warpstep_code warpstep_write_symbol(warpstep *gpu, unsigned program, const char *name,
                                                 size_t offset, const void *from, size_t bytes);
WARPSTEP_API warpstep_code warpstep_read_symbol(warpstep *gpu, unsigned program, const char *name,
                                                size_t offset, void *to, size_t bytes);

/* ---- textures --------------------------------------------------------------------------------
 */

typedef enum {
    WARPSTEP_TEXTURE_1D,
    WARPSTEP_TEXTURE_2D,
    WARPSTEP_TEXTURE_3D,
    WARPSTEP_TEXTURE_1D_ARRAY, /* layers, which are not filtered across */
    WARPSTEP_TEXTURE_2D_ARRAY,
    WARPSTEP_TEXTURE_CUBE
} warpstep_texture_kind;
/* What texels outside are: those at the edge, the texture repeated, to and fro, or `border`. */
typedef enum {
    WARPSTEP_TEXTURE_CLAMP,
    WARPSTEP_TEXTURE_WRAP,
    WARPSTEP_TEXTURE_MIRROR,
    WARPSTEP_TEXTURE_BORDER
} warpstep_texture_address;

/* A view of texels in a buffer. Kernels fetch as the CUDA C++ Programming Guide says. */
typedef struct {
    size_t size;
    uint64_t address;  /* of the first texel */
    const char *type;  /* of a channel: "f32", "f16", "u8", "s16", ... */
    unsigned channels; /* 1, 2 or 4 */
    warpstep_texture_kind kind;
    unsigned width, height, depth; /* in texels; depth: slices, layers, or 6 faces. 0 counts as 1 */
    uint64_t row_bytes;            /* from row to row; 0: rows lie one behind the other */
    warpstep_texture_address address_mode[3];
    int linear;          /* filtered; else the nearest texel */
    int normalized;      /* coordinates are from 0 to 1; `wrap` and `mirror` need that */
    int normalized_read; /* integers of 8 and 16 bits are floats from 0 or -1 to 1 */
    float border[4];
} warpstep_texture;

/*
 * Makes a texture; kernels are given the handle, 64 bits. BAD_CALL: it cannot be, or its texels are
 * not all in one buffer. Fetches after its buffer was freed fault.
 */
WARPSTEP_API warpstep_code warpstep_create_texture(warpstep *gpu, const warpstep_texture *texture,
                                                   uint64_t *ret_handle);
WARPSTEP_API warpstep_code warpstep_destroy_texture(warpstep *gpu, uint64_t handle);

/* ---- launches -------------------------------------------------------------------------------- */

typedef struct {
    size_t size;
    unsigned program;
    const char *kernel; /* as warpstep_find_kernel() */
    unsigned grid[3], block[3];
    unsigned dynamic_shared_bytes;
    /*
     * One pointer for each parameter of the kernel, to as many bytes as it has; or
     * `parameter_block`, all of them as the kernel has them in memory, `parameter_bytes` long.
     */
    const void *const *arguments;
    unsigned argument_count;
    const void *parameter_block;
    size_t parameter_bytes;
    int keep_caches;      /* L1 and L2 as the launch before in the same run left them */
    unsigned carveout;    /* percent of L1 that are shared memory, + 1; 0 = the least that does */
    unsigned stack_bytes; /* of a thread's stack of calls; 0 = 1024, as CUDA has it */
} warpstep_launch;

/*
 * Puts a launch behind those that wait to be run. It is checked and its parameters are copied now.
 * The launches of a run are of one program. BAD_CALL, BAD_INPUT.
 */
WARPSTEP_API warpstep_code warpstep_enqueue(warpstep *gpu, const warpstep_launch *launch);

/*
 * Writes what waits in the queue as a launch file, `path`, which ends in .yaml: `warpstep run`
 * gives the figures that warpstep_run() would give now, and all other commands take it. The program
 * and the contents of buffers and variables go to the folder `data` beside it, by contents, so that
 * launch files of one folder share them. The queue stays. BAD_CALL: nothing waits. BAD_INPUT: it
 * cannot be written, and then `path` is not there unless it was before.
 */
WARPSTEP_API warpstep_code warpstep_save(warpstep *gpu, const char *path);

typedef enum {
    WARPSTEP_CYCLES,     /* cycle by cycle */
    WARPSTEP_FUNCTIONAL, /* values, faults and instruction counts alone */
    WARPSTEP_SAMPLED     /* either, as warpstep_set_sampling() says; of one launch */
} warpstep_mode;

/*
 * Which launches WARPSTEP_SAMPLED runs by cycle, among those that are alike: of a kernel, with the
 * same grid, block and dynamic shared memory. "first", as it is at the beginning; "every:N": the
 * first, and every Nth behind it; "nth:N": the Nth alone. Counts from here on, over all runs.
 * BAD_CALL: no such rule.
 */
WARPSTEP_API warpstep_code warpstep_set_sampling(warpstep *gpu, const char *rule);

/*
 * Runs what has been put into the queue, in order, to its end. The results are in the buffers.
 * After FAULT, DEADLOCK and LIMIT the figures up to there can be read, and buffers hold what had
 * been written.
 */
WARPSTEP_API warpstep_code warpstep_run(warpstep *gpu, warpstep_mode mode);

/* ---- figures of the last run ------------------------------------------------------------------
 */

/* Of a launch; after a functional run, all but the counts of instructions are 0. */
typedef struct {
    uint64_t cycles;           /* most cycles with a resident warp that an SM had */
    uint64_t elapsed_cycles;   /* from the launch to the last completion */
    uint64_t active_sm_cycles; /* with a resident warp, summed over SMs */
    uint64_t warp_instructions, thread_instructions, thread_instructions_pred_on;
    uint64_t branches_executed, branches_divergent;
    uint64_t warps_launched, warps_diverged, blocks_launched;
    uint64_t warp_cycles; /* residency, summed over warps; the sum of all stall reasons */
    uint64_t global_load_requests, global_load_sectors;
    uint64_t global_store_requests, global_store_sectors;
    uint64_t texture_requests, texture_sectors;
    uint64_t local_load_requests, local_store_requests;
    uint64_t shared_wavefronts, shared_bank_conflicts;
    uint64_t l1_lookups, l1_hits, l2_lookups, l2_hits; /* sectors */
    uint64_t dram_read_bytes, dram_write_bytes;
    double theoretical_occupancy, achieved_occupancy; /* 0 to 1 */
} warpstep_figures;

/* Launches of the last run that began. */
WARPSTEP_API unsigned warpstep_launch_count(const warpstep *gpu);
/* Of launch `index` of the last run; NULL past the last one. */
WARPSTEP_API const warpstep_figures *warpstep_figures_of(warpstep *gpu, unsigned index);
/* Whether the last run was by cycle. */
WARPSTEP_API int warpstep_is_timed(const warpstep *gpu);
/*
 * Elapsed cycles of launch `index` of the last run; of a sampled one without timing, those of the
 * last launch alike that had any; else 0.
 */
WARPSTEP_API uint64_t warpstep_estimated_cycles(warpstep *gpu, unsigned index);
/* Stall reasons: names, and what they mean; NULL past the last one. The first is "selected". */
WARPSTEP_API const char *warpstep_stall_name(unsigned reason);
WARPSTEP_API const char *warpstep_stall_help(unsigned reason);
/* Cycles that warps spent so in a launch, summed over warps. */
WARPSTEP_API uint64_t warpstep_stall_cycles(const warpstep *gpu, unsigned index, unsigned reason);
/* The last run as `warpstep run --format json` has it. NULL: there was none with cycles. */
WARPSTEP_API const char *warpstep_json(warpstep *gpu);
/*
 * What the printf of launch `index` of the last run has printed, `ret_length` bytes and a 0, in the
 * order of cycle, SM, warp slot and lane; without cycles in that of the run. At most the bytes of
 * the setting limits.printf_bytes, the last of them; `ret_lost` (or NULL): calls whose output was
 * lost for it. NULL past the last launch.
 */
WARPSTEP_API const char *warpstep_printed(warpstep *gpu, unsigned index, size_t *ret_length,
                                          uint64_t *ret_lost);
/*
 * Whether runs from here on are recorded for a page: the SM that gets the first block, a million
 * instructions at most. That slows them down.
 */
WARPSTEP_API warpstep_code warpstep_record_page(warpstep *gpu, int on);
/* The last run as `warpstep report` shows it: one HTML file. NULL: it was not recorded. */
WARPSTEP_API const char *warpstep_html(warpstep *gpu);

/* ---- looking on -------------------------------------------------------------------------------
 */

typedef struct {
    uint64_t cycle;
    const char *kind; /* "issue", "stall", "diverge": as `warpstep trace --events` lists them */
    unsigned sm, sub_core, slot; /* slot: of the warp on its SM */
    unsigned block, warp;        /* linear number of the block; warp in the block */
    const char *instruction;     /* "FADD R3, R3, R4", or NULL */
    const char *file;            /* of the source, or NULL */
    unsigned line;               /* 0 = not known */
    uint64_t lanes;              /* what the event is about, lane 0 lowest; 0 = none */
    const char *stall;           /* of kind "stall": the reason; or NULL */
} warpstep_event;

/*
 * While a run goes on, `tell` is called for each event of these kinds, in the order of cycle, SM
 * and sequence. `kinds`: names with commas between, "all", or NULL: nobody is called any more. The
 * event is valid during the call. It must not call the library. BAD_CALL: no such kind.
 */
WARPSTEP_API warpstep_code warpstep_observe(warpstep *gpu, const char *kinds,
                                            void (*tell)(void *data, const warpstep_event *event),
                                            void *data);

/* ---- stepping ---------------------------------------------------------------------------------
 */

/*
 * Begins a run of what has been put into the queue, at its first cycle, and goes where it is told
 * from there, also back. Buffers hold what they hold at the cycle. Ends with
 * warpstep_end_stepping(); such a run has no figures.
 */
WARPSTEP_API warpstep_code warpstep_begin_stepping(warpstep *gpu);
/* To a cycle, or to the end of the run where that comes first; UINT64_MAX: to the end. */
WARPSTEP_API warpstep_code warpstep_go(warpstep *gpu, uint64_t cycle);
WARPSTEP_API uint64_t warpstep_cycle(const warpstep *gpu);
/* Whether the run is at its end. */
WARPSTEP_API int warpstep_is_over(const warpstep *gpu);
/*
 * A command of `warpstep step`: "break k.cu:12 if sum > 3", "continue", "print -lanes all sum",
 * "info warps", "back". `ret` gets what it says, lines with their ends. BAD_CALL: the command is
 * wrong, and nothing was done.
 */
WARPSTEP_API warpstep_code warpstep_command(warpstep *gpu, const char *line, const char **ret);
/* Stops looking. The run is given up where it is, unless it is over. */
WARPSTEP_API warpstep_code warpstep_end_stepping(warpstep *gpu);

typedef struct {
    unsigned sm, slot;
    unsigned block, warp;    /* linear number of the block; warp in the block */
    uint64_t active, exited; /* lanes, lane 0 lowest */
    const char *instruction; /* that it issues next */
    const char *file;        /* of the source, or NULL */
    unsigned line;           /* 0 = not known */
    const char *stall;       /* why it does not issue in this cycle: "selected" = it does */
} warpstep_warp;

/* Warps on the machine while stepping, by SM and slot: number `index`, or NULL past the last. */
WARPSTEP_API const warpstep_warp *warpstep_warp_at(warpstep *gpu, unsigned index);
/* Register `number` of a lane of a warp. BAD_CALL: there is none. */
WARPSTEP_API warpstep_code warpstep_register(warpstep *gpu, unsigned sm, unsigned slot,
                                             unsigned lane, unsigned number, uint32_t *ret);
/*
 * An expression, as `print` takes it, in the lane of a warp: "sum", "tile[threadIdx.y][0]". `ret`
 * gets its value as text. BAD_CALL: nothing is called so there.
 */
WARPSTEP_API warpstep_code warpstep_evaluate(warpstep *gpu, unsigned sm, unsigned slot,
                                             unsigned lane, const char *expression,
                                             const char **ret);

#ifdef __cplusplus
}
#endif

#endif
