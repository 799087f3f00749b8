#include "sim/base/call_fault.h"

const char *ws_trap_text(guint kind)
{
    switch (kind) {
    case WS_TRAP_ASSERT:
        return "assertion failed";
    case WS_TRAP_CALL:
        return "call through a pointer that holds no address of a function with such arguments";
    case WS_TRAP_FREE:
        return "free() of an address that malloc() has not given, or that is free already";
    default:
        return "trap";
    }
}

char *ws_stack_fault_describe(const WsKernel *kernel, guint32 stack_bytes, guint64 offset)
{
    guint64 end = (guint64)kernel->local_bytes - kernel->stack_bytes + stack_bytes;
    if (stack_bytes == 0 || offset < end || offset >= WS_CONSTANT_WINDOW - WS_LOCAL_WINDOW)
        return NULL;
    return g_strdup_printf("past the end of the stack, which is %u bytes a thread: "
                           "cudaDeviceSetLimit(cudaLimitStackSize) or stack_bytes of the launch "
                           "makes it larger",
                           stack_bytes);
}
