/* The kernels of a program, as a list to choose from. */
#ifndef WS_SIM_LAUNCH_KERNEL_LIST_H
#define WS_SIM_LAUNCH_KERNEL_LIST_H

#include "isa/bytecode/program.h"

/*
 * The kernels of a program, each with the types of its parameters in a line of its own, indented;
 * refused ones with the reason. Free with g_free.
 */
char *ws_kernel_list_text(const WsProgram *program);

#endif
