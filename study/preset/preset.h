/*
 * Ready studies: questions that are asked of many kernels, with the parameter that answers them,
 * its values, and the answer in a sentence.
 */
#ifndef WS_STUDY_PRESET_PRESET_H
#define WS_STUDY_PRESET_PRESET_H

#include "sim/occupancy/occupancy.h"
#include "study/plan/study.h"
#include "study/plot/chart.h"

typedef struct WsPresetStudy WsPresetStudy;

struct WsPresetStudy {
    const char *name;
    const char *question; /* one line */
    const char *target;   /* a built-in workload to take if none is given; NULL: one must be */
    const char *y;        /* column that the chart shows */
    /* Columns of the table besides the parameters, `cycles` and `ipc`; NULL-terminated. */
    const char *columns[4];
    /*
     * Gives the study its parameter, the first. `job` is the launch as it stands, on the study's
     * device. Errors: WS_ERROR_INPUT (the launch cannot be varied in this way).
     */
    gboolean (*prepare)(WsStudy *study, const WsJob *job, GError **error);
    /*
     * The answer for one curve of the table: `rows` (of char**, a cell a column), in the order of
     * the values. `now` is the parameter's value as the launch stands, or NULL. Rows that did not
     * come to their end with the right results do not count. g_free.
     */
    char *(*answer)(const WsTable *table, const GPtrArray *rows, const WsJob *job, const char *now);
    char *(*now)(const WsJob *job); /* that value, g_free; or NULL */
    /* Marks what to look at; `alone`: the table has one curve. Or NULL. */
    void (*mark)(WsChart *chart, const WsTable *table, const WsJob *job, gboolean alone);
};

/* All of them, and the one of this name or NULL. */
const WsPresetStudy *ws_preset_studies(guint *ret_count);

/*
 * The answer: a sentence or two for each combination of the other parameters' values, with these in
 * front. The study's own parameter is its first. g_free.
 */
char *ws_preset_answer(const WsPresetStudy *preset, const WsStudy *study, const WsTable *table,
                       const WsJob *job);

/* The table in columns, for reading. g_free. */
char *ws_preset_table(const WsPresetStudy *preset, const WsStudy *study, const WsTable *table);

/* Parts of the answers, for the other files of this room. */
double ws_preset_number(const WsTable *table, const GPtrArray *rows, guint row, const char *column);
const char *ws_preset_cell(const WsTable *table, const GPtrArray *rows, guint row,
                           const char *column);

/* study/preset/prepare.c */
gboolean ws_preset_prepare_warps(WsStudy *study, const WsJob *job, GError **error);
gboolean ws_preset_prepare_policies(WsStudy *study, const WsJob *job, GError **error);
gboolean ws_preset_prepare_block(WsStudy *study, const WsJob *job, GError **error);
gboolean ws_preset_prepare_registers(WsStudy *study, const WsJob *job, GError **error);
gboolean ws_preset_prepare_cliff(WsStudy *study, const WsJob *job, GError **error);
gboolean ws_preset_prepare_shared(WsStudy *study, const WsJob *job, GError **error);
gboolean ws_preset_prepare_latency(WsStudy *study, const WsJob *job, GError **error);
gboolean ws_preset_prepare_divergence(WsStudy *study, const WsJob *job, GError **error);
gboolean ws_preset_prepare_stride(WsStudy *study, const WsJob *job, GError **error);
gboolean ws_preset_prepare_warp_size(WsStudy *study, const WsJob *job, GError **error);
gboolean ws_preset_prepare_schedulers(WsStudy *study, const WsJob *job, GError **error);
gboolean ws_preset_prepare_l1(WsStudy *study, const WsJob *job, GError **error);

/* study/preset/answer.c */
char *ws_preset_answer_warps(const WsTable *table, const GPtrArray *rows, const WsJob *job,
                             const char *now);
char *ws_preset_answer_fastest(const WsTable *table, const GPtrArray *rows, const WsJob *job,
                               const char *now);
char *ws_preset_answer_block(const WsTable *table, const GPtrArray *rows, const WsJob *job,
                             const char *now);
char *ws_preset_answer_registers(const WsTable *table, const GPtrArray *rows, const WsJob *job,
                                 const char *now);
char *ws_preset_answer_cliff(const WsTable *table, const GPtrArray *rows, const WsJob *job,
                             const char *now);
char *ws_preset_answer_divergence(const WsTable *table, const GPtrArray *rows, const WsJob *job,
                                  const char *now);
char *ws_preset_answer_warp_size(const WsTable *table, const GPtrArray *rows, const WsJob *job,
                                 const char *now);
char *ws_preset_answer_trend(const WsTable *table, const GPtrArray *rows, const WsJob *job,
                             const char *now);
char *ws_preset_answer_latency(const WsTable *table, const GPtrArray *rows, const WsJob *job,
                               const char *now);
char *ws_preset_answer_shared(const WsTable *table, const GPtrArray *rows, const WsJob *job,
                              const char *now);
void ws_preset_mark_warps(WsChart *chart, const WsTable *table, const WsJob *job, gboolean alone);

/* study/preset/present.c: values as the launch stands. */
char *ws_preset_now_policy(const WsJob *job);
char *ws_preset_now_block(const WsJob *job);
char *ws_preset_now_registers(const WsJob *job);
char *ws_preset_now_shared(const WsJob *job);
char *ws_preset_now_latency(const WsJob *job);
char *ws_preset_now_warp_size(const WsJob *job);
char *ws_preset_now_schedulers(const WsJob *job);
void ws_preset_occupancy(const WsJob *job, WsOccupancy *ret); /* of the first launch */

#endif
