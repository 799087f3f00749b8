#include "isa/lower/device_launch.h"

#include "isa/cuda/include/warpstep/device_launches.h"
#include "isa/lower/passing.h"

#include <string.h>

G_STATIC_ASSERT(sizeof(struct __ws_launch_record) == 64);

guint64 ws_lower_kernel_number(const WsPtxFunction *kernel)
{
    return __ws_kernel_number(kernel->name);
}

void ws_lower_begin_launches(WsLowerKernel *kernel)
{
    WsLowerStatement lower = ws_lower_no_statement(kernel);
    if (kernel->module->ptx->launches == 0)
        return;
    kernel->launch_error = ws_lower_temporary(&lower, 1);
    ws_lower_move(&lower, kernel->launch_error, ws_operand_zero());
}

static WsPtxValue value_of(WsLowerStatement *lower, const WsPtxOperand *passed, guint words)
{
    WsPtxValue value = {{ws_operand_zero(), ws_operand_zero()}};
    ws_lower_passed_words(lower, passed, words, value.word);
    return value;
}

static WsPtxValue queue_of(const WsLowerModule *module)
{
    const guint64 address = module->ptx->launches;
    return (WsPtxValue){
        {ws_operand_immediate((guint32)address), ws_operand_immediate((guint32)(address >> 32))}};
}

/* Its last parameter is the thread's error, which it may change. */
static void call_library(WsLowerStatement *lower, const char *name, const WsPtxValue *values,
                         guint count, WsOperand result)
{
    ws_lower_call_library(lower, name, values, count, result);
    if (lower->kernel->refusal != NULL)
        return;
    WsPtxFrame *frame = lower->kernel->frame;
    const WsPtxVariable *error = g_ptr_array_index(frame->function->parameters, count - 1);
    ws_lower_move_when_done(
        &frame->call, lower->kernel->launch_error,
        ws_operand_register(*ws_lower_formal_register(lower->kernel, frame, error)));
}

/* void *GetParameterBufferV2(void *kernel, dim3 grid, dim3 block, unsigned shared) */
static void lower_buffer(WsLowerStatement *lower, const WsPtxCallParts *call)
{
    enum { KERNEL, GRID, BLOCK = GRID + 3, SHARED = BLOCK + 3, QUEUE, ERROR, COUNT };
    WsPtxValue values[COUNT];
    WsOperand sizes[6];
    values[KERNEL] = value_of(lower, &call->actual[0], 2);
    ws_lower_passed_words(lower, &call->actual[1], 3, sizes);
    ws_lower_passed_words(lower, &call->actual[2], 3, sizes + 3);
    for (guint i = 0; i < G_N_ELEMENTS(sizes); i++)
        values[GRID + i] = (WsPtxValue){{sizes[i], ws_operand_zero()}};
    values[SHARED] = value_of(lower, &call->actual[3], 1);
    values[QUEUE] = queue_of(lower->kernel->module);
    values[ERROR] = (WsPtxValue){{lower->kernel->launch_error, ws_operand_zero()}};
    const WsOperand result = ws_lower_result_of_library(lower, call, 2);
    call_library(lower, "__ws_launch_buffer", values, COUNT, result);
}

/* A function of two arguments, of 64 bits and of `words` words, that gives an error. */
static void lower_with_error(WsLowerStatement *lower, const WsPtxCallParts *call, const char *name,
                             guint words)
{
    const WsPtxValue values[] = {value_of(lower, &call->actual[0], 2),
                                 value_of(lower, &call->actual[1], words),
                                 queue_of(lower->kernel->module),
                                 {{lower->kernel->launch_error, ws_operand_zero()}}};
    const WsOperand result = ws_lower_result_of_library(lower, call, 1);
    call_library(lower, name, values, G_N_ELEMENTS(values), result);
}

/* cudaError_t LaunchDeviceV2(void *buffer, cudaStream_t stream) */
static void lower_launch(WsLowerStatement *lower, const WsPtxCallParts *call)
{
    lower_with_error(lower, call, "__ws_launch_device", 2);
}

/* cudaError_t StreamCreateWithFlags(cudaStream_t *, unsigned flags) */
static void lower_create(WsLowerStatement *lower, const WsPtxCallParts *call)
{
    lower_with_error(lower, call, "__ws_launch_stream", 1);
}

static void give(WsLowerStatement *lower, const WsPtxCallParts *call, WsOperand value)
{
    const WsPtxOperand *result = ws_lower_wanted_result(call);
    WsOperand word;
    if (result == NULL)
        return;
    ws_lower_passed_words(lower, result, 1, &word);
    ws_lower_move(lower, word, value);
}

/* cudaError_t StreamDestroy(cudaStream_t): what is in it goes on. */
static void lower_destroy(WsLowerStatement *lower, const WsPtxCallParts *call)
{
    give(lower, call, ws_operand_zero());
}

static void lower_peek(WsLowerStatement *lower, const WsPtxCallParts *call)
{
    give(lower, call, lower->kernel->launch_error);
}

static void lower_last_error(WsLowerStatement *lower, const WsPtxCallParts *call)
{
    give(lower, call, lower->kernel->launch_error);
    ws_lower_move(lower, lower->kernel->launch_error, ws_operand_zero());
}

static const struct {
    const char *name; /* behind __cudaCDP2, or behind cuda in code of CUDA 11 */
    guint8 arguments;
    void (*lower)(WsLowerStatement *lower, const WsPtxCallParts *call);
} calls[] = {
    {"GetParameterBufferV2", 4, lower_buffer},  {"LaunchDeviceV2", 2, lower_launch},
    {"StreamCreateWithFlags", 2, lower_create}, {"StreamDestroy", 1, lower_destroy},
    {"PeekAtLastError", 0, lower_peek},         {"GetLastError", 0, lower_last_error},
};

/* The name without what is before all of them, or NULL. */
static const char *short_name(const char *name)
{
    if (g_str_has_prefix(name, __WS_LAUNCH_PREFIX))
        return name + strlen(__WS_LAUNCH_PREFIX);
    return strcmp(name, "cudaGetParameterBufferV2") == 0 || strcmp(name, "cudaLaunchDeviceV2") == 0
               ? name + strlen("cuda")
               : NULL;
}

gboolean ws_lower_launch_call(WsLowerStatement *lower, const WsPtxCallParts *parts)
{
    const char *name = parts->callee->name, *wanted = short_name(name);
    const WsPosition *position = &lower->statement->position;
    if (wanted == NULL)
        return FALSE;
    guint i = 0;
    while (i < G_N_ELEMENTS(calls) && strcmp(calls[i].name, wanted) != 0)
        i++;
    if (i == G_N_ELEMENTS(calls) || calls[i].arguments != parts->actual_count ||
        parts->result_count > 1)
        ws_lower_fail(lower->kernel, position, "calls of '%s' in a kernel are not supported", name);
    else if (lower->kernel->module->ptx->launches == 0)
        ws_lower_fail(lower->kernel, position,
                      "it launches kernels: they run in whole programs only "
                      "('warpstep run' of a .cu with a main)");
    else if (lower->kernel->body != NULL)
        ws_lower_fail(lower->kernel, position,
                      "'%s' in a function that is recursive, called by a pointer or called very "
                      "deep is not supported",
                      name);
    else
        calls[i].lower(lower, parts);
    return TRUE;
}
