#include "cli/cc_closed_library.h"

#include "isa/base/resources.h"

#include <string.h>

/* Names of functions that begin so; of two that fit the first. */
static const struct {
    const char *begin, *whose;
} libraries[] = {
    {"cublas", "cuBLAS, a library"},     {"cufft", "cuFFT, a library"},
    {"curand", "cuRAND, a library"},     {"cusparse", "cuSPARSE, a library"},
    {"cusolver", "cuSOLVER, a library"}, {"cudnn", "cuDNN, a library"},
    {"nccl", "NCCL, a library"},         {"nvrtc", "NVRTC, a library"},
    {"nvml", "NVML, a library"},         {"cu", "the driver API, an interface"},
};

/* How linkers begin to say it: GNU's, LLVM's. A name of C follows. */
static const char *const openings[] = {"undefined reference to `", "undefined symbol: "};

static gsize word_length(const char *text)
{
    gsize length = 0;
    while (g_ascii_isalnum(text[length]) || text[length] == '_')
        length++;
    return length;
}

/* A program's own functions may begin as those of the driver API do. */
static gboolean is_of_driver_api(const char *name)
{
    g_autoptr(GResource) headers = ws_isa_resource();
    g_autoptr(GBytes) bytes = g_resource_lookup_data(
        headers, "/warpstep/cuda/include/rare/warpstep/driver_api.h", 0, NULL);
    gsize size;
    const char *text = bytes == NULL ? NULL : g_bytes_get_data(bytes, &size);
    g_autofree char *call = g_strconcat(" ", name, "(", NULL);
    g_autofree char *listed = g_strconcat(" ", name, "##", NULL);
    return text != NULL && (g_strstr_len(text, (gssize)size, call) != NULL ||
                            g_strstr_len(text, (gssize)size, listed) != NULL);
}

static guint library_of(const char *name)
{
    guint i = 0;
    while (i < G_N_ELEMENTS(libraries) && !g_str_has_prefix(name, libraries[i].begin))
        i++;
    return i + 1 == G_N_ELEMENTS(libraries) && !is_of_driver_api(name) ? i + 1 : i;
}

/* The next name that a linker misses, or NULL; `at` moves behind it. */
static char *next_missing(const char **at)
{
    const char *first = NULL;
    for (guint i = 0; i < G_N_ELEMENTS(openings); i++) {
        const char *found = strstr(*at, openings[i]);
        if (found != NULL && (first == NULL || found < first))
            first = found + strlen(openings[i]);
    }
    if (first == NULL)
        return NULL;
    const gsize length = word_length(first);
    *at = first + length;
    return g_strndup(first, length);
}

char *ws_cc_closed_library_note(const char *messages)
{
    guint told = 0;
    g_autoptr(GString) note = g_string_new(NULL);
    for (const char *at = messages; at != NULL;) {
        g_autofree char *name = next_missing(&at);
        if (name == NULL)
            break;
        const guint library = library_of(name);
        if (library >= G_N_ELEMENTS(libraries) || (told & 1u << library) != 0)
            continue;
        told |= 1u << library;
        g_string_append_printf(note, "%s%s is a function of %s that Warpstep does not have",
                               note->len > 0 ? "; " : "", name, libraries[library].whose);
    }
    return note->len == 0 ? NULL : g_string_free(g_steal_pointer(&note), FALSE);
}
