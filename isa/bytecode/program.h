/*
 * A program: what any front end produces and the simulator runs. Immutable once built; a WsProgram
 * is shared by reference count.
 */
#ifndef WS_ISA_BYTECODE_PROGRAM_H
#define WS_ISA_BYTECODE_PROGRAM_H

#include "isa/base/load_bounds.h"
#include "isa/base/read_scope.h"
#include "isa/bytecode/code_target.h"
#include "isa/bytecode/construct.h"
#include "isa/bytecode/instruction.h"

/*
 * Address map of a thread (64-bit generic addresses). Shared and local memory have windows; LD, ST
 * and ATOM find the space by the address. Offsets inside a window are what LDS and LDL use.
 */
#define WS_SHARED_WINDOW   G_GUINT64_CONSTANT(0x01000000) /* 16 MiB */
#define WS_LOCAL_WINDOW    G_GUINT64_CONSTANT(0x02000000) /* 16 MiB */
#define WS_CONSTANT_WINDOW G_GUINT64_CONSTANT(0x03000000) /* 64 KiB: bank 3, read only */
#define WS_MODULE_WINDOW   G_GUINT64_CONSTANT(0x04000000) /* __device__ variables, up to 64 MiB */
#define WS_BUFFER_BASE     G_GUINT64_CONSTANT(0x10000000) /* first buffer of a launch */

/*
 * Constant bank 0: launch data, then parameters at `parameter_base` of the compile options (a
 * device setting; 0x210 on Hopper). Byte offsets of the launch data, one word each:
 */
enum {
    WS_CONSTANT_BLOCK_DIM = 0x00, /* x, y, z */
    WS_CONSTANT_GRID_DIM = 0x0c,  /* x, y, z */
    WS_CONSTANT_SHARED_WINDOW = 0x18,
    WS_CONSTANT_LOCAL_WINDOW = 0x1c,
    WS_CONSTANT_DYNAMIC_SHARED =
        0x20, /* byte offset of dynamic shared memory in the block's shared memory */
    WS_CONSTANT_STACK = 0x28, /* offset in local memory at which the stack of calls begins */
    /* In machine code: two words with the generic address of local memory; where the stack ends,
     * which grows down. Read off the code that ptxas makes. */
    WS_MACHINE_LOCAL_WINDOW = 0x20,
    WS_MACHINE_STACK = 0x28,
    WS_CONSTANT_BANKS = 4,
    WS_CONSTANT_BANK_BYTES = 65536,
    WS_MAX_PARAMETER_BYTES = 32764 /* of a kernel; PTX ISA, kernel parameters from sm_70 on */
};

typedef enum {
    WS_TYPE_S8,
    WS_TYPE_U8,
    WS_TYPE_S16,
    WS_TYPE_U16,
    WS_TYPE_S32,
    WS_TYPE_U32,
    WS_TYPE_S64,
    WS_TYPE_U64,
    WS_TYPE_F16,
    WS_TYPE_BF16,
    WS_TYPE_F32,
    WS_TYPE_F64,
    WS_TYPE_B8,
    WS_TYPE_B16,
    WS_TYPE_B32,
    WS_TYPE_B64,
    WS_TYPE_BYTES, /* an aggregate */
    WS_TYPE_TEXREF /* a reference to a texture: its 64-bit handle */
} WsType;

guint ws_type_size(WsType type);                         /* bytes; 0 for WS_TYPE_BYTES */
const char *ws_type_name(WsType type);                   /* "f32"; "bytes" for aggregates */
gboolean ws_type_by_name(const char *name, WsType *ret); /* case as written: "f32" */

typedef struct {
    char *name;
    WsType type;
    guint32 offset; /* bytes from the parameter base */
    guint32 size;   /* bytes */
    guint32 align;
} WsParameter;

/* A __shared__ variable of a kernel. */
typedef struct {
    char *name;     /* as in the source: "tile" */
    WsType type;    /* element type; WS_TYPE_B8 if not known, as for the arrays that clang writes */
    guint32 offset; /* bytes from the start of the block's shared memory */
    guint32 size;   /* bytes; 0 = extern, in dynamic shared memory */
    guint32 align;
} WsSharedVariable;

/* Where an instruction comes from. Index 0 of the table is "nowhere". */
typedef struct {
    guint32 file; /* index into WsProgram.files, of the CUDA source (or of the .wsasm) */
    guint32 line; /* 0 = none */
    guint32 column;
    guint32 inlined_at; /* index of the location of the call that was inlined, 0 = none */
    guint32 ptx_line;   /* line of the PTX text, 0 = none */
    guint32 frame;      /* while a program is made: which inlined function it is in (WsIrFrame) */
    guint32 construct;  /* branches, BSSY, BSYNC: index of what they belong to, 0 = not known */
} WsLocation;

typedef enum { WS_SYMBOL_GLOBAL, WS_SYMBOL_CONSTANT } WsSymbolSpace;

/* A __device__ or __constant__ variable. */
typedef struct {
    char *name;
    WsSymbolSpace space;
    WsType type;     /* element type, WS_TYPE_B8 if not known */
    guint64 address; /* GLOBAL: generic address in the module window; CONSTANT: offset in bank 3 */
    guint64 size;    /* bytes */
    guint32 align;
    guint8 *initial; /* size bytes; NULL = zero */
} WsSymbol;

/*
 * State in which one warp of a hand-written kernel starts (directive .initial, or `initial:` of the
 * launch file), so that an example can begin in mid-flight.
 */
typedef struct {
    char *name;         /* mangled, as in the PTX */
    char *display_name; /* as in the source: "saxpy", "axpy<float>" */
    guint32 first;      /* first instruction */
    guint32 count;      /* instructions, device functions it calls included */
    guint32 registers;  /* registers a thread needs, 1..255 */
    guint32 static_shared_bytes;
    /* Of these, the first: the system's. Machine code of sm_90 finds its own behind them. */
    guint32 system_shared_bytes;
    guint32 local_bytes;       /* of a thread: variables, spills, stack */
    guint32 spill_bytes;       /* of these, spilled registers */
    guint32 stack_bytes;       /* of these, at their end: the stack of calls; 0 = uses none */
    guint32 barriers;          /* named barriers used, 0..16 */
    guint32 required_block[3]; /* .reqntid, 0 = not given */
    guint32 max_threads;       /* .maxntid, 0 = not given */
    guint32 min_blocks;        /* .minnctapersm, 0 = not given */
    gboolean uses_dynamic_shared;
    gboolean names_lanes; /* uses instructions that name lanes or lane masks: warp size 32 only */
    WsParameter *parameters;
    guint32 parameter_count;
    guint32 parameter_bytes;
    /* Machine code without a list of its parameters: a launch says what they are. */
    gboolean open_parameters;
    WsSharedVariable *shared; /* where known, by rising offset; NULL = none */
    guint32 shared_count;
} WsKernel;

/* Bytes of static shared memory that the kernel itself asks for. */
static inline guint32 ws_kernel_shared_asked(const WsKernel *kernel)
{
    return kernel->static_shared_bytes - kernel->system_shared_bytes;
}

/* A thread's stack of calls as CUDA has it, unless cudaLimitStackSize or the launch says more. */
enum { WS_DEFAULT_STACK_BYTES = 1024, WS_MAX_LOCAL_BYTES = 512 << 10, WS_STACK_ALIGN = 16 };

/*
 * Gives a kernel a stack of that size, in place of the one that it has, and as its last bytes of
 * local memory; less if it would then have over WS_MAX_LOCAL_BYTES.
 */
void ws_kernel_set_stack(WsKernel *kernel, guint32 bytes);

/* A kernel of the source that uses something unsupported. The program's others run. */
typedef struct {
    char *name;
    char *display_name;
    char *message; /* position and cause: "file:line:column: error: text" */
} WsRefusedKernel;

typedef struct {
    gatomicrefcount references;
    /*
     * 90 for machine code of sm_90, whose addresses count from the kernel's first instruction and
     * whose bank 0 is laid out as drivers do; 0: compiled or assembled here.
     */
    guint32 machine;
    guint32 parameter_base;
    WsInstruction *instructions;
    guint32 instruction_count;
    WsKernel *kernels;
    guint32 kernel_count;
    WsRefusedKernel *refused;
    guint32 refused_count;
    WsSymbol *symbols;
    guint32 symbol_count;
    guint8 *constants; /* image of bank 3 */
    guint32 constant_bytes;
    guint64 module_bytes;  /* bytes used in the module window */
    WsLocation *locations; /* [0] is "nowhere" */
    guint32 location_count;
    WsConstruct *constructs; /* [0] is none */
    guint32 construct_count;
    char **files; /* source file names, as the user gave them; NULL-terminated; [0] is "" */
    /*
     * By file: its text if it was read to make the program and lies under the target's folder or an
     * include folder, else "". NULL: no file's. Any file can be named in a program, by #line or
     * .loc.
     */
    char **sources;
    char *path; /* what was loaded */
    char *ptx;  /* PTX text the program was made from, or NULL */
    /*
     * What compiled CUDA C to the PTX: "clang 14.0.6". Another version makes other code, and other
     * cycles. NULL: the program was PTX or assembly, or it is not known.
     */
    char *compiler;
    char **labels;                     /* per instruction: label in front of it, or NULL */
    struct WsVariableTable *variables; /* of the source, by name; NULL: none were asked for */
} WsProgram;

enum { WS_MAX_COMPILER_NAME = 64 }; /* bytes of WsProgram.compiler */

/* A program with nothing in it, one reference. */
WsProgram *ws_program_new(void);
WsProgram *ws_program_ref(WsProgram *program);
void ws_program_unref(WsProgram *program);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(WsProgram, ws_program_unref)

/*
 * What the code of a kernel says by itself: registers it needs (at least 1), named barriers,
 * names_lanes, and uses_dynamic_shared if it reads the offset or size of dynamic shared memory.
 * These fields of `kernel` are set; `first` and `count` must be.
 */
void ws_kernel_scan_code(const WsProgram *program, WsKernel *kernel);

/*
 * What a branch, a BSSY or a BSYNC belongs to in the source: index into constructs, 0 = not known
 * or another instruction. In words: "while"; of a BSYNC "end of while", NULL = not known. Free with
 * g_free.
 */
guint32 ws_program_construct(const WsProgram *program, guint32 instruction);
char *ws_program_construct_text(const WsProgram *program, guint32 instruction);

/*
 * The kernel that `name` fits best (isa/base/kernel_names.h), or NULL if that is none or more than
 * one, refused kernels counted. The same among the refused ones.
 */
const WsKernel *ws_program_find_kernel(const WsProgram *program, const char *name);
const WsRefusedKernel *ws_program_find_refused(const WsProgram *program, const char *name);
/* The display names (owned by the program) that more than one kernel has, as a set. */
GHashTable *ws_program_shared_names(const WsProgram *program);
/*
 * TRUE if reports show the name in the PTX as well: the kernel is an instance of a template, or
 * another one of the program has the same display name.
 */
gboolean ws_kernel_shows_mangled(const WsKernel *kernel, GHashTable *shared_names);
const WsSymbol *ws_program_find_symbol(const WsProgram *program, const char *name);

/* What front ends are told. */
typedef struct {
    guint32 parameter_base;      /* byte offset of parameters in bank 0 */
    guint32 max_registers;       /* cap per thread, 0 = 255 */
    gboolean if_convert;         /* predicate short bodies */
    gboolean schedule;           /* reorder inside basic blocks by latency */
    gboolean load_constants;     /* constant operands come through LDC and ULDC, as on Hopper */
    const WsCodeTarget *target;  /* the machine the code is for; NULL = latencies of an H200 */
    const char *const *defines;  /* .cu: "N=4", NULL-terminated, or NULL */
    const char *const *includes; /* .cu: directories, or NULL */
    const WsReadScope *scope;    /* which files may be read; NULL = all */
    gboolean for_checks;         /* .cu: not optimised, and with checks of indices (sim/check) */
    gboolean variables;          /* the program says where the variables of its source are */
    gboolean debug;              /* not optimised: each variable lives until its scope ends */
    WsLoadBounds bounds;         /* .cu: of clang; `scope` says which files may be read */
    gboolean from_cuda; /* .ptx: clang's of a .cu, with __device__ const arrays in .const */
} WsCompileOptions;

/* Hopper's parameter base, if-conversion and scheduling on, no caps. */
void ws_compile_options_init(WsCompileOptions *ret);

/* TRUE for *.c: a file with a scheduling policy (isa/cuda/include/warpstep/policy.h). */
gboolean ws_is_policy_name(const char *path);

/*
 * Loads a program by the ending of its name: .cu (through clang), .ptx, .wsasm, .wsbin, .sass (text
 * of cuobjdump and nvdisasm); or a policy, .c, whose functions have a kernel each that calls them.
 * Verified before it is returned. A kernel of a .cu, .ptx or .sass that uses something unsupported
 * is noted in `refused`; if no other is there, that is the error. Errors: WS_ERROR_INPUT with
 * position.
 */
WsProgram *ws_program_load(const char *path, const WsCompileOptions *options, GError **error);

#endif
