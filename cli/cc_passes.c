#include "cli/cc_passes.h"

#include "cli/cc_closed_library.h"
#include "cli/cc_device_code.h"
#include "cli/cc_float.h"
#include "cli/cc_overlay.h"
#include "cli/cc_registers.h"
#include "cli/cc_run.h"
#include "cli/cc_toolkit.h"
#include "isa/base/temporary_folder.h"
#include "isa/cuda/clang_arguments.h"
#include "isa/cuda/find_clang.h"
#include "isa/cuda/include/warpstep/relocatable.h"
#include "isa/cuda/ptx_cache.h"
#include "isa/cuda/rewrite_ptx.h"
#include "isa/cuda/unpack_headers.h"
#include "isa/ptx/source_texts.h"

#include <glib/gstdio.h>
#include <stdio.h>
#include <string.h>

typedef enum { OBJECT, CUDA, CPLUSPLUS, C } Kind;

typedef struct {
    const WsCcOptions *options;
    const char *clang, *headers, *toolkit, *folder;
    const char *overlay; /* of the source in hand, or NULL */
    WsCcRunning running;
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

/*
 * Mends what clang wrote. For an object it begins with a mark and the name of the source, if it is
 * relocatable, and ends with its sources and a byte 0, up to which the runtime reads.
 */
static gboolean mend(const Passes *passes, const char *source, const char *path,
                     gboolean for_object, GError **error)
{
    g_autofree char *name = ws_printable(source);
    const gboolean is_marked = for_object && passes->options->relocatable == WS_CC_YES;
    g_autofree char *text = NULL;
    g_autoptr(GError) failure = NULL;
    if (g_file_get_contents(path, &text, NULL, &failure)) {
        g_autofree char *bounded = ws_cc_bound_registers(text, passes->options->registers);
        g_autofree char *mended = ws_cuda_rewrite_ptx(bounded);
        g_autofree char *marked = is_marked
                                      ? g_strdup_printf(WS_RELOCATABLE_MARK "%s\n%s", name, mended)
                                      : g_steal_pointer(&mended);
        g_autofree char *all = for_object ? ws_ptx_with_sources(marked) : g_steal_pointer(&marked);
        if (g_file_set_contents(path, all, (gssize)(strlen(all) + for_object), &failure))
            return TRUE;
    }
    ws_set_error(error, WS_ERROR_INPUT, "%s", failure->message);
    return FALSE;
}

/* nvcc's, in all that it compiles, C too. */
static void add_macros(GPtrArray *arguments, const WsCcOptions *options)
{
    ws_clang_argument(arguments, "-D__NVCC__=1");
    if (options->relocatable == WS_CC_YES)
        ws_clang_argument(arguments, "-D__CUDACC_RDC__=1");
}

static gboolean device_pass(const Passes *passes, const char *source, const char *ptx,
                            gboolean for_object, GError **error)
{
    g_autoptr(GPtrArray) arguments = arguments_new(passes->clang);
    g_autofree char *what = g_strdup_printf("%s: its device code does not compile", source);
    ws_clang_arguments_device_pass(arguments, passes->headers);
    ws_cc_float_arguments(arguments, &passes->options->floats);
    add_macros(arguments, passes->options);
    add_words(arguments, passes->options->both);
    add_words(arguments, passes->options->cplusplus);
    add_output(arguments, ptx);
    add_source(arguments, passes, source);
    return ws_cc_run(arguments, &passes->running, what, NULL, error) &&
           (passes->running.is_dry_run || mend(passes, source, ptx, for_object, error));
}

static gboolean host_pass(const Passes *passes, const char *source, Kind kind, const char *ptx,
                          const char *object, GError **error)
{
    g_autoptr(GPtrArray) arguments = arguments_new(passes->clang);
    g_autofree char *what = g_strdup_printf("%s: its host code does not compile", source);
    const gboolean is_relocatable = kind == CUDA && passes->options->relocatable == WS_CC_YES;
    if (kind == CUDA)
        ws_clang_arguments_host_pass(arguments, passes->headers, ptx);
    else
        ws_clang_arguments_plain_pass(arguments, passes->headers, kind == C);
    add_macros(arguments, passes->options);
    add_words(arguments, passes->options->both);
    if (kind != C)
        add_words(arguments, passes->options->cplusplus);
    add_words(arguments, passes->options->host);
    if (is_relocatable)
        ws_clang_argument(arguments, "-fgpu-rdc");
    if (passes->options->preprocess != NULL)
        ws_clang_argument(arguments, "%s", passes->options->preprocess);
    if (object != NULL)
        add_output(arguments, object);
    add_source(arguments, passes, source);
    return ws_cc_run(arguments, &passes->running, what, NULL, error) &&
           (!is_relocatable || ptx == NULL || passes->running.is_dry_run ||
            ws_cc_rewrite_relocatable(object, error));
}

/* NAME.cu -> NAME.o in a folder, or the current one, as compilers do. */
static char *default_output(const char *folder, const char *source, const char *ending)
{
    g_autofree char *name = g_path_get_basename(source);
    char *dot = strrchr(name, '.');
    if (dot != NULL)
        *dot = '\0';
    g_autofree char *file = g_strconcat(name, ending, NULL);
    return folder != NULL ? g_build_filename(folder, file, NULL) : g_steal_pointer(&file);
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
    if (options->action == WS_CC_PTX_ONLY)
        return device_pass(passes, source, object, FALSE, error);
    if (options->action == WS_CC_PREPROCESS)
        return host_pass(passes, source, kind, NULL, object, error);
    return (kind != CUDA || device_pass(passes, source, ptx, TRUE, error)) &&
           host_pass(passes, source, kind, ptx, object, error);
}

/* Whether nothing but these objects and libraries of the system can have device code. */
static gboolean are_complete(const WsCcOptions *options, const GPtrArray *objects)
{
    static const char *const plain[] = {"-lm", "-ldl", "-lrt", "-lpthread", "-lstdc++", NULL};
    for (guint i = 0; i < objects->len; i++)
        if (!g_str_has_suffix(g_ptr_array_index(objects, i), ".o"))
            return FALSE;
    for (guint i = 0; i < options->link->len; i++) {
        const char *word = g_ptr_array_index(options->link, i);
        if (g_str_has_prefix(word, "-l") && !g_strv_contains(plain, word))
            return FALSE;
    }
    return TRUE;
}

static gboolean run_linker(const Passes *passes, GPtrArray *arguments, GError **error)
{
    g_autofree char *messages = NULL;
    g_autoptr(GError) failure = NULL;
    if (ws_cc_run(arguments, &passes->running, "the program does not link", &messages, &failure))
        return TRUE;
    g_autofree char *note = ws_cc_closed_library_note(messages);
    if (note != NULL)
        ws_set_error(error, WS_ERROR_INPUT, "the program does not link: %s", note);
    else
        g_propagate_error(error, g_steal_pointer(&failure));
    return FALSE;
}

/*
 * The host's linker would name objects of a temporary folder where a name is defined twice or not
 * at all. So device code is checked first where all of it is known, and else in what was linked.
 */
static gboolean link_program(const Passes *passes, const GPtrArray *objects, GError **error)
{
    const WsCcOptions *options = passes->options;
    g_autoptr(GPtrArray) arguments = arguments_new(passes->clang);
    ws_clang_argument(arguments, "--driver-mode=g++"); /* `clang` links C++ as `clang++` does */
    add_words(arguments, objects);
    add_words(arguments, options->link);
    const char *output = options->output != NULL ? options->output : "a.out";
    add_output(arguments, output);
    ws_clang_argument(arguments, "-L%s/lib64", passes->toolkit);
    ws_clang_argument(arguments, "-lcudart_static");
    const gboolean before = are_complete(options, objects);
    if (before && !passes->running.is_dry_run && !ws_cc_check_device_code(objects, error))
        return FALSE;
    if (!run_linker(passes, arguments, error))
        return FALSE;
    g_autoptr(GPtrArray) made = g_ptr_array_new();
    g_ptr_array_add(made, (gpointer)output);
    if (before || passes->running.is_dry_run || ws_cc_check_device_code(made, error))
        return TRUE;
    g_unlink(output);
    return FALSE;
}

static gboolean archive(const Passes *passes, const GPtrArray *objects, GError **error)
{
    g_autoptr(GPtrArray) arguments = arguments_new("ar");
    const char *output = passes->options->output;
    ws_clang_argument(arguments, "rcs");
    ws_clang_argument(arguments, "%s", output != NULL ? output : "a.a");
    add_words(arguments, objects);
    return ws_cc_run(arguments, &passes->running, "cannot make the archive", NULL, error);
}

/*
 * nvcc's link of device code, which others link to the objects then. None is needed: an object
 * without code stands for it. What is wrong is told where all of the device code is known.
 */
static gboolean link_devices(const Passes *passes, GError **error)
{
    const GPtrArray *inputs = passes->options->inputs;
    if (!passes->running.is_dry_run && are_complete(passes->options, inputs) &&
        !ws_cc_check_device_code(inputs, error))
        return FALSE;
    g_autoptr(GPtrArray) arguments = arguments_new(passes->clang);
    const char *output = passes->options->output;
    ws_clang_arguments_plain_pass(arguments, passes->headers, TRUE);
    add_output(arguments, output != NULL ? output : "a_dlink.o");
    ws_clang_argument(arguments, "/dev/null");
    return ws_cc_run(arguments, &passes->running, "the device code does not link", NULL, error);
}

/* What a source becomes, in the folder for what is between; NULL: standard output. */
static char *result_of(const Passes *passes, guint i)
{
    const WsCcOptions *options = passes->options;
    const char *input = g_ptr_array_index(options->inputs, i);
    if (options->action == WS_CC_LINK || options->action == WS_CC_ARCHIVE)
        return g_strdup_printf("%s/%u.o", passes->folder, i);
    if (options->output != NULL || options->action == WS_CC_PREPROCESS)
        return g_strdup(options->output);
    return default_output(options->output_folder, input,
                          options->action == WS_CC_PTX_ONLY ? ".ptx" : ".o");
}

static gboolean compile_all(const Passes *passes, GError **error)
{
    const WsCcOptions *options = passes->options;
    g_autoptr(GPtrArray) objects = g_ptr_array_new_with_free_func(g_free);
    for (guint i = 0; i < options->inputs->len; i++) {
        const char *input = g_ptr_array_index(options->inputs, i);
        g_autofree char *result = NULL;
        if (kind_of(options, input) == OBJECT) {
            g_ptr_array_add(objects, g_strdup(input));
            continue;
        }
        result = result_of(passes, i);
        if (!compile(passes, i, result, error))
            return FALSE;
        if (result != NULL)
            g_ptr_array_add(objects, g_steal_pointer(&result));
    }
    if (options->action == WS_CC_ARCHIVE)
        return archive(passes, objects, error);
    return options->action != WS_CC_LINK || link_program(passes, objects, error);
}

static gboolean act(const Passes *passes, GError **error)
{
    if (passes->options->is_verbose)
        ws_cc_toolkit_report(passes->toolkit);
    if (passes->options->action == WS_CC_TOOLKIT)
        return printf("%s\n", passes->toolkit) > 0;
    return passes->options->action == WS_CC_DEVICE_LINK ? link_devices(passes, error)
                                                        : compile_all(passes, error);
}

gboolean ws_cc_passes(const WsCcOptions *options, GError **error)
{
    g_autofree char *clang = ws_find_clang(error);
    g_autofree char *cache = ws_ptx_cache_folder();
    g_autofree char *beside = g_path_get_dirname(cache);
    g_autofree char *headers = clang == NULL ? NULL : ws_unpack_headers(beside, error);
    g_autofree char *toolkit = headers == NULL ? NULL : ws_cc_toolkit(headers, error);
    g_autoptr(WsTemporaryFolder) folder = toolkit == NULL ? NULL : ws_temporary_folder_new(error);
    if (folder == NULL)
        return FALSE;
    const Passes passes = {.options = options,
                           .clang = clang,
                           .headers = headers,
                           .toolkit = toolkit,
                           .folder = ws_temporary_folder_path(folder),
                           .running = {options->is_verbose, options->is_dry_run}};
    return act(&passes, error);
}
