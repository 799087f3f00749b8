/* Any text is refused with a message, or becomes a module that compiles or is refused. */
#include "isa/codegen/code_generation.h"
#include "isa/ir/ir.h"
#include "tests/fuzz/fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    g_autoptr(GError) error = NULL;
    WsCompileOptions options;
    ws_compile_options_init(&options);
    g_autoptr(WsIrModule) module =
        ws_ptx_to_ir("fuzz.ptx", (const char *)data, size, &options, &error);
    g_assert((module == NULL) == (error != NULL));
    if (module != NULL) {
        g_autoptr(WsProgram) program = ws_ir_compile(module, &options, &error);
        g_assert((program == NULL) == (error != NULL));
    }
    return 0;
}
