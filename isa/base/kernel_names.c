#include "isa/base/kernel_names.h"

#include <stdlib.h>
#include <string.h>

/* Of the C++ runtime, as the Itanium C++ ABI has it (<cxxabi.h> is for C++ only). */
char *__cxa_demangle(const char *mangled, char *buffer, size_t *length, int *status);

/*
 * A mangled name may refer to parts of itself, so that a short one stands for a text of gigabytes.
 * Few enough references keep it to some megabytes: with n of them it grows at most 3^(n/3)-fold.
 */
enum { MAX_MANGLED = 1024, MAX_REFERENCES = 32, PACK_WEIGHT = 8, MAX_SHOWN = 512 };

static gboolean is_safe(const char *mangled)
{
    guint references = 0;
    if (strlen(mangled) > MAX_MANGLED)
        return FALSE;
    for (const char *at = mangled; *at != '\0'; at++) {
        if (at[0] == 'D' && at[1] == 'p')
            references += PACK_WEIGHT;
        if (at[0] != 'S' && at[0] != 'T')
            continue;
        if (at[1 + strspn(at + 1, "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ")] == '_')
            references++;
    }
    return references <= MAX_REFERENCES;
}

/*
 * The name behind what nvcc puts before those of statics with -rdc=true: "__nv_static_21_", what
 * tells the file, of 21 characters, and "_".
 */
static const char *without_file(const char *name)
{
    static const char mark[] = "__nv_static_";
    if (!g_str_has_prefix(name, mark))
        return name;
    char *end;
    const guint64 length = g_ascii_strtoull(name + strlen(mark), &end, 10);
    return *end == '_' && length < strlen(end + 1) && end[1 + length] == '_' &&
                   end[2 + length] != '\0'
               ? end + 2 + length
               : name;
}

/* "void axpy<float>(float*, int)", or NULL. Free with g_free. */
static char *demangle(const char *name)
{
    const char *mangled = without_file(name);
    if (mangled[0] != '_' || mangled[1] != 'Z' || !is_safe(mangled))
        return NULL;
    int status = 0;
    /* "$2" tells statics of several files apart (isa/ptx/link.h). */
    g_autofree char *own = g_strndup(mangled, strcspn(mangled, "$"));
    char *text = __cxa_demangle(own, NULL, NULL, &status);
    char *copy = text != NULL && status == 0 && strlen(text) <= MAX_SHOWN ? g_strdup(text) : NULL;
    free(text); /* of malloc */
    return copy;
}

/* "saxpy" of _Z5saxpyifPfS_, "a::b" of _ZN1a1bEv, of names that demangle() leaves alone. */
static char *plain_name(const char *name)
{
    const char *mangled = without_file(name);
    const char *at = mangled;
    if (at[0] != '_' || at[1] != 'Z')
        return g_strdup(mangled);
    at += 2;
    gboolean nested = *at == 'N';
    if (nested || *at == 'L')
        at++;
    GString *out = g_string_new(NULL);
    do {
        char *end;
        guint64 length = g_ascii_strtoull(at, &end, 10);
        if (end == at || length == 0 || length > strlen(end))
            break;
        if (out->len > 0)
            g_string_append(out, "::");
        g_string_append_len(out, end, (gssize)length);
        at = end + length;
    } while (nested);
    if (out->len == 0)
        g_string_append(out, mangled);
    return g_string_free(out, FALSE);
}

/* Where the bracket that the text ends with was opened; NULL if it does not end with `close`. */
static const char *opened_at(const char *text, gsize length, char open, char close)
{
    guint depth = 0;
    if (length == 0 || text[length - 1] != close)
        return NULL;
    for (gsize i = length; i-- > 0;) {
        depth += text[i] == close;
        if (text[i] == open && --depth == 0)
            return text + i;
    }
    return NULL;
}

char *ws_kernel_signature(const char *mangled)
{
    char *text = demangle(mangled);
    if (text == NULL)
        return plain_name(mangled);
    /* templates carry their type of result, and a kernel has none */
    if (g_str_has_prefix(text, "void "))
        memmove(text, text + strlen("void "), strlen(text) + 1 - strlen("void "));
    return text;
}

char *ws_kernel_display_name(const char *mangled)
{
    char *text = ws_kernel_signature(mangled);
    const char *parameters = opened_at(text, strlen(text), '(', ')');
    if (parameters != NULL && parameters != text)
        text[parameters - text] = '\0';
    return text;
}

char *ws_variable_display_name(const char *mangled)
{
    char *text = demangle(mangled);
    if (text == NULL)
        return plain_name(mangled);
    gsize length = strcspn(text, "[");
    text[length > 0 && text[length - 1] == ' ' ? length - 1 : length] = '\0';
    const char *last = g_strrstr(text, "::");
    if (last != NULL)
        memmove(text, last + 2, strlen(last + 2) + 1);
    return text;
}

gboolean ws_kernel_is_template(const char *display_name)
{
    return g_str_has_suffix(display_name, ">");
}

static gboolean same_but_blanks(const char *a, gsize length, const char *b)
{
    const char *end = a + length;
    for (;;) {
        while (a < end && *a == ' ')
            a++;
        while (*b == ' ')
            b++;
        if (a == end || *b == '\0')
            return a == end && *b == '\0';
        if (*a++ != *b++)
            return FALSE;
    }
}

WsNameMatch ws_kernel_match_name(const char *mangled, const char *display_name, const char *name)
{
    gsize length = strlen(display_name);
    if (strcmp(mangled, name) == 0)
        return WS_NAME_EXACT;
    if (same_but_blanks(display_name, length, name))
        return WS_NAME_SHOWN;
    if (strchr(name, '(') != NULL) {
        g_autofree char *signature = ws_kernel_signature(mangled);
        return same_but_blanks(signature, strlen(signature), name) ? WS_NAME_SHOWN
                                                                   : WS_NAME_DIFFERS;
    }
    const char *arguments = opened_at(display_name, length, '<', '>');
    if (arguments != NULL && same_but_blanks(display_name, (gsize)(arguments - display_name), name))
        return WS_NAME_OF_TEMPLATE;
    return WS_NAME_DIFFERS;
}
