/*
 * Runs a fuzz target without libFuzzer: on each file named, and on seeded damage to it (bytes
 * changed, cut out, put in twice). A .wsbin target gets the body of the assembled file. Arguments:
 * rounds, then files.
 */
#include <stdlib.h>

#include "isa/container/binary.h"
#include "isa/text/assembler.h"
#include "tests/fuzz/fuzz.h"

enum { SEED = 7, HEADER_BYTES = 52 };

static void damage(GRand *generator, GByteArray *bytes)
{
    static const char marks[] = "[]{}()|-+!,.:;?@0Rx%&~^<>\n\"/*";
    if (bytes->len < 8) {
        return;
    }
    guint at = (guint)g_rand_int_range(generator, 0, (gint32)bytes->len - 4);
    guint length = (guint)g_rand_int_range(generator, 1, 5);
    switch (g_rand_int_range(generator, 0, 4)) {
    case 0:
        bytes->data[at] = (guint8)g_rand_int_range(generator, 0, 256);
        break;
    case 1:
        bytes->data[at] = (guint8)marks[g_rand_int_range(generator, 0, sizeof marks - 1)];
        break;
    case 2:
        g_byte_array_remove_range(bytes, at, MIN(length, bytes->len - at));
        break;
    default:
        bytes->data[at] ^= (guint8)(1 << g_rand_int_range(generator, 0, 8));
        break;
    }
}

/* What the target eats: the text, or the body of the binary that it assembles to. */
static GBytes *seed_of(const char *path, gboolean binary)
{
    char *text;
    gsize length;
    if (!g_file_get_contents(path, &text, &length, NULL)) {
        return NULL;
    }
    g_autoptr(GBytes) source = g_bytes_new_take(text, length);
    if (!binary) {
        return g_steal_pointer(&source);
    }
    g_autoptr(WsProgram) program = ws_assemble(path, text, length, NULL, NULL);
    g_autoptr(GBytes) packed = program != NULL ? ws_program_to_binary(program, NULL) : NULL;
    return packed == NULL ? NULL
                          : g_bytes_new_from_bytes(packed, HEADER_BYTES,
                                                   g_bytes_get_size(packed) - HEADER_BYTES);
}

int main(int argc, char **argv)
{
    if (argc < 4) {
        g_printerr("usage: smoke text|binary ROUNDS FILE...\n");
        return EXIT_FAILURE;
    }
    gboolean binary = g_str_equal(argv[1], "binary");
    int rounds = atoi(argv[2]);
    GRand *generator = g_rand_new_with_seed(SEED);
    for (int f = 3; f < argc; f++) {
        g_autoptr(GBytes) seed = seed_of(argv[f], binary);
        if (seed == NULL) {
            g_printerr("cannot use %s\n", argv[f]);
            g_rand_free(generator);
            return EXIT_FAILURE;
        }
        for (int round = 0; round < rounds; round++) {
            g_autoptr(GByteArray) bytes = g_byte_array_new();
            gsize length;
            const guint8 *data = g_bytes_get_data(seed, &length);
            g_byte_array_append(bytes, data, (guint)length);
            for (int count = round % 5; count > 0; count--) {
                damage(generator, bytes);
            }
            LLVMFuzzerTestOneInput(bytes->data, bytes->len);
        }
    }
    g_rand_free(generator);
    return EXIT_SUCCESS;
}
