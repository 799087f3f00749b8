/*
 * The values of variables while the functional interpreter runs a kernel, read by the program's
 * table of them, as a debugger would.
 */
#ifndef WS_TESTS_VARIABLE_VALUES_H
#define WS_TESTS_VARIABLE_VALUES_H

#include "isa/bytecode/variables.h"
#include "sim/interpreter/interpreter.h"

enum { VALUE_BYTES = 8 };

/* One lane of a warp that is about to run an instruction. */
typedef struct {
    WsJob *job;
    const WsWatchedIssue *issue;
    guint lane;
    guint32 launch; /* of the job */
} Moment;

typedef enum { VALUE_NO_NAME, VALUE_UNKNOWN, VALUE_KNOWN } ValueState;

/*
 * The bytes of what `path` names there, at most `size`, and how many they are: a variable with
 * members, elements and `*` in front: "q.in.s", "tile[3][1]", "*p".
 */
ValueState read_value(const Moment *moment, const char *path, guint8 *ret, guint64 size,
                      guint64 *ret_bytes);

/* The same of a variable by its number. */
ValueState read_variable(const Moment *moment, guint32 variable, guint8 *ret, guint64 size);

/* The same by bytes: `known` says which of `ret` are. Returns how many. */
guint read_known(const Moment *moment, guint32 variable, guint8 *ret, guint8 *known, guint64 size);

/* A program and a launch file in a folder of their own, loaded. Fails the test on errors. */
WsJob *load_source(const char *source, const char *launch, gboolean variables, gboolean debug);

/* Runs launch 0; `issue` is told of each instruction. */
void run_watched(WsJob *job, void (*issue)(void *data, const WsWatchedIssue *issue), void *data);

#endif
