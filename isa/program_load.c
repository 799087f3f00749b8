/* Loading a program by the ending of its file name. */
#include <string.h>

#include "isa/assembler.h"
#include "isa/binary.h"
#include "isa/code_generation.h"
#include "isa/error.h"
#include "isa/input_file.h"
#include "isa/ir.h"
#include "isa/verifier.h"

enum { MAX_PTX_BYTES = 64 * 1024 * 1024 };

static WsProgram *load_assembly(const char *path, const WsCompileOptions *options, GError **error)
{
    g_autoptr(GBytes) bytes = ws_read_input_file(path, WS_MAX_ASSEMBLER_BYTES, error);
    if (bytes == NULL) {
        return NULL;
    }
    gsize length;
    const char *text = g_bytes_get_data(bytes, &length);
    return ws_assemble(path, text, length, options, error);
}

static WsProgram *load_binary(const char *path, const WsCompileOptions *options, GError **error)
{
    g_autoptr(GBytes) bytes = ws_read_input_file(path, WS_MAX_BINARY_BYTES, error);
    if (bytes == NULL) {
        return NULL;
    }
    gsize length;
    const guint8 *data = g_bytes_get_data(bytes, &length);
    return ws_program_from_binary(path, data, length, error);
}

static WsProgram *compile_ptx(const char *path, const char *text, gsize length,
                              const WsCompileOptions *options, GError **error)
{
    g_autoptr(WsIrModule) module = ws_ptx_to_ir(path, text, length, options, error);
    if (module == NULL) {
        return NULL;
    }
    g_autoptr(WsProgram) program = ws_ir_compile(module, options, error);
    if (program == NULL || !ws_verify(program, error)) {
        return NULL;
    }
    return g_steal_pointer(&program);
}

static WsProgram *load_ptx(const char *path, const WsCompileOptions *options, GError **error)
{
    g_autoptr(GBytes) bytes = ws_read_input_file(path, MAX_PTX_BYTES, error);
    if (bytes == NULL) {
        return NULL;
    }
    gsize length;
    const char *text = g_bytes_get_data(bytes, &length);
    return compile_ptx(path, text, length, options, error);
}

static WsProgram *load_cuda(const char *path, const WsCompileOptions *options, GError **error)
{
    g_autofree char *text = ws_cuda_to_ptx(path, options, error);
    return text == NULL ? NULL : compile_ptx(path, text, strlen(text), options, error);
}

WsProgram *ws_program_load(const char *path, const WsCompileOptions *options, GError **error)
{
    static const struct {
        const char *ending;
        WsProgram *(*load)(const char *path, const WsCompileOptions *options, GError **error);
    } loaders[] = {
        {".cu", load_cuda}, {".ptx", load_ptx}, {".wsasm", load_assembly}, {".wsbin", load_binary}};
    for (guint i = 0; i < G_N_ELEMENTS(loaders); i++) {
        if (g_str_has_suffix(path, loaders[i].ending)) {
            return loaders[i].load(path, options, error);
        }
    }
    g_autoptr(GString) list = g_string_new(NULL);
    for (guint i = 0; i < G_N_ELEMENTS(loaders); i++) {
        g_string_append_printf(list, "%s%s", i == 0 ? "" : ", ", loaders[i].ending);
    }
    WsPosition position = {path, 0, 0};
    ws_set_error_at(error, WS_ERROR_INPUT, &position,
                    "the kind of program is told by the ending: %s", list->str);
    return NULL;
}
