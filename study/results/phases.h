/*
 * Phases of runs: the samples of a stretch of cycles, summed, with their rates. Of one file of
 * samples, or of several runs beside each other.
 */
#ifndef WS_STUDY_RESULTS_PHASES_H
#define WS_STUDY_RESULTS_PHASES_H

#include "sim/samples/sample_columns.h"
#include "sim/samples/sample_file.h"
#include "study/results/csv.h"

/* A phase as somebody names it: the samples that begin from `from` on and before `to`. */
typedef struct {
    char *name;
    guint64 from, to;
} WsPhase;

/* "NAME=FROM..TO", with FROM or TO left out for the begin or end of the run. Errors:
 * WS_ERROR_USAGE. */
gboolean ws_phase_parse(const char *text, WsPhase *ret, GError **error);
void ws_phase_clear(WsPhase *phase);
/* Phases of a file where none are named: one for each launch, "launch 0". Append to `phases`. */
void ws_phases_of_launches(const WsSampleTable *table, GArray *phases);

/* The sums of a phase in one run. */
typedef struct {
    WsSample sum;        /* cycle and cycles: the stretch that its samples cover */
    WsDevice device;     /* what rates need of it */
    gboolean has_memory; /* the file has columns of L2 and DRAM */
} WsPhaseSums;

/* Errors: WS_ERROR_USAGE (no sample begins in the phase), WS_ERROR_INPUT (`path` has no column
 * `cycle`). */
gboolean ws_phase_sum(const char *path, const WsSampleTable *table, const WsPhase *phase,
                      WsPhaseSums *ret, GError **error);
/* The value of a column of samples; NaN where there is none. */
double ws_phase_value(const WsPhaseSums *sums, guint column);

/*
 * As CSV: a line for each phase and run, `phase`, `run` (its number, from 1) and the columns of
 * samples but the keys `launch` and `sm`. `sums` is [phase][run]. g_free.
 */
char *ws_phases_csv(const GArray *phases, const WsPhaseSums *sums, guint runs);

#endif
