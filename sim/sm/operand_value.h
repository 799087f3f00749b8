/* Values of operands, outside of lane operations. Inside the library only. */
#ifndef WS_SIM_SM_OPERAND_VALUE_H
#define WS_SIM_SM_OPERAND_VALUE_H

#include "sim/sm/sm.h"

/* Value that an operand has in a lane; 0 if it is none of register, immediate and constant. */
guint32 ws_operand_value(const WsSm *sm, guint32 slot, const WsOperand *operand, guint lane);
/* Value of operand `n` of instruction `pc` in the lowest active lane. */
guint32 ws_warp_operand(const WsSm *sm, guint32 slot, guint32 pc, guint n);

#endif
