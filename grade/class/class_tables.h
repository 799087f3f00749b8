/* grades.csv and leaderboard.html, from the results that lie in the folder. Inside the room only.
 */
#ifndef WS_GRADE_CLASS_CLASS_TABLES_H
#define WS_GRADE_CLASS_CLASS_TABLES_H

#include "grade/assignment/assignment.h"

#include <json-glib/json-glib.h>

/* A row for each name (char*, sorted), of which `results` has the result.json, or NULL. g_free. */
char *ws_class_csv(const WsAssignment *assignment, const GPtrArray *names,
                   const GPtrArray *results);
/* The leaderboards of the assignment, best first. g_free. */
char *ws_class_leaderboard(const WsAssignment *assignment, const GPtrArray *names,
                           const GPtrArray *results);

/* What compiled the submissions, as WsClassResult.compilers. g_free. */
char *ws_class_compilers(const GPtrArray *results);

#endif
