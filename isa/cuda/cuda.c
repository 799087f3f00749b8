/*
 * The CUDA C front end: kernel.cu to PTX text through clang.
 *
 * The source and what it includes are read first (isa/cuda/files.h), through the scope that the
 * target has; clang then runs in a closed view of these texts (isa/cuda/clang_view.h,
 * isa/cuda/clang_run.h). It gets no path of a user's to open: the source is a memory file that says
 * what it is called.
 *
 * Sources with `%smid` and the like in inline assembly, which nvcc takes and clang refuses, are
 * preprocessed, mended (isa/cuda/asm_text.h) and compiled again.
 */
#include "isa/cuda/cuda.h"
#include "isa/base/process_watch.h"
#include "isa/cuda/asm_text.h"
#include "isa/cuda/carried.h"
#include "isa/cuda/clang_arguments.h"
#include "isa/cuda/clang_job.h"
#include "isa/cuda/code_dump.h"
#include "isa/cuda/compiler_name.h"
#include "isa/cuda/file_names.h"
#include "isa/cuda/find_clang.h"
#include "isa/cuda/precompiled_headers.h"
#include "isa/cuda/protection.h"
#include "isa/cuda/ptx_cache.h"
#include "isa/cuda/rewrite_ptx.h"
#include "isa/ir/ir.h"

#include <string.h>

enum {
    COMPILE_SECONDS = 60,
    CONFINED_SECONDS = 8,
    MAX_OUTPUT_BYTES = 64 << 20,
    MAX_THREADS = 64 /* it has one, and one more for each deep recursion */
};

static const guint64 MAX_MEMORY_BYTES = G_GUINT64_CONSTANT(1) << 30;

typedef enum { STAGE_WHOLE, STAGE_PREPROCESS, STAGE_PREPROCESSED, STAGE_SYNTAX_TREE } Stage;

typedef struct {
    WsClangJob job;
    const char *tree_of; /* for STAGE_SYNTAX_TREE: a part of the names in the tree */
    gboolean itself;     /* ws_is_clang_itself() */
    char *headers;       /* for STAGE_WHOLE: path of the precompiled headers, or NULL */
    char *preprocessed;  /* path of the memory file that clang compiles after STAGE_PREPROCESS */
    char *text;          /* what clang wrote last */
    char *dump;          /* beside it, of its code */
    gsize length;
} Compiler;

static void compiler_clear(Compiler *compiler)
{
    ws_clang_job_clear(&compiler->job);
    g_free(compiler->headers);
    g_free(compiler->preprocessed);
    g_free(compiler->text);
    g_free(compiler->dump);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Compiler, compiler_clear)

typedef struct {
    const Compiler *compiler;
    Stage stage;
} Pass;

static void add_arguments(GPtrArray *arguments, const char *overlay, const char *dependencies,
                          gconstpointer data)
{
    const Compiler *compiler = ((const Pass *)data)->compiler;
    const Stage stage = ((const Pass *)data)->stage;
    ws_clang_arguments_for_headers(arguments, compiler->job.options);
    ws_clang_argument(arguments, "-ivfsoverlay");
    ws_clang_argument(arguments, "%s", overlay);
    if (stage != STAGE_PREPROCESSED) {
        ws_clang_arguments_include(arguments);
        ws_clang_arguments_of_user(arguments, compiler->job.path, compiler->job.options);
        if (stage == STAGE_WHOLE && compiler->headers != NULL)
            ws_precompiled_headers_arguments(arguments, compiler->headers);
        ws_clang_argument(arguments, "-MD");
        ws_clang_argument(arguments, "-MF");
        ws_clang_argument(arguments, "%s", dependencies);
    }
    if (stage == STAGE_SYNTAX_TREE) {
        ws_clang_argument(arguments, "-fsyntax-only");
        ws_clang_argument(arguments, "-Xclang");
        ws_clang_argument(arguments, "-ast-dump=json");
        ws_clang_argument(arguments, "-Xclang");
        ws_clang_argument(arguments, "-ast-dump-filter=%s", compiler->tree_of);
    } else {
        ws_clang_argument(arguments, stage == STAGE_PREPROCESS ? "-E" : "-S");
        ws_clang_argument(arguments, "-o");
        ws_clang_argument(arguments, "-");
    }
    ws_clang_argument(arguments, "%s",
                      stage == STAGE_PREPROCESSED ? compiler->preprocessed : compiler->job.source);
}

/* ---- running clang ----------------------------------------------------------------------------
 */

/*
 * As often as clang misses a file that is there: the name in an #include may come out of macros,
 * which nobody but clang evaluates. What fails with precompiled headers runs again without, so that
 * they are in no message.
 */
static gboolean run_clang(Compiler *compiler, Stage stage, GError **error)
{
    for (guint runs = 0;; runs++) {
        g_auto(WsClangResult) result = {0};
        if (!ws_clang_job_pass(&compiler->job, FALSE, add_arguments, &(Pass){compiler, stage},
                               &result, error))
            return FALSE;
        if (result.messages != NULL && ws_clang_arguments_have_dump(compiler->job.options)) {
            g_free(compiler->dump);
            compiler->dump = ws_take_code_dump(result.messages);
        }
        if (result.ended_well) {
            g_free(compiler->text);
            compiler->text = g_steal_pointer(&result.output);
            compiler->length = result.output_length;
            return TRUE;
        }
        if (result.end == WS_CLANG_ENDED && compiler->headers != NULL) {
            g_clear_pointer(&compiler->headers, g_free);
            ws_clang_view_remove_last(compiler->job.view);
            continue;
        }
        if (!ws_clang_job_found_more(&compiler->job, runs, &result, error))
            return FALSE;
    }
}

/* Doubles the `%` in front of special registers in what clang has preprocessed. */
static gboolean escape_preprocessed(Compiler *compiler, GError **error)
{
    g_autoptr(GBytes) bytes =
        g_string_free_to_bytes(ws_cuda_escape_asm(compiler->text, compiler->length));
    gsize length;
    const void *data = g_bytes_get_data(bytes, &length);
    compiler->preprocessed = ws_clang_view_add_nameless(compiler->job.view, data, length, error);
    return compiler->preprocessed != NULL;
}

static gboolean compile(Compiler *compiler, GError **error)
{
    GError *failure = NULL;
    if (run_clang(compiler, STAGE_WHOLE, &failure))
        return TRUE;
    if (strstr(failure->message, "error: invalid % escape in inline assembly string") == NULL) {
        g_propagate_error(error, failure);
        return FALSE;
    }
    g_error_free(failure);
    return run_clang(compiler, STAGE_PREPROCESS, error) && escape_preprocessed(compiler, error) &&
           run_clang(compiler, STAGE_PREPROCESSED, error);
}

/*
 * The source with a line in front that says what it is called. A policy has its header in front, so
 * that all of it belongs to the simulated machine, and behind it how it is called.
 */
static gboolean name_source(Compiler *compiler, GError **error)
{
    gboolean policy = ws_is_policy_name(compiler->job.path);
    return ws_clang_job_name_source(&compiler->job, policy ? "#include <warpstep/policy.h>\n" : "",
                                    policy ? "\n#include <warpstep/policy_entries.h>\n" : "",
                                    error);
}

/* Before clang is looked for: what is wrong with the file is worth more to know. */
static gboolean check_source(const char *path, const WsReadScope *scope, GError **error)
{
    WsReadOutcome outcome = ws_read_scope_look(scope, path);
    if (outcome == WS_READ_DONE)
        return TRUE;
    g_autofree char *text = ws_read_outcome_text(scope, outcome);
    ws_set_error_at(error, WS_ERROR_INPUT, &(WsPosition){.file = path}, "%s", text);
    return FALSE;
}

/* Whether clang is protected as far as the bounds ask; also where it need not run. */
static gboolean check_protection(const char *path, const WsLoadBounds *bounds, GError **error)
{
    guint parts =
        bounds->confinement == WS_CONFINE_STRICT ? ws_protection_of_host() : WS_PROTECTION_ALL;
    if (parts == WS_PROTECTION_ALL)
        return TRUE;
    g_autofree char *text = ws_protection_text(parts);
    ws_set_error_at(error, WS_ERROR_INPUT, &(WsPosition){.file = path},
                    "--confine=strict: clang would run with less than full protection (%s); "
                    "--confine alone accepts this",
                    text);
    return FALSE;
}

/* Finds clang and reads the files. */
static gboolean prepare(Compiler *compiler, const char *path, const WsCompileOptions *options,
                        GError **error)
{
    const WsLoadBounds *bounds = &options->bounds;
    gboolean confined = bounds->confinement != WS_CONFINE_NOT;
    guint seconds = confined ? CONFINED_SECONDS : COMPILE_SECONDS;
    if (bounds->clang_seconds != 0)
        seconds = bounds->clang_seconds;
    *compiler = (Compiler){.job = {.path = path, .options = options}};
    if (!check_source(path, options->scope, error) || !check_protection(path, bounds, error))
        return FALSE;
    char *clang = ws_find_clang(error);
    compiler->itself = clang != NULL && ws_is_clang_itself(clang);
    compiler->job.limits = (WsClangLimits){
        .clang = clang,
        /* A script that the user chose has to start other programs. */
        .sandboxed = confined || compiler->itself || g_getenv("WARPSTEP_CLANG") == NULL,
        .required = bounds->confinement == WS_CONFINE_STRICT ? WS_PROTECTION_ALL : 0,
        .cpu_seconds = seconds,
        .stuck_seconds = WS_STUCK_SECONDS,
        .threads = MAX_THREADS,
        .memory_bytes = MAX_MEMORY_BYTES,
        .output_bytes = MAX_OUTPUT_BYTES,
        .message_bytes = ws_clang_arguments_have_dump(options) ? MAX_OUTPUT_BYTES : 0};
    if (compiler->job.limits.clang == NULL)
        return FALSE;
    compiler->job.view = ws_clang_view_new(error);
    if (compiler->job.view == NULL)
        return FALSE;
    compiler->job.files = ws_cuda_files_new(path, options, compiler->job.view, error);
    return compiler->job.files != NULL;
}

/*
 * Not of a script: which clang it starts is not known; nor where it must be looked at which headers
 * clang takes.
 */
static gboolean may_keep(const Compiler *compiler)
{
    return compiler->itself && !ws_cuda_files_any_refused(compiler->job.files);
}

/* All of clang's arguments that decide what it makes, without names of memory files. */
static GPtrArray *arguments_for_key(const Compiler *compiler)
{
    GPtrArray *arguments = g_ptr_array_new_with_free_func(g_free);
    ws_clang_arguments_for_headers(arguments, compiler->job.options);
    ws_clang_arguments_include(arguments);
    ws_clang_arguments_of_user(arguments, compiler->job.path, compiler->job.options);
    return arguments;
}

/* Where the PTX is kept, or NULL. */
static char *cache_key(const Compiler *compiler)
{
    if (compiler->job.options->bounds.cache == NULL || !may_keep(compiler))
        return NULL;
    g_autoptr(GPtrArray) arguments = arguments_for_key(compiler);
    /* The limits are others: what took too long is not there because it took longer elsewhere. */
    ws_clang_argument(arguments, "%s",
                      compiler->job.options->bounds.confinement != WS_CONFINE_NOT ? "confined"
                                                                                  : "");
    g_ptr_array_add(arguments, NULL);
    return ws_ptx_cache_key(compiler->job.limits.clang, (const char *const *)arguments->pdata,
                            compiler->job.files);
}

/* Where an assignment carries the PTX, or NULL. */
static char *carried_key(const Compiler *compiler)
{
    const WsLoadBounds *bounds = &compiler->job.options->bounds;
    if (bounds->carried == NULL || ws_cuda_files_any_refused(compiler->job.files))
        return NULL;
    g_autoptr(GPtrArray) arguments = arguments_for_key(compiler);
    g_ptr_array_add(arguments, NULL);
    return ws_carried_key(bounds->carried_root, (const char *const *)arguments->pdata,
                          compiler->job.files);
}

/* What was made before, or NULL. */
static char *find_made(Compiler *compiler, const char *key, const char *carried,
                       char **ret_compiler)
{
    const WsLoadBounds *bounds = &compiler->job.options->bounds;
    char *ptx = carried == NULL ? NULL
                                : ws_carried_get(bounds->carried, bounds->carried_root, carried,
                                                 compiler->job.files, ret_compiler);
    if (ptx == NULL && key != NULL)
        ptx = ws_ptx_cache_get(bounds->cache, key, compiler->job.files, ret_compiler);
    return ptx;
}

/*
 * The source comes first: debugging information has the path of its memory file, a descriptor's
 * number, which is then the same without the headers.
 */
static char *compile_to_ptx(Compiler *compiler, GError **error)
{
    if (!name_source(compiler, error))
        return NULL;
    if (may_keep(compiler) && !ws_clang_arguments_have_dwarf(compiler->job.options))
        compiler->headers = ws_precompiled_headers_add(&compiler->job.limits, compiler->job.path,
                                                       compiler->job.options, compiler->job.files,
                                                       compiler->job.view);
    if (!compile(compiler, error) || !ws_cuda_files_check_refused(compiler->job.files, error))
        return NULL;
    if (compiler->length > 0) {
        g_autofree char *ptx = ws_cuda_restore_file_names(compiler->text, compiler->length,
                                                          compiler->job.path, compiler->job.files);
        return compiler->dump == NULL || *compiler->dump == '\0'
                   ? g_steal_pointer(&ptx)
                   : g_strconcat(ptx, WS_IR_DUMP_MARK, compiler->dump, NULL);
    }
    ws_set_error_at(error, WS_ERROR_INPUT, &(WsPosition){.file = compiler->job.path},
                    "clang wrote no PTX");
    return NULL;
}

char *ws_cuda_to_ptx(const char *path, const WsCompileOptions *options, GHashTable **ret_sources,
                     char **ret_compiler, GError **error)
{
    g_auto(Compiler) compiler = {0};
    if (!prepare(&compiler, path, options, error))
        return NULL;
    const WsLoadBounds *bounds = &options->bounds;
    g_autofree char *key = cache_key(&compiler), *carried = carried_key(&compiler), *name = NULL;
    g_autofree char *ptx = find_made(&compiler, key, carried, &name);
    if (ptx == NULL) {
        ptx = compile_to_ptx(&compiler, error);
        if (ptx == NULL)
            return NULL;
        name = ws_cuda_take_compiler(ptx);
        if (key != NULL)
            ws_ptx_cache_put(bounds->cache, key, compiler.job.files, name, ptx);
    }
    if (carried != NULL && bounds->carries)
        ws_carried_put(bounds->carried, bounds->carried_root, carried, compiler.job.files, name,
                       ptx);
    if (ret_sources != NULL)
        *ret_sources = ws_cuda_files_sources(compiler.job.files);
    if (ret_compiler != NULL)
        *ret_compiler = g_steal_pointer(&name);
    return ws_cuda_rewrite_ptx(ptx);
}

char *ws_cuda_syntax_tree(const char *path, const WsCompileOptions *options, const char *name,
                          GError **error)
{
    g_auto(Compiler) compiler = {0};
    if (!prepare(&compiler, path, options, error) || !name_source(&compiler, error))
        return NULL;
    compiler.tree_of = name;
    return run_clang(&compiler, STAGE_SYNTAX_TREE, error) ? g_steal_pointer(&compiler.text) : NULL;
}
