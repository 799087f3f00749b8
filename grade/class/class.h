/*
 * Grading a class: every folder below one is a submission, called by its name. Several are graded
 * at a time, each in a process of its own; what was graded before, with nothing changed since, is
 * not graded again.
 *
 * The folder of results gets, for each submission, a folder with the result in all formats, and
 * grades.csv and leaderboard.html for all. The same submissions give the same bytes, whatever was
 * graded when and however many at a time.
 */
#ifndef WS_GRADE_CLASS_CLASS_H
#define WS_GRADE_CLASS_CLASS_H

#include "grade/assignment/assignment.h"

typedef struct {
    const char *submissions; /* folder of folders */
    const char *output;      /* folder of results; made if it is not there */
    guint jobs;              /* at a time; 0 = 1 */
    guint shard, shards;   /* of these, those whose number is `shard` modulo `shards`; 0, 0 = all */
    GHashTable *submitted; /* name -> gint64 *, seconds since 1970; NULL = all in time */
    const char *cache;     /* of ws_grader_new() */
    gboolean reveal, pages; /* as in WsGradeOptions */
    /* Called when one is graded: how many are, of how many, and what the last one got. */
    void (*progress)(void *data, guint done, guint total, const char *name, const char *what);
    void *progress_data;
} WsClassOptions;

typedef struct {
    guint graded, kept; /* now; already there */
    guint protection;   /* parts of WsProtection that clang had */
    guint errors;       /* where the grader failed; these are graded again next time */
    /*
     * "Compiled by clang 14.0.6 for 20", one line, of all results that there are; where there are
     * several versions, that figures may differ. NULL if nothing was compiled. g_free.
     */
    char *compilers;
} WsClassResult;

/* Errors: WS_ERROR_INPUT for folders that cannot be read or written. */
gboolean ws_class_grade(const WsAssignment *assignment, const WsClassOptions *options,
                        WsClassResult *ret, GError **error);

/*
 * Reads a CSV file with the columns `student` and `submitted` for WsClassOptions. Errors:
 * WS_ERROR_INPUT with line.
 */
GHashTable *ws_class_read_times(const char *path, GError **error);

#endif
