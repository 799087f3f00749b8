#include "inspect/dap/used_registers.h"

#include "isa/bytecode/accesses.h"

static WsDapRegisterFile file_of(guint file)
{
    switch (file) {
    case WS_FILE_REGISTER:
        return WS_DAP_FILE_REGISTER;
    case WS_FILE_PREDICATE:
        return WS_DAP_FILE_PREDICATE;
    case WS_FILE_UNIFORM:
        return WS_DAP_FILE_UNIFORM;
    case WS_FILE_UNIFORM_PREDICATE:
        return WS_DAP_FILE_UNIFORM_PREDICATE;
    default:
        return WS_DAP_FILE_BARRIER;
    }
}

WsDapUsedRegisters ws_dap_used_registers(const WsProgram *program, const WsKernel *kernel)
{
    WsDapUsedRegisters ret = {0};

    for (guint32 i = kernel->first; i < kernel->first + kernel->count; i++) {
        WsRegisterAccess accesses[WS_MAX_ACCESSES];
        guint count = ws_instruction_accesses(&program->instructions[i], accesses);

        for (guint j = 0; j < count; j++)
            for (guint word = 0; word < accesses[j].words; word++)
                if (accesses[j].index + word < 64)
                    ret.used[file_of(accesses[j].file)] |= (guint64)1 << (accesses[j].index + word);
    }
    return ret;
}
