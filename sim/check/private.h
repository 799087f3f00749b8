/* What the files of sim/check/check.h share. */
#ifndef WS_SIM_CHECK_PRIVATE_H
#define WS_SIM_CHECK_PRIVATE_H

#include "isa/ptx/address_base.h"
#include "sim/check/check.h"
#include "sim/check/order.h"
#include "sim/check/shadow.h"
#include "sim/interpreter/interpreter.h"

typedef struct WsUndefinedCopies WsUndefinedCopies;

/* At a barrier of a block that others are still awaited at. */
typedef struct {
    guint32 instruction; /* of the thread that came first, WS_CHECK_NO_INSTRUCTION: none yet */
    guint32 thread;
} WsCheckArrival;

/* Of a block under way. */
typedef struct {
    WsShadow *shared;
    guint8 *shared_written; /* a bit a byte */
    guint8 *local_written;  /* the same, [thread][local_bytes rounded up to 8] */
    guint64 *pointers;      /* [thread][pointer of sim/check/parts.c]; NULL without */
    WsCheckArrival whole;   /* at __syncthreads() */
} WsCheckBlock;

/* What an instruction means to access. */
typedef struct {
    WsSpace space;
    guint64 start, size; /* bytes, the start as in WsWatchedAccess */
    char *name;          /* NULL: not known */
} WsCheckArray;

struct WsCheck {
    const WsJob *reported; /* whose program the findings speak of */
    WsJob *copy;           /* of it, that runs; NULL once it has */
    guint kinds;           /* wanted */
    WsFindings *findings;
    GHashTable *by_lines; /* text of kind and lines -> WsCheckFinding */
    GHashTable *by_pair;  /* guint64 of both instructions and kind -> WsCheckFinding */
    guint64 left_out;     /* pairs of lines beyond the most that are kept */
    gboolean limited;     /* a limit ended a launch */
    /* of the program that runs: the reported one, or the unoptimised one */
    WsJob *job;
    gboolean is_plain;
    guint32 *files;          /* by file of the program: that of the reported one, 0 = none */
    guint16 *note_flags;     /* by instruction: WS_NOTE_* */
    WsPtxModule *module;     /* the program's PTX once more; NULL without */
    WsPtxAddressBase *bases; /* by line of it; NULL without */
    guint32 lines;
    guint8 *loose;       /* by line: a barrier that need not be the same for all; NULL without */
    guint8 *spare;       /* by instruction: a load that the source may not have */
    guint8 *element;     /* by instruction: bytes of the type in its PTX, 0 = not known */
    guint64 wrong_index; /* address of the variable of warpstep/bounds.h, 0 = none */
    WsUndefinedCopies *copies; /* NULL for bytecode */
    GPtrArray *unwritten;      /* sim/check/unwritten_buffers.c; NULL without */
    /* of the launch under way */
    WsCheckArray *meant; /* by instruction; NULL unless bounds are looked at */
    guint32 *pointer;    /* by line of a load: number + 1 of a pointer to shared memory; or NULL */
    guint32 pointers;    /* of them */
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

/* Whether the kind is looked for in the program that runs. */
static inline gboolean ws_check_looks_for(const WsCheck *check, WsCheckKind kind)
{
    return (check->kinds & WS_CHECK_BIT(kind)) != 0;
}

/* Line of the PTX that an instruction is made from, 0 = not known. */
static inline guint32 ws_check_ptx_line(const WsCheck *check, guint32 instruction)
{
    const WsProgram *program = check->job->program;
    guint32 line = program->locations[program->instructions[instruction].location].ptx_line;

    return line <= check->lines ? line : 0;
}

/* ---- places.c: what a place in memory is called ---- */

/*
 * The variable of the source that has byte `address` of the thread's local memory at an instruction
 * of the running program, with member and index: "pair.b", "table[2][1]". NULL if none is known to.
 * g_free; `ret_variable` gets its name alone, the program's.
 */
char *ws_check_variable_at(const WsCheck *check, guint32 instruction, guint64 address,
                           const char **ret_variable);
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
/* The same of a line of the reported program, for what is found once a line. */
WsCheckFinding *ws_check_find_line(WsCheck *check, WsCheckKind kind, guint32 file, guint32 line,
                                   gboolean *ret_new);
/* Takes back what turned out to be none. */
void ws_check_drop(WsCheck *check, WsCheckFinding *finding);
WsTouch ws_check_touch(const WsCheck *check, guint32 serial, guint32 thread, guint32 instruction,
                       WsTouchAction action);
/* What an access does. */
WsTouchAction ws_check_action(const WsWatchedAccess *access);
/* "line 12", or the place with its file or as an instruction where there is no line. */
char *ws_check_line_text(const WsCheck *check, guint32 instruction);

/* ---- the checks, one file each ---- */

void ws_check_races_access(WsCheck *check, const WsWatchedAccess *access);
void ws_check_races_atomic_done(WsCheck *check, const WsWatchedAccess *access, gboolean changed);
void ws_check_bounds_begin(WsCheck *check);
void ws_check_bounds_clear(WsCheck *check);
/* FALSE: it is outside of what is meant, which is a finding. */
gboolean ws_check_bounds_access(WsCheck *check, const WsWatchedAccess *access);
void ws_check_uninitialised_begin(WsCheck *check, WsCheckBlock *block);
void ws_check_uninitialised_access(WsCheck *check, const WsWatchedAccess *access);
/* A finding: bytes of the access, from `address` on, are read and nobody has written them. */
void ws_check_uninitialised_report(WsCheck *check, const WsWatchedAccess *access, guint64 address,
                                   const char *missing);

/* ---- undefined_copies.c: values that nobody has written, on their way through copies ---- */

WsUndefinedCopies *ws_undefined_copies_new(const WsPtxModule *module, guint32 lines);
void ws_undefined_copies_free(WsUndefinedCopies *copies);
void ws_undefined_copies_begin(WsUndefinedCopies *copies, guint32 slot);
/*
 * A load of local memory, some bytes of which are not written: TRUE if the value is only copied,
 * which has then been noted. `address`: of the first element without any, G_MAXUINT64 = there is
 * none.
 */
gboolean ws_undefined_copies_take(const WsCheck *check, const WsWatchedAccess *access,
                                  guint64 address);
/* The same load where all are written: what was noted of it is over. */
void ws_undefined_copies_forget(const WsCheck *check, const WsWatchedAccess *access);
/* TRUE if some byte of a store may come from a load of what was not written. */
gboolean ws_undefined_copies_may_store(const WsCheck *check, const WsWatchedAccess *access);
/*
 * The load that gave byte `n` of such a store, if some of what it loaded was not written; else
 * NULL. `ret_at`: which byte of the load that is; `ret_unwritten`: `address` of
 * ws_undefined_copies_take().
 */
const WsWatchedAccess *ws_undefined_copies_source(const WsCheck *check,
                                                  const WsWatchedAccess *access, guint32 n,
                                                  guint32 *ret_at, guint64 *ret_unwritten);

/* ---- unwritten_buffers.c ---- */

void ws_check_unwritten_new(WsCheck *check);
void ws_check_unwritten_access(WsCheck *check, const WsWatchedAccess *access);
/* At the end: findings in buffers that nothing has written are none. */
void ws_check_unwritten_end(WsCheck *check);

/* ---- indices.c: array indices that clang's check found too large ---- */

/* TRUE if the access is one of warpstep/bounds.h, which is none of the program's. */
gboolean ws_check_index_access(WsCheck *check, const WsWatchedAccess *access);
void ws_check_indices_find(WsCheck *check);

/* ---- parts.c: arrays that the launch file names in dynamic shared memory ---- */

/* The one that has byte `offset` of the block's shared memory, or NULL. */
const WsSharedPart *ws_check_part_at(const WsCheck *check, guint64 offset);
void ws_check_parts_begin(WsCheck *check);
void ws_check_parts_access(WsCheck *check, const WsWatchedAccess *access);

/* ---- barriers.c ---- */

void ws_check_barriers_arrive(WsCheck *check, guint32 slot, guint32 thread, guint32 instruction);
void ws_check_barriers_release(WsCheck *check, guint32 slot);
/* A thread that waits for ever, of a program that ends if clang optimises it. */
void ws_check_barriers_stuck(WsCheck *check, guint32 slot, guint32 thread, guint32 instruction);

#endif
