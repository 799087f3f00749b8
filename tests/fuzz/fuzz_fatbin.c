/* Any bytes are refused with a message, or have PTX, as a container and as a section. */
#include "isa/fatbin/fatbin.h"
#include "tests/fuzz/fuzz.h"

static void look(const guint8 *data, gsize size, gboolean section)
{
    g_autoptr(GArray) images = g_array_new(FALSE, FALSE, sizeof(WsFatbinImage));
    g_autoptr(GError) error = NULL;
    const gboolean read = section ? ws_fatbin_add_section(data, size, images, &error)
                                  : ws_fatbin_add_images(data, size, images, &error);
    g_assert(read == (error == NULL));
    if (!read)
        return;
    g_autofree char *names = ws_fatbin_names(images);
    g_assert(names != NULL);
    g_autofree char *text = ws_fatbin_ptx(images, 90, &error);
    g_assert((text == NULL) == (error != NULL));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    g_autofree guint8 *copy = g_memdup2(data, size); /* nothing behind it */
    look(copy, size, FALSE);
    look(copy, size, TRUE);
    return 0;
}
