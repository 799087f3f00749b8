/* The queue of launches, and the run of what is in it. */
#include "library/machine.h"

#include <string.h>

#include "sim/interpreter/interpreter.h"

enum { MAX_PAGE_ISSUES = 1000000 /* as of `report` */ };

void ws_queued_launch_clear(WsQueuedLaunch *queued)
{
    g_free(queued->launch.parameters);
    g_free(queued->launch.references);
}

/* ---- parameters --------------------------------------------------------------------------------
 */

static gboolean has_data(const warpstep_launch *launch)
{
    for (guint i = 0; i < launch->argument_count; i++)
        if (launch->arguments == NULL || launch->arguments[i] == NULL)
            return FALSE;
    return TRUE;
}

static warpstep_code check_parameters(warpstep *gpu, const WsKernel *kernel,
                                      const warpstep_launch *launch)
{
    if (launch->parameter_block != NULL)
        return launch->parameter_bytes == kernel->parameter_bytes
                   ? WARPSTEP_OK
                   : ws_machine_refuse(gpu, "the parameters of '%s' have %u bytes, not %zu",
                                       kernel->display_name, kernel->parameter_bytes,
                                       launch->parameter_bytes);
    if (launch->argument_count != kernel->parameter_count)
        return ws_machine_refuse(gpu, "'%s' has %u parameters, not %u", kernel->display_name,
                                 kernel->parameter_count, launch->argument_count);
    return has_data(launch) ? WARPSTEP_OK
                            : ws_machine_refuse(gpu,
                                                "an argument of '%s' is a null pointer: "
                                                "pointers to the values are expected",
                                                kernel->display_name);
}

static guint8 *copy_parameters(const WsKernel *kernel, const warpstep_launch *launch)
{
    guint8 *parameters = g_malloc0(MAX(kernel->parameter_bytes, 1));
    if (launch->parameter_block != NULL)
        memcpy(parameters, launch->parameter_block, kernel->parameter_bytes);
    for (guint i = 0; launch->parameter_block == NULL && i < kernel->parameter_count; i++)
        memcpy(parameters + kernel->parameters[i].offset, launch->arguments[i],
               kernel->parameters[i].size);
    return parameters;
}

/* Parameters that are addresses in buffers: which ones, for the checks of accesses. */
static void find_references(const WsJob *job, WsLaunch *launch)
{
    g_autoptr(GArray) found = g_array_new(FALSE, FALSE, sizeof(WsReference));
    for (guint32 i = 0; i < launch->kernel->parameter_count; i++) {
        const WsParameter *parameter = &launch->kernel->parameters[i];
        guint64 address = 0;
        if (parameter->size != sizeof address)
            continue;
        memcpy(&address, launch->parameters + parameter->offset, sizeof address);
        for (guint32 b = 0; b < job->buffer_count; b++) {
            const WsBuffer *buffer = &job->buffers[b];
            const WsReference reference = {parameter->offset, b, address - buffer->address};
            if (address - buffer->address < buffer->bytes)
                g_array_append_val(found, reference);
        }
    }
    launch->reference_count = found->len;
    launch->references = g_memdup2(found->data, found->len * sizeof(WsReference));
}

/* ---- the queue ---------------------------------------------------------------------------------
 */

static warpstep_code check_sizes(warpstep *gpu, const WsLaunch *launch)
{
    const WsPosition grid = {.file = NULL};
    g_autoptr(GError) error = NULL;
    return ws_launch_check(launch, gpu->device, &grid, &grid, &error)
               ? WARPSTEP_OK
               : ws_machine_fail(gpu, g_steal_pointer(&error));
}

warpstep_code warpstep_enqueue(warpstep *gpu, const warpstep_launch *given)
{
    warpstep_launch taken;
    const warpstep_launch *launch = &taken;
    warpstep_code code = ws_machine_check_idle(gpu);
    if (code == WARPSTEP_OK)
        code = ws_machine_take(gpu, &taken, sizeof taken, given, "warpstep_launch");
    const WsKernel *kernel =
        code == WARPSTEP_OK ? ws_machine_kernel(gpu, launch->program, launch->kernel) : NULL;
    if (kernel == NULL)
        return gpu->error.code;
    if (gpu->queue->len > 0 &&
        g_array_index(gpu->queue, WsQueuedLaunch, 0).program != launch->program)
        return ws_machine_refuse(gpu, "the queued launches are of another program: run them first");
    if (launch->carveout > 101)
        return ws_machine_refuse(gpu, "carveout must be from 0 to 100 percent, + 1");
    if (launch->dynamic_shared_bytes > G_MAXINT32)
        return ws_machine_refuse(gpu, "dynamic_shared_bytes is too large");
    WsQueuedLaunch queued = {
        .program = launch->program,
        .launch = {.kernel = kernel,
                   .grid = {launch->grid[0], launch->grid[1], launch->grid[2]},
                   .block = {launch->block[0], launch->block[1], launch->block[2]},
                   .dynamic_shared_bytes = launch->dynamic_shared_bytes,
                   .stack_bytes = MIN(launch->stack_bytes, WS_MAX_LOCAL_BYTES),
                   .carveout = (gint32)launch->carveout - 1,
                   .keep_caches = launch->keep_caches != 0}};
    code = check_sizes(gpu, &queued.launch);
    if (code == WARPSTEP_OK)
        code = check_parameters(gpu, kernel, launch);
    if (code != WARPSTEP_OK)
        return code;
    queued.launch.parameters = copy_parameters(kernel, launch);
    g_array_append_val(gpu->queue, queued);
    return WARPSTEP_OK;
}

/* ---- the run -----------------------------------------------------------------------------------
 */

WsJob *ws_machine_job(const warpstep *gpu)
{
    WsJob *job = g_new0(WsJob, 1);
    const guint number = g_array_index(gpu->queue, WsQueuedLaunch, 0).program;
    const WsLoadedProgram *loaded = gpu->programs->pdata[number];
    job->program = ws_program_ref(loaded->program);
    job->device = gpu->device;
    job->buffers = ws_machine_buffers(gpu);
    job->buffer_count = gpu->buffers->len;
    job->textures = ws_machine_textures(gpu);
    job->texture_count = gpu->textures->len;
    job->module_data = loaded->module_data;
    job->constant_data = loaded->constant_data;
    job->sources = loaded->sources;
    job->regions = loaded->regions;
    job->region_count = loaded->region_count;
    job->max_registers = loaded->max_registers;
    job->path = g_strdup(loaded->program->path);
    job->max_memory = gpu->limits.max_memory;
    job->host_bytes = gpu->buffer_bytes + loaded->program->module_bytes;
    job->launch_count = gpu->queue->len;
    job->launches = g_new0(WsLaunch, job->launch_count);
    for (guint i = 0; i < job->launch_count; i++) {
        job->launches[i] = g_array_index(gpu->queue, WsQueuedLaunch, i).launch;
        find_references(job, &job->launches[i]);
    }
    return job;
}

void ws_machine_begin(warpstep *gpu)
{
    ws_machine_forget(gpu);
    gpu->job = ws_machine_job(gpu);
    for (guint i = 0; i < gpu->queue->len; i++)
        g_array_index(gpu->queue, WsQueuedLaunch, i).launch.parameters = NULL;
    g_array_set_size(gpu->queue, 0);
}

static void free_job(WsJob *job)
{
    for (guint32 i = 0; i < job->buffer_count; i++)
        job->buffers[i].data = NULL;
    job->device = NULL;
    job->module_data = job->constant_data = NULL;
    job->sources = NULL;
    job->regions = NULL;
    job->region_count = 0;
    ws_job_free(job);
}

void ws_machine_free_job(WsJob *job)
{
    for (guint32 i = 0; i < job->launch_count; i++)
        job->launches[i].parameters = NULL;
    free_job(job);
}

void ws_machine_forget(warpstep *gpu)
{
    g_clear_pointer(&gpu->stepping.commands, ws_interpreter_free);
    g_clear_pointer(&gpu->stepping.session, ws_session_free);
    if (gpu->stepping.said != NULL)
        g_string_free(gpu->stepping.said, TRUE);
    g_clear_pointer(&gpu->stepping.warps, g_array_unref);
    ws_code_texts_set(&gpu->stepping.code, NULL);
    gpu->stepping = (WsStepping){0};
    g_clear_pointer(&gpu->json, g_free);
    g_clear_pointer(&gpu->html, g_free);
    g_clear_pointer(&gpu->record, ws_timeline_record_free);
    g_clear_pointer(&gpu->result, ws_result_free);
    g_clear_pointer(&gpu->job, free_job);
    g_array_set_size(gpu->figures, 0);
    g_array_set_size(gpu->printed, 0);
    gpu->is_timed = FALSE;
    gpu->estimated_cycles = 0;
}

WsRunOptions ws_machine_run_options(const warpstep *gpu)
{
    WsRunOptions options;
    ws_run_options_init(&options);
    options.max_cycles = gpu->limits.max_cycles;
    options.max_seconds = gpu->limits.max_seconds;
    options.threads = gpu->limits.threads;
    options.interrupt = gpu->limits.interrupt;
    return options;
}

static WsTimelineRecord *new_record(const WsDevice *device)
{
    g_autofree gboolean *sms = g_new0(gboolean, device->sms);
    const WsTimelineWindow window = {.sms = sms,
                                     .sm_count = (guint32)device->sms,
                                     .first_block = TRUE,
                                     .end = G_MAXUINT64,
                                     .max_issues = MAX_PAGE_ISSUES};
    return ws_timeline_record_new(&window, (guint32)device->max_warps_per_sm);
}

static warpstep_code run_cycles(warpstep *gpu)
{
    g_autoptr(GError) error = NULL;
    WsRunOptions options = ws_machine_run_options(gpu);
    const WsObserver *observers[3] = {NULL};
    guint count = 0;
    const WsObserver *events = ws_machine_event_observer(gpu);
    if (events != NULL)
        observers[count++] = events;
    if (gpu->records_page) {
        gpu->record = new_record(gpu->device);
        observers[count++] = ws_timeline_record_observer(gpu->record);
    }
    options.observers = count > 0 ? observers : NULL;
    WsResult *result = ws_simulation_run(gpu->job, &options, &error);
    if (result == NULL) {
        ws_machine_forget(gpu);
        return ws_machine_fail(gpu, g_steal_pointer(&error));
    }
    if (gpu->record != NULL)
        ws_timeline_record_finish(gpu->record);
    return ws_machine_finish(gpu, result);
}

static warpstep_code run_functionally(warpstep *gpu)
{
    WsPrintLog printed;
    const WsInterpretOptions options = {.interrupt = gpu->limits.interrupt,
                                        .time_limit = ws_time_limit(gpu->limits.max_seconds),
                                        .max_warp_instructions = gpu->limits.max_cycles,
                                        .printed = &printed};
    for (guint32 i = 0; i < gpu->job->launch_count; i++) {
        g_autoptr(GError) error = NULL;
        WsInterpretCounts counts = {0};
        ws_print_log_init(&printed, NULL, gpu->device->printf_bytes);
        const gboolean done = ws_interpret(gpu->job, i, &options, &counts, &error);
        ws_machine_note_printed(gpu, &printed);
        ws_print_log_clear(&printed);
        const warpstep_figures figures = {.warp_instructions = counts.warp_instructions,
                                          .thread_instructions = counts.thread_instructions};
        g_array_append_val(gpu->figures, figures);
        if (!done) {
            const warpstep_code code = ws_machine_fail(gpu, g_steal_pointer(&error));
            gpu->error.launch = i;
            return code;
        }
    }
    return WARPSTEP_OK;
}

warpstep_code warpstep_run(warpstep *gpu, warpstep_mode mode)
{
    const warpstep_code code = ws_machine_check_idle(gpu);
    if (code != WARPSTEP_OK)
        return code;
    if (mode != WARPSTEP_CYCLES && mode != WARPSTEP_FUNCTIONAL && mode != WARPSTEP_SAMPLED)
        return ws_machine_refuse(gpu, "a run is one of WARPSTEP_CYCLES, WARPSTEP_FUNCTIONAL and "
                                      "WARPSTEP_SAMPLED");
    if (gpu->queue->len == 0)
        return ws_machine_refuse(gpu, "the queue is empty: call warpstep_enqueue() first");
    if (mode == WARPSTEP_SAMPLED && gpu->queue->len > 1)
        return ws_machine_refuse(gpu, "a sampled run is of one launch");
    const gboolean timed =
        mode == WARPSTEP_CYCLES || (mode == WARPSTEP_SAMPLED && ws_sampling_begin(gpu));
    ws_machine_begin(gpu);
    gpu->is_timed = timed;
    const warpstep_code ended = timed ? run_cycles(gpu) : run_functionally(gpu);
    const warpstep_figures *figures = warpstep_figures_of(gpu, 0);
    if (mode == WARPSTEP_SAMPLED)
        gpu->estimated_cycles =
            ws_sampling_end(&gpu->sampling, figures != NULL ? figures->elapsed_cycles : 0);
    return ended;
}
