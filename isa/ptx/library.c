#include "isa/ptx/library.h"

#include "isa/base/resources.h"

const char *ws_ptx_library_text(gsize *ret_length)
{
    g_autoptr(GResource) resource = ws_isa_resource();
    g_autoptr(GBytes) bytes = g_resource_lookup_data(resource, "/warpstep/ptx/library.ptx",
                                                     G_RESOURCE_LOOKUP_FLAGS_NONE, NULL);
    if (bytes == NULL) {
        *ret_length = 0;
        return "";
    }
    return g_bytes_get_data(bytes, ret_length); /* points into constant memory */
}
