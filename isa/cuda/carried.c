#include "isa/cuda/carried.h"

#include "isa/base/escape.h"
#include "isa/base/resources.h"
#include "isa/cuda/ptx_cache.h"

#include <string.h>

/* In place of the assignment's folder; absolute, as that is. */
#define CARRIED_ROOT "/.warpstep/assignment/"

/* `text` with `from` for each `to`. */
static char *replaced(const char *text, const char *from, const char *to)
{
    g_autoptr(GString) copy = g_string_new(text);
    g_string_replace(copy, from, to, 0);
    return g_string_free(g_steal_pointer(&copy), FALSE);
}

/* Whether names in the PTX have the folder as it is, without escapes. */
static gboolean is_plain(const char *root)
{
    g_autofree char *quoted = ws_quote_name(root);
    return strlen(quoted) == strlen(root) + 2 && strncmp(quoted + 1, root, strlen(root)) == 0;
}

char *ws_carried_key(const char *root, const char *const *arguments, const WsCudaFiles *files)
{
    static const char what[] = "carried 1 " WS_VERSION;
    const guint32 byte_order = G_BYTE_ORDER;
    g_autoptr(GChecksum) checksum = g_checksum_new(G_CHECKSUM_SHA256);
    g_autofree char *below = g_strconcat(root, "/", NULL);
    if (!is_plain(root))
        return NULL;
    g_checksum_update(checksum, (const guchar *)what, sizeof what);
    g_checksum_update(checksum, (const guchar *)ws_isa_bundle_digest, -1);
    g_checksum_update(checksum, (const guchar *)&byte_order, sizeof byte_order);
    for (; *arguments != NULL; arguments++) {
        g_autofree char *argument = replaced(*arguments, below, CARRIED_ROOT);
        g_checksum_update(checksum, (const guchar *)argument, (gssize)strlen(argument) + 1);
    }
    return ws_cuda_files_digest_below(files, below, checksum)
               ? g_strdup(g_checksum_get_string(checksum))
               : NULL;
}

char *ws_carried_get(const char *folder, const char *root, const char *key, WsCudaFiles *files,
                     char **ret_compiler)
{
    g_autofree char *below = g_strconcat(root, "/", NULL);
    g_autofree char *ptx = ws_ptx_cache_get(folder, key, files, ret_compiler);
    return ptx == NULL ? NULL : replaced(ptx, CARRIED_ROOT, below);
}

void ws_carried_put(const char *folder, const char *root, const char *key, const WsCudaFiles *files,
                    const char *compiler, const char *ptx)
{
    g_autofree char *below = g_strconcat(root, "/", NULL);
    g_autofree char *carried = replaced(ptx, below, CARRIED_ROOT);
    ws_ptx_cache_put(folder, key, files, compiler, carried);
}
