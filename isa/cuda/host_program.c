#include "isa/cuda/host_program.h"

#include "isa/base/escape.h"
#include "isa/base/process_watch.h"
#include "isa/cuda/clang_arguments.h"
#include "isa/cuda/clang_job.h"
#include "isa/cuda/compiler_name.h"
#include "isa/cuda/file_names.h"
#include "isa/cuda/find_clang.h"
#include "isa/cuda/find_runtime.h"
#include "isa/cuda/memory_file.h"
#include "isa/cuda/protection.h"
#include "isa/cuda/rewrite_ptx.h"

#include <string.h>
#include <unistd.h>

enum { COMPILE_SECONDS = 20, MAX_OUTPUT_BYTES = 64 << 20, MAX_THREADS = 64, PROGRAM_MODE = 0700 };

static const guint64 MAX_MEMORY_BYTES = G_GUINT64_CONSTANT(2) << 30;

/* What the host's side of a source includes. */
static const char *const headers_of_the_system[] = {"/usr/include", "/usr/local/include", NULL};

typedef struct {
    WsClangJob job; /* its time is that of the linker, too */
    gboolean at_fault;
} Builder;

static void builder_clear(Builder *builder)
{
    ws_clang_job_clear(&builder->job);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Builder, builder_clear)

static GPtrArray *arguments_new(const char *program)
{
    GPtrArray *arguments = g_ptr_array_new_with_free_func(g_free);
    ws_clang_argument(arguments, "%s", program);
    return arguments;
}

static gboolean check_protection(const char *path, GError **error)
{
    const guint parts = ws_protection_of_host();
    if (parts == WS_PROTECTION_ALL)
        return TRUE;
    g_autofree char *text = ws_protection_text(parts);
    ws_set_error_at(error, WS_ERROR_INPUT, &(WsPosition){.file = path},
                    "a submitted whole program is compiled and run only with full protection, and "
                    "here it is %s",
                    text);
    return FALSE;
}

static gboolean prepare(Builder *builder, const char *path, const WsCompileOptions *options,
                        GError **error)
{
    const WsLoadBounds *bounds = &options->bounds;
    *builder = (Builder){.job = {.path = path, .options = options}};
    if (!check_protection(path, error))
        return FALSE;
    builder->job.limits = (WsClangLimits){
        .clang = ws_find_clang(error),
        .sandboxed = TRUE,
        .reads = headers_of_the_system,
        .required = WS_PROTECTION_ALL,
        .cpu_seconds = bounds->clang_seconds != 0 ? bounds->clang_seconds : COMPILE_SECONDS,
        .stuck_seconds = WS_STUCK_SECONDS,
        .threads = MAX_THREADS,
        .memory_bytes = MAX_MEMORY_BYTES,
        .output_bytes = MAX_OUTPUT_BYTES};
    if (builder->job.limits.clang == NULL)
        return FALSE;
    builder->job.view = ws_clang_view_new(error);
    if (builder->job.view == NULL)
        return FALSE;
    builder->at_fault = TRUE;
    builder->job.files = ws_cuda_files_new(path, options, builder->job.view, error);
    return builder->job.files != NULL && ws_clang_job_name_source(&builder->job, "", "", error);
}

/* ---- clang ------------------------------------------------------------------------------------
 */

typedef struct {
    const Builder *builder;
    const char *ptx; /* path of a memory file, for the host's pass; NULL: the device's */
} Pass;

static void add_arguments(GPtrArray *arguments, const char *overlay, const char *dependencies,
                          gconstpointer data)
{
    const Pass *pass = data;
    const WsClangJob *job = &pass->builder->job;
    if (pass->ptx != NULL)
        ws_clang_arguments_host_pass(arguments, WS_CLANG_HEADERS, pass->ptx);
    else
        ws_clang_arguments_device_pass(arguments, WS_CLANG_HEADERS);
    const char *const more[] = {"-D__NVCC__=1",
                                "-ivfsoverlay",
                                overlay,
                                "-MD",
                                "-MF",
                                dependencies,
                                "-fintegrated-cc1",
                                "-fno-color-diagnostics",
                                "-fno-caret-diagnostics",
                                "-fno-crash-diagnostics",
                                "-ferror-limit=20",
                                "-pthread",
                                "-o",
                                "-"};
    for (guint i = 0; i < G_N_ELEMENTS(more); i++)
        ws_clang_argument(arguments, "%s", more[i]);
    if (pass->ptx != NULL)
        ws_clang_argument(arguments, "-O2");
    ws_clang_arguments_of_user(arguments, job->path, job->options);
    ws_clang_argument(arguments, "%s", job->source);
}

/* As often as clang misses a file that is there: its name may come out of macros. */
static gboolean compile(Builder *builder, const char *ptx, WsClangResult *ret, GError **error)
{
    for (guint runs = 0;; runs++) {
        if (!ws_clang_job_pass(&builder->job, TRUE, add_arguments, &(Pass){builder, ptx}, ret,
                               error)) {
            builder->at_fault = FALSE;
            return FALSE;
        }
        if (ret->ended_well && ret->output_length > 0)
            return ws_cuda_files_check_refused(builder->job.files, error);
        if (!ws_clang_job_found_more(&builder->job, runs, ret, error))
            return FALSE;
        ws_clang_result_clear(ret);
    }
}

static char *compile_kernels(Builder *builder, WsHostProgram *ret, GError **error)
{
    g_auto(WsClangResult) result = {0};
    if (!compile(builder, NULL, &result, error))
        return NULL;
    g_autofree char *named = ws_cuda_restore_file_names(result.output, result.output_length,
                                                        builder->job.path, builder->job.files);
    g_autofree char *mended = ws_cuda_rewrite_ptx(named);
    ret->compiler = ws_cuda_take_compiler(named);
    ret->sources = ws_cuda_files_sources(builder->job.files);
    return g_steal_pointer(&mended);
}

/* ---- the linker -------------------------------------------------------------------------------
 */

/* The words of the last command that clang's driver would run. */
static char **last_command(const char *messages)
{
    g_auto(GStrv) lines = g_strsplit(messages != NULL ? messages : "", "\n", -1);
    char **words = NULL;
    for (guint i = 0; lines[i] != NULL; i++) {
        if (!g_str_has_prefix(lines[i], " \""))
            continue;
        g_clear_pointer(&words, g_strfreev);
        g_shell_parse_argv(lines[i], NULL, &words, NULL);
    }
    return words;
}

/* How the linker is called: clang knows where the system's libraries are, and may start nothing. */
static char **linker_command(Builder *builder, const char *object, const char *runtime,
                             const char *output, GError **error)
{
    g_auto(WsClangResult) result = {0};
    g_autoptr(GArray) none = g_array_new(FALSE, FALSE, sizeof(int));
    g_autoptr(GPtrArray) arguments = arguments_new(builder->job.limits.clang);
    /* `clang` links C++ as `clang++` does */
    const char *const words[] = {
        "--driver-mode=g++", "-###", "-pthread", object, runtime, "-o", output};
    for (guint i = 0; i < G_N_ELEMENTS(words); i++)
        ws_clang_argument(arguments, "%s", words[i]);
    if (!ws_clang_job_run(&builder->job, &builder->job.limits, none, arguments, &result, error))
        return NULL;
    char **command = last_command(result.messages);
    if (command == NULL)
        ws_set_error(error, WS_ERROR_INPUT, "%s does not say how it links a program",
                     builder->job.limits.clang);
    return command;
}

/* What the linker says of the program, without the names of memory files. */
static void set_link_failure(const Builder *builder, const WsClangResult *result, GError **error)
{
    g_auto(GStrv) lines = g_strsplit(result->messages != NULL ? result->messages : "", "\n", -1);
    g_autoptr(GString) text = g_string_new("the program does not link");
    for (guint i = 0; lines[i] != NULL; i++) {
        const char *found = strstr(lines[i], "undefined reference to");
        found = found != NULL ? found : strstr(lines[i], "multiple definition of");
        g_autofree char *shown = found == NULL ? NULL : ws_printable(found);
        if (shown != NULL && strstr(text->str, shown) == NULL)
            g_string_append_printf(text, "\n%s: error: %s", builder->job.path, shown);
    }
    ws_set_error_at(error, WS_ERROR_INPUT, &(WsPosition){.file = builder->job.path}, "%s",
                    text->str);
}

static gboolean run_linker(Builder *builder, char *const *command, int program,
                           const char *const *reads, WsClangResult *ret, GError **error)
{
    g_autoptr(GArray) others = g_array_new(FALSE, FALSE, sizeof(int));
    g_autoptr(GPtrArray) arguments = g_ptr_array_new_with_free_func(g_free);
    WsClangLimits limits = builder->job.limits;
    limits.clang = command[0];
    limits.reads = reads;
    for (; *command != NULL; command++)
        g_ptr_array_add(arguments, g_strdup(*command));
    g_array_append_val(others, program);
    return ws_clang_job_run(&builder->job, &limits, others, arguments, ret, error);
}

/* The program's bytes; `object` is the path of a memory file of the view. */
static char *link_object(Builder *builder, const char *object, const char *runtime, int program,
                         gsize *ret_length, GError **error)
{
    g_auto(WsClangResult) result = {0};
    g_auto(GStrv) reads = ws_runtime_folders(runtime);
    g_autofree char *output = ws_memory_file_path(program);
    g_auto(GStrv) command = linker_command(builder, object, runtime, output, error);
    builder->at_fault = FALSE;
    if (command == NULL ||
        !run_linker(builder, command, program, (const char *const *)reads, &result, error))
        return NULL;
    builder->at_fault = TRUE;
    if (result.ended_well)
        return ws_memory_file_read(program, MAX_OUTPUT_BYTES, ret_length);
    set_link_failure(builder, &result, error);
    return NULL;
}

static gboolean write_program(const char *path, const char *bytes, gsize length, GError **error)
{
    g_autoptr(GError) failure = NULL;
    if (g_file_set_contents_full(path, bytes, (gssize)length, G_FILE_SET_CONTENTS_NONE,
                                 PROGRAM_MODE, &failure))
        return TRUE;
    ws_set_error(error, WS_ERROR_INPUT, "%s", failure->message);
    return FALSE;
}

static gboolean make_program(Builder *builder, const WsHostProgram *made, const char *output,
                             GError **error)
{
    g_auto(WsClangResult) object = {0};
    gsize length = 0;
    /* The runtime reads PTX up to a byte 0. */
    g_autofree char *ptx =
        ws_clang_view_add_nameless(builder->job.view, made->ptx, strlen(made->ptx) + 1, error);
    if (ptx == NULL || !compile(builder, ptx, &object, error))
        return FALSE;
    g_autofree char *input =
        ws_clang_view_add_nameless(builder->job.view, object.output, object.output_length, error);
    int program = input == NULL ? -1 : ws_memory_file_new("", 0, error);
    if (program < 0)
        return FALSE;
    g_autofree char *bytes = link_object(builder, input, made->runtime, program, &length, error);
    close(program);
    if (bytes == NULL)
        return FALSE;
    builder->at_fault = FALSE;
    return write_program(output, bytes, length, error);
}

void ws_host_program_clear(WsHostProgram *program)
{
    g_clear_pointer(&program->ptx, g_free);
    g_clear_pointer(&program->sources, g_hash_table_unref);
    g_clear_pointer(&program->compiler, g_free);
    g_clear_pointer(&program->runtime, g_free);
}

gboolean ws_host_program_build(const char *path, const WsCompileOptions *options,
                               const char *output, WsHostProgram *ret, gboolean *ret_fault,
                               GError **error)
{
    g_auto(Builder) builder = {0};
    *ret = (WsHostProgram){0};
    *ret_fault = FALSE;
    ret->runtime = ws_find_runtime(error);
    const gboolean ready = ret->runtime != NULL && prepare(&builder, path, options, error);
    if (ready)
        ret->ptx = compile_kernels(&builder, ret, error);
    const gboolean made = ret->ptx != NULL && make_program(&builder, ret, output, error);
    *ret_fault = builder.at_fault;
    return made;
}
