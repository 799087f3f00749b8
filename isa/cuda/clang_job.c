#include "isa/cuda/clang_job.h"

#include "isa/base/escape.h"
#include "isa/cuda/clang_arguments.h"
#include "isa/cuda/dependency_rule.h"
#include "isa/cuda/memory_file.h"
#include "isa/cuda/messages.h"

#include <unistd.h>

enum { MAX_INCLUDE_PASSES = 64 };

void ws_clang_job_clear(WsClangJob *job)
{
    g_free((char *)job->limits.clang);
    g_clear_pointer(&job->files, ws_cuda_files_free);
    g_clear_pointer(&job->view, ws_clang_view_free);
    g_free(job->source);
}

gboolean ws_clang_job_name_source(WsClangJob *job, const char *before, const char *behind,
                                  GError **error)
{
    gsize length;
    const char *text = ws_cuda_files_main(job->files, &length);
    g_autofree char *name = ws_quote_name(ws_cuda_files_main_name(job->files));
    g_autoptr(GString) named = g_string_new(before);
    g_string_append_printf(named, "# 1 %s\n", name);
    g_string_append_len(named, text, (gssize)length);
    g_string_append(named, behind);
    job->source = ws_clang_view_add_nameless(job->view, named->str, named->len, error);
    return job->source != NULL;
}

gboolean ws_clang_job_run(WsClangJob *job, const WsClangLimits *limits, const GArray *others,
                          GPtrArray *arguments, WsClangResult *ret, GError **error)
{
    WsClangLimits left = *limits;
    const guint used = (guint)(job->used / G_USEC_PER_SEC);
    left.cpu_seconds -= MIN(used, left.cpu_seconds - 1);
    g_ptr_array_add(arguments, NULL);
    const gboolean ran =
        ws_clang_run(&left, job->view, others, (const char *const *)arguments->pdata, ret, error);
    job->used += ret->cpu_microseconds;
    return ran;
}

static void mark_one(const char *name, gpointer files)
{
    ws_cuda_files_mark_read(files, name);
}

gboolean ws_clang_job_pass(WsClangJob *job, gboolean with_system, WsClangJobArguments add,
                           gconstpointer data, WsClangResult *ret, GError **error)
{
    g_autoptr(GArray) others = g_array_new(FALSE, FALSE, sizeof(int));
    int overlay = ws_clang_view_overlay(job->view, with_system, error);
    int dependencies = overlay < 0 ? -1 : ws_memory_file_new("", 0, error);
    gboolean ran = FALSE;
    if (dependencies >= 0) {
        g_autoptr(GPtrArray) arguments = g_ptr_array_new_with_free_func(g_free);
        g_autofree char *overlay_path = ws_memory_file_path(overlay);
        g_autofree char *rule = ws_memory_file_path(dependencies);
        ws_clang_argument(arguments, "%s", job->limits.clang);
        add(arguments, overlay_path, rule, data);
        g_array_append_val(others, overlay);
        g_array_append_val(others, dependencies);
        ran = ws_clang_job_run(job, &job->limits, others, arguments, ret, error);
    }
    if (ran && ret->ended_well)
        ws_dependency_rule_read(dependencies, mark_one, job->files);
    if (overlay >= 0)
        close(overlay);
    if (dependencies >= 0)
        close(dependencies);
    return ran;
}

gboolean ws_clang_job_found_more(WsClangJob *job, guint passes, const WsClangResult *result,
                                 GError **error)
{
    g_autofree char *includer = NULL;
    g_autofree char *name = result->messages == NULL || passes == MAX_INCLUDE_PASSES
                                ? NULL
                                : ws_cuda_missing_include(result->messages, &includer);
    g_autoptr(GError) failure = NULL;
    if (name != NULL && ws_cuda_files_find(job->files, name, includer, &failure))
        return TRUE;
    if (failure != NULL)
        g_propagate_error(error, g_steal_pointer(&failure));
    else
        ws_cuda_set_failure(job->path, job->files, &job->limits,
                            job->options->bounds.clang_seconds_name, result, error);
    return FALSE;
}
