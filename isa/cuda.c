/*
 * The CUDA C front end: kernel.cu to PTX text through clang.
 *
 * clang runs without a shell, by absolute path, with an environment of its own, under limits of
 * time, memory and file size, in a folder made for it and removed afterwards. Our CUDA header
 * (isa/include) is a resource of the library and is written to that folder first.
 *
 * Sources with `%smid` and the like in inline assembly, which nvcc takes and clang refuses, are
 * preprocessed, mended (isa/cuda_asm_text.h) and compiled again.
 */
#include "isa/cuda.h"
#include "isa/cuda_asm_text.h"
#include "isa/error.h"
#include "isa/ir.h"
#include "isa/resources.h"
#include "isa/temporary_folder.h"

#include <gio/gio.h>
#include <glib/gstdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>

enum {
    WALL_SECONDS = 60,
    CPU_SECONDS = 60,
    MAX_SOURCE_BYTES = 16 << 20,
    MAX_OUTPUT_BYTES = 64 << 20,
    MAX_MESSAGE_BYTES = 16 << 10,
    RESOURCE_DEPTH = 4
};

static const guint64 MAX_MEMORY_BYTES = G_GUINT64_CONSTANT(4) << 30;
static const char RESOURCE_ROOT[] = "/warpstep/include";

typedef enum { STAGE_WHOLE, STAGE_PREPROCESS, STAGE_PREPROCESSED } Stage;

static const char PREPROCESSED[] = "source.cui";

static char *find_clang(GError **error)
{
    static const char *const paths[] = {"/usr/bin/clang++-14", "/usr/bin/clang++"};
    const char *chosen = g_getenv("WARPSTEP_CLANG");
    if (chosen != NULL && *chosen != '\0') {
        if (g_path_is_absolute(chosen) && g_file_test(chosen, G_FILE_TEST_IS_EXECUTABLE))
            return g_strdup(chosen);
        g_autofree char *shown = ws_printable(chosen);
        ws_set_error(error, WS_ERROR_INPUT,
                     "WARPSTEP_CLANG is '%s', which is not the absolute path of a program", shown);
        return NULL;
    }
    for (guint i = 0; i < G_N_ELEMENTS(paths); i++)
        if (g_file_test(paths[i], G_FILE_TEST_IS_EXECUTABLE))
            return g_strdup(paths[i]);
    ws_set_error(error, WS_ERROR_INPUT,
                 "clang is needed to compile CUDA C and was not found at /usr/bin/clang++-14 or "
                 "/usr/bin/clang++: install the Debian package clang-14 (apt-get install "
                 "clang-14 libstdc++-12-dev), or set WARPSTEP_CLANG");
    return NULL;
}

static gboolean write_resources(GResource *resource, const char *from, const char *to, guint depth,
                                GError **error)
{
    if (depth >= RESOURCE_DEPTH)
        return TRUE;
    if (g_mkdir(to, 0700) != 0) {
        ws_set_error(error, WS_ERROR_INPUT, "cannot make a temporary folder: %s",
                     g_strerror(errno));
        return FALSE;
    }
    g_auto(GStrv) names = g_resource_enumerate_children(resource, from, 0, error);
    for (guint i = 0; names != NULL && names[i] != NULL; i++) {
        g_autofree char *path = g_strconcat(from, "/", names[i], NULL);
        g_autofree char *file = g_build_filename(to, names[i], NULL);
        size_t length = strlen(names[i]);
        if (names[i][length - 1] == '/') {
            path[strlen(path) - 1] = '\0';
            if (!write_resources(resource, path, file, depth + 1, error))
                return FALSE;
            continue;
        }
        g_autoptr(GBytes) bytes = g_resource_lookup_data(resource, path, 0, error);
        if (bytes == NULL || !ws_temporary_file_write(file, bytes, error))
            return FALSE;
    }
    return names != NULL;
}

static void add(GPtrArray *arguments, const char *format, ...) G_GNUC_PRINTF(2, 3);

static void add(GPtrArray *arguments, const char *format, ...)
{
    va_list values;
    va_start(values, format);
    g_ptr_array_add(arguments, g_strdup_vprintf(format, values));
    va_end(values);
}

/*
 * The target is sm_80 and CUDA 11.0: the newest that clang 14 makes PTX for. Floating point is as
 * nvcc has it by default: contraction on, no fast-math, IEEE division and square root, denormals
 * kept. Loops are unrolled as far as nvcc 13.0 unrolls them: of 236 loops of 8 to 1024 iterations,
 * those whose number is a power of two come out the same with these thresholds. LLVM 14's are 300
 * and 75. Functions are inlined as nvcc does unless they are very large: pointers of one that is
 * called would lose their space, and LDG become LD.
 */
static void add_fixed_arguments(GPtrArray *arguments)
{
    static const char *const fixed[] = {
        "-x",
        "cuda",
        "--cuda-gpu-arch=sm_80",
        "--cuda-device-only",
        "-nocudainc",
        "-nocudalib",
        "-fms-extensions",
        "-Xclang",
        "-target-sdk-version=11.0",
        "-Xclang",
        "-target-feature",
        "-Xclang",
        "+ptx75",
        "-fuse-cuid=none",
        "-O3",
        "-std=gnu++17",
        "-ffp-contract=fast",
        "-fno-math-errno",
        "-gline-tables-only",
        "-fdebug-compilation-dir=.",
        "-mllvm",
        "-inline-threshold=10000",
        "-mllvm",
        "-unroll-threshold=450",
        "-mllvm",
        "-unroll-partial-threshold=200",
        "-w",
        "-fno-color-diagnostics",
        "-fno-caret-diagnostics",
        "-ferror-limit=20",
        "-D__DATE__=\"Jan  1 1970\"",
        "-D__TIME__=\"00:00:00\"",
        "-D__TIMESTAMP__=\"Thu Jan  1 00:00:00 1970\"",
    };
    for (guint i = 0; i < G_N_ELEMENTS(fixed); i++)
        add(arguments, "%s", fixed[i]);
}

static void add_preprocessor_arguments(GPtrArray *arguments, const char *folder,
                                       const WsCompileOptions *options)
{
    add(arguments, "-isystem");
    add(arguments, "%s/include", folder);
    add(arguments, "-include");
    add(arguments, "%s/include/cuda_runtime.h", folder);
    for (guint i = 0; options->defines != NULL && options->defines[i] != NULL; i++)
        add(arguments, "-D%s", options->defines[i]);
    for (guint i = 0; options->includes != NULL && options->includes[i] != NULL; i++)
        add(arguments, "-I%s", options->includes[i]);
}

static GPtrArray *clang_arguments(const char *clang, const char *path, const char *folder,
                                  const WsCompileOptions *options, Stage stage)
{
    GPtrArray *arguments = g_ptr_array_new_with_free_func(g_free);
    add(arguments, "%s", clang);
    add_fixed_arguments(arguments);
    add(arguments, "-ffile-prefix-map=%s/include=warpstep", folder);
    if (stage != STAGE_PREPROCESSED)
        add_preprocessor_arguments(arguments, folder, options);
    add(arguments, stage == STAGE_PREPROCESS ? "-E" : "-S");
    add(arguments, "-o");
    add(arguments, "%s/%s", folder, stage == STAGE_PREPROCESS ? PREPROCESSED : "out.ptx");
    if (stage == STAGE_PREPROCESSED)
        add(arguments, "%s/%s", folder, PREPROCESSED);
    else
        add(arguments, path[0] == '-' ? "./%s" : "%s", path);
    g_ptr_array_add(arguments, NULL);
    return arguments;
}

static void set_limits(gpointer data)
{
    ws_temporary_folder_release_signals(data);
    const struct rlimit cpu = {CPU_SECONDS, CPU_SECONDS};
    const struct rlimit memory = {MAX_MEMORY_BYTES, MAX_MEMORY_BYTES};
    const struct rlimit file = {MAX_OUTPUT_BYTES, MAX_OUTPUT_BYTES};
    const struct rlimit core = {0, 0};
    setrlimit(RLIMIT_CPU, &cpu);
    setrlimit(RLIMIT_AS, &memory);
    setrlimit(RLIMIT_FSIZE, &file);
    setrlimit(RLIMIT_CORE, &core);
}

typedef struct {
    GSubprocess *process;
    gboolean ended;
    gboolean timed_out;
} Run;

static void on_end(GObject *source, GAsyncResult *result, gpointer data)
{
    Run *run = data;
    g_subprocess_wait_finish(G_SUBPROCESS(source), result, NULL);
    run->ended = TRUE;
}

static gboolean on_timeout(gpointer data)
{
    Run *run = data;
    run->timed_out = TRUE;
    g_subprocess_force_exit(run->process);
    return G_SOURCE_REMOVE;
}

static void wait_for_end(Run *run)
{
    GMainContext *context = g_main_context_new();
    g_main_context_push_thread_default(context);
    GSource *timer = g_timeout_source_new_seconds(WALL_SECONDS);
    g_source_set_callback(timer, on_timeout, run, NULL);
    g_source_attach(timer, context);
    g_subprocess_wait_async(run->process, NULL, on_end, run);
    while (!run->ended)
        g_main_context_iteration(context, TRUE);
    g_source_destroy(timer);
    g_source_unref(timer);
    g_main_context_pop_thread_default(context);
    g_main_context_unref(context);
}

/*
 * clang's diagnostics without the lines that only lead up to one ("In file included from") or
 * count them, with our temporary folder taken out of file names.
 */
static char *clean_diagnostics(const char *folder, const char *text)
{
    g_autofree char *include = g_strdup_printf("%s/include/", folder);
    g_autoptr(GString) out = g_string_new(NULL);
    g_auto(GStrv) lines = g_strsplit(text, "\n", -1);
    for (guint i = 0; lines[i] != NULL && out->len < MAX_MESSAGE_BYTES; i++) {
        if (g_str_has_prefix(lines[i], "In file included from") || lines[i][0] == ' ' ||
            strstr(lines[i], " generated when compiling for ") != NULL || lines[i][0] == '\0')
            continue;
        if (out->len > 0)
            g_string_append_c(out, '\n');
        g_string_append(out, lines[i]);
    }
    g_string_replace(out, include, "warpstep/", 0);
    if (out->len > MAX_MESSAGE_BYTES)
        g_string_truncate(out, MAX_MESSAGE_BYTES);
    return g_utf8_make_valid(out->str, (gssize)out->len);
}

static void set_failure(const char *path, const char *folder, const Run *run, GError **error)
{
    const WsPosition position = {.file = path};
    if (run->timed_out) {
        ws_set_error_at(error, WS_ERROR_INPUT, &position, "clang did not finish within %d seconds",
                        WALL_SECONDS);
        return;
    }
    g_autofree char *file = g_build_filename(folder, "messages", NULL);
    g_autofree char *text = NULL;
    if (!g_file_get_contents(file, &text, NULL, NULL))
        text = g_strdup("");
    g_autofree char *messages = clean_diagnostics(folder, text);
    if (strstr(messages, "error: ") != NULL)
        g_set_error_literal(error, WS_ERROR, WS_ERROR_INPUT, messages);
    else if (g_subprocess_get_if_signaled(run->process))
        ws_set_error_at(error, WS_ERROR_INPUT, &position,
                        "clang was stopped by signal %d (limits: %d s, %d GiB of memory, %d MiB "
                        "of output)",
                        g_subprocess_get_term_sig(run->process), CPU_SECONDS,
                        (int)(MAX_MEMORY_BYTES >> 30), MAX_OUTPUT_BYTES >> 20);
    else
        ws_set_error_at(error, WS_ERROR_INPUT, &position, "clang failed%s%s",
                        *messages == '\0' ? "" : ": ", messages);
}

/* `arguments` begin with clang's path. What it prints goes to the file `output`. */
static gboolean run_arguments(const GPtrArray *arguments, const char *path, const char *folder,
                              const char *output, GError **error)
{
    g_autoptr(GSubprocessLauncher) launcher = g_subprocess_launcher_new(G_SUBPROCESS_FLAGS_NONE);
    g_autofree char *messages = g_build_filename(folder, "messages", NULL);
    g_autofree char *temporary = g_strdup_printf("TMPDIR=%s", folder);
    char *environment[] = {"LC_ALL=C", "PATH=/usr/bin:/bin", temporary, NULL};
    g_subprocess_launcher_set_environ(launcher, environment);
    g_subprocess_launcher_set_stdin_file_path(launcher, "/dev/null");
    g_subprocess_launcher_set_stdout_file_path(launcher, output);
    g_subprocess_launcher_set_stderr_file_path(launcher, messages);
    g_subprocess_launcher_set_child_setup(launcher, set_limits, NULL, NULL);

    g_autoptr(GError) failure = NULL;
    g_autoptr(GSubprocess) process =
        g_subprocess_launcher_spawnv(launcher, (const char *const *)arguments->pdata, &failure);
    if (process == NULL) {
        ws_set_error(error, WS_ERROR_INPUT, "cannot start %s: %s",
                     (const char *)arguments->pdata[0], failure->message);
        return FALSE;
    }
    Run run = {.process = process};
    wait_for_end(&run);
    if (!run.timed_out && g_subprocess_get_if_exited(process) &&
        g_subprocess_get_exit_status(process) == 0)
        return TRUE;
    set_failure(path, folder, &run, error);
    return FALSE;
}

static gboolean run_clang(const char *clang, const char *path, const char *folder,
                          const WsCompileOptions *options, Stage stage, GError **error)
{
    g_autoptr(GPtrArray) arguments = clang_arguments(clang, path, folder, options, stage);
    return run_arguments(arguments, path, folder, "/dev/null", error);
}

/* Doubles the `%` in front of special registers in what clang has preprocessed. */
static gboolean escape_preprocessed(const char *path, const char *folder, GError **error)
{
    g_autofree char *file = g_build_filename(folder, PREPROCESSED, NULL);
    g_autofree char *text = NULL;
    gsize length;
    if (!g_file_get_contents(file, &text, &length, NULL) || g_unlink(file) != 0) {
        ws_set_error_at(error, WS_ERROR_INPUT, &(WsPosition){.file = path},
                        "clang wrote no preprocessed source");
        return FALSE;
    }
    GString *escaped = ws_cuda_escape_asm(text, length);
    g_autoptr(GBytes) bytes = g_string_free_to_bytes(escaped);
    return ws_temporary_file_write(file, bytes, error);
}

static gboolean compile(const char *clang, const char *path, const char *folder,
                        const WsCompileOptions *options, GError **error)
{
    GError *failure = NULL;
    if (run_clang(clang, path, folder, options, STAGE_WHOLE, &failure))
        return TRUE;
    if (strstr(failure->message, "error: invalid % escape in inline assembly string") == NULL) {
        g_propagate_error(error, failure);
        return FALSE;
    }
    g_error_free(failure);
    return run_clang(clang, path, folder, options, STAGE_PREPROCESS, error) &&
           escape_preprocessed(path, folder, error) &&
           run_clang(clang, path, folder, options, STAGE_PREPROCESSED, error);
}

/* clang writes `.file 1 "./kernel.cu"`; the user wrote kernel.cu. */
static void restore_file_names(GString *ptx, const char *path)
{
    static const char directive[] = "\t.file\t";
    gboolean dotted = g_str_has_prefix(path, "./");
    for (char *at = strstr(ptx->str, directive); at != NULL; at = strstr(at, directive)) {
        at += strlen(directive);
        size_t digits = strspn(at, "0123456789");
        if (strncmp(at + digits, " \"./", 4) != 0)
            continue;
        gsize position = (gsize)(at - ptx->str) + digits + 2;
        if (!dotted || strncmp(ptx->str + position, path, strlen(path)) != 0)
            g_string_erase(ptx, (gssize)position, 2);
        at = ptx->str + position;
    }
}

static char *read_output(const char *path, const char *folder, GError **error)
{
    g_autofree char *file = g_build_filename(folder, "out.ptx", NULL);
    g_autofree char *text = NULL;
    gsize length;
    if (!g_file_get_contents(file, &text, &length, NULL) || length > MAX_OUTPUT_BYTES) {
        ws_set_error_at(error, WS_ERROR_INPUT, &(WsPosition){.file = path}, "clang wrote no PTX");
        return NULL;
    }
    GString *ptx = g_string_new_len(text, (gssize)length);
    restore_file_names(ptx, path);
    return g_string_free(ptx, FALSE);
}

static gboolean check_source(const char *path, GError **error)
{
    const WsPosition position = {.file = path};
    GStatBuf information;
    if (g_stat(path, &information) != 0)
        ws_set_error_at(error, WS_ERROR_INPUT, &position, "cannot read the file: %s",
                        g_strerror(errno));
    else if (!S_ISREG(information.st_mode))
        ws_set_error_at(error, WS_ERROR_INPUT, &position, "not a regular file");
    else if (information.st_size > MAX_SOURCE_BYTES)
        ws_set_error_at(error, WS_ERROR_INPUT, &position, "the file is larger than %d MiB",
                        MAX_SOURCE_BYTES >> 20);
    else
        return TRUE;
    return FALSE;
}

/* clang, and in a folder for its files our header. */
static char *prepare(const char *path, WsTemporaryFolder **ret_folder, GError **error)
{
    if (!check_source(path, error))
        return NULL;
    g_autofree char *clang = find_clang(error);
    g_autoptr(WsTemporaryFolder) made = clang == NULL ? NULL : ws_temporary_folder_new(error);
    if (made == NULL)
        return NULL;
    g_autofree char *include = g_build_filename(ws_temporary_folder_path(made), "include", NULL);
    g_autoptr(GResource) headers = ws_isa_resource();
    if (!write_resources(headers, RESOURCE_ROOT, include, 0, error))
        return NULL;
    *ret_folder = g_steal_pointer(&made);
    return g_steal_pointer(&clang);
}

char *ws_cuda_to_ptx(const char *path, const WsCompileOptions *options, GError **error)
{
    g_autoptr(WsTemporaryFolder) made = NULL;
    g_autofree char *clang = prepare(path, &made, error);
    if (clang == NULL)
        return NULL;
    const char *folder = ws_temporary_folder_path(made);
    return compile(clang, path, folder, options, error) ? read_output(path, folder, error) : NULL;
}

char *ws_cuda_syntax_tree(const char *path, const WsCompileOptions *options, const char *name,
                          GError **error)
{
    g_autoptr(WsTemporaryFolder) made = NULL;
    g_autofree char *clang = prepare(path, &made, error);
    if (clang == NULL)
        return NULL;
    const char *folder = ws_temporary_folder_path(made);
    g_autofree char *file = g_build_filename(folder, "tree.json", NULL);
    g_autoptr(GPtrArray) arguments = clang_arguments(clang, path, folder, options, STAGE_WHOLE);
    g_ptr_array_set_size(arguments, (gint)arguments->len - 1); /* without the NULL at the end */
    add(arguments, "-fsyntax-only");
    add(arguments, "-Xclang");
    add(arguments, "-ast-dump=json");
    add(arguments, "-Xclang");
    add(arguments, "-ast-dump-filter=%s", name);
    g_ptr_array_add(arguments, NULL);
    char *tree = NULL;
    if (run_arguments(arguments, path, folder, file, error) &&
        !g_file_get_contents(file, &tree, NULL, NULL))
        ws_set_error_at(error, WS_ERROR_INPUT, &(WsPosition){.file = path},
                        "clang wrote no syntax tree");
    return tree;
}
