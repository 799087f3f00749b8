/*
 * A scheduling policy in C: `warpstep run TARGET --policy ./mine.c`. The file includes this header
 * and defines pick(); the other functions are optional.
 *
 *   #include <warpstep/policy.h>
 *
 *   int pick(const ws_view *view)
 *   {
 *       return ws_oldest(view, view->eligible);
 *   }
 *
 * The file is compiled to the bytecode of the simulated machine and runs there, in one thread, never
 * on the host. It is read as C++ is: C that is C++ as well. Variables outside of functions keep
 * their values from call to call; every SM has its own copies of them, with the initial values at
 * the beginning of every launch. There is no library but what <cuda_runtime.h> has for kernels.
 *
 * A warp is a number from 0 to 63 in its sub-core (hardware slot / sub-cores), and a set of warps
 * is a 64-bit mask: bit n is warp n. Numbers of warps that have left are given to new ones.
 */
#ifndef WARPSTEP_POLICY_H
#define WARPSTEP_POLICY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#ifdef __CUDA__
/* From here on all is the policy's: functions and variables of the simulated machine. */
#pragma clang attribute push(__attribute__((device)), apply_to = any(function, variable(is_global)))
#endif

/* ---- what a policy sees ----------------------------------------------------------------------- */

/* What a policy may look at. The calls are about one sub-core and one cycle. */
typedef struct ws_view {
    uint64_t cycle;
    uint64_t eligible; /* can issue in this cycle; never empty. For pick(): of these, admitted */
    int32_t last;      /* the warp that issued last, -1 = none has; it may have left since */
    int32_t sub_core;  /* of the SM, from 0 on */
    int32_t warps;     /* numbers of warps are below this one */
    int32_t sub_cores; /* that the SM has */
    int32_t sm;        /* its number, %smid */
    int32_t ws_warp;
    const struct ws_orders *orders; /* for the functions below */
    /* found when they are read */
    uint64_t memory;   /* their next instruction goes to the load-store unit */
    uint64_t loads;    /* of the eligible: their next instruction loads through L1 */
    uint64_t waiting;  /* long away: for global or local memory, at a barrier or MEMBAR, asleep */
    uint64_t resident; /* all that are there */
    uint64_t barrier;  /* at a barrier of their block */
} ws_view;

/* Execution classes of instructions (docs/reference/settings.md, classes). */
enum {
    WS_NEXT_FP32, WS_NEXT_FP32_FMA, WS_NEXT_IMAD, WS_NEXT_IMAD_WIDE, WS_NEXT_INT, WS_NEXT_COMPARE,
    WS_NEXT_CONVERT_FAST, WS_NEXT_MOVE, WS_NEXT_FP16, WS_NEXT_FP16_WIDEN, WS_NEXT_FP16_MMA,
    WS_NEXT_FP64, WS_NEXT_MATRIX, WS_NEXT_MATRIX_HALF, WS_NEXT_MATRIX_DOUBLE, WS_NEXT_MUFU,
    WS_NEXT_XU, WS_NEXT_XU64, WS_NEXT_XU64_SOURCE, WS_NEXT_VOTE, WS_NEXT_SHUFFLE, WS_NEXT_MATCH,
    WS_NEXT_REDUX, WS_NEXT_UNIFORM, WS_NEXT_UNIFORM_LOAD, WS_NEXT_SPECIAL_REGISTER,
    WS_NEXT_CONSTANT_LOAD, WS_NEXT_SHARED_LOAD, WS_NEXT_SHARED_STORE, WS_NEXT_SHARED_ATOMIC,
    WS_NEXT_SHARED_CAS, WS_NEXT_LOCAL_LOAD, WS_NEXT_LOCAL_STORE, WS_NEXT_GLOBAL_LOAD,
    WS_NEXT_GLOBAL_STORE, WS_NEXT_GLOBAL_ATOMIC, WS_NEXT_GLOBAL_REDUCTION, WS_NEXT_TEXTURE,
    WS_NEXT_BARRIER, WS_NEXT_MEMORY_BARRIER, WS_NEXT_CONVERGENCE, WS_NEXT_BRANCH, WS_NEXT_EXIT,
    WS_NEXT_SYSTEM_CALL, WS_NEXT_SLEEP, WS_NEXT_NOP, WS_NEXT_COUNT
};

/* A resident warp, by ws_warp_of(); zeros for a number that no warp has. */
typedef struct ws_warp {
    uint64_t lanes;      /* active for its next instruction; 0 = all have exited */
    uint64_t since;      /* cycle at which it became resident */
    uint64_t last_cycle; /* of its last issue; UINT64_MAX = none yet */
    uint32_t pc;         /* its next instruction: number in the kernel */
    uint32_t next;       /* the class of that: WS_NEXT_... */
    uint32_t block;      /* number of its block in the grid */
    uint32_t in_block;   /* number of the warp in its block */
    uint32_t pending;    /* accesses to memory that wait for an answer */
    uint8_t slot;        /* hardware slot of the SM: warp x sub-cores + sub-core */
    uint8_t block_slot;  /* of its block on the SM */
    uint8_t block_warps; /* warps of its block that have not exited */
    uint8_t arrived;     /* of these: at a barrier */
} ws_warp;

/* What the next instruction of a warp accesses, by ws_access_of(). */
typedef struct ws_access {
    uint64_t low, high; /* least and greatest address; generic addresses */
    uint32_t lines;     /* lines of 128 bytes that its lanes touch */
    uint32_t lanes;     /* that access memory; 0 = no access to global memory, or the operands are
                           not there yet: then all is 0 */
} ws_access;

/* The memory of the SM, by ws_memory_of(). */
typedef struct ws_memory {
    uint64_t l1_hits, l1_lookups;         /* sectors of loads since the launch began */
    uint32_t sectors, most_sectors;       /* in flight of loads; memory.l1.mshrs */
    uint32_t lines, most_lines;           /* of L1 that are in flight; of these at most */
    uint32_t waiting, most_waiting;       /* accesses that wait for room; memory.l1.miss_queue */
    uint32_t queue;                       /* cycles until the sub-core's queue of the load-store
                                             unit takes an instruction again */
} ws_memory;

/* A load that looks for a line of 128 bytes in L1. */
typedef struct ws_l1_load {
    uint64_t line;    /* address / 128; local memory has lines of its own */
    int32_t sub_core; /* of the warp that loads */
    int32_t warp;
    uint32_t pc;      /* of the load: number in the kernel */
    uint32_t hit;     /* 1: L1 has the line (perhaps not all of its sectors) */
} ws_l1_load;

/* A line that leaves L1 to make room. */
typedef struct ws_l1_eviction {
    uint64_t line;
    int32_t sub_core, warp;       /* that brought it in */
    int32_t by_sub_core, by_warp; /* whose load or store needs the room */
} ws_l1_eviction;

enum { WS_WAYS = 256 }; /* at most */

/* A full set of L1, which has to give up a line. */
typedef struct ws_l1_set {
    uint64_t line;          /* that is to be put in */
    int32_t sub_core, warp; /* for which it is */
    uint32_t ways;
    uint32_t spare;
    struct ws_l1_way {
        uint64_t line;
        int32_t sub_core, warp; /* that brought it in */
    } way[WS_WAYS];             /* [ways]; by last use, the most recent first */
} ws_l1_set;

/* An SM that can take a block. */
typedef struct ws_blocks {
    uint64_t cycle;
    uint32_t next;  /* number of the block in the grid */
    uint32_t here;  /* blocks that the SM has, or that are on their way to it; never 0 */
    uint32_t most;  /* that it can hold */
    uint32_t warps; /* of a block */
    int32_t sm;
    uint32_t ended; /* blocks that have ended on it */
} ws_blocks;

/* ---- what a policy defines -------------------------------------------------------------------- */

/* Picks a warp of view->eligible, in every cycle in which one is eligible. */
int pick(const ws_view *view);
/*
 * Optional: the warps of view->eligible that may issue at all; bits of others do not matter. If none
 * is left nothing issues in this cycle, and the policy is asked again in the next.
 */
uint64_t admit(const ws_view *view);
/* Optional: a warp has come to the sub-core, or leaves it. */
void warp_begin(int sub_core, int warp);
void warp_end(int sub_core, int warp);
/*
 * Optional: a load has looked for a line, and a line leaves L1. view->eligible is empty. Not told of
 * a line that is in flight already.
 */
void l1_load(const ws_view *view, const ws_l1_load *load);
void l1_evict(const ws_view *view, const ws_l1_eviction *eviction);
/* Optional: whether the line of a load that misses is not kept in L1. */
bool l1_bypass(const ws_view *view, const ws_l1_load *load);
/*
 * Optional: which way of a full set gives up its line, below set->ways. With this function L1 has
 * sets of memory.l1.ways lines, whatever memory.l1.replacement is.
 */
int l1_victim(const ws_view *view, const ws_l1_set *set);
/*
 * Optional: whether the SM takes a block now. Asked for every block that it has room for, but for
 * the first one of an SM that has none; and again until it does, or another SM has taken it.
 */
bool take_block(const ws_blocks *blocks);

/*
 * A parameter: a variable with a default that `--set policy.NAME=VALUE` and `-P policy.NAME=...`
 * change. TYPE is an integer type, bool, float or double.
 *
 *   WS_PARAMETER(int, active_warps, 8);
 */
#define WS_PARAMETER(TYPE, NAME, DEFAULT)                                                          \
    TYPE NAME = (DEFAULT);                                                                         \
    __attribute__((used)) uint8_t ws_parameter_##NAME[4] = {                                       \
        sizeof(TYPE), (TYPE)0.5 != 0 && (TYPE)0.5 != (TYPE)1, (TYPE)-1 < (TYPE)0,                  \
        (TYPE)2 == (TYPE)1}

/* ---- orders of warps -------------------------------------------------------------------------- */

enum { WS_WARPS = 64, WS_SUB_CORES = 8 }; /* at most */

struct ws_issue_times {
    uint64_t before, last;
};

/* Read it through the functions below. */
struct ws_orders {
    uint64_t cycle;
    uint8_t last, chosen;
    uint8_t next[WS_WARPS + 1], previous[WS_WARPS + 1]; /* by age, from and to place WS_WARPS */
    struct {
        uint32_t count;
        uint32_t block[WS_WARPS];
        uint64_t warps[WS_WARPS];
    } blocks; /* oldest first */
    uint64_t clock, fresh, again;
    uint32_t latest;
    struct ws_issue_times times[WS_WARPS + 1];
};

#ifdef __CUDA__
#define WS_POLICY_FUNCTION static inline __attribute__((always_inline))
#else
#define WS_POLICY_FUNCTION static inline __attribute__((unused))
#endif

/* Where the simulator has what it shows (sim/policies/policy_code.c). */
enum {
    WS_AT_VIEW = 0x10000000,
    WS_AT_WARPS = 0x11000000,
    WS_AT_ACCESSES = 0x12000000,
    WS_AT_MEMORY = 0x13000000,
    WS_AT_EVENT = 0x14000000,
    WS_AT_QUESTION = 0x15000000,
    WS_AT_ORDERS = 0x20000000,
    WS_AT_RESULT = 0x30000000
};

/* The warp; what its next instruction accesses; the memory of the SM: as they are in this call. */
WS_POLICY_FUNCTION const ws_warp *ws_warp_of(const ws_view *view, int warp)
{
    (void)view;
    return (const ws_warp *)(uintptr_t)WS_AT_WARPS + warp;
}

WS_POLICY_FUNCTION const ws_access *ws_access_of(const ws_view *view, int warp)
{
    (void)view;
    return (const ws_access *)(uintptr_t)WS_AT_ACCESSES + warp;
}

WS_POLICY_FUNCTION const ws_memory *ws_memory_of(const ws_view *view)
{
    (void)view;
    return (const ws_memory *)(uintptr_t)WS_AT_MEMORY;
}

WS_POLICY_FUNCTION uint64_t ws_bit(int warp)
{
    return (uint64_t)1 << warp;
}

WS_POLICY_FUNCTION bool ws_has(uint64_t warps, int warp)
{
    return warp >= 0 && (warps >> warp & 1);
}

WS_POLICY_FUNCTION int ws_count(uint64_t warps)
{
    return __builtin_popcountll(warps);
}

/* The hardware slot of a warp of this SM, from 0 to 63. */
WS_POLICY_FUNCTION int ws_slot(int sub_core, int warp)
{
    return warp * ((const ws_view *)(uintptr_t)WS_AT_VIEW)->sub_cores + sub_core;
}

/* The lowest number of a set that is not empty. With warps &= warps - 1 a loop sees all of them. */
WS_POLICY_FUNCTION int ws_first(uint64_t warps)
{
    return (uint32_t)warps != 0 ? __builtin_ctz((uint32_t)warps)
                                : 32 + __builtin_ctz((uint32_t)(warps >> 32));
}

/* The next number after `warp` (-1: from 0 on), around the end; the set must not be empty. */
WS_POLICY_FUNCTION int ws_next(uint64_t warps, int warp)
{
    uint64_t behind = warp >= WS_WARPS - 1 ? 0 : warps >> (warp + 1) << (warp + 1);

    return ws_first(behind != 0 ? behind : warps);
}

/* A question about a set of warps: the set is stored, then the answer read. */
struct ws_question {
    uint64_t warps;
    int64_t oldest, youngest, longest_wait, most_recent; /* -1: no warp of the set is resident */
    uint64_t oldest_block;
};

WS_POLICY_FUNCTION volatile struct ws_question *ws_ask(uint64_t warps)
{
    volatile struct ws_question *question = (volatile struct ws_question *)(uintptr_t)WS_AT_QUESTION;

    question->warps = warps;
    return question;
}

/*
 * The warp of the set that is resident longest. Blocks are as old as their first warp; of one block
 * the lowest hardware slot is the oldest. -1 if no warp of the set is resident.
 */
WS_POLICY_FUNCTION int ws_oldest(const ws_view *view, uint64_t warps)
{
    (void)view;
    return (int)ws_ask(warps)->oldest;
}

/* The one that came last. */
WS_POLICY_FUNCTION int ws_youngest(const ws_view *view, uint64_t warps)
{
    (void)view;
    return (int)ws_ask(warps)->youngest;
}

/* Those of the set that belong to the oldest block of which one is in the set. */
WS_POLICY_FUNCTION uint64_t ws_oldest_block(const ws_view *view, uint64_t warps)
{
    (void)view;
    return ws_ask(warps)->oldest_block;
}

/* The warp of the set that issued last. */
WS_POLICY_FUNCTION int ws_most_recent(const ws_view *view, uint64_t warps)
{
    (void)view;
    return (int)ws_ask(warps)->most_recent;
}

/* The warp of the set whose last issue is longest ago. */
WS_POLICY_FUNCTION int ws_longest_wait(const ws_view *view, uint64_t warps)
{
    (void)view;
    return (int)ws_ask(warps)->longest_wait;
}

/* When the warp issued last: greater is later, no two are equal. Until it issues: when it came. */
WS_POLICY_FUNCTION uint64_t ws_last_issue(const ws_view *view, int warp)
{
    return view->orders->times[warp].last;
}

/* The same of the issue before that one, issues in a row taken as one while they last. */
WS_POLICY_FUNCTION uint64_t ws_issue_before(const ws_view *view, int warp)
{
    return view->orders->times[warp].before;
}

#ifdef __cplusplus
}
#endif

#endif
