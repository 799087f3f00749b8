/* What the files of sim/check/check.h share. */
#ifndef WS_SIM_CHECK_PRIVATE_H
#define WS_SIM_CHECK_PRIVATE_H

#include "isa/ptx/address_base.h"
#include "sim/check/check.h"
#include "sim/check/order.h"
#include "sim/check/shadow.h"
#include "sim/interpreter/interpreter.h"

/* Stands for the second instruction of a finding of one. */
enum { WS_CHECK_NO_INSTRUCTION = G_MAXUINT32 };

/* Of a block under way. */
typedef struct {
    WsShadow *shared;
    guint8 *shared_written; /* a bit a byte */
    guint8 *local_written;  /* the same, [thread][local_bytes rounded up to 8] */
} WsCheckBlock;

/* What an instruction means to access. */
typedef struct {
    WsSpace space;
    guint64 start, size; /* bytes, the start as in WsWatchedAccess */
    char *name;          /* NULL: not known */
} WsCheckArray;

struct WsCheck {
    const WsJob *job;
    WsJob *copy; /* that runs */
    guint kinds;
    WsFindings *findings;
    GHashTable *by_lines;    /* text of kind and lines -> WsCheckFinding */
    GHashTable *by_pair;     /* guint64 of both instructions -> WsCheckFinding, of races */
    guint64 left_out;        /* pairs of lines beyond the most that are kept */
    guint16 *note_flags;     /* by instruction: WS_NOTE_* */
    WsPtxModule *module;     /* the program's PTX once more; NULL without */
    WsPtxAddressBase *bases; /* by line of it; NULL without */
    guint32 lines;
    guint8 *spare;   /* by instruction: a load that the source may not have */
    guint8 *element; /* by instruction: bytes of the type in its PTX, 0 = not known */
    /* of the launch under way */
    WsCheckArray *meant; /* by instruction; NULL unless bounds are looked at */
    guint32 launch;
    const WsKernel *kernel;
    guint32 first_serial; /* of its blocks */
    guint32 serial;       /* of the last block that began */
    guint64 shared_bytes, local_bytes;
    guint32 threads, warp_size;
    WsOrder *order;
    WsShadowRoom room;
    WsShadow *global;
    GPtrArray *blocks; /* by slot: WsCheckBlock* */
};

static inline WsCheckBlock *ws_check_block(const WsCheck *check, guint32 slot)
{
    return check->blocks->pdata[slot];
}

/* ---- places.c: what a place in memory is called ---- */

/* Reads the program's PTX: its module, bases of addresses, and loads that clang may have added. */
void ws_check_read_ptx(WsCheck *check);
void ws_check_find_elements(WsCheck *check);
/* Bytes of an element that the instruction accesses, as its PTX says; 4 or less without. */
guint32 ws_check_element_bytes(const WsCheck *check, const WsWatchedAccess *access);
/* Sets place, space, array and index of a finding. */
void ws_check_name_place(const WsCheck *check, const WsWatchedAccess *access, guint64 address,
                         WsCheckFinding *finding);

/* ---- finding_store.c ---- */

/*
 * The finding of the lines of these instructions, one more instance counted; `*ret_new`: it is the
 * first, to be filled in. NULL if no more are kept. The second may be WS_CHECK_NO_INSTRUCTION.
 */
WsCheckFinding *ws_check_find(WsCheck *check, WsCheckKind kind, guint32 first, guint32 second,
                              gboolean *ret_new);
WsTouch ws_check_touch(const WsCheck *check, guint32 serial, guint32 thread, guint32 instruction,
                       WsTouchAction action);
/* "line 12", or the place with its file or as an instruction where there is no line. */
char *ws_check_line_text(const WsCheck *check, guint32 instruction);

/* ---- the checks, one file each ---- */

void ws_check_races_access(WsCheck *check, const WsWatchedAccess *access);
void ws_check_races_atomic_done(WsCheck *check, const WsWatchedAccess *access, gboolean changed);
void ws_check_bounds_begin(WsCheck *check);
void ws_check_bounds_clear(WsCheck *check);
void ws_check_bounds_access(WsCheck *check, const WsWatchedAccess *access);
void ws_check_uninitialised_begin(WsCheck *check, WsCheckBlock *block);
void ws_check_uninitialised_access(WsCheck *check, const WsWatchedAccess *access);

#endif
