/* What a grade is written as: one row of grade_formats.def and one file for each format. */
#ifndef WS_GRADE_EXPORT_GRADE_FORMAT_H
#define WS_GRADE_EXPORT_GRADE_FORMAT_H

#include "grade/judge/grade.h"

#include <json-glib/json-glib.h>

typedef struct {
    const char *name; /* as --format knows it */
    const char *file; /* what a file of it is called: "result.json" */
    /* The same grade gives the same bytes. Free with g_free. */
    char *(*write)(const WsGrade *grade);
} WsGradeFormat;

/* Ends with NULL. */
extern const WsGradeFormat *const ws_grade_formats[];

/* NULL if there is none of this name. */
const WsGradeFormat *ws_grade_format_find(const char *name);

/* Shared by the formats. */
/* "2 of 3 points, 50 % for being late: 1" and the like, one line. g_free. */
char *ws_grade_sum_text(const WsGrade *grade);
/* "Protection of the compiler: full", one line. g_free. */
char *ws_grade_protection_text(const WsGrade *grade);
/* The member `protection` of an object: the level, which parts hold, and a text. */
void ws_grade_add_protection(JsonBuilder *json, const WsGrade *grade);
/*
 * "Compiled by clang 14.0.6", one line; where the assignment's own programs were compiled by
 * another version, that figures may differ for that reason. NULL if nothing was compiled. g_free.
 */
char *ws_grade_compiler_text(const WsGrade *grade);
gboolean ws_grade_compilers_differ(const WsGrade *grade);
/* The members `compiler` and `own_compiler` of an object. */
void ws_grade_add_compilers(JsonBuilder *json, const WsGrade *grade);
/* Rationale, expected, actual, log, hint and help, a line each with `indent` in front. g_free. */
char *ws_verdict_details(const WsVerdict *verdict, const char *indent);
/* "2", "0.5": points. g_free. */
char *ws_points_text(double points);

#endif
