/*
 * The container `.wsbin`: a whole program with its source positions, variables and labels.
 *
 *   8 bytes   magic "\x89WSBIN\r\n" (a text-mode copy damages it, and is noticed)
 *   u32       version, 5; read too are 4, which does not name the compiler, 3, which lacks the
 *             constructs of the source as well, 2, without the variables of the source
 *             (isa/bytecode/variables.h), and 1, without the shared ones of kernels
 *   u64       bytes that follow the digest
 *   32 bytes  SHA-256 of these
 *   ...       the program: numbers little-endian, strings as u32 length and UTF-8 bytes, lists as
 *             u32 count and entries, in the order of write_program() in isa/container/binary.c;
 *             instructions in their packed form (isa/bytecode/encoding.h)
 *
 * The same program always gives the same bytes.
 */
#ifndef WS_ISA_CONTAINER_BINARY_H
#define WS_ISA_CONTAINER_BINARY_H

#include "isa/bytecode/program.h"

enum { WS_MAX_BINARY_BYTES = 256 * 1024 * 1024 };

/* Errors: WS_ERROR_INPUT if an instruction cannot be packed. */
GBytes *ws_program_to_binary(const WsProgram *program, GError **error);

/*
 * Reads and verifies. Any bytes are safe: sizes are checked against what is left before memory is
 * taken. `path` is for messages. Errors: WS_ERROR_INPUT.
 */
WsProgram *ws_program_from_binary(const char *path, const guint8 *data, gsize length,
                                  GError **error);

#endif
