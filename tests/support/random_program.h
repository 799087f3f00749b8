/*
 * Random whole kernels in `.wsasm`, free of races, so that their results do not depend on timing:
 * every form of control flow, every row that the scalar reference covers, memory of all spaces and
 * widths, atomic operations that commute, block barriers, and exchange between the lanes of a warp.
 *
 * Parameters and what a thread may touch:
 *
 *   own     its slot of `own_stride` bytes, of which the first 32 are used; behind a block barrier
 *           the slots of its block to read, until the next one
 *   input   RANDOM_PROGRAM_INPUT_BYTES, only read
 *   sums    RANDOM_PROGRAM_SUMS_BYTES, only atomic operations: a cell has one operation
 *   out     its words at the end: word w of thread t is out[w * threads + t]
 */
#ifndef WS_TESTS_RANDOM_PROGRAM_H
#define WS_TESTS_RANDOM_PROGRAM_H

#include <glib.h>

enum {
    RANDOM_PROGRAM_INPUT_BYTES = 1024,
    RANDOM_PROGRAM_SUMS_BYTES = 512,
    RANDOM_PROGRAM_OUT_WORDS = 20
};

/*
 * Label of a BAR to which all lanes of a warp that live come as one path, with convergence barriers
 * placed by the assembler. Programs that jump at random or place their own do not have it.
 */
#define RANDOM_PROGRAM_JOINED "joined"

/* Comment in programs of which the control fields wait for every result. */
#define RANDOM_PROGRAM_WAITS "// waits for all results"

typedef struct {
    guint64 seed;
    guint threads, blocks; /* threads of a block, blocks of the grid */
    guint warp_size;       /* lane-naming instructions only with 32 */
    guint own_stride;      /* bytes, a multiple of 16, at least 32 */
    guint statements;      /* about so many in the outermost level */
    gboolean independent;  /* may need independent progress of lanes (locks) */
    const guint8 *dropped; /* one byte a statement: leave it out; NULL = none */
    guint dropped_count;
} RandomProgramOptions;

/*
 * The text, without the .kernel line. `*ret_statements` is set to the number of statements, those
 * inside others included; a statement that is dropped takes those inside it along, and leaves the
 * others as they are. Free with g_free.
 */
char *random_program(const RandomProgramOptions *options, guint *ret_statements);

/* Text of the parameters and of constant bank 3, to stand before and behind the .kernel line. */
extern const char random_program_constants[];
extern const char random_program_parameters[];

#endif
