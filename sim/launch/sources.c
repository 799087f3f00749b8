/* Source texts of a program, for reports that show a figure beside its line. */
#include "isa/base/escape.h"
#include "sim/launch/launch.h"

#include <string.h>

char **ws_sources_load(const WsProgram *program)
{
    guint count = program->files != NULL ? g_strv_length(program->files) : 0;
    char **sources = g_new0(char *, count + 1);
    for (guint i = 0; i < count; i++)
        sources[i] = g_strdup(program->sources != NULL ? program->sources[i] : "");
    return sources;
}

/* The line that begins there, or NULL at the end of the text. */
static char *line_at(const char *at)
{
    if (*at == '\0')
        return NULL;
    return g_strstrip(ws_escape_controls(at, (gssize)strcspn(at, "\r\n"), "\t"));
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
    return at != NULL ? line_at(at) : NULL;
}

struct WsSourceIndex {
    GPtrArray *files; /* of GArray of const char *: where each line begins */
};

static void free_lines(gpointer lines)
{
    g_array_unref(lines);
}

WsSourceIndex *ws_source_index_new(char *const *sources)
{
    WsSourceIndex *index = g_new(WsSourceIndex, 1);
    index->files = g_ptr_array_new_with_free_func(free_lines);
    for (guint file = 0; sources != NULL && sources[file] != NULL; file++) {
        GArray *lines = g_array_new(FALSE, FALSE, sizeof(const char *));
        for (const char *at = sources[file]; at != NULL;) {
            g_array_append_val(lines, at);
            at = strchr(at, '\n');
            at = at != NULL ? at + 1 : NULL;
        }
        g_ptr_array_add(index->files, lines);
    }
    return index;
}

void ws_source_index_free(WsSourceIndex *index)
{
    if (index == NULL)
        return;
    g_ptr_array_unref(index->files);
    g_free(index);
}

char *ws_source_index_line(const WsSourceIndex *index, guint32 file, guint32 line)
{
    if (line == 0 || file >= index->files->len)
        return NULL;
    const GArray *lines = index->files->pdata[file];
    return line <= lines->len ? line_at(g_array_index(lines, const char *, line - 1)) : NULL;
}
