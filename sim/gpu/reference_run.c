#include "sim/gpu/reference_run.h"

#include "isa/base/size.h"
#include "sim/interpreter/interpreter.h"
#include "sim/launch/host_memory.h"

#include <string.h>

static WsJob *copy_for(const WsJob *job, guint32 index)
{
    WsJob *copy = g_memdup2(job, sizeof *job);
    copy->buffers = g_memdup2(job->buffers, job->buffer_count * sizeof *job->buffers);
    for (guint32 i = 0; i < job->buffer_count; i++)
        copy->buffers[i].data = g_memdup2(job->buffers[i].data, job->buffers[i].bytes);
    copy->module_data = g_memdup2(job->module_data, job->program->module_bytes);
    copy->launches = &job->reference_launches[index];
    copy->launch_count = 1;
    return copy;
}

static void free_copy(WsJob *copy)
{
    for (guint32 i = 0; i < copy->buffer_count; i++)
        g_free(copy->buffers[i].data);
    g_free(copy->buffers);
    g_free(copy->module_data);
    g_free(copy);
}

/* Puts the place and the kernel in front of what the interpreter says. */
static void name_failure(const WsJob *job, GError *failure, GError **error)
{
    WsPosition position = {.file = job->path};
    const char *text = failure->message;
    if (g_str_has_prefix(text, "error: "))
        text += strlen("error: ");
    ws_set_error_at(error, (WsErrorCode)failure->code, &position,
                    "the reference kernel stopped early: %s", text);
    g_error_free(failure);
}

/* One copy at a time and the local memory of one block, besides what the job has taken. */
static gboolean check_memory(const WsJob *job, GError **error)
{
    guint64 bytes = ws_size_add(job->host_bytes, job->program->module_bytes);
    for (guint32 i = 0; i < job->buffer_count; i++)
        bytes = ws_size_add(bytes, job->buffers[i].bytes);
    guint64 block = 0;
    for (guint32 r = 0; r < job->reference_launch_count; r++) {
        const WsLaunch *launch = &job->reference_launches[r];
        block = MAX(block, ws_size_volume(launch->block) * ws_launch_local_bytes(launch));
    }
    bytes = ws_size_add(bytes, block);
    if (job->reference_launch_count == 0 || bytes <= ws_host_memory_limit(job))
        return TRUE;
    WsPosition position = {.file = job->path};
    g_autofree char *needed = ws_host_memory_text(bytes);
    g_autofree char *limit = ws_host_memory_text(ws_host_memory_limit(job));
    ws_set_error_at(error, WS_ERROR_INPUT, &position,
                    "a reference kernel runs on a copy of the buffers: with it the run takes %s "
                    "of memory, and may take %s; --max-memory allows more",
                    needed, limit);
    return FALSE;
}

gboolean ws_reference_launches_run(const WsJob *job, const WsTimeLimit *time_limit,
                                   const gint *interrupt, GError **error)
{
    WsInterpretOptions options = {.time_limit = *time_limit, .interrupt = interrupt};
    if (!check_memory(job, error))
        return FALSE;
    for (guint32 r = 0; r < job->reference_launch_count; r++) {
        WsJob *copy = copy_for(job, r);
        WsInterpretCounts counts;
        GError *failure = NULL;
        gboolean ok = ws_interpret(copy, 0, &options, &counts, &failure);
        for (guint32 i = 0; ok && i < job->expectation_count; i++) {
            const WsExpectation *expectation = &job->expectations[i];
            if (expectation->reference != r + 1)
                continue;
            const WsBuffer *result = &copy->buffers[expectation->index];
            memcpy(expectation->data, result->data, result->bytes);
        }
        free_copy(copy);
        if (ok)
            continue;
        name_failure(job, failure, error);
        return FALSE;
    }
    return TRUE;
}
