/* Any text is refused with a message, or assembles to a program that packs and prints. */
#include "isa/container/binary.h"
#include "isa/text/assembler.h"
#include "isa/text/disassembler.h"
#include "tests/fuzz/fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    g_autoptr(GError) error = NULL;
    g_autoptr(WsProgram) program =
        ws_assemble("fuzz.wsasm", (const char *)data, size, NULL, &error);
    g_assert((program == NULL) == (error != NULL));
    if (program != NULL) {
        WsDisassembleOptions options = {.words = TRUE, .sources = TRUE, .control = TRUE};
        g_autofree char *text = ws_disassemble(program, &options);
        g_autoptr(GBytes) bytes = ws_program_to_binary(program, NULL);
        g_assert(text != NULL && bytes != NULL);
    }
    return 0;
}
