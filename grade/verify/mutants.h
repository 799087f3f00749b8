/* Solutions that are wrong on purpose. Inside the room only. */
#ifndef WS_GRADE_VERIFY_MUTANTS_H
#define WS_GRADE_VERIFY_MUTANTS_H

#include "grade/assignment/assignment.h"

typedef struct {
    char *name;     /* of the file */
    char *replaces; /* name of the reference's file that it stands for */
    GBytes *contents;
    gboolean *loses; /* by check */
} WsMutant;

/* Of WsMutant, by name. Errors: WS_ERROR_INPUT. */
GPtrArray *ws_mutants_load(const WsAssignment *assignment, GError **error);

/*
 * Makes the folder `folder` a submission: the reference's program and answers, one of them replaced
 * (`mutant` NULL: none). Errors: WS_ERROR_INPUT.
 */
gboolean ws_mutant_write(const WsAssignment *assignment, const WsMutant *mutant, const char *folder,
                         GError **error);

#endif
