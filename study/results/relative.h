/*
 * The points of a study beside those that they are compared with: for each combination of the
 * parameters but the target, how much faster each target runs than at its reference point, and the
 * geometric mean over the targets. It is the mean that does not depend on which point is the
 * reference (Fleming and Wallace, "How not to lie with statistics", CACM 29(3), 1986).
 */
#ifndef WS_STUDY_RESULTS_RELATIVE_H
#define WS_STUDY_RESULTS_RELATIVE_H

#include "study/plan/study.h"
#include "study/results/csv.h"

/* What stands in the column `target` of a row that has a mean. */
#define WS_RELATIVE_MEAN "geomean"

/* A target at one combination of the other parameters. */
typedef struct {
    double speed;       /* cycles of the reference point / its own; NaN without one of the two */
    const char *status; /* its own, "" = no row yet; of the table or constant */
} WsRelativeCell;

/* Over the targets that have a speed; NaN where there is none. */
typedef struct {
    char *name;           /* "policy=gto, sms=1"; "" without such parameters */
    char *heading;        /* the values alone: "gto, 1" */
    guint compared, left; /* targets that count, and those that do not: failed, or without a row */
    double mean;          /* geometric */
    double spread; /* geometric standard deviation: 1 = all alike; NaN of fewer than two targets */
    double best, worst;
    guint best_target, worst_target; /* numbers */
} WsRelativeColumn;

typedef struct {
    guint targets, columns;
    char **names;             /* of targets: their values, or the study's one target */
    WsRelativeCell *cells;    /* [target][column] */
    WsRelativeColumn *column; /* in the order of the points */
} WsRelative;

/* Of a study with a reference (WsStudy.reference) and its table, which must outlive the result. */
WsRelative *ws_relative_new(const WsStudy *study, const WsTable *table);
void ws_relative_free(WsRelative *relative);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(WsRelative, ws_relative_free)

/*
 * As CSV: one line a target and column, with `target`, the other parameters, `status` and `speed`;
 * then one line a column with WS_RELATIVE_MEAN in place of the target, its mean as `speed`, and
 * `spread`, `best`, `worst` and `left_out`, so that a chart has the mean beside the targets.
 * g_free.
 */
char *ws_relative_csv(const WsStudy *study, const WsRelative *relative);

/*
 * For people, lines of at most `width` characters: targets as rows and combinations as columns
 * while they fit, otherwise one row a combination with its means alone. g_free.
 */
char *ws_relative_text(const WsStudy *study, const WsRelative *relative, guint width);

#endif
