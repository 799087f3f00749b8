/*
 * What instructions do to lanes: decoding of a program for one launch, and the bodies that compute
 * results. Nothing here knows of time. Results are bit-identical on every host: bodies are compiled
 * for several host levels (x86-64, x86-64-v3, x86-64-v4) and chosen at start.
 */
#ifndef WS_SIM_LANES_LANES_H
#define WS_SIM_LANES_LANES_H

#include "isa/bytecode/program.h"
#include "sim/device/device.h"

enum { WS_MAX_WARP_SIZE = 64 };

/* See sim/lanes/exchange.h. */
typedef struct {
    guint32 open;      /* lanes whose operation is still to come */
    guint32 certain;   /* of these: it is a vote on what is always true */
    guint32 with[32];  /* per lane: those that take part in it, itself included */
    guint64 value[32]; /* what each brings */
} WsExchange;

/*
 * Architectural state of one warp, as bodies see it. `registers` is [row][lane] with `warp_size`
 * lanes of 32 bits a row, WsDecodedProgram.rows rows: the registers, then the values of uniform
 * registers that lane operations read, in every lane. The engine points it into its arena.
 */
typedef struct {
    guint32 *registers;
    guint64 predicates[WS_GUARD_UNIFORM]; /* a bit per lane; [7] (PT) is all ones */
    guint32 uniform[64];                  /* [63] (URZ) is zero; written by ws_set_uniform() */
    guint8 uniform_predicates;            /* bit n = UPn; bit 7 (UPT) set */
    guint64 barriers[16];                 /* convergence barriers: lanes */
    WsExchange exchange;
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

/* What a memory instruction does to a lane; sim/lanes/memory_operation.h has the values. */
typedef struct {
    guint8 space;  /* WsSpace */
    guint8 action; /* WsMemoryAction */
    guint8 bytes;  /* a lane: 1, 2, 4, 8, 16 */
    guint8 words;  /* registers a lane: 1, 2, 4 */
    guint8 width;  /* WS_WIDTH_* */
    guint8 cache;  /* WS_CACHE_* */
    guint8 atomic; /* WS_ATOMIC_* */
    guint8 type;   /* WS_ATOMIC_U32.. */
} WsMemoryOperation;

/* Where the lanes of an access lie. */
typedef struct {
    guint64 low, high; /* least and greatest address */
    /*
     * All of 32 lanes are on, each above the one before it; FALSE may mean that this is not known,
     * as of addresses of 64 bits.
     */
    gboolean rising;
    guint64 misaligned; /* nonzero if some address is not a multiple of the access's bytes */
    gboolean ascending; /* all lanes of the warp, each right behind the one before */
} WsAddressSpan;

/* See ws_lane_span(). */
typedef void (*WsLaneAddresses)(const WsDecodedProgram *program, const WsDecoded *instruction,
                                const WsWarpRegisters *warp, guint64 mask, guint32 bytes,
                                guint64 ret_address[WS_MAX_WARP_SIZE], WsAddressSpan *ret_span);

/*
 * 32 bytes, one cache line for two. Rows: 0..254 register number; from there on the rows behind the
 * registers; WS_ROW_UNIFORM + n uniform register n, where it has no such row; < 0 row (-1 - n) of
 * the program's literal pool, where immediates and constant-bank operands stand broadcast over all
 * lanes (constant banks do not change during a launch). RZ as a source is pool row 0. The further
 * words of a 64- or 128-bit value are the next registers or the next pool rows. ws_row_value()
 * reads any of them.
 *
 * Fields of kinds other than LANES:
 *   MEMORY       d (Rd), a (base), b (Rb: value, or what CAS compares), c (Rc of CAS); addresses
 *                by ws_lane_addresses(); WIDTH, CACHE, ATOMIC, ATOMIC_TYPE, SCOPE by
 *                ws_decoded_modifier()
 *   MATRIX_LOAD  d, a; MATRIX_LAYOUT, MATRIX_COUNT
 *   TEXTURE      d, a and c (coordinates), b (handle); TEX_KIND, TEX_COORDINATE
 *   SYSTEM       d, a and b
 *   BRANCH       immediate = target (instruction number), predicate_in = Pp of BRA; CALL: d = Rd;
 *                BRX and RET: ws_lane_targets()
 *   EXIT         predicate_in = Pp
 *   TRAP         ws_decoded_modifier(TRAP)
 *   BARRIER      d, predicate_out (Pd), b = barrier number, c = threads (RZ: all), predicate_in;
 *                ws_decoded_modifier(BARRIER)
 *   MEMBAR       ws_decoded_modifier(SCOPE)
 *   CONVERGENCE  immediate = target of BSSY; d = barrier of BSSY, BSYNC, BREAK, BMOV.B and
 *                register of BMOV.R; a = barrier of BMOV.R and register of BMOV.B;
 *                b = mask of WARPSYNC; predicate_in = Pp of BREAK
 *   SLEEP        b = nanoseconds
 */
enum { WS_ROW_UNIFORM = 512 };

struct WsDecoded {
    union {
        WsLaneBody body;             /* LANES and MATRIX */
        WsMemoryOperation operation; /* MEMORY */
    };
    gint16 d, a, b, c;      /* rows; d < 0: result dropped */
    guint32 immediate;      /* offset, table, mask: by opcode */
    guint16 flags;          /* modifiers and negations: ws_decoded_modifier() */
    guint8 opcode;          /* WsOpcode */
    guint8 kind;            /* WsKind */
    guint8 execution_class; /* WsClass */
    guint8 guard;           /* Pn: n, UPn: WS_GUARD_UNIFORM + n; | 0x80 if negated; 7 = always */
    guint8 predicate_out;   /* Pd | Pe << 4; uniform rows: numbers of uniform predicates */
    guint8 predicate_in;    /* Pp | 8 if negated, Pq << 4 likewise; uniform rows: as above */
};

/* Place of a modifier group in WsDecoded.flags. */
enum {
#define MODIFIER(name, bits, place, ...) WS_FIELD_##name = place,
#include "isa/bytecode/modifiers.def"
#undef MODIFIER
    /* bits 0..5: minus and absolute value of a, b, c (memory kinds have none) */
    WS_FIELD_BANK = 9, /* LDC and ULDC: constant bank, 2 bits */
    /* bit 15 of LANES: operands need preparing, or the warp size is not 32 */
    WS_FIELD_GENERAL = 15
};

/* Width in bits of each modifier group. */
enum {
#define MODIFIER(name, bits, ...) WS_BITS_##name = bits,
#include "isa/bytecode/modifiers.def"
#undef MODIFIER
    WS_BITS_BANK = 2
};

/* Value of a modifier group of a decoded instruction: ws_decoded_modifier(i, WIDTH). */
#define ws_decoded_modifier(instruction, GROUP)                                                    \
    ((guint)(instruction)->flags >> WS_FIELD_##GROUP & ((1u << WS_BITS_##GROUP) - 1u))

struct WsDecodedProgram {
    const WsProgram *program;
    const WsKernel *kernel;
    WsLaneAddresses addresses; /* for this host */
    WsDecoded *instructions;   /* [program->instruction_count] */
    guint32 *pool;             /* [row][warp_size] */
    guint32 pool_rows;
    /*
     * Rows of a warp's registers, and of each uniform register the row that holds it in every lane,
     * -1 if no lane operation of the kernel reads it: so it is an operand like any other.
     */
    guint32 rows;
    gint16 uniform_row[WS_URZ + 1];
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

/* Writes launch data and parameters into an image of bank 0 (see isa/bytecode/program.h for the
 * offsets). */
void ws_fill_bank0(guint8 *bank, const WsProgram *program, const WsKernel *kernel,
                   const guint32 grid[3], const guint32 block[3], const guint8 *parameters);

/* UP number `number`. */
static inline gboolean ws_uniform_predicate(const WsWarpRegisters *warp, guint number)
{
    return warp->uniform_predicates >> number & 1;
}

/* Lanes of `active` for which the guard of `instruction` holds. */
static inline guint64 ws_guard_mask(const WsDecoded *instruction, const WsWarpRegisters *warp,
                                    guint64 active)
{
    guint number = instruction->guard & 15;
    guint64 predicate = G_LIKELY(number < WS_GUARD_UNIFORM)
                            ? warp->predicates[number]
                            : -(guint64)ws_uniform_predicate(warp, number - WS_GUARD_UNIFORM);
    return active & (instruction->guard & 0x80 ? ~predicate : predicate);
}

/* A source predicate (nibble of predicate_in: number | 8 if negated) as a mask of lanes. */
static inline guint64 ws_predicate_mask(const WsWarpRegisters *warp, guint nibble)
{
    guint64 predicate = warp->predicates[nibble & 7];
    return nibble & 8 ? ~predicate : predicate;
}

/* The same for a uniform predicate: all lanes or none. */
static inline guint64 ws_uniform_predicate_mask(const WsWarpRegisters *warp, guint nibble)
{
    guint64 predicate = -(guint64)ws_uniform_predicate(warp, nibble & 7);
    return nibble & 8 ? ~predicate : predicate;
}

/* Writes a uniform predicate other than UPT. */
static inline void ws_set_uniform_predicate(WsWarpRegisters *warp, guint number, gboolean value)
{
    guint8 bit = (guint8)(1u << number);
    warp->uniform_predicates =
        value ? warp->uniform_predicates | bit : warp->uniform_predicates & (guint8)~bit;
}

/* The predicates of a warp that starts: all false but PT and UPT. */
static inline void ws_init_predicates(WsWarpRegisters *warp)
{
    for (guint number = 0; number < WS_PT; number++)
        warp->predicates[number] = 0;
    warp->predicates[WS_PT] = ~(guint64)0;
    warp->uniform_predicates = 1u << WS_PT;
}

/* Pp of BRA, EXIT, BREAK, BAR: lanes for which it holds. */
static inline guint64 ws_predicate_operand(const WsDecoded *instruction,
                                           const WsWarpRegisters *warp)
{
    return ws_predicate_mask(warp, instruction->predicate_in & 15);
}

/* The fault of an instruction on matrices that not all lanes of the warp execute. */
#define WS_LANES_MISSING "lanes of the warp are missing"

/* TRUE if a source row has one word for all lanes: a constant, an immediate or a uniform register.
 */
static inline gboolean ws_row_is_shared(gint row)
{
    return row < 0 || row >= WS_ROW_UNIFORM;
}

/* Writes a uniform register. */
static inline void ws_set_uniform(const WsDecodedProgram *program, WsWarpRegisters *warp,
                                  guint number, guint32 value)
{
    gint row = program->uniform_row[number];

    warp->uniform[number] = value;
    if (row >= 0)
        for (guint lane = 0; lane < program->warp_size; lane++)
            warp->registers[(gsize)row * program->warp_size + lane] = value;
}

/* Word of a source row in one lane. */
static inline guint32 ws_row_value(const WsDecodedProgram *program, const WsWarpRegisters *warp,
                                   gint row, guint lane)
{
    if (row >= WS_ROW_UNIFORM)
        return warp->uniform[row - WS_ROW_UNIFORM];
    if (row >= 0)
        return warp->registers[(gsize)row * program->warp_size + lane];
    return program->pool[(gsize)~row * program->warp_size + lane];
}

/*
 * Lane addresses of a memory instruction: generic or window-relative as its opcode says, for the
 * lanes of `mask` (others are left alone); a lane accesses `bytes` bytes, a power of two. If the
 * span is ascending, only the address of lane 0 may be set: see ws_fill_ascending().
 */
static inline void ws_lane_span(const WsDecodedProgram *program, const WsDecoded *instruction,
                                const WsWarpRegisters *warp, guint64 mask, guint32 bytes,
                                guint64 ret_address[WS_MAX_WARP_SIZE], WsAddressSpan *ret_span)
{
    program->addresses(program, instruction, warp, mask, bytes, ret_address, ret_span);
}

/* All addresses of an ascending span, from that of lane 0. */
static inline void ws_fill_ascending(guint64 address[WS_MAX_WARP_SIZE], guint32 warp_size,
                                     guint32 bytes)
{
    guint64 first = address[0];

    for (guint lane = 1; lane < warp_size; lane++)
        address[lane] = first + (guint64)lane * bytes;
}

/* ws_lane_span() with every address. */
static inline void ws_lane_addresses(const WsDecodedProgram *program, const WsDecoded *instruction,
                                     const WsWarpRegisters *warp, guint64 mask, guint32 bytes,
                                     guint64 ret_address[WS_MAX_WARP_SIZE], WsAddressSpan *ret_span)
{
    ws_lane_span(program, instruction, warp, mask, bytes, ret_address, ret_span);
    if (ret_span->ascending)
        ws_fill_ascending(ret_address, program->warp_size, bytes);
}

/* Target of BRX and RET for each lane of `mask`, as instruction numbers (G_MAXUINT32 if
 * impossible). */
void ws_lane_targets(const WsDecodedProgram *program, const WsDecoded *instruction,
                     const WsWarpRegisters *warp, guint64 mask,
                     guint32 ret_target[WS_MAX_WARP_SIZE]);

/* One atomic operation on one lane: returns the new value of memory. Operands up to 64 bits. */
guint64 ws_atomic_apply(guint operation, guint type, guint64 memory, guint64 operand);

/* Name of the host level that ws_decode() uses: "x86-64-v3". */
const char *ws_lanes_host_level(void);
/* Names of the levels that this host runs, best first, NULL-terminated. g_strfreev(). */
char **ws_lanes_host_levels(void);
/* ws_decode() with the level given by name (NULL: the best); for tests, which run every level. */
WsDecodedProgram *ws_decode_for_level(const char *force, const WsProgram *program,
                                      const WsKernel *kernel, const WsDevice *device,
                                      const guint32 grid[3], const guint32 block[3],
                                      guint32 dynamic_shared_bytes,
                                      const guint8 *const constants[WS_CONSTANT_BANKS],
                                      GError **error);

#endif
