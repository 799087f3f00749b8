/* Fuses instructions of the intermediate form, as ptxas does. */
#include "isa/lowering.h"
#include "isa/ptx_lower.h"

void ws_ir_combine(WsIrFunction *function)
{
    ws_simplify_blocks(function);
    ws_propagate_copies(function);
    ws_remove_dead_code(function);
}
