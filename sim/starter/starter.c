#include "sim/starter/starter.h"

#include "isa/base/kernel_names.h"
#include "sim/launch/kernel_list.h"
#include "sim/launch/target.h"
#include "sim/starter/host_code.h"
#include "sim/starter/starter_try.h"

#include <string.h>

/* ---- kernels ----------------------------------------------------------------------------------
 */

static const WsKernel *choose_kernel(const WsProgram *program, const char *path, const char *name,
                                     GError **error)
{
    WsPosition position = {.file = path};
    if (name == NULL && program->kernel_count == 1)
        return &program->kernels[0];
    const WsKernel *kernel = name == NULL ? NULL : ws_program_find_kernel(program, name);
    if (kernel != NULL)
        return kernel;
    const WsRefusedKernel *refused = name == NULL ? NULL : ws_program_find_refused(program, name);
    if (refused != NULL) {
        g_set_error_literal(error, WS_ERROR, WS_ERROR_INPUT, refused->message);
        return NULL;
    }
    g_autofree char *list = ws_kernel_list_text(program);
    g_strchomp(list);
    if (name == NULL) {
        ws_set_error_at(error, WS_ERROR_USAGE, &position,
                        "there are several kernels: name the one to launch\n%s", list);
        return NULL;
    }
    g_autofree char *shown = ws_printable(name);
    ws_set_error_at(error, WS_ERROR_USAGE, &position,
                    "there is no kernel '%s', or several of this name; it has\n%s", shown, list);
    return NULL;
}

/* ---- the whole --------------------------------------------------------------------------------
 */

/* `path` as it is named in a file of `folder`. */
static char *path_from(const char *path, const char *folder)
{
    g_autofree char *here = g_path_get_dirname(path);
    g_autofree char *from = g_canonicalize_filename(here, NULL);
    g_autofree char *to = g_canonicalize_filename(folder, NULL);
    return strcmp(from, to) == 0 ? g_path_get_basename(path) : g_canonicalize_filename(path, NULL);
}

/* What of the program's own source is not run. */
static void add_host_code(const WsProgram *program, GPtrArray *notes)
{
    for (guint i = 0; program->sources != NULL && program->files[i] != NULL; i++) {
        if (strcmp(program->files[i], program->path) != 0)
            continue;
        const WsHostCode code = ws_host_code_find(program->sources[i]);
        char *text = ws_host_code_text(&code);
        if (text != NULL)
            g_ptr_array_add(notes, text);
        return;
    }
}

/* `target`: what the program is, and its scope. */
static WsStarter *write_for(const WsProgram *program, const WsTarget *target,
                            const WsDevice *device, const WsStarterOptions *options, GError **error)
{
    g_auto(WsStarterGuess) guess = {0};
    WsCompileOptions compile;
    ws_compile_options_init(&compile);
    compile.scope = target->scope;
    if (options->compile != NULL) {
        compile.defines = options->compile->defines;
        compile.includes = options->compile->includes;
        compile.bounds = options->compile->bounds;
    }
    for (guint i = 0; compile.includes != NULL && compile.includes[i] != NULL; i++)
        ws_read_scope_add(target->scope, compile.includes[i]);
    const WsKernel *kernel = choose_kernel(program, program->path, options->kernel, error);
    if (kernel == NULL ||
        !ws_starter_guess(program, kernel, &compile, device->registers_per_block, &guess, error))
        return NULL;
    g_autofree char *folder = g_path_get_dirname(options->output);
    g_autofree char *named = path_from(program->path, folder);
    g_autofree char *stop = NULL;
    WsStarterWriter writer = {.program = program,
                              .kernel = kernel,
                              .guess = &guess,
                              .options = options,
                              .bounds = compile.bounds,
                              .program_text = named};
    g_autoptr(GPtrArray) notes = g_ptr_array_new_with_free_func(g_free);
    if (!ws_starter_try(&writer, &guess, device, &stop, notes, error))
        return NULL;
    add_host_code(program, notes);
    writer.reason = stop;
    writer.notes = notes;
    WsStarter *starter = g_new0(WsStarter, 1);
    starter->text = ws_starter_text(&writer);
    starter->kernel = ws_starter_signature(&writer);
    starter->threads = guess.block[0] * guess.block[1] * guess.block[2];
    starter->stop = g_steal_pointer(&stop);
    starter->notes = g_steal_pointer(&notes);
    return starter;
}

WsStarter *ws_starter_write(const char *program_path, const WsStarterOptions *options,
                            GError **error)
{
    WsPosition position = {.file = program_path};
    WsConfinement confinement =
        options->compile != NULL ? options->compile->bounds.confinement : WS_CONFINE_NOT;
    g_autoptr(WsTarget) target = ws_target_resolve(program_path, confinement, error);
    if (target == NULL)
        return NULL;
    if (!target->is_program || target->built_in) {
        ws_set_error_at(
            error, WS_ERROR_INPUT, &position,
            "is not a program (.cu, .ptx, .wsasm, .wsbin or .sass): it can be run as it is");
        return NULL;
    }
    g_autoptr(WsDevice) device = ws_device_load(options->device != NULL ? options->device : "h200",
                                                options->settings, error);
    g_autoptr(WsProgram) program =
        device == NULL
            ? NULL
            : ws_target_load_program(program_path, device, options->compile, NULL, error);
    return program == NULL ? NULL : write_for(program, target, device, options, error);
}

void ws_starter_free(WsStarter *starter)
{
    if (starter == NULL)
        return;
    g_free(starter->text);
    g_free(starter->kernel);
    g_free(starter->stop);
    g_ptr_array_unref(starter->notes);
    g_free(starter);
}
