/*
 * One case of the property tests: a random program (tests/support/random_program.h) on a machine,
 * both by the seed. What must hold of each:
 *
 *   - the run ends, and its memory is that of the plain reference (tests/support/scalar_grid.h);
 *   - stalls tile residency, in the whole and by instruction; residency and losses tile the
 *     theoretical occupancy;
 *   - another run gives the same counters and the same memory, with an observer or without, on one
 *     host thread or two.
 *
 * The machine is tuple number (seed * 1000003) mod N of all N tuples of divergence model, policy,
 * warp size, sub-cores, dependences, device and host threads, so that N seeds in a row meet each
 * once. Models and policies are those of the settings table.
 */
#ifndef WS_TESTS_PROPERTY_CASE_H
#define WS_TESTS_PROPERTY_CASE_H

#include "sim/gpu/simulation.h"
#include "tests/support/random_program.h"

typedef enum {
    PROPERTY_MODEL,
    PROPERTY_POLICY,
    PROPERTY_WARP_SIZE,
    PROPERTY_SUB_CORES,
    PROPERTY_DEPENDENCES,
    PROPERTY_DEVICE,
    PROPERTY_THREADS,
    PROPERTY_AXES
} PropertyAxis;

typedef struct {
    guint64 seed;
    guint value[PROPERTY_AXES]; /* number of the value on each axis */
    guint32 block[3], grid[3];
    guint own_stride, statements;
    guint launches; /* of the same kernel, one after the other */
    gboolean keep_caches;
    char *settings[16]; /* NULL-terminated */
} PropertyCase;

/* Number of values of an axis. */
guint property_axis_count(PropertyAxis axis);

PropertyCase *property_case_new(guint64 seed);
void property_case_free(PropertyCase *this);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(PropertyCase, property_case_free)

/* One line: the machine and the shape of the launch. Free with g_free. */
char *property_case_describe(const PropertyCase *this);

/* The whole `.wsasm` text without the statements of `dropped` (may be NULL). Free with g_free. */
char *property_case_text(const PropertyCase *this, const guint8 *dropped, guint dropped_count,
                         guint *ret_statements);

/* The job that runs the text. NULL with `error` set if it is refused. */
WsJob *property_case_job(const PropertyCase *this, const char *text, GError **error);

/* Runs the text. NULL if all holds, else what does not, to be freed. */
char *property_case_check(const PropertyCase *this, const char *text);

#endif
