#include "inspect/dap/messages.h"

#include <errno.h>
#include <poll.h>
#include <string.h>
#include <unistd.h>

#include "isa/base/write_all.h"

enum {
    MOST_BYTES = 16 << 20, /* of a message */
    MOST_LINE = 1024,      /* of a header: of a longer line the end is looked at */
    MOST_DEPTH = 64,       /* of lists and objects in one another */
    CHUNK = 1 << 16
};

struct WsDapStream {
    int in, out;
    FILE *log;
    GByteArray *buffer;
    gsize used; /* bytes of the buffer that are done with */
    gint64 sequence;
    gboolean ended, broken;
    GQueue read; /* of ReadMessage: what has been read and not been received */
};

typedef struct {
    WsDapReceived received;
    JsonObject *message;
    const char *problem;
} ReadMessage;

WsDapStream *ws_dap_stream_new(int in, int out, FILE *log)
{
    WsDapStream *stream = g_new0(WsDapStream, 1);

    stream->in = in;
    stream->out = out;
    stream->log = log;
    stream->buffer = g_byte_array_new();
    g_queue_init(&stream->read);
    return stream;
}

static void free_read_message(gpointer data)
{
    ReadMessage *read = data;

    g_clear_pointer(&read->message, json_object_unref);
    g_free(read);
}

void ws_dap_stream_free(WsDapStream *stream)
{
    if (stream == NULL)
        return;
    g_byte_array_unref(stream->buffer);
    g_queue_clear_full(&stream->read, free_read_message);
    g_free(stream);
}

static void log_message(const WsDapStream *stream, const char *direction, const char *text)
{
    if (stream->log == NULL)
        return;
    fprintf(stream->log, "%s %s\n", direction, text);
    fflush(stream->log);
}

/* ---- reading ------------------------------------------------------------------------------------
 */

/* More bytes into the buffer; FALSE at the end. */
static gboolean fill(WsDapStream *stream)
{
    guint old = stream->buffer->len;
    ssize_t got;

    if (stream->used > 0) {
        g_byte_array_remove_range(stream->buffer, 0, (guint)stream->used);
        old -= (guint)stream->used;
        stream->used = 0;
    }
    g_byte_array_set_size(stream->buffer, old + CHUNK);
    do
        got = read(stream->in, stream->buffer->data + old, CHUNK);
    while (got < 0 && errno == EINTR);
    g_byte_array_set_size(stream->buffer, old + (guint)MAX(got, 0));
    stream->ended = got <= 0;
    return !stream->ended;
}

static gsize available(const WsDapStream *stream)
{
    return stream->buffer->len - stream->used;
}

/* An empty array has no data to point into. */
static const guint8 *unread(const WsDapStream *stream)
{
    return stream->buffer->len == 0 ? (const guint8 *)"" : stream->buffer->data + stream->used;
}

/* Bytes are there, or the end of them. */
static gboolean has_bytes(const WsDapStream *stream)
{
    struct pollfd wanted = {.fd = stream->in, .events = POLLIN};

    return available(stream) > 0 || stream->ended || poll(&wanted, 1, 0) > 0;
}

gboolean ws_dap_is_readable(const WsDapStream *stream)
{
    return stream->read.length > 0 || has_bytes(stream);
}

/* The next line without its end, or the last bytes of a very long one. FALSE: there is none. */
static gboolean read_line(WsDapStream *stream, GString *ret)
{
    g_string_truncate(ret, 0);
    for (;;) {
        const guint8 *end =
            available(stream) > 0 ? memchr(unread(stream), '\n', available(stream)) : NULL;
        gsize length = end != NULL ? (gsize)(end - unread(stream)) : available(stream);

        g_string_append_len(ret, (const char *)unread(stream), (gssize)length);
        if (ret->len > MOST_LINE)
            g_string_erase(ret, 0, (gssize)(ret->len - MOST_LINE));
        stream->used += length + (end != NULL);
        if (end != NULL)
            break;
        if (!fill(stream))
            return FALSE;
    }
    if (ret->len > 0 && ret->str[ret->len - 1] == '\r')
        g_string_truncate(ret, ret->len - 1);
    return TRUE;
}

/* The length that a line of a header tells; anything may stand before it, from a broken message. */
static gboolean find_length(const char *line, guint64 *ret)
{
    static const char field[] = "content-length:";
    g_autofree char *lower = g_ascii_strdown(line, -1);
    const char *at = g_strrstr(lower, field);

    if (at == NULL)
        return FALSE;
    at += strlen(field);
    return g_ascii_string_to_unsigned(g_strstrip((char *)at), 10, 0, G_MAXINT64, ret, NULL);
}

/* Reads a header. `ret_length` is G_MAXUINT64 where it tells none. */
static gboolean read_header(WsDapStream *stream, guint64 *ret_length)
{
    g_autoptr(GString) line = g_string_new(NULL);
    gboolean begun = FALSE;

    *ret_length = G_MAXUINT64;
    while (read_line(stream, line)) {
        if (line->len == 0 && begun)
            return TRUE;
        find_length(line->str, ret_length);
        begun = begun || line->len != 0;
    }
    return FALSE;
}

static gboolean skip(WsDapStream *stream, guint64 bytes)
{
    while (bytes > 0) {
        gsize now = (gsize)MIN(bytes, available(stream));

        stream->used += now;
        bytes -= now;
        if (bytes > 0 && !fill(stream))
            return FALSE;
    }
    return TRUE;
}

/* The parser calls itself for lists and objects in one another. */
static gboolean is_deep(const char *text, gsize length)
{
    gboolean quoted = FALSE;
    guint depth = 0;

    for (gsize i = 0; i < length; i++) {
        if (quoted && text[i] == '\\')
            i++;
        else if (text[i] == '"')
            quoted = !quoted;
        else if (!quoted && (text[i] == '[' || text[i] == '{') && ++depth > MOST_DEPTH)
            return TRUE;
        else if (!quoted && (text[i] == ']' || text[i] == '}') && depth > 0)
            depth--;
    }
    return FALSE;
}

static const char *parse(const char *text, gsize length, JsonObject **ret)
{
    g_autoptr(JsonParser) parser = json_parser_new();

    if (!g_utf8_validate_len(text, length, NULL))
        return "the message is not valid UTF-8";
    if (is_deep(text, length))
        return "the lists and objects of the message are nested too deeply";
    if (!json_parser_load_from_data(parser, text, (gssize)length, NULL) ||
        json_parser_get_root(parser) == NULL ||
        !JSON_NODE_HOLDS_OBJECT(json_parser_get_root(parser)))
        return "the message is no JSON object";
    *ret = json_object_ref(json_node_get_object(json_parser_get_root(parser)));
    return NULL;
}

static WsDapReceived read_message(WsDapStream *stream, JsonObject **ret, const char **ret_problem)
{
    g_autofree char *text = NULL;
    guint64 length;

    *ret_problem = NULL;
    if (!read_header(stream, &length))
        return WS_DAP_END;
    if (length == G_MAXUINT64) {
        *ret_problem = "a header without Content-Length";
    } else if (length > MOST_BYTES) {
        *ret_problem = "the message has more than 16 MiB";
        if (!skip(stream, length))
            return WS_DAP_END;
    } else {
        while (available(stream) < length)
            if (!fill(stream))
                return WS_DAP_END;
        text = g_strndup((const char *)unread(stream), length);
        stream->used += length;
        log_message(stream, "->", text);
        *ret_problem = parse(text, length, ret);
    }
    return *ret_problem == NULL ? WS_DAP_MESSAGE : WS_DAP_MALFORMED;
}

WsDapReceived ws_dap_receive(WsDapStream *stream, JsonObject **ret, const char **ret_problem)
{
    ReadMessage *read = g_queue_pop_head(&stream->read);
    WsDapReceived received;

    if (read == NULL)
        return read_message(stream, ret, ret_problem);
    received = read->received;
    *ret = g_steal_pointer(&read->message);
    *ret_problem = read->problem;
    free_read_message(read);
    return received;
}

static gboolean is_request(const ReadMessage *read, const char *const *commands)
{
    JsonNode *command =
        read->message != NULL ? json_object_get_member(read->message, "command") : NULL;

    return command != NULL && JSON_NODE_HOLDS_VALUE(command) &&
           json_node_get_value_type(command) == G_TYPE_STRING &&
           g_strv_contains(commands, json_node_get_string(command));
}

gboolean ws_dap_has_request(WsDapStream *stream, const char *const *commands)
{
    ReadMessage *last = g_queue_peek_tail(&stream->read);

    while ((last == NULL || last->received != WS_DAP_END) && has_bytes(stream)) {
        last = g_new0(ReadMessage, 1);
        last->received = read_message(stream, &last->message, &last->problem);
        g_queue_push_tail(&stream->read, last);
    }
    for (const GList *i = stream->read.head; i != NULL; i = i->next)
        if (is_request(i->data, commands) || ((ReadMessage *)i->data)->received == WS_DAP_END)
            return TRUE;
    return FALSE;
}

/* ---- writing ------------------------------------------------------------------------------------
 */

gboolean ws_dap_send(WsDapStream *stream, JsonObject *message)
{
    g_autoptr(JsonNode) node = json_node_new(JSON_NODE_OBJECT);
    g_autofree char *text = NULL, *all = NULL;

    json_object_set_int_member(message, "seq", ++stream->sequence);
    json_node_take_object(node, message);
    text = json_to_string(node, FALSE);
    all = g_strdup_printf("Content-Length: %zu\r\n\r\n%s", strlen(text), text);
    log_message(stream, "<-", text);
    stream->broken = stream->broken || !ws_write_all(stream->out, all, strlen(all));
    return !stream->broken;
}
