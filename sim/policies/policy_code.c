/* Makes a policy in C ready to be called. */
#include <string.h>

#include "isa/base/error.h"
#include "sim/base/instruction_place.h"
#include "sim/policies/policy_call.h"
#include "sim/policies/policy_parameters.h"

enum {
    LANES = 32,           /* that bodies compute at once; the first is the policy's */
    MOST_BYTES = 1 << 20, /* of variables: every SM has its own */
    ALIGNMENT = 64
};

static const WsKernel *find_function(const WsProgram *program, WsPolicyFunction function)
{
    static const char *const names[] = {
#define FUNCTION(NAME, name) "ws_policy_" #name,
#include "sim/policies/policy_functions.def"
#undef FUNCTION
    };

    for (guint32 i = 0; i < program->kernel_count; i++)
        if (strcmp(program->kernels[i].name, names[function]) == 0)
            return &program->kernels[i];
    return NULL;
}

static gboolean check_function(const WsPolicyCode *code, const WsKernel *function, GError **error)
{
    for (guint32 pc = function->first; pc < function->first + function->count; pc++) {
        const WsLocation *location =
            &code->program->locations[code->program->instructions[pc].location];
        const WsPosition position = {code->program->files[location->file], location->line,
                                     location->column};

        if (ws_lane_can_run(&code->lane->decoded->instructions[pc]))
            continue;
        ws_set_error_at(error, WS_ERROR_INPUT, &position,
                        "a policy runs in one thread: it has no barriers, shared memory, "
                        "textures, matrices or printf");
        return FALSE;
    }
    return TRUE;
}

/* All functions share the cells of one: that with the most registers. */
static const WsKernel *largest_function(const WsPolicyCode *code)
{
    const WsKernel *largest = code->functions[WS_CALL_PICK];

    for (guint f = 0; f < WS_CALL_COUNT; f++)
        if (code->functions[f] != NULL && code->functions[f]->registers > largest->registers)
            largest = code->functions[f];
    return largest;
}

/* The program runs on a machine with warps of 32 lanes, whatever the device has. */
static gboolean decode(WsPolicyCode *code, const WsDevice *device, GError **error)
{
    static const guint32 one[3] = {1, 1, 1};
    WsDevice machine = *device;
    WsDecodedProgram *decoded;

    machine.warp_size = LANES;
    for (guint i = 0; i < WS_CONSTANT_BANKS; i++)
        code->constants[i] = g_malloc0(WS_CONSTANT_BANK_BYTES);
    ws_fill_bank0(code->constants[0], code->program, code->functions[WS_CALL_PICK], one, one, NULL);
    if (code->program->constant_bytes != 0)
        memcpy(code->constants[3], code->program->constants, code->program->constant_bytes);
    decoded = ws_decode(code->program, largest_function(code), &machine, one, one, 0,
                        (const guint8 *const *)code->constants, error);
    if (decoded == NULL)
        return FALSE;
    code->lane = ws_lane_code_new(decoded);
    return TRUE;
}

static gsize aligned(gsize bytes)
{
    return (bytes + ALIGNMENT - 1) & ~(gsize)(ALIGNMENT - 1);
}

static void lay_out(WsPolicyCode *code)
{
    for (guint f = 0; f < WS_CALL_COUNT; f++)
        if (code->functions[f] != NULL)
            code->stack_bytes = MAX(code->stack_bytes, code->functions[f]->local_bytes);
    code->variables_at = aligned(sizeof(WsPolicyState));
    code->stack_at = code->variables_at + aligned(code->variable_bytes);
    code->cells_at = code->stack_at + aligned(code->stack_bytes);
    code->state_bytes = code->cells_at + ws_lane_cells_bytes(code->lane);
}

static void make_image(WsPolicyCode *code, const WsDevice *device)
{
    code->image = g_malloc0(MAX(code->variable_bytes, 1));
    for (guint32 i = 0; i < code->program->symbol_count; i++) {
        const WsSymbol *symbol = &code->program->symbols[i];

        if (symbol->space == WS_SYMBOL_GLOBAL && symbol->initial != NULL)
            memcpy(code->image + (symbol->address - WS_MODULE_WINDOW), symbol->initial,
                   symbol->size);
    }
    ws_policy_parameters_apply(code->program, device, code->image);
}

static gboolean check_functions(const WsPolicyCode *code, GError **error)
{
    for (guint f = 0; f < WS_CALL_COUNT; f++)
        if (code->functions[f] != NULL && !check_function(code, code->functions[f], error))
            return FALSE;
    return TRUE;
}

static gboolean check_size(const WsPolicyCode *code, const WsPosition *position, GError **error)
{
    if (MAX(code->variable_bytes, code->stack_bytes) <= MOST_BYTES)
        return TRUE;
    ws_set_error_at(error, WS_ERROR_INPUT, position,
                    "the variables of a policy may have %d bytes together", MOST_BYTES);
    return FALSE;
}

static gboolean prepare(WsPolicyCode *code, const WsDevice *device, GError **error)
{
    const WsPosition position = {.file = code->program->path};
    const WsKernel *pick = code->functions[WS_CALL_PICK];
    static const guint32 own[] = {WS_AT_RESULT, WS_AT_QUESTION}; /* of the call, not of the state */

    if (pick == NULL || pick->parameter_bytes != 0) {
        ws_set_error_at(error, WS_ERROR_INPUT, &position,
                        "a policy must define int pick(const ws_view *view)");
        return FALSE;
    }
    if (!ws_policy_parameters_check(code->program, device, error) || !decode(code, device, error) ||
        !check_functions(code, error))
        return FALSE;
    lay_out(code);
    if (!check_size(code, &position, error))
        return FALSE;
    make_image(code, device);
    code->pure_pick = ws_lane_code_is_pure(code->lane, pick, own, G_N_ELEMENTS(own));
    ws_policy_call_listener(code);
    return TRUE;
}

WsPolicyCode *ws_policy_code_new(const WsProgram *program, const WsDevice *device, GError **error)
{
    WsPolicyCode *code = g_new0(WsPolicyCode, 1);

    code->program = program;
    code->variable_bytes = program->module_bytes;
    code->most_instructions = device->policy_file_instructions;
    code->warps = (gint32)((device->max_warps_per_sm + device->sub_cores - 1) / device->sub_cores);
    code->sub_cores = (gint32)device->sub_cores;
    for (guint f = 0; f < WS_CALL_COUNT; f++)
        code->functions[f] = find_function(program, f);
    if (!prepare(code, device, error)) {
        ws_policy_code_free(code);
        return NULL;
    }
    return code;
}

void ws_policy_code_free(WsPolicyCode *code)
{
    if (code == NULL)
        return;
    ws_lane_code_free(code->lane);
    for (guint i = 0; i < WS_CONSTANT_BANKS; i++)
        g_free(code->constants[i]);
    g_free(code->image);
    g_free(code);
}

gsize ws_policy_code_state_bytes(const WsPolicyCode *code)
{
    return code->state_bytes;
}

void ws_policy_code_begin(const WsPolicyCode *code, void *state)
{
    memcpy((guint8 *)state + code->variables_at, code->image, code->variable_bytes);
    ws_lane_cells_init(code->lane, (guint32 *)(void *)((guint8 *)state + code->cells_at));
}

const WsL1Listener *ws_policy_code_listener(const WsPolicyCode *code)
{
    return &code->listener;
}
