/*
 * A program that has learnt by heart what the public tests ask for, as a student may write one:
 * what it gets by that is what an assignment gives away. Inside the room only.
 */
#ifndef WS_GRADE_VERIFY_TABLE_PROGRAM_H
#define WS_GRADE_VERIFY_TABLE_PROGRAM_H

#include "grade/judge/grader.h"

typedef struct {
    const char *source;     /* a program for all that is not in the tables, in CUDA C */
    gboolean has_tables;    /* else it is this program alone, as slow */
    guint64 waiting_cycles; /* that each thread of it waits first */
} WsTablePlan;

/*
 * The source, for a student's numbers, from the reference's runs. NULL where no such program can be
 * made: what is handed in is no CUDA C, or a kernel's name is none that a macro can have. g_free.
 */
char *ws_table_program(const WsAssignment *assignment, WsGrader *grader, const char *student,
                       const WsTablePlan *plan);

#endif
