/* Names of instructions as assignments have them: mnemonics without what follows a dot. */
#ifndef WS_GRADE_ASSIGNMENT_INSTRUCTION_NAMES_H
#define WS_GRADE_ASSIGNMENT_INSTRUCTION_NAMES_H

#include "isa/bytecode/instruction.h"

/* "ATOM" of "ATOM.CAS". g_free. */
char *ws_base_mnemonic(WsOpcode opcode);

/* Whether some instruction is called so; else `ret_nearest` may be set to one that is. g_free. */
gboolean ws_is_base_mnemonic(const char *name, char **ret_nearest);

#endif
