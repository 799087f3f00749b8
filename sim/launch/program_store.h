/*
 * Programs that several jobs share: each different one is compiled once, whichever thread asks
 * first. For runs of many launches of one program, in any number of threads.
 */
#ifndef WS_SIM_LAUNCH_PROGRAM_STORE_H
#define WS_SIM_LAUNCH_PROGRAM_STORE_H

#include "isa/bytecode/program.h"

typedef struct WsProgramStore WsProgramStore;

WsProgramStore *ws_program_store_new(void);
void ws_program_store_free(WsProgramStore *store);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(WsProgramStore, ws_program_store_free)

/*
 * As ws_program_load(), for files that do not change while the store exists. What cannot be loaded
 * is not tried again: the error is the same each time. The digest of the scope of `options`
 * (ws_read_scope_digest()) gets the same, whether the files are read now or were before. `store`
 * may be NULL.
 */
WsProgram *ws_program_store_load(WsProgramStore *store, const char *path,
                                 const WsCompileOptions *options, GError **error);

/*
 * The names of a kernel's parameters in the source of its program, NULL-terminated, "" for what
 * nobody knows (sim/launch/source_parameters.h). clang is asked once for a kernel of a program that
 * is in the store. `store` may be NULL. g_strfreev.
 */
char **ws_program_store_names(WsProgramStore *store, const WsProgram *program,
                              const WsKernel *kernel, const WsCompileOptions *options);

#endif
