#include "isa/base/resources.h"

GResource *ws_resource_open(const unsigned char *data, unsigned size)
{
    g_autoptr(GBytes) bytes = g_bytes_new_static(data, size);
    g_autoptr(GError) error = NULL;
    GResource *resource = g_resource_new_from_data(bytes, &error);
    g_assert_no_error(error);
    return resource;
}

GResource *ws_isa_resource(void)
{
    return ws_resource_open(ws_isa_bundle, ws_isa_bundle_size);
}
