#include "isa/cuda/compiler_name.h"

#include "isa/base/temporary_folder.h"
#include "isa/bytecode/program.h"
#include "isa/ir/ir.h"

#include <string.h>

/*
 * The variables of a module stand in front of its functions, and inline assembly in these: the
 * first one is ours, whatever a source writes.
 */
static char *find_declaration(char *ptx)
{
    static const char begin[] = "\n.const .align 1 .b8 _ZL19__warpstep_compiler[";
    char *at = strstr(ptx, begin);
    return at != NULL ? at + 1 : NULL;
}

static gboolean may_stand_in_name(guint64 byte)
{
    return byte <= G_MAXINT8 &&
           (g_ascii_isalnum((char)byte) || byte == (guint64)' ' || byte == (guint64)'.');
}

/* The bytes of "99, 108, 0}"; NULL if they are no name. */
static char *decode(const char *list)
{
    g_autoptr(GString) name = g_string_new(NULL);
    char *rest;
    for (const char *at = list;; at = rest + 1) {
        guint64 byte = g_ascii_strtoull(at, &rest, 10);
        if (rest == at || name->len == WS_MAX_COMPILER_NAME ||
            !(byte == 0 || may_stand_in_name(byte)))
            return NULL;
        if (byte == 0)
            break;
        g_string_append_c(name, (char)byte);
        if (*rest != ',')
            break;
    }
    return name->len == 0 ? NULL : g_string_free(g_steal_pointer(&name), FALSE);
}

char *ws_cuda_take_compiler(char *ptx)
{
    char *start = find_declaration(ptx);
    char *end = start != NULL ? strchr(start, '\n') : NULL;
    if (end == NULL)
        return NULL;
    const char *list = memchr(start, '{', (gsize)(end - start));
    char *name = list != NULL ? decode(list + 1) : NULL;
    memmove(start, end + 1, strlen(end + 1) + 1);
    return name;
}

char *ws_cuda_find_compiler(void)
{
    g_autoptr(WsTemporaryFolder) folder = ws_temporary_folder_new(NULL);
    g_autoptr(GBytes) nothing = g_bytes_new_static("\n", 1);
    WsCompileOptions options;
    char *name = NULL;
    if (folder == NULL)
        return NULL;
    g_autofree char *path = g_build_filename(ws_temporary_folder_path(folder), "nothing.cu", NULL);
    ws_compile_options_init(&options);
    if (ws_temporary_file_write(path, nothing, NULL))
        g_free(ws_cuda_to_ptx(path, &options, NULL, &name, NULL));
    return name;
}
