/* Whole programs of a subject, each compiled and linked once for all its tests. Inside the room
 * only. */
#ifndef WS_GRADE_TRIAL_BUILT_PROGRAMS_H
#define WS_GRADE_TRIAL_BUILT_PROGRAMS_H

#include "grade/trial/trial.h"
#include "isa/cuda/host_program.h"

typedef struct WsBuiltPrograms WsBuiltPrograms;

typedef struct {
    char *program;       /* the file to be run, or NULL: it does not compile */
    WsHostProgram parts; /* its device code, as compiled here */
    GError *error;
    gboolean at_fault; /* of the error: the source is, not this machine */
} WsBuiltProgram;

/* `folder`: where programs are written; it must be there as long as they are used. */
WsBuiltPrograms *ws_built_programs_new(const WsAssignment *assignment, const char *folder);
void ws_built_programs_free(WsBuiltPrograms *programs);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(WsBuiltPrograms, ws_built_programs_free)

/*
 * The program of a source of the current folder, of which nothing else is read but what the
 * assignment lets include. Owned by `programs`.
 */
const WsBuiltProgram *ws_built_programs_get(WsBuiltPrograms *programs, const char *source,
                                            guint compile_seconds);

/* The folder. */
const char *ws_built_programs_folder(const WsBuiltPrograms *programs);

#endif
