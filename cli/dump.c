#include "cli/dump.h"

#include "sim/launch/buffer_slice.h"

#include <string.h>

static const char option_name[] = "--dump";

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
    if (equals == NULL)
        return NULL;
    g_autofree char *name = g_strndup(dump, (gsize)(equals - dump));
    return ws_buffer_of_option(job, option_name, dump, name, error);
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
