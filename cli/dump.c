#include "cli/dump.h"

#include <string.h>

static const char option_name[] = "--dump";

const WsBuffer *ws_find_buffer_option(const WsJob *job, const char *option, const char *text,
                                      gsize length, GError **error)
{
    g_autofree char *name = g_strndup(text, length);
    g_autoptr(GPtrArray) names = g_ptr_array_new();
    for (guint32 i = 0; i < job->buffer_count; i++) {
        if (strcmp(job->buffers[i].name, name) == 0)
            return &job->buffers[i];
        g_ptr_array_add(names, job->buffers[i].name);
    }
    g_ptr_array_add(names, NULL);
    g_autofree char *shown = ws_printable(text);
    const char *nearest = ws_nearest_name(name, (const char *const *)names->pdata);
    g_autofree char *all = g_strjoinv(", ", (char **)names->pdata);
    if (nearest != NULL)
        ws_set_error(error, WS_ERROR_USAGE,
                     "%s %s: the launch file has no such buffer; did you mean '%s'?", option, shown,
                     nearest);
    else
        ws_set_error(error, WS_ERROR_USAGE, "%s %s: the launch file has no such buffer%s%s%s",
                     option, shown, names->len == 1 ? "" : " (buffers: ", all,
                     names->len == 1 ? "" : ")");
    return NULL;
}

/* The '=' of "NAME=FILE", or NULL. */
static const char *find_equals(const char *dump, GError **error)
{
    const char *equals = strchr(dump, '=');
    if (equals != NULL && equals[1] != '\0')
        return equals;
    g_autofree char *shown = ws_printable(dump);
    ws_set_error(error, WS_ERROR_USAGE, "%s %s: NAME=FILE is expected", option_name, shown);
    return NULL;
}

gboolean ws_dumps_add_outputs(char *const *dumps, GArray *outputs, GError **error)
{
    for (; dumps != NULL && *dumps != NULL; dumps++) {
        const char *equals = find_equals(*dumps, error);
        if (equals == NULL)
            return FALSE;
        WsOutput output = {option_name, equals + 1};
        g_array_append_val(outputs, output);
    }
    return TRUE;
}

static const WsBuffer *find_buffer(const WsJob *job, const char *dump, GError **error)
{
    const char *equals = find_equals(dump, error);
    return equals == NULL
               ? NULL
               : ws_find_buffer_option(job, option_name, dump, (gsize)(equals - dump), error);
}

gboolean ws_dumps_check(char *const *dumps, const WsJob *job, GError **error)
{
    for (; dumps != NULL && *dumps != NULL; dumps++)
        if (find_buffer(job, *dumps, error) == NULL)
            return FALSE;
    return TRUE;
}

gboolean ws_dumps_write(char *const *dumps, const WsJob *job, GError **error)
{
    for (; dumps != NULL && *dumps != NULL; dumps++) {
        const WsBuffer *buffer = find_buffer(job, *dumps, error);
        if (buffer == NULL || !ws_write_file(strchr(*dumps, '=') + 1, (const char *)buffer->data,
                                             buffer->bytes, error))
            return FALSE;
    }
    return TRUE;
}
