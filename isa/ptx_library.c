#include "isa/ptx_library.h"

#include "isa/resources.h"

const char *ws_ptx_library_text(gsize *ret_length)
{
    g_autoptr(GBytes) bytes = g_resource_lookup_data(
        ws_isa_get_resource(), "/warpstep/ptx_library.ptx", G_RESOURCE_LOOKUP_FLAGS_NONE, NULL);
    if (bytes == NULL) {
        *ret_length = 0;
        return "";
    }
    return g_bytes_get_data(bytes, ret_length); /* resources are never freed */
}
