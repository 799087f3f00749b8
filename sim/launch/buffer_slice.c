#include "sim/launch/buffer_slice.h"

#include "sim/base/element.h"

#include <math.h>
#include <string.h>

enum { ROW_VALUES = 8, INDEX_WIDTH = 8 };

const WsBuffer *ws_buffer_of_option(const WsJob *job, const char *option, const char *text,
                                    const char *name, GError **error)
{
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

/* A number that ends where `end` says; `missing` where there is none. */
static gboolean read_index(const char **at, guint64 missing, guint64 *ret)
{
    gsize digits = strspn(*at, "0123456789");
    g_autofree char *number = g_strndup(*at, digits);
    *ret = missing;
    *at += digits;
    return digits == 0 || g_ascii_string_to_unsigned(number, 10, 0, G_MAXUINT64, ret, NULL);
}

/* What stands behind the name: "", "[3]", "[a:b]" with both numbers left out if wanted. */
static gboolean read_range(const char *at, guint64 count, guint64 *ret_first, guint64 *ret_end)
{
    *ret_first = 0;
    *ret_end = count;
    if (*at == '\0')
        return TRUE;
    at++; /* the bracket */
    gboolean has_first = g_ascii_isdigit(*at);
    if (!read_index(&at, 0, ret_first))
        return FALSE;
    if (*at == ':') {
        at++;
        if (!read_index(&at, count, ret_end))
            return FALSE;
    } else if (has_first && *ret_first < G_MAXUINT64) {
        *ret_end = *ret_first + 1;
    } else {
        return FALSE;
    }
    return strcmp(at, "]") == 0;
}

gboolean ws_buffer_slice_parse(const WsJob *job, const char *option, const char *text,
                               WsBufferSlice *ret, GError **error)
{
    gsize length = strcspn(text, "[");
    g_autofree char *name = g_strndup(text, length);
    g_autofree char *shown = ws_printable(text);
    const WsBuffer *buffer = ws_buffer_of_option(job, option, text, name, error);
    guint64 first, end;
    if (buffer == NULL)
        return FALSE;
    if (!read_range(text + length, buffer->count, &first, &end)) {
        ws_set_error(error, WS_ERROR_USAGE,
                     "%s %s: BUFFER, BUFFER[INDEX] or BUFFER[FROM:TO] is expected", option, shown);
        return FALSE;
    }
    if (first > end || end > buffer->count || (first == end && text[length] != '\0')) {
        ws_set_error(error, WS_ERROR_USAGE,
                     "%s %s: %s; '%s' has the elements 0 to %" G_GUINT64_FORMAT, option, shown,
                     first >= end ? "there is nothing in this range" : "out of range", buffer->name,
                     buffer->count - 1);
        return FALSE;
    }
    *ret = (WsBufferSlice){(guint32)(buffer - job->buffers), first, end - first};
    return TRUE;
}

gboolean ws_job_show(WsJob *job, const char *option, char *const *texts, GError **error)
{
    guint count = texts == NULL ? 0 : g_strv_length((char **)texts);
    job->shown = g_renew(WsBufferSlice, job->shown, MAX(job->shown_count + count, 1));
    for (guint i = 0; i < count; i++)
        if (!ws_buffer_slice_parse(job, option, texts[i], &job->shown[job->shown_count++], error))
            return FALSE;
    return TRUE;
}

/* ---- after the run ----------------------------------------------------------------------------
 */

static const guint8 *element_at(const WsBuffer *buffer, guint64 index)
{
    return buffer->data + index * ws_type_size(buffer->type);
}

char *ws_buffer_slice_text(const WsJob *job, const WsBufferSlice *slice)
{
    const WsBuffer *buffer = &job->buffers[slice->buffer];
    GString *out = g_string_new(NULL);
    g_string_append_printf(out, "%s[%" G_GUINT64_FORMAT ":%" G_GUINT64_FORMAT "] %s\n",
                           buffer->name, slice->first, slice->first + slice->count,
                           ws_type_name(buffer->type));
    for (guint64 i = 0; i < slice->count; i++) {
        if (i % ROW_VALUES == 0)
            g_string_append_printf(out, "%s%*" G_GUINT64_FORMAT ":", i == 0 ? "" : "\n",
                                   INDEX_WIDTH, slice->first + i);
        g_autofree char *value =
            ws_element_text(buffer->type, element_at(buffer, slice->first + i));
        g_string_append_printf(out, " %s", value);
    }
    g_string_append_c(out, '\n');
    return g_string_free(out, FALSE);
}

static void add_value(WsType type, const guint8 *data, JsonBuilder *json)
{
    gboolean is_float = ws_element_is_float(type);
    g_autofree char *text = ws_element_text(type, data);
    double number = g_ascii_strtod(text, NULL); /* 0.1 for the f32 that is nearest to it */
    guint64 whole = is_float ? 0 : ws_element_load_integer(type, data);
    if (is_float && isfinite(number)) {
        json_builder_add_double_value(json, number);
    } else if (!is_float && (ws_element_is_signed(type) || whole <= G_MAXINT64)) {
        json_builder_add_int_value(json, (gint64)whole);
    } else {
        json_builder_add_string_value(json, text);
    }
}

void ws_buffer_slice_add_json(const WsJob *job, const WsBufferSlice *slice, JsonBuilder *json)
{
    const WsBuffer *buffer = &job->buffers[slice->buffer];
    json_builder_begin_object(json);
    json_builder_set_member_name(json, "buffer");
    json_builder_add_string_value(json, buffer->name);
    json_builder_set_member_name(json, "type");
    json_builder_add_string_value(json, ws_type_name(buffer->type));
    json_builder_set_member_name(json, "first");
    json_builder_add_int_value(json, (gint64)slice->first);
    json_builder_set_member_name(json, "values");
    json_builder_begin_array(json);
    for (guint64 i = 0; i < slice->count; i++)
        add_value(buffer->type, element_at(buffer, slice->first + i), json);
    json_builder_end_array(json);
    json_builder_end_object(json);
}
