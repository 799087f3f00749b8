/* What the compiler's code tells at the start of a program: its modules, kernels and variables. */
#include "runtime/nvcc/modules.h"

#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

/* What clang wraps the text in, which -fcuda-include-gpubinary names, and nvcc a fat binary. */
typedef struct {
    int magic, version;
    const void *data;
    const void *const *linked; /* of nvcc's link, version 2: the fat binaries of all files */
} Wrapper;

enum { LINKED = 2 };

WS_RUNTIME_API void **__cudaRegisterFatBinary(const Wrapper *wrapper);
WS_RUNTIME_API void __cudaRegisterLinkedBinary(void (*register_all)(void **handle),
                                               const Wrapper *wrapper, const char *id,
                                               void (*callback)(void *));
WS_RUNTIME_API void __cudaRegisterFatBinaryEnd(void **handle);
WS_RUNTIME_API void __cudaUnregisterFatBinary(void **handle);
WS_RUNTIME_API void __cudaRegisterFunction(void **handle, const void *host, const char *device,
                                           const char *name, int limit, void *thread_id,
                                           void *block_id, void *block, void *grid, int *warp);
WS_RUNTIME_API void __cudaRegisterVar(void **handle, const void *host, const char *device,
                                      const char *name, int is_extern, gsize size, int is_constant,
                                      int is_global);

/* The line that `warpstep cc` puts before the PTX of a source with -rdc=true, with its name. */
static char *unit_of(const char *ptx)
{
    static const char mark[] = WS_RELOCATABLE_MARK;
    if (!g_str_has_prefix(ptx, mark))
        return NULL;
    const char *name = ptx + strlen(mark);
    return g_strndup(name, strcspn(name, "\n"));
}

void **__cudaRegisterFatBinary(const Wrapper *wrapper)
{
    WsRuntime *runtime = ws_runtime_enter();
    WsModule *module = g_new0(WsModule, 1);
    Dl_info place;
    if (ws_nvcc_is_fatbin(wrapper->data)) {
        module->fatbin = wrapper->data;
        module->fatbins = wrapper->version == LINKED ? wrapper->linked : NULL;
    } else {
        module->ptx = wrapper->data;
    }
    module->unit = module->ptx == NULL ? NULL : unit_of(module->ptx);
    module->object = dladdr(wrapper, &place) != 0 ? place.dli_fbase : NULL;
    g_ptr_array_add(runtime->modules, module);
    g_mutex_unlock(&runtime->lock);
    return (void **)module;
}

/*
 * Of a source with -rdc=true: nvcc's device link has a function for each, which have this one name
 * here (cli/cc_device_code.h).
 */
void __cudaRegisterLinkedBinary(void (*register_all)(void **handle), const Wrapper *wrapper,
                                const char *id, void (*callback)(void *))
{
    (void)id, (void)callback;
    register_all(__cudaRegisterFatBinary(wrapper));
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

/*
 * The name as the device pass has it. clang 15 and later put a name of the source behind those of
 * statics in the host pass of -rdc=true; the device pass is one without it, and which file's they
 * are is known from the module.
 */
static char *plain_name(const char *name)
{
    static const char *const marks[] = {"__static__", "__intern__", ".static.", ".intern."};
    for (guint i = 0; i < G_N_ELEMENTS(marks); i++) {
        const char *end = strstr(name, marks[i]);
        if (end != NULL && g_str_has_prefix(name, "_Z"))
            return g_strndup(name, (gsize)(end - name));
    }
    return g_strdup(name);
}

static void note(GHashTable *table, void **handle, const void *host, const char *name, gsize size)
{
    WsEntry *entry = g_new0(WsEntry, 1);
    entry->module = (WsModule *)handle;
    entry->name = entry->module->unit != NULL ? plain_name(name) : g_strdup(name);
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

void ws_module_note_variable(WsRuntime *runtime, void **handle, const void *host, const char *name,
                             gsize size)
{
    note(runtime->variables, handle, host, name, size);
}

void __cudaRegisterVar(void **handle, const void *host, const char *device, const char *name,
                       int is_extern, gsize size, int is_constant, int is_global)
{
    WsRuntime *runtime = ws_runtime_enter();
    (void)device, (void)is_extern, (void)is_constant, (void)is_global;
    note(runtime->variables, handle, host, name, size);
    g_mutex_unlock(&runtime->lock);
}

/* ---- loading ----------------------------------------------------------------------------------
 */

/*
 * What is loaded with the module: those with relocatable code of the same program or shared
 * library, in the order of their start, or it alone.
 */
static GPtrArray *group_of(WsRuntime *runtime, WsModule *module)
{
    GPtrArray *group = g_ptr_array_new();
    if (module->unit == NULL) {
        g_ptr_array_add(group, module);
        return group;
    }
    for (guint i = 0; i < runtime->modules->len; i++) {
        WsModule *other = g_ptr_array_index(runtime->modules, i);
        if (other->unit != NULL && other->object == module->object)
            g_ptr_array_add(group, other);
    }
    return group;
}

static cudaError_t load_text(WsRuntime *runtime, const char *given, unsigned *ret)
{
    g_autofree char *text = g_strdup(given);
    guint64 queue = 0;
    const cudaError_t error = ws_launches_prepare(runtime, &text, &queue);
    if (error != cudaSuccess)
        return error;
    if (warpstep_load_memory(runtime->gpu, "program.ptx", text, strlen(text), NULL, ret) ==
        WARPSTEP_OK) {
        ws_launches_note(runtime, *ret, queue);
        return cudaSuccess;
    }
    fprintf(stderr, "warpstep: error: %s\n", warpstep_last_error(runtime->gpu)->text);
    return cudaErrorInvalidKernelImage;
}

static cudaError_t load_group(WsRuntime *runtime, const GPtrArray *group, unsigned *ret)
{
    const WsModule *first = g_ptr_array_index(group, 0);
    g_autofree warpstep_unit *units = g_new0(warpstep_unit, group->len);
    const char *text = first->ptx;
    if (first->unit != NULL) {
        for (guint i = 0; i < group->len; i++) {
            const WsModule *module = g_ptr_array_index(group, i);
            units[i] = (warpstep_unit){module->unit, module->ptx, strlen(module->ptx)};
        }
        if (warpstep_link(runtime->gpu, units, group->len, &text) != WARPSTEP_OK) {
            fprintf(stderr, "warpstep: error: %s\n", warpstep_last_error(runtime->gpu)->text);
            return cudaErrorInvalidKernelImage;
        }
    }
    return load_text(runtime, text, ret);
}

static cudaError_t load_nvcc(WsRuntime *runtime, WsModule *module)
{
    g_autofree char *text = NULL;
    cudaError_t error = ws_nvcc_find_ptx(runtime, module, &text);
    if (error == cudaSuccess)
        error = ws_nvcc_place_managed(runtime, module, &text);
    if (error == cudaSuccess)
        error = load_text(runtime, text, &module->program);
    if (error == cudaSuccess)
        ws_nvcc_fill_managed(runtime, module);
    return error;
}

static gboolean is_there(WsRuntime *runtime, unsigned program, const char *name, gboolean kernel)
{
    if (kernel)
        return warpstep_find_kernel(runtime->gpu, program, name) != NULL;
    return warpstep_symbol(runtime->gpu, program, name, NULL, NULL, NULL) == WARPSTEP_OK;
}

/* Statics that several units have got other names when these were linked (warpstep_link()). */
static void name_entries(WsRuntime *runtime, const WsModule *module, guint number)
{
    GHashTable *const tables[] = {runtime->kernels, runtime->variables};
    for (guint t = 0; t < G_N_ELEMENTS(tables); t++) {
        GHashTableIter entries;
        gpointer value;
        g_hash_table_iter_init(&entries, tables[t]);
        while (g_hash_table_iter_next(&entries, NULL, &value)) {
            WsEntry *entry = value;
            char *linked = g_strdup_printf("%s$%u", entry->name, number);
            if (entry->module == module &&
                is_there(runtime, module->program, linked, tables[t] == runtime->kernels))
                g_free(entry->name), entry->name = g_steal_pointer(&linked);
            g_free(linked);
        }
    }
}

cudaError_t ws_module_load(WsRuntime *runtime, WsModule *module)
{
    unsigned program = 0;
    if (module->is_loaded)
        return module->error;
    module->is_loaded = TRUE;
    if (module->fatbin != NULL)
        return module->error = load_nvcc(runtime, module);
    g_autoptr(GPtrArray) group = group_of(runtime, module);
    module->error = load_group(runtime, group, &program);
    for (guint i = 0; i < group->len; i++) {
        WsModule *one = g_ptr_array_index(group, i);
        one->is_loaded = TRUE;
        one->error = module->error;
        one->program = program;
        if (one->error == cudaSuccess && one->unit != NULL)
            name_entries(runtime, one, i + 1);
    }
    return module->error;
}
