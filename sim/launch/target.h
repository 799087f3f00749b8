/*
 * What a command works on: TARGET is a launch file, a folder with launch.yaml in it, a program
 * (.cu .ptx .wsasm .wsbin), or a built-in workload: NAME, or NAME/FILE for another of its files,
 * where .yaml may be left out.
 */
#ifndef WS_SIM_LAUNCH_TARGET_H
#define WS_SIM_LAUNCH_TARGET_H

#include "isa/base/load_bounds.h"
#include "isa/base/read_scope.h"

typedef struct {
    gboolean is_program; /* else a launch file */
    char *path;          /* to be read, through `scope` */
    gboolean built_in;   /* its files are in the program itself */
    WsReadScope *scope;  /* the target's folder, or the built-in workload; see below */
} WsTarget;

/* Names of the built-in workloads, NULL-terminated, sorted. */
const char *const *ws_workload_names(void);

/*
 * Confined, nothing is read but what lies in the folder of the target (that of the launch file or
 * program, or the one that `text` names). A launch file of an assignment, with an assignment.yaml
 * of the same owner in its folder or at most three above, has that folder: there lies the program
 * that it launches. Errors: WS_ERROR_INPUT.
 */
WsTarget *ws_target_resolve(const char *text, WsConfinement confinement, GError **error);

void ws_target_free(WsTarget *target);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(WsTarget, ws_target_free)

gboolean ws_is_program_name(const char *path);

#endif
