/* What the source of a kernel says of its parameters, and PTX does not: names, and types behind
 * pointers. */
#ifndef WS_SIM_LAUNCH_SOURCE_PARAMETERS_H
#define WS_SIM_LAUNCH_SOURCE_PARAMETERS_H

#include "isa/bytecode/program.h"

typedef struct {
    char *name; /* as in the source, or NULL */
    char *type; /* C++ type, "float const*", or NULL */
} WsSourceParameter;

/*
 * One for each parameter of the kernel. Names and types come from clang where the program is a .cu,
 * types else from the mangled name; in bytecode parameters have names. What nobody knows is NULL.
 * `options` are those that the program was compiled with. Free with ws_source_parameters_free.
 */
WsSourceParameter *ws_source_parameters_read(const WsProgram *program, const WsKernel *kernel,
                                             const WsCompileOptions *options);
void ws_source_parameters_free(WsSourceParameter *parameters, guint32 count);

#endif
