#include "cli/cc_passes.h"

#include "cli/cc_overlay.h"
#include "isa/base/temporary_folder.h"
#include "isa/cuda/clang_arguments.h"
#include "isa/cuda/find_clang.h"
#include "isa/cuda/mend_ptx.h"
#include "isa/cuda/ptx_cache.h"
#include "isa/cuda/unpack_headers.h"

#include <string.h>

typedef enum { OBJECT, CUDA, CPLUSPLUS, C } Kind;

typedef struct {
    const WsCcOptions *options;
    const char *clang, *headers, *folder;
    const char *overlay; /* of the source in hand, or NULL */
} Passes;

static Kind kind_of(const WsCcOptions *options, const char *path)
{
    static const struct {
        const char *name; /* the ending of a file, or what -x takes */
        Kind kind;
    } kinds[] = {{"cu", CUDA},       {"cuda", CUDA},   {"cpp", CPLUSPLUS}, {"cc", CPLUSPLUS},
                 {"cxx", CPLUSPLUS}, {"C", CPLUSPLUS}, {"c++", CPLUSPLUS}, {"c", C}};
    const char *ending = strrchr(path, '.');
    const char *name = options->language != NULL ? options->language
                       : ending != NULL          ? ending + 1
                                                 : "";
    for (guint i = 0; i < G_N_ELEMENTS(kinds); i++)
        if (strcmp(kinds[i].name, name) == 0)
            return kinds[i].kind;
    return OBJECT;
}

static void add_words(GPtrArray *arguments, const GPtrArray *words)
{
    for (guint i = 0; i < words->len; i++)
        ws_clang_argument(arguments, "%s", (const char *)g_ptr_array_index(words, i));
}

static void add_source(GPtrArray *arguments, const Passes *passes, const char *source)
{
    if (passes->overlay != NULL) {
        ws_clang_argument(arguments, "-ivfsoverlay");
        ws_clang_argument(arguments, "%s", passes->overlay);
    }
    ws_clang_argument(arguments, "%s", source);
}

static void add_output(GPtrArray *arguments, const char *path)
{
    ws_clang_argument(arguments, "-o");
    ws_clang_argument(arguments, "%s", path);
}

static GPtrArray *arguments_new(const char *clang)
{
    GPtrArray *arguments = g_ptr_array_new_with_free_func(g_free);
    ws_clang_argument(arguments, "%s", clang);
    return arguments;
}

/* `what` is what fails, as a part of a message. */
static gboolean run(GPtrArray *arguments, const char *what, GError **error)
{
    g_autoptr(GError) failure = NULL;
    int status = 0;
    g_ptr_array_add(arguments, NULL);
    if (g_spawn_sync(NULL, (char **)arguments->pdata, NULL, G_SPAWN_CHILD_INHERITS_STDIN,
                     ws_temporary_folder_release_signals, NULL, NULL, NULL, &status, &failure) &&
        g_spawn_check_wait_status(status, NULL))
        return TRUE;
    if (failure != NULL)
        ws_set_error(error, WS_ERROR_INPUT, "%s", failure->message);
    else if (!g_file_test("/usr/include/c++", G_FILE_TEST_IS_DIR))
        ws_set_error(error, WS_ERROR_INPUT,
                     "%s; the host's C++ headers are missing: install the package "
                     "libstdc++-12-dev (Debian 12) or libstdc++-dev of this system",
                     what);
    else
        ws_set_error(error, WS_ERROR_INPUT, "%s", what);
    return FALSE;
}

/* Mends what clang wrote, and ends it with a byte 0, up to which the runtime reads. */
static gboolean mend(const char *path, gboolean with_end, GError **error)
{
    g_autofree char *text = NULL;
    g_autoptr(GError) failure = NULL;
    if (g_file_get_contents(path, &text, NULL, &failure)) {
        g_autofree char *mended = ws_cuda_mend_ptx(text);
        if (g_file_set_contents(path, mended, (gssize)(strlen(mended) + with_end), &failure))
            return TRUE;
    }
    ws_set_error(error, WS_ERROR_INPUT, "%s", failure->message);
    return FALSE;
}

static gboolean device_pass(const Passes *passes, const char *source, const char *ptx,
                            gboolean with_end, GError **error)
{
    g_autoptr(GPtrArray) arguments = arguments_new(passes->clang);
    g_autofree char *what = g_strdup_printf("%s: its device code does not compile", source);
    ws_clang_arguments_device_pass(arguments, passes->headers);
    add_words(arguments, passes->options->both);
    add_words(arguments, passes->options->cplusplus);
    add_output(arguments, ptx);
    add_source(arguments, passes, source);
    return run(arguments, what, error) && mend(ptx, with_end, error);
}

static gboolean host_pass(const Passes *passes, const char *source, Kind kind, const char *ptx,
                          const char *object, GError **error)
{
    g_autoptr(GPtrArray) arguments = arguments_new(passes->clang);
    g_autofree char *what = g_strdup_printf("%s: its host code does not compile", source);
    if (kind == CUDA)
        ws_clang_arguments_host_pass(arguments, passes->headers, ptx);
    else
        ws_clang_arguments_plain_pass(arguments, passes->headers, kind == C);
    add_words(arguments, passes->options->both);
    if (kind != C)
        add_words(arguments, passes->options->cplusplus);
    add_words(arguments, passes->options->host);
    add_output(arguments, object);
    add_source(arguments, passes, source);
    return run(arguments, what, error);
}

/* NAME.cu -> NAME.o in the current folder, as compilers do. */
static char *default_output(const char *source, const char *ending)
{
    g_autofree char *name = g_path_get_basename(source);
    char *dot = strrchr(name, '.');
    if (dot != NULL)
        *dot = '\0';
    return g_strconcat(name, ending, NULL);
}

static gboolean compile(const Passes *all, guint i, const char *object, GError **error)
{
    const WsCcOptions *options = all->options;
    Passes one = *all;
    const Passes *passes = &one;
    g_autofree char *overlay = NULL;
    g_autofree char *prefix = g_strdup_printf("source%u", i);
    const char *source = g_ptr_array_index(options->inputs, i);
    Kind kind = kind_of(options, source);
    g_autofree char *ptx = g_strdup_printf("%s/%u.ptx", passes->folder, i);
    if (!g_file_test(source, G_FILE_TEST_EXISTS)) {
        ws_set_error(error, WS_ERROR_INPUT, "%s: no such file", source);
        return FALSE;
    }
    if (kind != C && !ws_cc_overlay(source, passes->folder, prefix, &overlay, error))
        return FALSE;
    one.overlay = overlay;
    if (options->ptx_only)
        return device_pass(passes, source, object, FALSE, error);
    return (kind != CUDA || device_pass(passes, source, ptx, TRUE, error)) &&
           host_pass(passes, source, kind, ptx, object, error);
}

/*
 * Where libwarpstep-cudart is: beside libwarpstep of the installed program, or, in a build folder,
 * in runtime/ beside cli/.
 */
static gboolean add_runtime(GPtrArray *arguments, GError **error)
{
    static const char *const places[] = {"../" WS_LIBDIR, "../runtime"};
    g_autofree char *program = g_file_read_link("/proc/self/exe", NULL);
    g_autofree char *folder = g_path_get_dirname(program != NULL ? program : ".");
    for (guint i = 0; i < G_N_ELEMENTS(places); i++) {
        g_autofree char *near = g_build_filename(folder, places[i], NULL);
        g_autofree char *place = g_canonicalize_filename(near, NULL);
        g_autofree char *library = g_build_filename(place, "libwarpstep-cudart.so", NULL);
        if (!g_file_test(library, G_FILE_TEST_EXISTS))
            continue;
        ws_clang_argument(arguments, "-L%s", place);
        ws_clang_argument(arguments, "-lwarpstep-cudart");
        ws_clang_argument(arguments, "-Wl,-rpath,%s", place);
        ws_clang_argument(arguments, "-Wl,-rpath-link,%s/../library", place);
        return TRUE;
    }
    ws_set_error(error, WS_ERROR_INPUT,
                 "libwarpstep-cudart.so is neither installed beside %s nor in its build folder",
                 program != NULL ? program : "the program");
    return FALSE;
}

static gboolean link_program(const Passes *passes, const GPtrArray *objects, GError **error)
{
    const WsCcOptions *options = passes->options;
    g_autoptr(GPtrArray) arguments = arguments_new(passes->clang);
    add_words(arguments, objects);
    add_words(arguments, options->link);
    add_output(arguments, options->output != NULL ? options->output : "a.out");
    return add_runtime(arguments, error) && run(arguments, "the program does not link", error);
}

static gboolean compile_all(const Passes *passes, GError **error)
{
    const WsCcOptions *options = passes->options;
    g_autoptr(GPtrArray) objects = g_ptr_array_new_with_free_func(g_free);
    gboolean links = !options->compile_only && !options->ptx_only;
    for (guint i = 0; i < options->inputs->len; i++) {
        const char *input = g_ptr_array_index(options->inputs, i);
        char *object = NULL;
        if (kind_of(options, input) == OBJECT) {
            g_ptr_array_add(objects, g_strdup(input));
            continue;
        }
        if (links)
            object = g_strdup_printf("%s/%u.o", passes->folder, i);
        else if (options->output != NULL)
            object = g_strdup(options->output);
        else
            object = default_output(input, options->ptx_only ? ".ptx" : ".o");
        g_ptr_array_add(objects, object);
        if (!compile(passes, i, object, error))
            return FALSE;
    }
    return !links || link_program(passes, objects, error);
}

gboolean ws_cc_passes(const WsCcOptions *options, GError **error)
{
    g_autofree char *clang = ws_find_clang(error);
    g_autofree char *cache = ws_ptx_cache_folder();
    g_autofree char *beside = g_path_get_dirname(cache);
    g_autofree char *headers = clang == NULL ? NULL : ws_unpack_headers(beside, error);
    g_autoptr(WsTemporaryFolder) folder = headers == NULL ? NULL : ws_temporary_folder_new(error);
    if (folder == NULL)
        return FALSE;
    const Passes passes = {.options = options,
                           .clang = clang,
                           .headers = headers,
                           .folder = ws_temporary_folder_path(folder)};
    return compile_all(&passes, error);
}
