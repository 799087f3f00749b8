/*
 * A folder that stands for an installed CUDA toolkit, for build systems that look for one:
 *
 *   bin/nvcc                 runs `warpstep cc`
 *   include/                 Warpstep's headers
 *   lib64/libcudart.so       the runtime, also as libcudart_static.a; texts for the linker, with
 * the absolute path of libwarpstep-cudart, which the program remembers lib64/libcudadevrt.a
 * nothing, since projects name it nvvm/libdevice/          nothing, since CMake looks where it is
 */
#ifndef WS_CLI_CC_TOOLKIT_H
#define WS_CLI_CC_TOOLKIT_H

#include <glib.h>

/* The compilers that nvcc's version number stands for are asked what they are by projects. */
#define WS_CC_NVCC_VERSION "11.0"

/*
 * Writes it once, beside `headers`, the folder of our headers on the disk, and returns its path;
 * g_free. Its name stands for what is in it. Errors: WS_ERROR_INPUT.
 */
char *ws_cc_toolkit(const char *headers, GError **error);

/*
 * The folder of libcudart.so.13 and its like, for LD_LIBRARY_PATH: programs of nvcc find it there;
 * g_free. Errors: WS_ERROR_INPUT.
 */
char *ws_cc_libraries(GError **error);

/* What nvcc -v tells before it runs anything, on standard error. */
void ws_cc_toolkit_report(const char *toolkit);

/* What nvcc --version prints, as far as build systems read it. */
void ws_cc_toolkit_print_version(void);

#endif
