/*
 * Any text is refused with a message, or is a program that the verifier takes; what it refused has
 * a reason.
 */
#include "isa/container/verifier.h"
#include "isa/sass/sass.h"
#include "tests/fuzz/fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    g_autoptr(GError) error = NULL;
    g_autoptr(WsProgram) program = ws_sass_program("fuzz.sass", (const char *)data, size, &error);

    g_assert((program != NULL) == (error == NULL));
    if (program == NULL)
        return 0;
    g_assert(ws_verify(program, NULL));
    for (guint32 i = 0; i < program->refused_count; i++)
        g_assert(program->refused[i].message[0] != '\0');
    return 0;
}
