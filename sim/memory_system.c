#include "sim/memory_system.h"

struct WsMemorySystem {
    const WsDevice *device;
    WsGlobalMemory *contents;
};

WsMemorySystem *ws_memory_system_new(const WsDevice *device, WsGlobalMemory *contents)
{
    WsMemorySystem *system = g_new0(WsMemorySystem, 1);
    system->device = device;
    system->contents = contents;
    return system;
}

void ws_memory_system_free(WsMemorySystem *system)
{
    g_free(system);
}

void ws_memory_system_flush(WsMemorySystem *system)
{
}

guint64 ws_memory_window(const WsDevice *device)
{
    return 1;
}

WsGlobalMemory *ws_memory_system_contents(const WsMemorySystem *system)
{
    return system->contents;
}

void ws_memory_system_settle(WsMemorySystem *system, guint64 window_end)
{
}

void ws_memory_system_add_counters(const WsMemorySystem *system, WsCounters *counters)
{
}
