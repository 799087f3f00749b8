/* Which registers a kernel's instructions name. */
#ifndef WS_INSPECT_DAP_USED_REGISTERS_H
#define WS_INSPECT_DAP_USED_REGISTERS_H

#include "isa/bytecode/program.h"

/* In the order in which they are shown. */
typedef enum {
    WS_DAP_FILE_REGISTER,
    WS_DAP_FILE_PREDICATE,
    WS_DAP_FILE_UNIFORM,
    WS_DAP_FILE_UNIFORM_PREDICATE,
    WS_DAP_FILE_BARRIER,
    WS_DAP_FILE_COUNT
} WsDapRegisterFile;

/* A bit a register, by file; general registers from 64 on have none. */
typedef struct {
    guint64 used[WS_DAP_FILE_COUNT];
} WsDapUsedRegisters;

WsDapUsedRegisters ws_dap_used_registers(const WsProgram *program, const WsKernel *kernel);

#endif
