/*
 * Any PTX text that becomes a program is run, each of its kernels on a small machine with few
 * cycles: however the run ends, nothing crashes or hangs, and the tiling laws hold.
 */
#include <string.h>

#include "isa/codegen/code_generation.h"
#include "isa/ir/ir.h"
#include "sim/gpu/simulation.h"
#include "tests/fuzz/fuzz.h"
#include "tests/support/tiling.h"

enum { WORDS = 16384, MAX_CYCLES = 20000 };

static WsDevice *small_device(void)
{
    static const char *const settings[] = {"sms=2", NULL};
    g_autoptr(GError) error = NULL;
    WsDevice *device = ws_device_load("h200", settings, &error);
    g_assert_no_error(error);
    return device;
}

static WsJob *job_of(WsProgram *program)
{
    WsJob *job = g_new0(WsJob, 1);
    job->program = ws_program_ref(program);
    job->device = small_device();
    job->path = g_strdup("fuzz");
    job->module_data = g_malloc0((gsize)program->module_bytes + 1);
    job->constant_data = g_malloc0((gsize)program->constant_bytes + 1);
    job->buffers = g_new0(WsBuffer, 1);
    job->buffer_count = 1;
    job->buffers[0] = (WsBuffer){.name = g_strdup("x"),
                                 .type = WS_TYPE_U32,
                                 .count = WORDS,
                                 .bytes = 4 * WORDS,
                                 .address = WS_BUFFER_BASE,
                                 .data = g_malloc0(4 * WORDS)};
    job->launches = g_new0(WsLaunch, 1);
    job->launch_count = 1;
    return job;
}

/* Pointers point at the middle of the buffer, numbers are 100. */
static void set_launch(WsJob *job, const WsKernel *kernel)
{
    WsLaunch *launch = &job->launches[0];
    const guint64 pointer = WS_BUFFER_BASE + 2 * WORDS, number = 100;
    g_free(launch->parameters);
    *launch = (WsLaunch){.kernel = kernel,
                         .grid = {3, 1, 1},
                         .block = {40, 1, 1},
                         .carveout = -1,
                         .parameters = g_malloc0((gsize)kernel->parameter_bytes + 1)};
    for (guint32 p = 0; p < kernel->parameter_count; p++) {
        const WsParameter *parameter = &kernel->parameters[p];
        memcpy(launch->parameters + parameter->offset, parameter->size == 8 ? &pointer : &number,
               MIN(parameter->size, 8));
    }
}

static void run_kernels(WsProgram *program)
{
    const WsPosition nowhere = {"fuzz", 0, 0};
    g_autoptr(WsJob) job = job_of(program);
    for (guint32 k = 0; k < program->kernel_count; k++) {
        g_autoptr(GError) error = NULL;
        WsRunOptions options;
        set_launch(job, &program->kernels[k]);
        if (!ws_launch_check(&job->launches[0], job->device, &nowhere, &nowhere, &error)) {
            continue;
        }
        ws_run_options_init(&options);
        options.max_cycles = MAX_CYCLES;
        g_autoptr(WsResult) result = ws_simulation_run(job, &options, &error);
        g_assert((result == NULL) == (error != NULL));
        if (result != NULL) {
            g_autofree char *problem = tiling_problem(program, result);
            g_assert_null(problem);
        } else {
            g_assert_true(g_error_matches(error, WS_ERROR, WS_ERROR_INPUT));
        }
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    g_autoptr(GError) error = NULL;
    WsCompileOptions options;
    ws_compile_options_init(&options);
    g_autoptr(WsIrModule) module =
        ws_ptx_to_ir("fuzz.ptx", (const char *)data, size, &options, &error);
    if (module != NULL) {
        g_autoptr(WsProgram) program = ws_ir_compile(module, &options, &error);
        if (program != NULL) {
            run_kernels(program);
        }
    }
    return 0;
}
