/*
 * What a command works on: TARGET is a launch file, a folder with launch.yaml in it, a program
 * (.cu .ptx .wsasm .wsbin), or a built-in workload: NAME, or NAME/FILE for another of its files.
 */
#ifndef WS_SIM_TARGET_H
#define WS_SIM_TARGET_H

#include "isa/error.h"
#include "isa/program.h"
#include "isa/temporary_folder.h"

typedef struct {
    gboolean is_program;          /* else a launch file */
    char *path;                   /* to be read */
    WsTemporaryFolder *copied_to; /* a built-in workload: holds its files; else NULL */
    char *name;                   /* what the user wrote */
} WsTarget;

/* Names of the built-in workloads, NULL-terminated, sorted. */
const char *const *ws_workload_names(void);

/* Errors: WS_ERROR_INPUT. */
WsTarget *ws_target_resolve(const char *text, GError **error);

/* Frees it and deletes the temporary folder. */
void ws_target_free(WsTarget *target);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(WsTarget, ws_target_free)

/*
 * Names of a built-in workload's files must not show the temporary folder, which is another one in
 * each run: returns `text` with "workloads" in its place. Free with g_free.
 */
char *ws_target_clean_text(const WsTarget *target, const char *text);
void ws_target_clean_error(const WsTarget *target, GError **error);
/* The same for the file names in a program just loaded, that nobody else holds yet. */
void ws_target_clean_program(const WsTarget *target, WsProgram *program);

gboolean ws_is_program_name(const char *path);

#endif
