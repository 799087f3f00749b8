/* What the SMs share: L2 and DRAM, and the messages to and from them. */
#ifndef WS_SIM_MEMORY_SYSTEM_H
#define WS_SIM_MEMORY_SYSTEM_H

#include "sim/memory.h"

WsGlobalMemory *ws_memory_system_contents(const WsMemorySystem *system);

#endif
