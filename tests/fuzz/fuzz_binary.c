/*
 * Any bytes are refused with a message, or are a program that prints. The input is the body of a
 * .wsbin file: the target puts a good header in front, so that the digest does not hide the rest.
 */
#include "isa/container/binary.h"
#include "isa/text/disassembler.h"
#include "tests/fuzz/fuzz.h"

enum { DIGEST_BYTES = 32 };

static void load(const guint8 *data, gsize size)
{
    g_autoptr(GError) error = NULL;
    g_autoptr(WsProgram) program = ws_program_from_binary("fuzz.wsbin", data, size, &error);
    g_assert((program == NULL) == (error != NULL));
    if (program != NULL) {
        WsDisassembleOptions options = {.words = TRUE, .sources = TRUE, .control = TRUE};
        g_autofree char *text = ws_disassemble(program, &options);
        g_assert(text != NULL);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    g_autoptr(GByteArray) file = g_byte_array_new();
    g_autoptr(GChecksum) checksum = g_checksum_new(G_CHECKSUM_SHA256);
    static const guint8 start[] = {0x89, 'W', 'S', 'B', 'I', 'N', '\r', '\n', 1, 0, 0, 0};
    guint8 sum[DIGEST_BYTES];
    gsize sum_bytes = DIGEST_BYTES;
    g_byte_array_append(file, start, sizeof start);
    for (guint i = 0; i < 8; i++) {
        guint8 byte = (guint8)((guint64)size >> (8 * i));
        g_byte_array_append(file, &byte, 1);
    }
    g_checksum_update(checksum, data, (gssize)size);
    g_checksum_get_digest(checksum, sum, &sum_bytes);
    g_byte_array_append(file, sum, DIGEST_BYTES);
    g_byte_array_append(file, data, (guint)size);
    load(file->data, file->len);
    load(data, size);
    return 0;
}
