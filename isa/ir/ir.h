/*
 * The form between a front end and the register allocator: functions of basic blocks of ordinary
 * WsInstructions whose register and predicate numbers may be virtual.
 *
 * isa/lower/lower.c makes it; the passes (if_convert.c, dead_code.c, reconvergence.c, schedule.c,
 * register_allocation.c) rewrite it; emit.c lays it out as a WsProgram.
 *
 * Virtual registers: operand.index >= WS_VIRTUAL_BASE names function->registers[index -
 * WS_VIRTUAL_BASE]. A virtual register has 1, 2 or 4 words; `bank` of a REGISTER operand selects
 * the first word it means (0..3), and ws_operand_width() says how many words from there. So the
 * high half of a 64-bit value v is {REGISTER, index v, bank 1}. Virtual predicates are numbered
 * apart, in function->predicate_count; the guard may be one. The IR is not SSA: a register may be
 * written many times (PTX allows it), also word by word.
 */
#ifndef WS_ISA_IR_IR_H
#define WS_ISA_IR_IR_H

#include "isa/bytecode/program.h"
#include "isa/bytecode/variables.h"

typedef struct {
    guint8 words; /* 1, 2 or 4 */
} WsIrRegister;

enum { WS_IR_NO_BLOCK = G_MAXUINT32 };

typedef struct {
    GArray *instructions; /* of WsInstruction; no BRA or BRX inside, only what falls through */
    /*
     * How the block ends. `branch` is a BRA, BRX, EXIT or BPT with guard and operands filled in,
     * its target left open; opcode NOP = falls through. A conditional branch goes to `taken` or to
     * `next`; an unconditional one has next = WS_IR_NO_BLOCK.
     */
    WsInstruction branch;
    guint32 taken;
    guint32 next;
    GArray *table;    /* of guint32 blocks: entry i is the target of BRX where Ra = 16 i; or NULL */
    gboolean uniform; /* the front end knows that no warp diverges here (bra.uni) */
    gboolean cold;    /* seldom run: stands behind the rest of the function */
    char *label;      /* PTX label, or NULL */
    guint32 loop_depth; /* filled in by the passes */
    GArray *covers;     /* of guint32: what it stands for (isa/ir/reference.h); NULL = nothing */
    guint32 first;      /* its first instruction in the program, once that is emitted */
    guint32 site;       /* that ends in a CALL of a body: into function->sites, + 1; else 0 */
    guint32 body;       /* that ends in the RET of a body: the body's number + 1; else 0 */
} WsIrBlock;

/*
 * A function that is called, not inlined: its blocks stand among those of the kernel. A call is a
 * block that ends in CALL with `taken` the body's first block and no `next`; the body ends in one
 * RET, whose table has the block behind each of its calls. So for what values do, the blocks are
 * one graph; what asks where control goes behind a call looks at ws_ir_procedures().
 */
typedef struct {
    guint32 body;       /* number */
    guint32 place;      /* in the table of the body's RET: the block behind the call */
    gboolean recursive; /* made by a body that this call may enter again */
} WsIrSite;

typedef struct {
    char *name;
    GArray *blocks;    /* of WsIrBlock; [0] is the entry */
    GArray *registers; /* of WsIrRegister */
    guint32 predicate_count;
    guint32 local_bytes;           /* .local variables; spills are added by the allocator */
    guint32 opening;               /* location of the kernel's opening, 0 = not known */
    guint register_goal;           /* of ws_register_goal(), while code is generated */
    struct WsReference *reference; /* as the front end made it; NULL = is not kept */
    GArray *kept;        /* of guint32: registers that keep their values, rising; or NULL */
    GArray *sites;       /* of WsIrSite */
    guint32 bodies;      /* number of functions that are called */
    gboolean uses_stack; /* a body has its frame on the stack */
    WsKernel kernel;     /* parameters, limits, static shared memory: filled by the front end */
    gboolean failed;
} WsIrFunction;

/* Where a name of the PTX lies, that of a function or a variable of its kernel. */
typedef struct {
    char *name;
    WsPieceKind kind; /* LOCAL, CONSTANT or SHARED */
    guint64 value;    /* as in WsVariablePiece */
} WsIrPlace;

/* A function of the PTX as it stands in a kernel: the kernel itself, or a call that was inlined. */
typedef struct {
    char *kernel;          /* of a kernel: its name; else NULL */
    guint32 caller;        /* frame, smaller than its own; 0 for a kernel */
    guint32 call;          /* location of the call, 0 for a kernel */
    guint32 ptx_line;      /* of its first statement */
    GArray *places;        /* of WsIrPlace */
    GHashTable *registers; /* "%r5" -> its number, for WsReference.variables; NULL = none */
} WsIrFrame;

typedef struct {
    GPtrArray *functions; /* of WsIrFunction*: kernels only (device functions are inlined) */
    GArray *refused;      /* of WsRefusedKernel: kernels that could not be lowered */
    GArray *symbols;      /* of WsSymbol */
    GArray *locations;    /* of WsLocation; [0] is "nowhere" */
    GArray *constructs;   /* of WsConstruct; [0] is none */
    GPtrArray *files;     /* of char*; [0] is "" */
    GArray *frames;       /* of WsIrFrame, for WsCompileOptions.variables; [0] is none */
    guint8 *constants;
    guint32 constant_bytes;
    guint64 module_bytes;
    char *ptx;
    char *path;
} WsIrModule;

WsIrModule *ws_ir_module_new(void);
void ws_ir_module_free(WsIrModule *module);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(WsIrModule, ws_ir_module_free)

guint32 ws_ir_new_frame(WsIrModule *module, guint32 caller); /* number */

WsIrFunction *ws_ir_function_new(const char *name);
void ws_ir_function_free(WsIrFunction *function);
guint32 ws_ir_new_register(WsIrFunction *function, guint words); /* operand index */
guint32 ws_ir_new_predicate(WsIrFunction *function);             /* operand index */
guint32 ws_ir_new_block(WsIrFunction *function);                 /* block number */

/* The listing of a function, virtual registers as V12, V12.1 (word 1), VP3. For tests. */
char *ws_ir_to_text(const WsIrFunction *function);

GArray *ws_ir_refused_new(void); /* of WsRefusedKernel */
/* Notes a refused kernel: its function's names and the message of `error`, which is freed. */
void ws_ir_refuse(GArray *refused, const WsIrFunction *function, GError *error);

/*
 * The PTX front end: parses and lowers. `path` names the text in messages. Kernels that use
 * something unsupported go to `refused`; where no other is there, the first is the error.
 */
WsIrModule *ws_ptx_to_ir(const char *path, const char *text, gsize length,
                         const WsCompileOptions *options, GError **error);

/* A line of PTX that only comments follow: LLVM's dump of the code (isa/debug/machine_dump.h). */
#define WS_IR_DUMP_MARK "//# machine code\n"

/*
 * CUDA C to PTX text through clang; of optimised code with variables, a dump behind it. The text is
 * freed with g_free. `ret_sources` (or NULL) gets the texts that may be shown, by the names of
 * their files in the PTX; free with g_hash_table_unref. `ret_compiler` (or NULL) gets what
 * WsProgram.compiler says of it, NULL for a clang that did not say; free with g_free.
 */
char *ws_cuda_to_ptx(const char *path, const WsCompileOptions *options, GHashTable **ret_sources,
                     char **ret_compiler, GError **error);

#endif
