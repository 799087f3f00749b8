#include "sim/policies/policy_code.h"

#include <string.h>

#include "isa/base/error.h"
#include "isa/cuda/include/warpstep/policy.h"
#include "sim/base/instruction_place.h"
#include "sim/lanes/lanes.h"
#include "sim/lanes/memory_operation.h"

/* What a policy sees of the orders of warps are the sub-core's own. */
G_STATIC_ASSERT(sizeof(struct ws_orders) == sizeof(WsPolicyView));
G_STATIC_ASSERT(offsetof(struct ws_orders, chosen) == offsetof(WsPolicyView, chosen));
G_STATIC_ASSERT(offsetof(struct ws_orders, next) == offsetof(WsPolicyView, age.next));
G_STATIC_ASSERT(offsetof(struct ws_orders, previous) == offsetof(WsPolicyView, age.previous));
G_STATIC_ASSERT(offsetof(struct ws_orders, blocks.warps) == offsetof(WsPolicyView, blocks.warps));
G_STATIC_ASSERT(offsetof(struct ws_orders, times) == offsetof(WsPolicyView, issues.warps));
G_STATIC_ASSERT((int)WS_WARPS == (int)WS_SUB_CORE_WARPS && (int)WS_WARPS == (int)WS_ORDER_HEAD);

/* Where a policy finds what it is shown (isa/cuda/include/warpstep/policy_entries.h). */
#define VIEW_ADDRESS   G_GUINT64_CONSTANT(0x10000000)
#define ORDERS_ADDRESS G_GUINT64_CONSTANT(0x20000000)
#define RESULT_ADDRESS G_GUINT64_CONSTANT(0x30000000)

enum {
    LANES = 32, /* that bodies compute at once; the first is the policy's */
    MOST_HELD = 1000000,
    MOST_BYTES = 1 << 20, /* of variables: every SM has its own */
    ALIGNMENT = 64
};

typedef enum { PICK, ADMIT, WARP_BEGIN, WARP_END, FUNCTION_COUNT } Function;

static const char *const function_names[] = {"pick", "admit", "warp_begin", "warp_end"};

typedef enum {
    FAILURE_NONE,
    FAILURE_BOUNDS,
    FAILURE_READ_ONLY,
    FAILURE_ALIGNMENT,
    FAILURE_TRAP,
    FAILURE_JUMP,
    FAILURE_INSTRUCTIONS,
    FAILURE_CHOICE,
    FAILURE_HELD
} Failure;

static const char *const failure_texts[] = {
    [FAILURE_BOUNDS] = "the policy accessed memory that it does not have",
    [FAILURE_READ_ONLY] = "the policy wrote to memory that it may only read",
    [FAILURE_ALIGNMENT] = "the policy made a misaligned access",
    [FAILURE_TRAP] = "the policy stopped at a trap",
    [FAILURE_JUMP] = "the policy jumped to an impossible address",
    [FAILURE_INSTRUCTIONS] = "the policy took too many instructions for a call",
    [FAILURE_CHOICE] = "the policy picked a warp that is not eligible",
    [FAILURE_HELD] = "the policy held all eligible warps back for too long",
};

/* Begins the state; then come the variables, the stack, and the registers, [register][lane]. */
typedef struct {
    guint32 failure, function;
    guint32 pc;
    guint32 sub_core;
    guint64 cycle;
    guint64 value;                  /* address, or warp that was picked */
    guint64 held[WS_MAX_SUB_CORES]; /* calls in a row after which no warp was admitted */
} State;

struct WsPolicyCode {
    const WsProgram *program;
    const WsKernel *functions[FUNCTION_COUNT]; /* NULL: not there */
    WsDecodedProgram *decoded;
    guint8 *constants[WS_CONSTANT_BANKS];
    guint8 *image; /* of the variables */
    gsize variables_at, stack_at, registers_at, state_bytes;
    gsize variable_bytes, stack_bytes;
    guint64 most_instructions;
    gint32 warps;
};

/* ---- making ready -------------------------------------------------------------------------------
 */

static const WsKernel *find_function(const WsProgram *program, Function function)
{
    g_autofree char *name = g_strconcat("ws_policy_", function_names[function], NULL);

    for (guint32 i = 0; i < program->kernel_count; i++)
        if (strcmp(program->kernels[i].name, name) == 0)
            return &program->kernels[i];
    return NULL;
}

static gboolean can_run(const WsDecoded *instruction)
{
    if (instruction->kind == WS_KIND_MEMORY)
        return instruction->operation.space != WS_SPACE_SHARED;
    return instruction->kind != WS_KIND_BARRIER && instruction->kind != WS_KIND_MATRIX &&
           instruction->kind != WS_KIND_SYSTEM && !ws_kind_is_memory(instruction->kind);
}

static gboolean check_function(const WsPolicyCode *code, const WsKernel *function, GError **error)
{
    for (guint32 pc = function->first; pc < function->first + function->count; pc++) {
        const WsLocation *location =
            &code->program->locations[code->program->instructions[pc].location];
        const WsPosition position = {code->program->files[location->file], location->line,
                                     location->column};

        if (can_run(&code->decoded->instructions[pc]))
            continue;
        ws_set_error_at(error, WS_ERROR_INPUT, &position,
                        "a policy runs in one thread: it has no barriers, shared memory, "
                        "textures, matrices or printf");
        return FALSE;
    }
    return TRUE;
}

/* All functions share the rows of one: that with the most registers. */
static const WsKernel *largest_function(const WsPolicyCode *code)
{
    const WsKernel *largest = code->functions[PICK];

    for (Function f = PICK; f < FUNCTION_COUNT; f++)
        if (code->functions[f] != NULL && code->functions[f]->registers > largest->registers)
            largest = code->functions[f];
    return largest;
}

/* The program runs on a machine with warps of 32 lanes, whatever the device has. */
static gboolean decode(WsPolicyCode *code, const WsDevice *device, GError **error)
{
    static const guint32 one[3] = {1, 1, 1};
    WsDevice machine = *device;

    machine.warp_size = LANES;
    for (guint i = 0; i < WS_CONSTANT_BANKS; i++)
        code->constants[i] = g_malloc0(WS_CONSTANT_BANK_BYTES);
    ws_fill_bank0(code->constants[0], code->program, code->functions[PICK], one, one, NULL);
    if (code->program->constant_bytes != 0)
        memcpy(code->constants[3], code->program->constants, code->program->constant_bytes);
    code->decoded = ws_decode(code->program, largest_function(code), &machine, one, one, 0,
                              (const guint8 *const *)code->constants, error);
    return code->decoded != NULL;
}

static gsize aligned(gsize bytes)
{
    return (bytes + ALIGNMENT - 1) & ~(gsize)(ALIGNMENT - 1);
}

static void lay_out(WsPolicyCode *code)
{
    for (Function f = PICK; f < FUNCTION_COUNT; f++)
        if (code->functions[f] != NULL)
            code->stack_bytes = MAX(code->stack_bytes, code->functions[f]->local_bytes);
    code->variables_at = aligned(sizeof(State));
    code->stack_at = code->variables_at + aligned(code->variable_bytes);
    code->registers_at = code->stack_at + aligned(code->stack_bytes);
    code->state_bytes = code->registers_at + (gsize)code->decoded->rows * LANES * sizeof(guint32);
}

static void make_image(WsPolicyCode *code)
{
    code->image = g_malloc0(MAX(code->variable_bytes, 1));
    for (guint32 i = 0; i < code->program->symbol_count; i++) {
        const WsSymbol *symbol = &code->program->symbols[i];

        if (symbol->space == WS_SYMBOL_GLOBAL && symbol->initial != NULL)
            memcpy(code->image + (symbol->address - WS_MODULE_WINDOW), symbol->initial,
                   symbol->size);
    }
}

WsPolicyCode *ws_policy_code_new(const WsProgram *program, const WsDevice *device, GError **error)
{
    WsPolicyCode *code = g_new0(WsPolicyCode, 1);
    const WsPosition position = {.file = program->path};
    gboolean fine;

    code->program = program;
    code->variable_bytes = program->module_bytes;
    code->most_instructions = device->policy_file_instructions;
    code->warps = (gint32)((device->max_warps_per_sm + device->sub_cores - 1) / device->sub_cores);
    for (Function f = PICK; f < FUNCTION_COUNT; f++)
        code->functions[f] = find_function(program, f);
    fine = code->functions[PICK] != NULL && code->functions[PICK]->parameter_bytes == 0;
    if (!fine)
        ws_set_error_at(error, WS_ERROR_INPUT, &position,
                        "a policy must define int pick(const ws_view *view)");
    fine = fine && decode(code, device, error);
    for (Function f = PICK; fine && f < FUNCTION_COUNT; f++)
        fine = code->functions[f] == NULL || check_function(code, code->functions[f], error);
    if (fine)
        lay_out(code);
    if (fine && MAX(code->variable_bytes, code->stack_bytes) > MOST_BYTES) {
        ws_set_error_at(error, WS_ERROR_INPUT, &position,
                        "the variables of a policy may have %d bytes together", MOST_BYTES);
        fine = FALSE;
    }
    if (!fine) {
        ws_policy_code_free(code);
        return NULL;
    }
    make_image(code);
    return code;
}

void ws_policy_code_free(WsPolicyCode *code)
{
    if (code == NULL)
        return;
    ws_decoded_program_free(code->decoded);
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
}

/* ---- evaluation ---------------------------------------------------------------------------------
 */

typedef struct {
    const WsPolicyCode *code;
    State *state;
    const ws_view *view;
    const WsPolicyView *orders;
    guint64 result;
    WsWarpRegisters registers;
    WsLaneContext context;
} Call;

static gboolean fail(Call *call, Failure failure, guint32 pc, guint64 value)
{
    State *state = call->state;

    state->failure = failure;
    state->pc = pc;
    state->value = value;
    state->sub_core = (guint32)call->view->sub_core;
    state->cycle = call->view->cycle;
    return FALSE;
}

static guint64 address_of(const Call *call, const WsDecoded *instruction)
{
    const WsDecodedProgram *program = call->code->decoded;
    guint uniform = instruction->immediate >> 24;
    gboolean wide = ws_decoded_modifier(instruction, ADDRESS);
    guint64 address = (guint64)(gint64)((gint32)(instruction->immediate << 8) >> 8);

    if (instruction->a >= 0) {
        address += ws_row_value(program, &call->registers, instruction->a, 0);
        if (wide)
            address += (guint64)ws_row_value(program, &call->registers, instruction->a + 1, 0)
                       << 32;
    }
    if (uniform < WS_URZ) {
        address += call->registers.uniform[uniform];
        if (wide)
            address += (guint64)call->registers.uniform[uniform + 1] << 32;
    }
    return wide ? address : (guint32)address;
}

static guint8 *within(const void *base, guint64 size, guint64 offset, guint64 bytes)
{
    return offset <= size && bytes <= size - offset ? (guint8 *)base + offset : NULL;
}

/* The host's address of an access, or NULL; in `ret_read_only` whether it may only be read. */
static guint8 *resolve(Call *call, const WsMemoryOperation *operation, guint64 address,
                       gboolean *ret_read_only)
{
    const WsPolicyCode *code = call->code;
    guint64 bytes = operation->bytes;

    *ret_read_only = FALSE;
    if (operation->space == WS_SPACE_LOCAL)
        return within((guint8 *)call->state + code->stack_at, code->stack_bytes, address, bytes);
    switch (address >> 24) {
    case WS_MODULE_WINDOW >> 24:
        return within((guint8 *)call->state + code->variables_at, code->variable_bytes,
                      address - WS_MODULE_WINDOW, bytes);
    case WS_LOCAL_WINDOW >> 24:
        return within((guint8 *)call->state + code->stack_at, code->stack_bytes,
                      address - WS_LOCAL_WINDOW, bytes);
    case RESULT_ADDRESS >> 24:
        return within(&call->result, sizeof call->result, address - RESULT_ADDRESS, bytes);
    default:
        break;
    }
    *ret_read_only = TRUE;
    switch (address >> 24) {
    case VIEW_ADDRESS >> 24:
        return within(call->view, sizeof *call->view, address - VIEW_ADDRESS, bytes);
    case ORDERS_ADDRESS >> 24:
        return within(call->orders, sizeof *call->orders, address - ORDERS_ADDRESS, bytes);
    case WS_CONSTANT_WINDOW >> 24:
        return within(code->constants[3], code->program->constant_bytes,
                      address - WS_CONSTANT_WINDOW, bytes);
    default:
        return NULL;
    }
}

static gboolean access_memory(Call *call, const WsDecoded *instruction, guint32 pc)
{
    const WsMemoryOperation *operation = &instruction->operation;
    guint64 address = address_of(call, instruction), old;
    gboolean read_only;
    guint8 *at = resolve(call, operation, address, &read_only);
    WsOperandRows rows;

    if (at == NULL)
        return fail(call, FAILURE_BOUNDS, pc, address);
    if (address % operation->bytes != 0)
        return fail(call, FAILURE_ALIGNMENT, pc, address);
    if (read_only && operation->action != WS_ACTION_LOAD)
        return fail(call, FAILURE_READ_ONLY, pc, address);
    ws_operand_rows_init(&rows, call->code->decoded, instruction, &call->registers);
    if (operation->action == WS_ACTION_LOAD) {
        ws_lane_load(operation, &rows, 0, at);
    } else if (operation->action == WS_ACTION_STORE) {
        ws_lane_store(operation, &rows, 0, at);
    } else {
        ws_lane_atomic(operation, &rows, 0, at, &old);
        ws_lane_return(operation, &rows, 0, old);
    }
    return TRUE;
}

/* The counter after a branch that is taken, or G_MAXUINT32 after a failure. */
static guint32 branch(Call *call, const WsDecoded *instruction, guint32 next)
{
    const WsKernel *function = call->code->functions[call->state->function];
    guint32 target[WS_MAX_WARP_SIZE];

    if (instruction->kind == WS_KIND_BRA)
        return ws_predicate_operand(instruction, &call->registers) & 1 ? instruction->immediate
                                                                       : next;
    if (instruction->kind == WS_KIND_CALL) {
        if (instruction->d >= 0)
            call->registers.registers[(gsize)instruction->d * LANES] = next * WS_INSTRUCTION_BYTES;
        return instruction->immediate;
    }
    ws_lane_targets(call->code->decoded, instruction, &call->registers, 1, target);
    if (target[0] - function->first >= function->count) {
        fail(call, FAILURE_JUMP, next - 1, 0);
        return G_MAXUINT32;
    }
    return target[0];
}

/* One lane of a warp goes on alone, so lanes meet nobody: barriers of convergence do nothing. */
static gboolean evaluate(Call *call, guint32 pc)
{
    const WsDecodedProgram *program = call->code->decoded;
    guint32 count = call->code->program->instruction_count;

    for (guint64 left = call->code->most_instructions; left != 0; left--) {
        const WsDecoded *instruction = &program->instructions[pc];

        if (G_UNLIKELY(pc >= count))
            return fail(call, FAILURE_JUMP, count - 1, 0);
        pc++;
        if (!(ws_guard_mask(instruction, &call->registers, 1)))
            continue;
        switch (instruction->kind) {
        case WS_KIND_LANES:
            instruction->body(program, instruction, &call->registers, &call->context, 1);
            break;
        case WS_KIND_MEMORY:
            if (!access_memory(call, instruction, pc - 1))
                return FALSE;
            break;
        case WS_KIND_BRA ... WS_KIND_RET:
            pc = branch(call, instruction, pc);
            if (pc == G_MAXUINT32)
                return FALSE;
            break;
        case WS_KIND_EXIT:
            if (ws_predicate_operand(instruction, &call->registers) & 1)
                return TRUE;
            break;
        case WS_KIND_BPT ... WS_KIND_ASSERTFAIL:
            return fail(call, FAILURE_TRAP, pc - 1, 0);
        default:
            break;
        }
    }
    return fail(call, FAILURE_INSTRUCTIONS, pc, 0);
}

/* ---- calls --------------------------------------------------------------------------------------
 */

static void start(Call *call, const WsPolicyCode *code, void *state, const ws_view *view,
                  const WsPolicyView *orders)
{
    call->code = code;
    call->state = state;
    call->view = view;
    call->orders = orders;
    call->context = (WsLaneContext){.cycle = view->cycle, .active = 1};
    memset(&call->registers, 0, sizeof call->registers);
    call->registers.registers = (guint32 *)(void *)((guint8 *)state + code->registers_at);
    call->registers.predicates[WS_PT] = ~(guint64)0;
    call->registers.uniform_predicates = 1 << WS_PT;
    /* Uniform registers are zero, and so are their rows, which lie behind the registers. */
    memset(call->registers.registers + (gsize)code->decoded->kernel->registers * LANES, 0,
           (gsize)(code->decoded->rows - code->decoded->kernel->registers) * LANES *
               sizeof(guint32));
}

static gboolean run(Call *call, Function function)
{
    call->state->function = function;
    call->result = 0;
    return evaluate(call, call->code->functions[function]->first);
}

static guint64 residents(const WsPolicyView *view)
{
    guint64 warps = 0;

    for (guint32 i = 0; i < view->blocks.count; i++)
        warps |= view->blocks.warps[i];
    return warps;
}

static ws_view show(const WsPolicyCode *code, const WsPolicyView *view, guint32 sub_core)
{
    return (ws_view){.cycle = view->cycle,
                     .resident = residents(view),
                     .last = view->last == WS_NO_WARP ? -1 : view->last,
                     .sub_core = (gint32)sub_core,
                     .warps = code->warps,
                     .orders = (const struct ws_orders *)(guintptr)ORDERS_ADDRESS};
}

static void tell(const WsPolicyCode *code, void *state, const WsPolicyView *view, guint32 sub_core,
                 guint warp, Function function)
{
    ws_view shown;
    Call call;

    if (code->functions[function] == NULL || ((State *)state)->failure != FAILURE_NONE)
        return;
    shown = show(code, view, sub_core);
    shown.ws_warp = (gint32)warp;
    start(&call, code, state, &shown, view);
    run(&call, function);
}

void ws_policy_code_warp_begin(const WsPolicyCode *code, void *state, const WsPolicyView *view,
                               guint32 sub_core, guint warp)
{
    tell(code, state, view, sub_core, warp, WARP_BEGIN);
}

void ws_policy_code_warp_end(const WsPolicyCode *code, void *state, const WsPolicyView *view,
                             guint32 sub_core, guint warp)
{
    tell(code, state, view, sub_core, warp, WARP_END);
}

/* Admits, unless that fails. */
static gboolean ask_admit(Call *call, ws_view *shown)
{
    guint64 *held = &call->state->held[shown->sub_core];

    if (!run(call, ADMIT))
        return FALSE;
    shown->eligible &= call->result;
    *held = shown->eligible == 0 ? *held + 1 : 0;
    return *held <= MOST_HELD || fail(call, FAILURE_HELD, 0, 0);
}

guint64 ws_policy_code_admit(const WsPolicyCode *code, void *data, const WsPolicyView *view,
                             const WsPolicyWarps *warps, guint8 *ret_chosen)
{
    State *state = data;
    ws_view shown;
    Call call;

    *ret_chosen = (guint8)ws_lowest_warp(warps->eligible);
    if (state->failure != FAILURE_NONE)
        return warps->eligible;
    shown = show(code, view, warps->sub_core);
    shown.eligible = warps->eligible;
    shown.memory = warps->memory;
    shown.loads = warps->loads;
    shown.waiting = warps->waiting;
    start(&call, code, state, &shown, view);
    if (code->functions[ADMIT] != NULL && !ask_admit(&call, &shown))
        return warps->eligible;
    if (shown.eligible == 0)
        return 0;
    if (!run(&call, PICK))
        return warps->eligible;
    if (call.result >= WS_SUB_CORE_WARPS || !(shown.eligible >> call.result & 1)) {
        fail(&call, FAILURE_CHOICE, 0, call.result);
        return warps->eligible;
    }
    *ret_chosen = (guint8)call.result;
    return shown.eligible;
}

/* ---- failures -----------------------------------------------------------------------------------
 */

WsStatus ws_policy_code_status(const WsPolicyCode *code, const void *data)
{
    const State *state = data;

    if (G_LIKELY(state->failure == FAILURE_NONE))
        return WS_STATUS_OK;
    return state->failure == FAILURE_INSTRUCTIONS || state->failure == FAILURE_HELD
               ? WS_STATUS_LIMIT
               : WS_STATUS_FAULT;
}

const char *ws_policy_code_failure(const WsPolicyCode *code, const void *state)
{
    return failure_texts[((const State *)state)->failure];
}

static char *describe(const WsPolicyCode *code, const State *state)
{
    const char *name = function_names[state->function];

    switch ((Failure)state->failure) {
    case FAILURE_BOUNDS:
        return g_strdup_printf("%s() accesses 0x%" G_GINT64_MODIFIER "x, where it has no memory",
                               name, state->value);
    case FAILURE_READ_ONLY:
        return g_strdup_printf("%s() writes to what it may only read", name);
    case FAILURE_ALIGNMENT:
        return g_strdup_printf("%s() makes a misaligned access to 0x%" G_GINT64_MODIFIER "x", name,
                               state->value);
    case FAILURE_TRAP:
        return g_strdup_printf("%s() stops at a trap or an assertion", name);
    case FAILURE_JUMP:
        return g_strdup_printf("%s() jumps to an impossible address", name);
    case FAILURE_INSTRUCTIONS:
        return g_strdup_printf("%s() takes more than %" G_GUINT64_FORMAT
                               " instructions (policies.file.instructions)",
                               name, code->most_instructions);
    case FAILURE_CHOICE:
        return g_strdup_printf("%s() returns %" G_GINT64_FORMAT ", which is no eligible warp", name,
                               (gint64)state->value);
    case FAILURE_HELD:
        return g_strdup_printf("%s() holds all eligible warps back, %d times in a row", name,
                               MOST_HELD);
    default:
        g_assert_not_reached();
    }
}

char *ws_policy_code_failure_text(const WsPolicyCode *code, const void *data)
{
    const State *state = data;
    g_autofree char *what = describe(code, state);
    const WsLocation *location =
        &code->program->locations[code->program->instructions[state->pc].location];
    gboolean placed =
        state->failure != FAILURE_CHOICE && state->failure != FAILURE_HELD && location->line != 0;
    g_autofree char *place =
        placed ? g_strdup_printf("%s:%u", code->program->files[location->file], location->line)
               : g_strdup(code->program->path);

    return g_strdup_printf("%s: %s, in cycle %" G_GUINT64_FORMAT " of sub-core %u", place, what,
                           state->cycle, state->sub_core);
}
