/*
 * What one warp did, as bytes: a record an event, told apart by its first byte.
 *
 * Low half of the first byte: WsWarpRecord. High half: cycles since the record before; 15 = 15 and
 * a number more. Numbers are unsigned LEB128, differences zigzag. Masks are numbers in a table
 * (WsStreamTables), texts numbers in another one.
 */
#ifndef WS_INSPECT_PAGE_WARP_STREAM_H
#define WS_INSPECT_PAGE_WARP_STREAM_H

#include "sim/observe/trace_event.h"

/* In braces, what follows the first byte. `next` is the instruction behind the one issued last. */
typedef enum {
    WS_RECORD_ISSUE_NEXT,  /* {}: `next` issues, lanes as before, all with a true guard */
    WS_RECORD_ISSUE_NEAR,  /* {instruction - next}: the same for another instruction */
    WS_RECORD_ISSUE,       /* {instruction - next, active, executed, alive} */
    WS_RECORD_STALL,       /* {reason}, +128 = and {instruction - next} */
    WS_RECORD_PATHS,       /* {count, count times: lanes, instruction, text} */
    WS_RECORD_DIVERGE,     /* {lanes, other lanes} */
    WS_RECORD_RECONVERGE,  /* {lanes} */
    WS_RECORD_CONVERGENCE, /* {register, lanes} */
    WS_RECORD_ARRIVE,      /* {barrier} */
    WS_RECORD_RELEASE,     /* {barrier} */
    WS_RECORD_REQUEST,     /* {instruction - next, sectors, wavefronts, lanes} */
    WS_RECORD_RESPONSE,    /* {instruction - next, latency, level} */
    WS_RECORD_EXIT,        /* {} */
    WS_RECORD_END,         /* {}: its slot is free */
    WS_RECORD_STOP,        /* {text, lane + 1 or 0} */
    /* {}: waits for the reason before the last one again, at the same instruction. With no cycles
     * since the record before, {count}: the last two of them, count times more. */
    WS_RECORD_BACK
} WsWarpRecord;

void ws_append_number(GByteArray *out, guint64 value);

typedef struct {
    guint32 launch, sm, slot, sub_core, block, warp_in_block;
    guint64 begin;           /* cycle */
    guint64 launched, entry; /* lanes: all of it, and those alive where its records begin */
    GByteArray *bytes;
    /* As of the last record. */
    guint64 cycle, active, alive;
    guint32 next;
    /* Warps that wait often go to and fro between two reasons, in a rhythm. */
    guint8 last_reason, reason_before;
    guint32 stalled;  /* instruction of the last stall */
    guint32 backs;    /* records WS_RECORD_BACK in a row, up to 2 */
    guint64 since[2]; /* cycles of the last two of them */
    guint32 pending;  /* further ones in their rhythm, not yet written */
    gboolean entered; /* the window has come to it; before, only what holds is kept: */
    WsTraceEvent issue, stall;
    GArray *paths; /* of WsTraceEvent */
    guint64 convergence[16];
} WsWarpStream;

/* Of a warp that begins with `event`. */
WsWarpStream *ws_warp_stream_new(const WsTraceEvent *event, guint32 launch);
void ws_warp_stream_free(WsWarpStream *stream);

/* Tables that all streams share. */
typedef struct {
    GHashTable *masks; /* guint64 * -> number */
    GArray *mask_values;
    GPtrArray *texts;     /* of constant texts */
    GHashTable *answered; /* number of an instruction that a response was told of */
} WsStreamTables;

void ws_stream_tables_init(WsStreamTables *ret);
void ws_stream_tables_clear(WsStreamTables *tables);
guint32 ws_stream_mask(WsStreamTables *tables, guint64 mask);

/* What holds at the first cycle of the window, if that has come. Before the first event in it. */
void ws_warp_stream_enter(WsWarpStream *stream, WsStreamTables *tables, guint64 first);
/* An event of the warp; one before the window (`entered` is not set) is only kept in mind. */
void ws_warp_stream_add(WsWarpStream *stream, WsStreamTables *tables, const WsTraceEvent *event);
/* Writes what is still held back, behind the last event. */
void ws_warp_stream_flush(WsWarpStream *stream);

#endif
