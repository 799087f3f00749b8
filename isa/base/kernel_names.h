/*
 * Names of kernels and variables. A program holds them mangled, as C++ compilers write them in PTX;
 * people write and read "saxpy", "ns::axpy<float, 4>" or, where kernels share a name,
 * "scale(float*, int)".
 */
#ifndef WS_ISA_BASE_KERNEL_NAMES_H
#define WS_ISA_BASE_KERNEL_NAMES_H

#include <glib.h>

/*
 * The name in the source, template arguments included: "saxpy" of _Z5saxpyifPfS_, "axpy<float>" of
 * _Z4axpyIfEvPT_i. What is not mangled stays as it is. Free with g_free.
 */
char *ws_kernel_display_name(const char *mangled);

/* The same with the types of the parameters: "saxpy(int, float, float*)". Free with g_free. */
char *ws_kernel_signature(const char *mangled);

/* Of a variable, without what it stands in: "tile" of _ZZ3fooPfE4tile. Free with g_free. */
char *ws_variable_display_name(const char *mangled);

/* TRUE if the kernel is an instance of a template: its source name alone does not tell it. */
gboolean ws_kernel_is_template(const char *display_name);

/* How well a name fits a kernel. Of several kernels those that it fits best are meant. */
typedef enum {
    WS_NAME_DIFFERS,
    WS_NAME_OF_TEMPLATE, /* the display name without template arguments */
    WS_NAME_SHOWN,       /* the display name or the signature */
    WS_NAME_EXACT        /* as in the PTX */
} WsNameMatch;

/* Blanks do not count. */
WsNameMatch ws_kernel_match_name(const char *mangled, const char *display_name, const char *name);

#endif
