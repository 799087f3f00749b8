/* Names of the registers that an instruction is about. */
#ifndef WS_INSPECT_SCREEN_REGISTER_NAMES_H
#define WS_INSPECT_SCREEN_REGISTER_NAMES_H

#include "isa/bytecode/program.h"

/* Those that it reads and writes, each once: "R4", "P0", "UR2". NULL-terminated; g_strfreev. */
char **ws_register_names(const WsProgram *program, guint32 instruction);

#endif
