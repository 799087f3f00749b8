/* What the compiler's code tells at the start of a program: its modules, kernels and variables. */
#include "runtime/runtime.h"

#include <stdio.h>
#include <string.h>

/* What clang wraps the text in, which -fcuda-include-gpubinary names. */
typedef struct {
    int magic, version;
    const void *data;
    void *unused;
} Wrapper;

enum { NVCC_BINARY = 0xba55ed50u };

WS_RUNTIME_API void **__cudaRegisterFatBinary(const Wrapper *wrapper);
WS_RUNTIME_API void __cudaRegisterFatBinaryEnd(void **handle);
WS_RUNTIME_API void __cudaUnregisterFatBinary(void **handle);
WS_RUNTIME_API void __cudaRegisterFunction(void **handle, const void *host, const char *device,
                                           const char *name, int limit, void *thread_id,
                                           void *block_id, void *block, void *grid, int *warp);
WS_RUNTIME_API void __cudaRegisterVar(void **handle, const void *host, const char *device,
                                      const char *name, int is_extern, gsize size, int is_constant,
                                      int is_global);

void **__cudaRegisterFatBinary(const Wrapper *wrapper)
{
    WsRuntime *runtime = ws_runtime_enter();
    WsModule *module = g_new0(WsModule, 1);
    guint32 magic;
    memcpy(&magic, wrapper->data, sizeof magic);
    if (magic == NVCC_BINARY)
        module->why = "the program was compiled by nvcc: compile it with 'warpstep cc'";
    else
        module->ptx = wrapper->data;
    g_hash_table_add(runtime->modules, module);
    g_mutex_unlock(&runtime->lock);
    return (void **)module;
}

void __cudaRegisterFatBinaryEnd(void **handle)
{
    (void)handle;
}

/* At the end of the process: kernels of the module are not launched any more. */
void __cudaUnregisterFatBinary(void **handle)
{
    (void)handle;
}

static void note(GHashTable *table, void **handle, const void *host, const char *name, gsize size)
{
    WsEntry *entry = g_new0(WsEntry, 1);
    entry->module = (WsModule *)handle;
    entry->name = g_strdup(name);
    entry->size = size;
    g_hash_table_insert(table, (gpointer)host, entry);
}

void __cudaRegisterFunction(void **handle, const void *host, const char *device, const char *name,
                            int limit, void *thread_id, void *block_id, void *block, void *grid,
                            int *warp)
{
    WsRuntime *runtime = ws_runtime_enter();
    (void)device, (void)limit, (void)thread_id, (void)block_id, (void)block, (void)grid, (void)warp;
    note(runtime->kernels, handle, host, name, 0);
    g_mutex_unlock(&runtime->lock);
}

void __cudaRegisterVar(void **handle, const void *host, const char *device, const char *name,
                       int is_extern, gsize size, int is_constant, int is_global)
{
    WsRuntime *runtime = ws_runtime_enter();
    (void)device, (void)is_extern, (void)is_constant, (void)is_global;
    note(runtime->variables, handle, host, name, size);
    g_mutex_unlock(&runtime->lock);
}

cudaError_t ws_module_load(WsRuntime *runtime, WsModule *module)
{
    if (module->is_loaded)
        return module->error;
    module->is_loaded = TRUE;
    if (module->ptx == NULL) {
        fprintf(stderr, "warpstep: error: %s\n", module->why);
        return module->error = cudaErrorInvalidKernelImage;
    }
    if (warpstep_load_memory(runtime->gpu, "program.ptx", module->ptx, strlen(module->ptx), NULL,
                             &module->program) != WARPSTEP_OK) {
        fprintf(stderr, "warpstep: error: %s\n", warpstep_last_error(runtime->gpu)->text);
        module->error = cudaErrorInvalidKernelImage;
    }
    return module->error;
}
