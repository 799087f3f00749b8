/* Ways that only lead into a trap: lanes that take one meet nobody any more. */
#ifndef WS_ISA_FLOW_TRAP_WAYS_H
#define WS_ISA_FLOW_TRAP_WAYS_H

#include "isa/flow/control_flow.h"

/* The graph of `flow`, of `code`, without the edges into blocks that only traps are reached from.
 */
WsGraph *ws_graph_without_traps(const WsInstruction *code, const WsControlFlow *flow);

#endif
