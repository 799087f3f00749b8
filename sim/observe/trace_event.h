/*
 * Events: what a run tells those who watch it. A record of fixed size without pointers into the
 * simulation, so that it may be kept and copied.
 */
#ifndef WS_SIM_OBSERVE_TRACE_EVENT_H
#define WS_SIM_OBSERVE_TRACE_EVENT_H

#include "isa/bytecode/program.h"
#include "sim/base/memory_level.h"
#include "sim/base/stall.h"

typedef enum {
#define EVENT(name, ...) WS_TRACE_##name,
#include "sim/observe/events.def"
#undef EVENT
    WS_TRACE_COUNT
} WsTraceKind;

#define WS_TRACE_BIT(kind) ((guint64)1 << WS_TRACE_##kind)
#define WS_ALL_EVENTS      (((guint64)1 << WS_TRACE_COUNT) - 1)

const char *ws_trace_event_name(guint kind);
/* The kind of a name, or WS_TRACE_COUNT. */
guint ws_trace_event_by_name(const char *name);

/* A cycle that is not known when an event is told, and an instruction that it is not about. */
#define WS_UNKNOWN_CYCLE G_MAXUINT64
enum { WS_NO_INSTRUCTION = G_MAXUINT32 };

/* Registers that an instruction writes. Predicates have one bit each. */
typedef struct {
    guint8 first, count;
    guint8 uniform_first, uniform_count;
    guint8 predicates, uniform_predicates;
} WsRegisterSet;

/*
 * Masks have one bit a lane, lane 0 lowest, unless they say so. What is not filled in is zero, so
 * that events of the same program are the same if their bytes are.
 */
typedef struct {
    guint64 cycle;
    guint8 kind; /* WS_TRACE_* */
    guint8 sub_core;
    guint16 warp; /* hardware warp slot */
    guint32 sm;
    guint32 block; /* linear block number */
    guint32 warp_in_block;
    guint32 instruction; /* index in the program, or WS_NO_INSTRUCTION */
    union {
        struct {
            guint64 since; /* cycle at which its slots were taken, told late at times */
            guint32 warps;
        } block_begin;
        struct {
            guint64 launched; /* lanes */
        } warp_begin;
        struct {
            guint64 eligible; /* by warp slot: all that could issue */
            guint64 admitted; /* of these: those that the policy lets issue at all */
        } choice;
        struct {
            guint64 active, executed; /* on the path; and whose guard is true */
            guint64 alive, launched;
        } issue;
        struct {
            guint8 reason; /* WsStall; holds until the warp's next event `stall` or `issue` */
        } stall;
        struct {
            guint64 taken, not_taken;
        } split;
        struct {
            guint64 lanes;
        } joined;
        struct {
            guint64 lanes;   /* 0 with count = 0: no path of the warp waits any more */
            const char *how; /* constant text: "inactive, to resume at" */
            guint32 pc;      /* instruction that they wait for, or go on at */
            guint16 index, count;
        } path;
        struct {
            guint64 lanes; /* of the register that the running path is in */
            guint8 number;
        } convergence;
        struct {
            guint32 number;
        } barrier;
        struct {
            guint64 lanes;
            guint32 sectors;    /* of global and local memory: 32 bytes each */
            guint32 wavefronts; /* of shared memory: passes */
        } request;
        struct {
            guint64 lanes;
            guint32 latency; /* cycles since the issue */
            guint8 level;    /* WsMemoryLevel */
        } response;
        struct {
            guint64 until; /* set: cycle of the release, or WS_UNKNOWN_CYCLE */
            WsRegisterSet registers;
        } scoreboard;
        struct {
            guint64 lanes;
            WsRegisterSet registers;
        } write;
        struct {
            const char *what; /* constant text */
            guint32 lane;     /* or G_MAXUINT32 */
        } stop;
    };
} WsTraceEvent;

/* It is about a block: its warp is the one in the lowest slot. */
static inline gboolean ws_trace_is_of_block(const WsTraceEvent *event)
{
    return event->kind == WS_TRACE_BLOCK_BEGIN || event->kind == WS_TRACE_BLOCK_END;
}

#endif
