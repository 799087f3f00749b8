/*
 * What kernels print, on its way to standard output. As with CUDA it stays in a buffer until a
 * launch begins or a call waits for the device (CUDA C++ Programming Guide, "Formatted Output"); a
 * program that ends before never shows it.
 */
#include "runtime/runtime.h"

#include <stdio.h>

void ws_printed_take(WsRuntime *runtime)
{
    size_t length = 0;
    const char *text = warpstep_printed(runtime->gpu, 0, &length, NULL);
    if (text != NULL && runtime->printed == NULL)
        runtime->printed = g_string_new(NULL);
    if (text != NULL)
        g_string_append_len(runtime->printed, text, (gssize)length);
}

void ws_printed_flush(WsRuntime *runtime)
{
    if (runtime->printed == NULL || runtime->printed->len == 0)
        return;
    fwrite(runtime->printed->str, 1, runtime->printed->len, stdout);
    g_string_truncate(runtime->printed, 0);
}
