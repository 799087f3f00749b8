#include "isa/cuda/file_names.h"

#include "isa/base/escape.h"

#include <string.h>

/* clang writes `.file 1 "././sub/kernel.cu"`, with escapes; the user wrote sub/kernel.cu. */
char *ws_cuda_restore_file_names(const char *text, gsize length, const char *path,
                                 const WsCudaFiles *files)
{
    static const char directive[] = "\t.file\t";
    GString *out = g_string_sized_new(length);
    const char *at = text, *text_end = at + length, *found;
    while ((found = strstr(at, directive)) != NULL) {
        const char *quote = found + strlen(directive);
        quote += strspn(quote, "0123456789");
        quote += *quote == ' ';
        const char *end = *quote == '"' ? ws_end_of_name(quote + 1, text_end) : NULL;
        g_string_append_len(out, at, quote - at);
        at = quote;
        if (end == NULL)
            continue;
        g_autofree char *name = ws_unescape_name(quote + 1, (gsize)(end - quote - 1));
        at = end + 1;
        const char *shown = ws_cuda_files_shown(files, name);
        for (shown = shown != NULL ? shown : name; g_str_has_prefix(shown, "./");)
            shown += 2;
        if (g_str_has_prefix(path, "./") && strcmp(shown, path + 2) == 0)
            shown = path;
        g_autofree char *quoted = ws_quote_name(shown);
        g_string_append(out, quoted);
    }
    g_string_append(out, at);
    return g_string_free(out, FALSE);
}
