/* LLVM's dump of machine functions, which comes on stderr among the messages. */
#ifndef WS_ISA_CUDA_CODE_DUMP_H
#define WS_ISA_CUDA_CODE_DUMP_H

#include <glib.h>

/*
 * The dump in `messages` as comments of PTX, without what isa/debug/machine_dump.h does not read;
 * "" if there is none. The messages are left without it. Free with g_free.
 */
char *ws_take_code_dump(char *messages);

#endif
