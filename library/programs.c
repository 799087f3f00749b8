/* Programs of a machine, their kernels and variables. */
#include "library/machine.h"

#include <string.h>

#include "isa/base/read_scope.h"
#include "isa/fatbin/fatbin.h"
#include "isa/ptx/link.h"
#include "isa/ptx/source_texts.h"
#include "sim/launch/code_regions.h"
#include "sim/launch/program_store.h"
#include "sim/launch/target.h"
#include "sim/occupancy/occupancy.h"

void ws_loaded_program_free(WsLoadedProgram *program)
{
    g_strfreev(program->sources);
    ws_code_regions_free(program->regions, program->region_count);
    g_free(program->module_data);
    g_free(program->constant_data);
    g_clear_pointer(&program->program, ws_program_unref);
    g_free(program);
}

static gboolean find_regions(WsLoadedProgram *loaded, GError **error)
{
    WsJob job = {.program = loaded->program, .sources = loaded->sources};
    const gboolean ok = ws_job_find_regions(&job, error);
    loaded->regions = job.regions;
    loaded->region_count = job.region_count;
    return ok;
}

static warpstep_code load(warpstep *gpu, const char *path, WsReadScope *scope,
                          const warpstep_compile *wanted, unsigned *ret)
{
    WsCompileOptions options;
    g_autoptr(GError) error = NULL;
    ws_compile_options_init(&options);
    options.scope = scope;
    options.defines = wanted->defines;
    options.includes = wanted->includes;
    options.max_registers = wanted->max_registers;
    options.debug = wanted->debug != 0;
    options.variables = options.debug || wanted->variables != 0;
    WsProgram *program = ws_launch_load_with_device(path, gpu->device, &options, NULL, &error);
    if (program == NULL)
        return ws_machine_fail(gpu, g_steal_pointer(&error));
    WsLoadedProgram *loaded = g_new0(WsLoadedProgram, 1);
    loaded->program = program;
    loaded->sources = ws_sources_load(program);
    loaded->max_registers = wanted->max_registers;
    if (!find_regions(loaded, &error)) {
        ws_loaded_program_free(loaded);
        return ws_machine_fail(gpu, g_steal_pointer(&error));
    }
    ws_program_images(program, &loaded->module_data, &loaded->constant_data);
    g_ptr_array_add(gpu->programs, loaded);
    *ret = gpu->programs->len - 1;
    return WARPSTEP_OK;
}

/* The folder of a program, whose sources may be shown. */
static WsReadScope *scope_for(const char *path)
{
    WsReadScope *scope = ws_read_scope_new(FALSE);
    g_autofree char *folder = g_path_get_dirname(path);
    ws_read_scope_add(scope, folder);
    return scope;
}

/* What is wanted of a program of this name: into `ret`. */
static warpstep_code check_load(warpstep *gpu, const char *name, const warpstep_compile *given,
                                warpstep_compile *ret)
{
    warpstep_code code = ws_machine_check_idle(gpu);
    const warpstep_compile *options = ret;
    const gboolean cuda = name != NULL && g_str_has_suffix(name, ".cu");
    if (code != WARPSTEP_OK)
        return code;
    if (name == NULL)
        return ws_machine_refuse(gpu, "a program has a name");
    *ret = (warpstep_compile){0};
    if (given != NULL)
        code = ws_machine_take(gpu, ret, sizeof *ret, given, "warpstep_compile");
    if (code != WARPSTEP_OK)
        return code;
    if (!cuda && ((options->defines != NULL && options->defines[0] != NULL) ||
                  (options->includes != NULL && options->includes[0] != NULL)))
        return ws_machine_refuse(gpu, "macros and folders of headers are for programs in CUDA C");
    if (options->max_registers > 255)
        return ws_machine_refuse(gpu, "max_registers must be from 1 to 255");
    return WARPSTEP_OK;
}

warpstep_code warpstep_load_file(warpstep *gpu, const char *path, const warpstep_compile *options,
                                 unsigned *ret)
{
    warpstep_compile wanted;
    const warpstep_code code = check_load(gpu, path, options, &wanted);
    if (code != WARPSTEP_OK)
        return code;
    g_autoptr(WsReadScope) scope = scope_for(path);
    return load(gpu, path, scope, &wanted, ret);
}

warpstep_code warpstep_load_memory(warpstep *gpu, const char *name, const void *bytes,
                                   size_t length, const warpstep_compile *options, unsigned *ret)
{
    warpstep_compile wanted;
    const warpstep_code code = check_load(gpu, name, options, &wanted);
    if (code != WARPSTEP_OK)
        return code;
    g_autoptr(WsReadScope) scope = scope_for(name);
    g_autoptr(GBytes) contents = g_bytes_new(bytes, length);
    ws_read_scope_put(scope, name, contents);
    return load(gpu, name, scope, &wanted, ret);
}

warpstep_code warpstep_link(warpstep *gpu, const warpstep_unit *units, unsigned count,
                            const char **ret)
{
    g_autofree WsPtxUnit *parts = g_new0(WsPtxUnit, count);
    g_autoptr(GError) error = NULL;
    for (unsigned i = 0; i < count; i++) {
        if (units[i].name == NULL || units[i].text == NULL)
            return ws_machine_refuse(gpu, "unit %u has no name or no text", i);
        parts[i] = (WsPtxUnit){units[i].name, units[i].text, units[i].length};
    }
    char *text = ws_ptx_link(parts, count, &error);
    if (text == NULL)
        return ws_machine_fail(gpu, g_steal_pointer(&error));
    GString *all = g_string_new(text); /* the linker keeps no comments */
    g_free(text);
    for (unsigned i = 0; i < count; i++)
        ws_ptx_append_sources(all, units[i].text, units[i].length);
    g_free(gpu->linked_text);
    *ret = gpu->linked_text = g_string_free(all, FALSE);
    return WARPSTEP_OK;
}

size_t warpstep_fatbin_bytes(const void *header)
{
    return ws_fatbin_bytes(header);
}

warpstep_code warpstep_fatbin_ptx(warpstep *gpu, const void *bytes, size_t length, const char **ret)
{
    g_autoptr(GArray) images = g_array_new(FALSE, FALSE, sizeof(WsFatbinImage));
    g_autoptr(GError) error = NULL;
    const guint capability = (guint)(10 * gpu->device->compute_major + gpu->device->compute_minor);
    char *text = ws_fatbin_add_images(bytes, length, images, &error)
                     ? ws_fatbin_ptx(images, capability, &error)
                     : NULL;
    if (text == NULL)
        return ws_machine_fail(gpu, g_steal_pointer(&error));
    g_free(gpu->fatbin_text);
    *ret = gpu->fatbin_text = text;
    return WARPSTEP_OK;
}

/* BAD_CALL where there is none of the number. */
static WsLoadedProgram *machine_program(warpstep *gpu, guint program)
{
    if (program < gpu->programs->len)
        return gpu->programs->pdata[program];
    ws_machine_refuse(gpu, "there is no program %u", program);
    return NULL;
}

/* ---- kernels -----------------------------------------------------------------------------------
 */

const WsKernel *ws_machine_kernel(warpstep *gpu, guint program, const char *name)
{
    const WsLoadedProgram *loaded = machine_program(gpu, program);
    const WsKernel *kernel =
        loaded == NULL || name == NULL ? NULL : ws_program_find_kernel(loaded->program, name);
    if (kernel != NULL || loaded == NULL)
        return kernel;
    const WsRefusedKernel *refused =
        name == NULL ? NULL : ws_program_find_refused(loaded->program, name);
    if (refused != NULL) {
        ws_machine_fail(gpu, g_error_new_literal(WS_ERROR, WS_ERROR_INPUT, refused->message));
        return NULL;
    }
    g_autofree char *shown = ws_printable(name != NULL ? name : "");
    ws_machine_refuse(gpu, "'%s' is not the name of one kernel of %s", shown,
                      loaded->program->path != NULL ? loaded->program->path : "the program");
    return NULL;
}

static const warpstep_kernel *describe(warpstep *gpu, const WsKernel *kernel)
{
    gpu->kernel = (warpstep_kernel){.name = kernel->display_name,
                                    .symbol = kernel->name,
                                    .registers = kernel->registers,
                                    .static_shared_bytes = kernel->static_shared_bytes,
                                    .local_bytes = kernel->local_bytes - kernel->stack_bytes,
                                    .spill_bytes = kernel->spill_bytes,
                                    .parameter_count = kernel->parameter_count,
                                    .parameter_bytes = kernel->parameter_bytes,
                                    .instructions = kernel->count};
    return &gpu->kernel;
}

const warpstep_kernel *warpstep_kernel_at(warpstep *gpu, unsigned program, unsigned index)
{
    const WsLoadedProgram *loaded = machine_program(gpu, program);
    return loaded != NULL && index < loaded->program->kernel_count
               ? describe(gpu, &loaded->program->kernels[index])
               : NULL;
}

const warpstep_kernel *warpstep_find_kernel(warpstep *gpu, unsigned program, const char *name)
{
    const WsKernel *kernel = ws_machine_kernel(gpu, program, name);
    return kernel == NULL ? NULL : describe(gpu, kernel);
}

const warpstep_parameter *warpstep_parameter_at(warpstep *gpu, unsigned program, const char *kernel,
                                                unsigned index)
{
    const WsKernel *found = ws_machine_kernel(gpu, program, kernel);
    if (found == NULL || index >= found->parameter_count)
        return NULL;
    const WsParameter *parameter = &found->parameters[index];
    gpu->parameter = (warpstep_parameter){.name = parameter->name,
                                          .type = ws_type_name(parameter->type),
                                          .offset = parameter->offset,
                                          .size = parameter->size};
    return &gpu->parameter;
}

warpstep_code warpstep_occupancy(warpstep *gpu, unsigned program, const char *kernel,
                                 unsigned block_threads, unsigned dynamic_shared_bytes,
                                 unsigned *ret_blocks)
{
    const WsKernel *found = ws_machine_kernel(gpu, program, kernel);
    WsOccupancy occupancy;
    if (found == NULL)
        return gpu->error.code;
    if (block_threads == 0)
        return ws_machine_refuse(gpu, "a block has at least 1 thread");
    const WsLaunch launch = {.kernel = found,
                             .block = {block_threads, 1, 1},
                             .dynamic_shared_bytes = dynamic_shared_bytes,
                             .carveout = -1};
    const WsOccupancyQuery query = ws_launch_occupancy_query(&launch);
    ws_occupancy(gpu->device, &query, &occupancy);
    *ret_blocks = occupancy.blocks_per_sm;
    return WARPSTEP_OK;
}

/* ---- variables ---------------------------------------------------------------------------------
 */

/* NULL: there is none, with the error. */
static const WsSymbol *find_symbol(warpstep *gpu, const WsLoadedProgram *loaded, const char *name)
{
    const WsSymbol *symbol =
        loaded == NULL || name == NULL ? NULL : ws_program_find_symbol(loaded->program, name);
    g_autofree char *shown = ws_printable(name != NULL ? name : "");
    if (symbol == NULL && loaded != NULL)
        ws_machine_refuse(gpu, "the program has no __device__ or __constant__ variable '%s'",
                          shown);
    return symbol;
}

static guint8 *memory_of(const WsLoadedProgram *loaded, const WsSymbol *symbol)
{
    return symbol->space == WS_SYMBOL_CONSTANT
               ? loaded->constant_data + symbol->address
               : loaded->module_data + (symbol->address - WS_MODULE_WINDOW);
}

/* Bytes of a variable, or NULL with the error. */
static guint8 *find_bytes(warpstep *gpu, guint program, const char *name, gsize offset, gsize bytes)
{
    const WsLoadedProgram *loaded = machine_program(gpu, program);
    const WsSymbol *symbol = find_symbol(gpu, loaded, name);
    if (symbol == NULL)
        return NULL;
    if (offset > symbol->size || bytes > symbol->size - offset) {
        ws_machine_refuse(gpu, "'%s' has %" G_GUINT64_FORMAT " bytes", symbol->name, symbol->size);
        return NULL;
    }
    return memory_of(loaded, symbol) + offset;
}

warpstep_code warpstep_symbol(warpstep *gpu, unsigned program, const char *name,
                              uint64_t *ret_address, void **ret_memory, size_t *ret_bytes)
{
    const WsLoadedProgram *loaded = machine_program(gpu, program);
    const WsSymbol *symbol = find_symbol(gpu, loaded, name);
    if (symbol == NULL)
        return WARPSTEP_BAD_CALL;
    if (ret_address != NULL)
        *ret_address = symbol->space == WS_SYMBOL_CONSTANT ? WS_CONSTANT_WINDOW + symbol->address
                                                           : symbol->address;
    if (ret_memory != NULL)
        *ret_memory = memory_of(loaded, symbol);
    if (ret_bytes != NULL)
        *ret_bytes = symbol->size;
    return WARPSTEP_OK;
}

warpstep_code warpstep_write_symbol(warpstep *gpu, unsigned program, const char *name,
                                    size_t offset, const void *from, size_t bytes)
{
    const warpstep_code code = ws_machine_check_idle(gpu);
    guint8 *to = code == WARPSTEP_OK ? find_bytes(gpu, program, name, offset, bytes) : NULL;
    if (to == NULL)
        return WARPSTEP_BAD_CALL;
    memcpy(to, from, bytes);
    return WARPSTEP_OK;
}

warpstep_code warpstep_read_symbol(warpstep *gpu, unsigned program, const char *name, size_t offset,
                                   void *to, size_t bytes)
{
    const guint8 *from = find_bytes(gpu, program, name, offset, bytes);
    if (from == NULL)
        return WARPSTEP_BAD_CALL;
    memcpy(to, from, bytes);
    return WARPSTEP_OK;
}
