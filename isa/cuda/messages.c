#include "isa/cuda/messages.h"

#include "isa/base/escape.h"
#include "isa/cuda/missing_header.h"

#include <signal.h>
#include <string.h>

enum { MAX_MESSAGE_BYTES = 16 << 10 };

static const char not_found[] = "' file not found";

/* The place in `line` where ":12:3: " begins, or NULL. */
static const char *position_in(const char *line)
{
    for (const char *at = strchr(line, ':'); at != NULL; at = strchr(at + 1, ':')) {
        gsize row = strspn(at + 1, "0123456789");
        const char *column = at + 1 + row;
        gsize digits = *column == ':' ? strspn(column + 1, "0123456789") : 0;
        if (row > 0 && digits > 0 && strncmp(column + 1 + digits, ": ", 2) == 0)
            return at;
    }
    return NULL;
}

static void append_name(GString *out, const WsCudaFiles *files, const char *name)
{
    const char *shown = ws_cuda_files_shown(files, name);
    if (shown != NULL)
        g_string_append(out, shown);
    else if (g_str_has_prefix(name, WS_CLANG_HEADERS "/"))
        g_string_append_printf(out, "warpstep%s", name + strlen(WS_CLANG_HEADERS));
    else
        g_string_append(out, name);
}

/* Why it is not found, or what to do. */
static void append_text(GString *out, const WsCudaFiles *files, const char *text)
{
    const char *end = strstr(text, not_found), *begin = strstr(text, "error: '");
    if (end != NULL && begin != NULL && begin < end) {
        begin += strlen("error: '");
        g_autofree char *name = g_strndup(begin, (gsize)(end - begin));
        g_autofree char *refusal = ws_cuda_files_refusal(files, name);
        if (refusal != NULL) {
            g_string_append_len(out, text, end + 2 - text);
            g_string_append(out, refusal);
            return;
        }
        g_autofree char *advice = ws_cuda_missing_header(ws_cuda_files_view(files), name);
        g_string_append_printf(out, "%s; %s", text, advice);
        return;
    }
    g_string_append(out, text);
}

/* Lines that only lead up to a message ("In file included from") or count them say nothing new. */
static gboolean is_idle(const char *line)
{
    return g_str_has_prefix(line, "In file included from") || line[0] == ' ' || line[0] == '\0' ||
           strstr(line, " generated when compiling for ") != NULL;
}

static char *clean(const WsCudaFiles *files, const char *text)
{
    g_autoptr(GString) out = g_string_new(NULL);
    g_auto(GStrv) lines = g_strsplit(text, "\n", -1);
    for (guint i = 0; lines[i] != NULL && out->len < MAX_MESSAGE_BYTES; i++) {
        if (is_idle(lines[i]))
            continue;
        if (out->len > 0)
            g_string_append_c(out, '\n');
        const char *position = position_in(lines[i]);
        if (position != NULL) {
            g_autofree char *name = g_strndup(lines[i], (gsize)(position - lines[i]));
            append_name(out, files, name);
        }
        append_text(out, files, position != NULL ? position : lines[i]);
    }
    g_string_replace(out, WS_CLANG_HEADERS "/", "warpstep/", 0);
    if (out->len > MAX_MESSAGE_BYTES)
        g_string_truncate(out, MAX_MESSAGE_BYTES);
    return ws_escape_text(out->str);
}

static gboolean has_crashed(const char *text)
{
    static const char *const signs[] = {"PLEASE submit a bug report",
                                        "Stack dump:", "clang frontend command failed",
                                        "unable to execute command"};
    for (guint i = 0; i < G_N_ELEMENTS(signs); i++)
        if (strstr(text, signs[i]) != NULL)
            return TRUE;
    return FALSE;
}

/* What is said before and during a crash by LLVM itself: "LLVM ERROR: out of memory". */
static gboolean is_out_of_memory(const char *text)
{
    return strstr(text, "out of memory") != NULL || strstr(text, "std::bad_alloc") != NULL;
}

void ws_cuda_set_failure(const char *path, const WsCudaFiles *files, const WsClangLimits *limits,
                         const char *seconds_name, const WsClangResult *result, GError **error)
{
    const WsPosition position = {.file = path};
    const char *text = result->messages != NULL ? result->messages : "";
    g_autofree char *messages = clean(files, text);
    if (result->end == WS_CLANG_CPU)
        ws_set_error_at(error, WS_ERROR_INPUT, &position,
                        "clang took more than %u seconds of processor time%s%s%s",
                        limits->cpu_seconds, seconds_name != NULL ? "; " : "",
                        seconds_name != NULL ? seconds_name : "",
                        seconds_name != NULL ? " sets another limit" : "");
    else if (result->end == WS_CLANG_STUCK)
        ws_set_error_at(error, WS_ERROR_INPUT, &position,
                        "clang is stuck: in %u seconds it used no processor time",
                        limits->stuck_seconds);
    else if (result->end == WS_CLANG_THREADS)
        ws_set_error_at(error, WS_ERROR_INPUT, &position, "clang started more than %u threads",
                        limits->threads);
    else if (result->signal == SIGKILL)
        ws_set_error_at(error, WS_ERROR_INPUT, &position,
                        "clang was killed by another process, or by the system for lack of memory");
    else if (is_out_of_memory(text))
        ws_set_error_at(error, WS_ERROR_INPUT, &position,
                        "clang needs more than %" G_GUINT64_FORMAT " MiB of memory",
                        limits->memory_bytes >> 20);
    else if (has_crashed(text) || result->signal != 0)
        ws_set_error_at(
            error, WS_ERROR_INPUT, &position,
            "clang crashed (limits: %u s, %" G_GUINT64_FORMAT " MiB of memory, %u MiB of output)",
            limits->cpu_seconds, limits->memory_bytes >> 20, (guint)(limits->output_bytes >> 20));
    else if (strstr(messages, "error: ") != NULL)
        g_set_error_literal(error, WS_ERROR, WS_ERROR_INPUT, messages);
    else
        ws_set_error_at(error, WS_ERROR_INPUT, &position, "clang failed%s%s",
                        *messages == '\0' ? "" : ": ", messages);
}

char *ws_cuda_missing_include(const char *messages, char **ret_includer)
{
    static const char fatal[] = ": fatal error: '";
    const char *error = strstr(messages, fatal);
    const char *end = error == NULL ? NULL : strstr(error, not_found);
    if (end == NULL || memchr(error, '\n', (gsize)(end - error)) != NULL)
        return NULL;
    const char *line = error;
    while (line > messages && line[-1] != '\n')
        line--;
    g_autofree char *whole = g_strndup(line, (gsize)(end - line));
    const char *position = position_in(whole);
    *ret_includer = position == NULL ? g_strdup("") : g_strndup(whole, (gsize)(position - whole));
    return g_strndup(error + strlen(fatal), (gsize)(end - error) - strlen(fatal));
}
