/* Source texts of a program, for reports that show a figure beside its line. */
#include "isa/input_file.h"
#include "sim/launch.h"

#include <string.h>

enum { MAX_SOURCE = 16 << 20 };

char **ws_sources_load(const WsProgram *program)
{
    guint count = program->files != NULL ? g_strv_length(program->files) : 0;
    char **sources = g_new0(char *, count + 1);
    for (guint i = 0; i < count; i++) {
        g_autoptr(GBytes) bytes = NULL;
        if (program->files[i][0] != '\0')
            bytes = ws_read_input_file(program->files[i], MAX_SOURCE, NULL);
        gsize length = 0;
        const char *text = bytes == NULL ? "" : g_bytes_get_data(bytes, &length);
        sources[i] = g_utf8_make_valid(text, (gssize)length);
    }
    return sources;
}

char *ws_source_line(char *const *sources, guint32 file, guint32 line)
{
    if (sources == NULL || line == 0 || file >= g_strv_length((char **)sources))
        return NULL;
    const char *at = sources[file];
    for (guint32 i = 1; i < line && at != NULL; i++) {
        at = strchr(at, '\n');
        at = at != NULL ? at + 1 : NULL;
    }
    if (at == NULL || *at == '\0')
        return NULL;
    char *text = g_strndup(at, strcspn(at, "\r\n"));
    return g_strstrip(text);
}
