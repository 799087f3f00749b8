/*
 * Modules of nvcc's programs: fat binaries, in which the PTX is looked for when the module is first
 * needed, and __managed__ variables, which host code reads through a pointer that is set then.
 */
#include "runtime/nvcc/modules.h"

#include <stdio.h>
#include <string.h>

enum { HEADER_BYTES = 16 };

typedef struct {
    const WsModule *module;
    void **host; /* where host code has its address */
    char *name;  /* in the PTX */
    gsize size;
} Managed;

WS_RUNTIME_API void __cudaRegisterManagedVar(void **handle, void **host, const char *device,
                                             const char *name, int is_extern, gsize size,
                                             int is_constant, int is_global);
WS_RUNTIME_API char __cudaInitModule(void **handle);

/* ---- PTX --------------------------------------------------------------------------------------
 */

gboolean ws_nvcc_is_fatbin(const void *data)
{
    guint8 header[HEADER_BYTES];
    memcpy(header, data, 4);
    if (memcmp(header, "\x50\xed\x55\xba", 4) != 0)
        return FALSE;
    memcpy(header, data, sizeof header);
    return warpstep_fatbin_bytes(header) != 0;
}

static warpstep_code find_ptx(WsRuntime *runtime, const void *fatbin, char **ret)
{
    const char *text = NULL;
    const warpstep_code code =
        warpstep_fatbin_ptx(runtime->gpu, fatbin, warpstep_fatbin_bytes(fatbin), &text);
    *ret = code == WARPSTEP_OK ? g_strdup(text) : NULL;
    return code;
}

/* Code of programs whose kernels launch kernels is linked with NVIDIA's code for it, without PTX.
 */
static gboolean launches(const GPtrArray *texts)
{
    for (guint i = 0; i < texts->len; i++)
        if (strstr(texts->pdata[i], "__cudaCDP2") != NULL)
            return TRUE;
    return FALSE;
}

/* Of -rdc=true: the fat binaries of all files of the link. */
static warpstep_code link_ptx(WsRuntime *runtime, const void *const *fatbins, char **ret)
{
    g_autoptr(GPtrArray) texts = g_ptr_array_new_with_free_func(g_free);
    g_autoptr(GPtrArray) names = g_ptr_array_new_with_free_func(g_free);
    g_autoptr(GArray) units = g_array_new(FALSE, FALSE, sizeof(warpstep_unit));
    const char *text = NULL;
    const void *without = NULL;
    for (guint i = 0; fatbins[i] != NULL; i++) {
        char *one = NULL;
        if (find_ptx(runtime, fatbins[i], &one) != WARPSTEP_OK) {
            without = fatbins[i];
            continue;
        }
        char *name = g_strdup_printf("file %u of the link", i + 1);
        const warpstep_unit unit = {name, one, strlen(one)};
        g_ptr_array_add(texts, one);
        g_ptr_array_add(names, name);
        g_array_append_val(units, unit);
    }
    char *none = NULL;
    if (without != NULL && !launches(texts)) /* the message that was passed over */
        return find_ptx(runtime, without, &none);
    const warpstep_code code =
        warpstep_link(runtime->gpu, (const warpstep_unit *)(void *)units->data, units->len, &text);
    *ret = code == WARPSTEP_OK ? g_strdup(text) : NULL;
    return code;
}

cudaError_t ws_nvcc_find_ptx(WsRuntime *runtime, const WsModule *module, char **ret)
{
    const warpstep_code code = module->fatbins != NULL ? link_ptx(runtime, module->fatbins, ret)
                                                       : find_ptx(runtime, module->fatbin, ret);
    if (code == WARPSTEP_OK)
        return cudaSuccess;
    fprintf(stderr, "warpstep: error: %s\n", warpstep_last_error(runtime->gpu)->text);
    return cudaErrorNoKernelImageForDevice;
}

/* ---- managed variables ------------------------------------------------------------------------
 */

static GArray *managed_of(WsRuntime *runtime)
{
    if (runtime->managed == NULL)
        runtime->managed = g_array_new(FALSE, FALSE, sizeof(Managed));
    return runtime->managed;
}

void __cudaRegisterManagedVar(void **handle, void **host, const char *device, const char *name,
                              int is_extern, gsize size, int is_constant, int is_global)
{
    WsRuntime *runtime = ws_runtime_enter();
    const Managed variable = {(const WsModule *)(void *)handle, host, g_strdup(name), size};
    (void)device, (void)is_extern, (void)is_constant, (void)is_global;
    g_array_append_val(managed_of(runtime), variable);
    ws_module_note_variable(runtime, handle, host, name, size);
    g_mutex_unlock(&runtime->lock);
}

/*
 * They are memory of the runtime's, at one address for the host and for kernels: the line behind
 * the PTX says which (isa/ptx/parser.c), so that it is said in captured launches too.
 */
cudaError_t ws_nvcc_place_managed(WsRuntime *runtime, const WsModule *module, char **text)
{
    for (guint i = 0; runtime->managed != NULL && i < runtime->managed->len; i++) {
        const Managed *variable = &g_array_index(runtime->managed, Managed, i);
        void *address = NULL;
        if (variable->module != module)
            continue;
        const cudaError_t error =
            ws_memory_allocate(runtime, MAX(variable->size, 1), WS_MEMORY_MANAGED, &address);
        if (error != cudaSuccess)
            return error;
        *variable->host = address;
        char *more = g_strdup_printf("%s\n.pragma \"warpstep: %s at %" G_GINT64_MODIFIER "x\";\n",
                                     *text, variable->name, (guint64)(gsize)address);
        g_free(*text);
        *text = more;
    }
    return cudaSuccess;
}

void ws_nvcc_fill_managed(WsRuntime *runtime, const WsModule *module)
{
    for (guint i = 0; runtime->managed != NULL && i < runtime->managed->len; i++) {
        const Managed *variable = &g_array_index(runtime->managed, Managed, i);
        void *memory = NULL;
        size_t bytes = 0;
        if (variable->module == module &&
            warpstep_symbol(runtime->gpu, module->program, variable->name, NULL, &memory, &bytes) ==
                WARPSTEP_OK)
            memcpy(*variable->host, memory, MIN(bytes, variable->size));
    }
}

/* Host code goes on where there is no device or no PTX, with zeros, to say what the error is. */
static void give_managed(WsRuntime *runtime, const WsModule *module)
{
    for (guint i = 0; runtime->managed != NULL && i < runtime->managed->len; i++) {
        const Managed *variable = &g_array_index(runtime->managed, Managed, i);
        if (variable->module == module && *variable->host == NULL)
            *variable->host = g_malloc0(MAX(variable->size, 1));
    }
}

/* Before host code touches a managed variable. */
char __cudaInitModule(void **handle)
{
    WsRuntime *runtime = ws_runtime_enter();
    cudaError_t error = ws_runtime_use(runtime);
    if (error == cudaSuccess)
        error = ws_module_load(runtime, (WsModule *)(void *)handle);
    if (error != cudaSuccess)
        give_managed(runtime, (const WsModule *)(void *)handle);
    ws_runtime_leave(runtime, error);
    return error == cudaSuccess;
}

/* ---- kernels by handle ------------------------------------------------------------------------
 */

WS_RUNTIME_API cudaError_t __cudaGetKernel(const void **ret, const void *function);
WS_RUNTIME_API cudaError_t cudaGetKernel(const void **ret, const void *function);
cudaError_t cudaLaunchKernel(const void *function, WsDim3 grid, WsDim3 block, void **arguments,
                             size_t shared, cudaStream_t stream);
WS_RUNTIME_API cudaError_t __cudaLaunchKernel(const void *kernel, WsDim3 grid, WsDim3 block,
                                              void **arguments, size_t shared, cudaStream_t stream);

/* The handle of a kernel is what stands for it in host code. */
cudaError_t __cudaGetKernel(const void **ret, const void *function)
{
    WsRuntime *runtime = ws_runtime_enter();
    const gboolean is_there = g_hash_table_contains(runtime->kernels, function);
    if (is_there)
        *ret = function;
    return ws_runtime_leave(runtime, is_there ? cudaSuccess : cudaErrorInvalidDeviceFunction);
}

cudaError_t cudaGetKernel(const void **ret, const void *function)
{
    return ret == NULL ? ws_runtime_return(cudaErrorInvalidValue) : __cudaGetKernel(ret, function);
}

cudaError_t __cudaLaunchKernel(const void *kernel, WsDim3 grid, WsDim3 block, void **arguments,
                               size_t shared, cudaStream_t stream)
{
    return cudaLaunchKernel(kernel, grid, block, arguments, shared, stream);
}
