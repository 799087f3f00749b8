#include "sim/launch/kernel_list.h"

#include "isa/base/kernel_names.h"
#include "sim/base/element.h"

#include <string.h>

char *ws_kernel_list_text(const WsProgram *program)
{
    GString *out = g_string_new(NULL);
    for (guint32 i = 0; i < program->kernel_count; i++) {
        const WsKernel *kernel = &program->kernels[i];
        g_autofree char *signature = ws_kernel_signature(kernel->name);
        g_string_append_printf(out, "  %s", signature);
        if (strchr(signature, '(') == NULL) { /* not mangled: the types are those of the PTX */
            g_string_append_c(out, '(');
            for (guint32 p = 0; p < kernel->parameter_count; p++)
                g_string_append_printf(out, "%s%s", p == 0 ? "" : ", ",
                                       ws_type_name(kernel->parameters[p].type));
            g_string_append_c(out, ')');
        }
        g_string_append_c(out, '\n');
    }
    for (guint32 i = 0; i < program->refused_count; i++)
        g_string_append_printf(out, "  %s, refused: %s\n", program->refused[i].display_name,
                               program->refused[i].message);
    return g_string_free(out, FALSE);
}
