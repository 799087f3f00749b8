/*
 * What instructions do to lanes: decoding of a program for one launch, and the bodies that compute
 * results. Nothing here knows of time. Results are bit-identical on every host: bodies are compiled
 * for several host levels (x86-64, x86-64-v3, x86-64-v4) and chosen at start.
 */
#ifndef WS_SIM_LANES_H
#define WS_SIM_LANES_H

#include "isa/program.h"
#include "sim/device.h"

enum { WS_MAX_WARP_SIZE = 64 };

/* What the engine has to do with an instruction. */
typedef enum {
    WS_KIND_LANES,  /* body() does everything: registers and predicates of this warp only */
    WS_KIND_MEMORY, /* a memory access: see sim/memory.h */
    WS_KIND_BRANCH, /* BRA, BRX, CALL, RET */
    WS_KIND_EXIT,
    WS_KIND_TRAP,
    WS_KIND_BARRIER, /* BAR */
    WS_KIND_MEMBAR,
    WS_KIND_CONVERGENCE, /* BSSY, BSYNC, BREAK, BMOV, WARPSYNC, YIELD */
    WS_KIND_SLEEP,
    WS_KIND_NOP
} WsKind;

/*
 * Architectural state of one warp, as bodies see it. `registers` is [register][lane] with
 * `warp_size` lanes of 32 bits a row; the engine points it into its arena.
 */
typedef struct {
    guint32 *registers;
    guint64 predicates[8];     /* a bit per lane; [7] (PT) is all ones */
    guint32 uniform[64];       /* [63] (URZ) is zero */
    guint8 uniform_predicates; /* bit n = UPn; bit 7 set */
    guint64 barriers[16];      /* convergence barriers: lanes */
} WsWarpRegisters;

/* What bodies may read besides registers. One per warp issue; the engine fills it once per warp. */
typedef struct {
    guint32 block_index[3];
    guint32 first_thread; /* linear thread number of lane 0 in its block */
    guint32 warp_slot;    /* hardware slot on the SM */
    guint32 sm;
    guint32 launch;
    guint64 cycle;  /* for clock registers */
    guint64 active; /* active lanes (for ACTIVEMASK, VOTE, SHFL ...) */
} WsLaneContext;

typedef struct WsDecoded WsDecoded;
typedef struct WsDecodedProgram WsDecodedProgram;
typedef void (*WsLaneBody)(const WsDecodedProgram *program, const WsDecoded *instruction,
                           WsWarpRegisters *warp, const WsLaneContext *context, guint64 mask);

/*
 * 32 bytes, one cache line for two. Rows: >= 0 register number; < 0 row (-1 - n) of the program's
 * literal pool, where immediates and constant-bank operands stand broadcast over all lanes
 * (constant banks do not change during a launch). RZ as a source is pool row 0.
 */
struct WsDecoded {
    WsLaneBody body;        /* for kinds other than LANES, NULL */
    gint16 d, a, b, c;      /* rows; d < 0: result dropped */
    guint32 immediate;      /* offset, table, mask: by opcode */
    guint16 flags;          /* modifiers, negations: private to lanes.c */
    guint8 opcode;          /* WsOpcode */
    guint8 kind;            /* WsKind */
    guint8 execution_class; /* WsClass */
    guint8 guard;           /* predicate number | 0x80 if negated; 7 = always */
    guint8 predicate_out;   /* Pd | Pe << 4 */
    guint8 predicate_in;    /* Pp | 8 if negated, Pq << 4 likewise */
};

struct WsDecodedProgram {
    const WsProgram *program;
    const WsKernel *kernel;
    WsDecoded *instructions; /* [program->instruction_count] */
    guint32 *pool;           /* [row][warp_size] */
    guint32 pool_rows;
    guint32 warp_size;
    guint64 all_lanes; /* mask with warp_size ones */
    guint32 block[3], grid[3];
    const guint8
        *constants[WS_CONSTANT_BANKS]; /* images of the banks, WS_CONSTANT_BANK_BYTES each */
    guint64 clock_khz;
    guint32 slots, sms; /* for NWARPID, NSMID */
    guint32 dynamic_shared_bytes, total_shared_bytes;
};

/*
 * Decodes for one launch. `constants` are WS_CONSTANT_BANKS images of WS_CONSTANT_BANK_BYTES bytes
 * that must outlive the result (bank 0 filled with launch data and parameters by ws_fill_bank0()).
 * Errors: WS_ERROR_INPUT (an instruction that warp_size or the device does not allow).
 */
WsDecodedProgram *ws_decode(const WsProgram *program, const WsKernel *kernel,
                            const WsDevice *device, const guint32 grid[3], const guint32 block[3],
                            guint32 dynamic_shared_bytes,
                            const guint8 *const constants[WS_CONSTANT_BANKS], GError **error);
void ws_decoded_program_free(WsDecodedProgram *decoded);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(WsDecodedProgram, ws_decoded_program_free)

/* Writes launch data and parameters into an image of bank 0 (see isa/program.h for the offsets). */
void ws_fill_bank0(guint8 *bank, const WsProgram *program, const WsKernel *kernel,
                   const guint32 grid[3], const guint32 block[3], const guint8 *parameters);

/* Lanes of `active` for which the guard of `instruction` holds. */
static inline guint64 ws_guard_mask(const WsDecoded *instruction, const WsWarpRegisters *warp,
                                    guint64 active)
{
    guint64 predicate = warp->predicates[instruction->guard & 7];
    return active & (instruction->guard & 0x80 ? ~predicate : predicate);
}

/*
 * Lane addresses of a memory instruction: generic or window-relative as its opcode says, for the
 * lanes of `mask` (others are left alone).
 */
void ws_lane_addresses(const WsDecodedProgram *program, const WsDecoded *instruction,
                       const WsWarpRegisters *warp, guint64 mask,
                       guint64 ret_address[WS_MAX_WARP_SIZE]);

/* Target of BRX and RET for each lane of `mask`, as instruction numbers (G_MAXUINT32 if
 * impossible). */
void ws_lane_targets(const WsDecodedProgram *program, const WsDecoded *instruction,
                     const WsWarpRegisters *warp, guint64 mask,
                     guint32 ret_target[WS_MAX_WARP_SIZE]);

/* One atomic operation on one lane: returns the new value of memory. Operands up to 64 bits. */
guint64 ws_atomic_apply(guint operation, guint type, guint64 memory, guint64 operand);

/* Name of the host level in use ("x86-64-v3"); NULL in `force` picks the best (tests force each).
 */
const char *ws_lanes_host_level(void);
const char *const *ws_lanes_host_levels(void);
WsDecodedProgram *ws_decode_for_level(const char *force, const WsProgram *program,
                                      const WsKernel *kernel, const WsDevice *device,
                                      const guint32 grid[3], const guint32 block[3],
                                      guint32 dynamic_shared_bytes,
                                      const guint8 *const constants[WS_CONSTANT_BANKS],
                                      GError **error);

#endif
