/*
 * The front end of a warp: the instruction that it issues next comes from the instruction caches
 * (no_instruction until then), and a constant operand of it from the constant caches (imc_miss).
 * Inside the library only.
 *
 * A warp has a buffer of the line that it is in. When it is so close to the line's end that the
 * buffer reaches into the next one (`fetch.buffer` instructions), that is asked for ahead. A branch
 * that is taken, or a switch of paths, empties the buffer.
 */
#ifndef WS_SIM_SM_FRONT_END_H
#define WS_SIM_SM_FRONT_END_H

#include "sim/fetch/constant_cache.h"
#include "sim/fetch/instruction_fetch.h"
#include "sim/sm/cycle.h"

/* A line that no warp is at. */
enum { WS_NO_LINE = G_MAXUINT32 };

/* Of the SM and the kernel. */
typedef struct {
    WsInstructionFetch *fetch;  /* NULL: instructions are always there */
    WsConstantCache *constants; /* NULL: so are constants */
    guint32 first;              /* instruction of the kernel, as in its program */
    guint32 line_shift;         /* instructions of a line, as a power of two */
    guint32 buffer;             /* fetch.buffer */
} WsFetchRules;

/* Of a warp. */
typedef struct {
    guint64 ready;          /* the next instruction is there, if `line` is its line */
    guint64 constant_ready; /* and so is its constant operand */
    guint64 ahead_ready;    /* and so is `ahead_line` */
    guint64 constant_issue; /* the warp's last issue when the constant operand was looked up */
    guint64 set_up_until;   /* a new warp: before this cycle it waits for instructions */
    guint32 looked_at;      /* line that the buffer reached when it was last looked at */
    guint32 line;           /* in the buffer, or asked for; WS_NO_LINE = none */
    guint32 ahead_line;     /* the line behind, if it was asked for, or WS_NO_LINE */
} WsFrontEnd;

void ws_front_end_begin(WsFrontEnd *front, guint64 set_up_until);

/* The next instruction is elsewhere: what was fetched is of no use. */
static inline void ws_front_end_lose(WsFrontEnd *front)
{
    front->looked_at = front->line = front->ahead_line = WS_NO_LINE;
}

/* Whether ws_front_end_fetch() has something to do: `pc` is in another line, or close to it. */
static inline gboolean ws_front_end_moves(const WsFrontEnd *front, const WsFetchRules *rules,
                                          guint32 pc)
{
    return (pc - rules->first + rules->buffer) >> rules->line_shift != front->looked_at;
}

/*
 * Asks for the line of `pc` and, as far as the buffer reaches, for the next one, as a warp that is
 * free to issue from cycle `free` on. `before_first`: it has not issued yet.
 */
void ws_front_end_fetch(WsFrontEnd *front, const WsFetchRules *rules, guint sub_core, guint32 pc,
                        guint64 free, gboolean before_first, guint64 now);

#endif
