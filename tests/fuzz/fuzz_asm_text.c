/* Any text comes out no shorter, and what was doubled in it is doubled once more only where it was.
 */
#include "isa/cuda/asm_text.h"
#include "tests/fuzz/fuzz.h"

#include <glib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    g_autofree char *text = g_memdup2(data, size); /* no NUL behind it */
    GString *once = ws_cuda_escape_asm(text, size);
    GString *twice = ws_cuda_escape_asm(once->str, once->len);
    g_assert_true(once->len >= size);
    g_assert_true(twice->len == once->len);
    g_string_free(once, TRUE);
    g_string_free(twice, TRUE);
    return 0;
}
