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

/* What a policy may look at. The calls are about one sub-core and one cycle. */
typedef struct ws_view {
    uint64_t cycle;
    uint64_t eligible; /* can issue in this cycle; never empty. For pick(): of these, admitted */
    uint64_t memory;   /* their next instruction goes to the load-store unit */
    uint64_t loads;    /* of the eligible: their next instruction loads through L1 */
    uint64_t waiting;  /* long away: for global or local memory, at a barrier or MEMBAR, asleep */
    uint64_t resident; /* all that are there */
    int32_t last;      /* the warp that issued last, -1 = none has; it may have left since */
    int32_t sub_core;  /* of the SM, from 0 on */
    int32_t warps;     /* numbers of warps are below this one */
    int32_t ws_warp;
    const struct ws_orders *orders; /* for the functions below */
} ws_view;

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

/*
 * The warp of the set that is resident longest. Blocks are as old as their first warp; of one block
 * the lowest hardware slot is the oldest. The set must hold a resident warp.
 */
WS_POLICY_FUNCTION int ws_oldest(const ws_view *view, uint64_t warps)
{
    int warp = view->orders->next[WS_WARPS];

    while (!(warps >> warp & 1))
        warp = view->orders->next[warp];
    return warp;
}

/* The one that came last. */
WS_POLICY_FUNCTION int ws_youngest(const ws_view *view, uint64_t warps)
{
    int warp = view->orders->previous[WS_WARPS];

    while (!(warps >> warp & 1))
        warp = view->orders->previous[warp];
    return warp;
}

/* Those of the set that belong to the oldest block of which one is in the set. */
WS_POLICY_FUNCTION uint64_t ws_oldest_block(const ws_view *view, uint64_t warps)
{
    int i = 0;

    while ((view->orders->blocks.warps[i] & warps) == 0)
        i++;
    return view->orders->blocks.warps[i] & warps;
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

/* The warp of the set whose last issue is longest ago; the set must not be empty. */
WS_POLICY_FUNCTION int ws_longest_wait(const ws_view *view, uint64_t warps)
{
    uint64_t least = UINT64_MAX;

    for (int half = 0; half < WS_WARPS; half += 32)
        for (uint32_t rest = (uint32_t)(warps >> half); rest != 0; rest &= rest - 1) {
            uint64_t last = ws_last_issue(view, half + __builtin_ctz(rest));
            least = last < least ? last : least;
        }
    return (int)(least % WS_WARPS); /* a time says whose it is */
}

#ifdef __cplusplus
}
#endif

#endif
