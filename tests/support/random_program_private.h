/* What the files of the generator of random programs share (tests/support/random_program.h). */
#ifndef WS_TESTS_RANDOM_PROGRAM_PRIVATE_H
#define WS_TESTS_RANDOM_PROGRAM_PRIVATE_H

#include "tests/support/random_program.h"

/*
 * Registers: R0 thread of the block, R1 of the grid, R2:R3 own slot, R4:R5 input, R6:R7 sums,
 * R8 own bytes of shared memory, R9 lane; R10..R15 for the inside of a statement; R16..R31 values;
 * R32..R39 loop counters by depth; R40, R41 return addresses; R44 fuel; R45..R47 exchange;
 * R48..R55 lane masks by depth; R56..R63 words of 128-bit stores.
 * Predicates: P0..P3 values, P4..P6 for the inside of a statement. UR4.. likewise.
 */
enum {
    VALUES = 16,
    VALUE_COUNT = 16,
    COUNTERS = 32,
    MASKS = 48,
    SUMS_COLUMNS = 16, /* of 8 bytes, 4 rows */
    SHARED_OWN = RANDOM_PROGRAM_SUMS_BYTES,
    LOCAL_BYTES = 64
};

typedef enum { CONTROL_NONE, CONTROL_SAFE, CONTROL_RANDOM } ControlFields;

typedef struct {
    GRand *random;
    const RandomProgramOptions *options;
    GString *text;
    guint statement, labels, depth, loops, masks, in_function;
    gint budget;          /* statements left */
    guint convergence;    /* next convergence barrier */
    GArray *broken;       /* convergence barriers that a break out of the loop must leave */
    gboolean exits;       /* threads may end early */
    gboolean manual;      /* BSSY and BSYNC written out */
    gboolean joins;       /* all lanes of a warp are one path again at the end */
    gboolean together;    /* all threads of the block that live come here */
    gboolean lanes_known; /* the lanes that come here are those of the innermost mask */
    gboolean functions;   /* there are functions to call */
    gboolean reuse;
    ControlFields control;
} Maker;

guint maker_below(Maker *maker, guint limit);
gboolean maker_chance(Maker *maker, guint one_in);
/* A value register; a pair; a quad; a value predicate. */
guint maker_value(Maker *maker);
guint maker_pair(Maker *maker);
guint maker_quad(Maker *maker);
guint maker_predicate(Maker *maker);
guint maker_label(Maker *maker);
/* One instruction, without ";"; a label. */
void maker_line(Maker *maker, const char *format, ...) G_GNUC_PRINTF(2, 3);
void maker_put_label(Maker *maker, const char *name, guint number);

/* Statements. */
void maker_statements(Maker *maker, guint count);
void maker_row(Maker *maker);     /* random_program_compute.c: a row of the instruction table */
void maker_uniform(Maker *maker); /* the uniform datapath */
void maker_odd(Maker *maker);     /* rows without effect on values */
void maker_memory(Maker *maker);  /* random_program_memory.c: an access of any space */
void maker_atomic(Maker *maker);
void maker_lock(Maker *maker);
void maker_exchange(Maker *maker); /* random_program_exchange.c: between the lanes of a warp */
void maker_partial_exchange(Maker *maker);
void maker_phase(Maker *maker); /* between the threads of a block */
void maker_barrier(Maker *maker);
void maker_control(Maker *maker); /* random_program_control.c: branches, loops, calls */
void maker_functions(Maker *maker);

#endif
