/*
 * A measurement: a kernel of bytecode that reads the clock before and after something, run on a
 * simulated H200.
 *
 * Registers of the kernel that a body must leave alone: R0 (thread), R1, R2..R9, UR4, P6. Set for
 * its use: R10 = 0.9999, R11 = 0.0001, R12 = 5, R13 = 7 (all lanes), R14 = lane * 4, R15 = number
 * of trips of a loop. From R16 on registers are free.
 */
#ifndef WS_TESTS_MODEL_PROBE_H
#define WS_TESTS_MODEL_PROBE_H

#include "sim/gpu/simulation.h"

enum { PROBE_DATA = 65536 }; /* offset of the data in the buffer, behind the clocks */

typedef struct {
    const char *setup; /* before the first clock read, or NULL */
    const char *body;
    const char *tail;       /* after the second one, or NULL; may change R8, which is its value */
    const char *directives; /* .shared, .const and so on, or NULL */
    const char *setting;    /* "path=value", or NULL */
    guint blocks, warps;    /* 0 = 1 */
    guint sms;              /* 0 = 1 */
    guint passes;           /* the last one counts; 0 = 2, so that code has been fetched */
    guint trips;            /* R15 */
    guint data_bytes;
    /* Fills the data, which lies at `address`. */
    void (*fill)(guint32 *data, guint32 address, guint words);
    gboolean no_start; /* no barrier: the first clock read is the kernel's first instruction */
} Probe;

/* For `fill`: word i holds the address of word i. */
void probe_own_addresses(guint32 *data, guint32 address, guint words);
/* The next number below `count` of a fixed sequence; any `state` begins one. */
guint32 probe_random(guint64 *state, guint32 count);

/* Clocks of one warp. */
typedef struct {
    guint64 start, end;
} Clocks;

/* Runs and returns the clocks by block and warp; free with g_free. Ends the program on errors. */
Clocks *probe_clocks(const Probe *probe);
/* Largest end minus smallest start. */
double probe_cycles(const Probe *probe);

/*
 * Appends `step` for one stream: %0, %1 and so on are the stream's `stride` registers, %p its
 * predicate, %u its uniform register, %s its number in hexadecimal digits, %l a number that is new
 * with every call (for labels).
 */
void append_step(GString *text, const char *step, guint stream, guint stride);

#endif
