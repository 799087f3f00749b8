/*
 * Read ports of the register file while a launch runs: each bank of a sub-core hands out one
 * operand in a cycle, and takes one result. Inside the library only. What an instruction reads of
 * which bank is worked out before the launch (sim/sm/register_reads.h).
 *
 * Reads may take `registers.read_cycles` cycles beginning with that of the issue; where these are
 * more than two, an instruction reads two of a bank in the second and third. Of registers that the
 * register file does not have yet, each bank takes one straight from the pipes. What comes later
 * holds up the issue stage of the sub-core, whichever warp is next (dispatch_stall), and the result
 * by as many cycles; in the meantime stall counts stand still (sim/sm/held_issue.h).
 */
#ifndef WS_SIM_SM_REGISTER_PORTS_H
#define WS_SIM_SM_REGISTER_PORTS_H

#include "sim/sm/cycle.h"
#include "sim/sm/register_reads.h"

/* Of the device and the kernel. */
typedef struct {
    const guint64 *reads;  /* ws_register_reads() of each instruction; NULL: there are no banks */
    guint32 passes;        /* of a warp through the ports */
    guint32 read_cycles;   /* registers.read_cycles, in each of these */
    gboolean second_later; /* the second read of a bank begins a cycle later */
} WsPortRules;

/* Of a sub-core. */
typedef struct {
    guint64 free[WS_REGISTER_BANKS]; /* its reads so far end before this cycle */
    guint64 xu_writes[2]; /* cycle << 1 | bank of the last results of the XU pipe, latest first */
    guint64 run_place;    /* next instruction in line << 8 | the warp that issued last */
    guint32 run;          /* instructions that it has issued right before that in a line */
} WsRegisterPorts;

/* Registers that an instruction reads of each bank. */
typedef struct {
    guint even, odd;
} WsBankReads;

/* What the instruction `pc` of `warp`, the next to issue, reads through the ports. */
static inline WsBankReads ws_ports_next(WsRegisterPorts *ports, const WsPortRules *rules,
                                        guint32 pc, guint warp)
{
    enum { MASK = (1 << WS_READ_BITS) - 1, LAST_RUN = WS_READ_RUNS - 1 };
    guint64 place = (guint64)pc << 8 | warp;
    guint run = ports->run_place == place ? MIN(ports->run + 1, LAST_RUN) : 0;
    guint reads = (guint)(rules->reads[pc] >> 2 * WS_READ_BITS * run);

    ports->run_place = place + (1 << 8);
    ports->run = run;
    return (WsBankReads){reads & MASK, reads >> WS_READ_BITS & MASK};
}

/* TRUE, and the reads are done, if no bank reads more than one and both are free at `now`. */
static inline gboolean ws_ports_read_at_once(WsRegisterPorts *ports, const WsPortRules *rules,
                                             WsBankReads reads, guint64 now)
{
    if ((reads.even | reads.odd) > 1 || !((ports->free[0] <= now) & (ports->free[1] <= now)))
        return FALSE;
    ports->free[0] = now + reads.even * rules->passes;
    ports->free[1] = now + reads.odd * rules->passes;
    return TRUE;
}

/*
 * The instruction, which issues at `now`, reads from cycle `first` on. Returns the cycles by which
 * its reads hold up the issue stage; *result is by how many its result comes later, because of
 * reads before its own (its own are part of its latency), and stays as it is if none is.
 */
static inline guint ws_ports_read(WsRegisterPorts *ports, const WsPortRules *rules,
                                  WsBankReads reads, guint64 now, guint64 first, guint *result)
{
    guint passes = rules->passes, most, late;
    guint64 even =
        MAX(ports->free[0], first + (reads.even == 2 && rules->second_later)) + reads.even * passes;
    guint64 odd =
        MAX(ports->free[1], first + (reads.odd == 2 && rules->second_later)) + reads.odd * passes;
    guint64 until = MAX(even, odd);

    ports->free[0] = even;
    ports->free[1] = odd;
    if (G_LIKELY(until <= now + rules->read_cycles))
        return 0;
    late = (guint)(until - now - rules->read_cycles);
    most = MAX(reads.even, reads.odd) * passes;
    *result = most > rules->read_cycles ? late - MIN(late, most - rules->read_cycles) : late;
    return late;
}

/* TRUE if a result of the XU pipe may still have to be written at `now`. */
static inline gboolean ws_ports_expect_xu(const WsRegisterPorts *ports, guint64 now)
{
    return ports->xu_writes[0] >> 1 > now;
}

/* The XU pipe writes a register of `bank` in `cycle`. */
static inline void ws_ports_write_xu(WsRegisterPorts *ports, guint bank, guint64 cycle)
{
    ports->xu_writes[1] = ports->xu_writes[0];
    ports->xu_writes[0] = cycle << 1 | bank;
}

/* Cycles that a result waits which would be written to `bank` in `cycle`, and may not be with one
 * of the XU pipe. */
static inline guint ws_ports_wait_to_write(const WsRegisterPorts *ports, guint bank, guint64 cycle)
{
    guint waits = 0;

    for (guint64 written = cycle << 1 | bank;
         written == ports->xu_writes[0] || written == ports->xu_writes[1]; written += 2)
        waits++;
    return waits;
}

#endif
