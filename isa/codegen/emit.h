/* Layout of compiled functions as a program. Internal to code generation. */
#ifndef WS_ISA_CODEGEN_EMIT_H
#define WS_ISA_CODEGEN_EMIT_H

#include "isa/ir/ir.h"

/*
 * The program of a module whose functions have physical registers and blocks in layout order.
 * Errors: WS_ERROR_INPUT, WS_ERROR_INTERNAL (what the verifier finds).
 */
WsProgram *ws_emit_program(const WsIrModule *module, const GPtrArray *functions,
                           const WsCompileOptions *options, GError **error);

#endif
