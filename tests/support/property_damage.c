#include "tests/support/property_damage.h"

#include <string.h>

#include "isa/base/error.h"
#include "isa/bytecode/opcode.h"
#include "isa/container/verifier.h"
#include "isa/flow/control_flow.h"
#include "tests/support/random_instruction.h"
#include "tests/support/tiling.h"

enum { MAX_CYCLES = 150000, REGISTERS = 64 };

static guint below(GRand *random, guint limit)
{
    return (guint)g_rand_int_range(random, 0, (gint32)limit);
}

/* Registers that the kernel has. */
static void fold_registers(WsInstruction *instruction)
{
    for (guint n = 0; n < instruction->operand_count; n++) {
        WsOperand *operand = &instruction->operand[n];
        guint width = ws_operand_width(instruction, n);
        if (width > 0 && operand->kind != WS_OPERAND_UNIFORM_REGISTER && operand->index != WS_RZ) {
            operand->index %= REGISTERS;
            operand->index -= operand->index % width;
        }
    }
}

/* Another value in one operand. */
static void change_operand(GRand *random, WsInstruction *instruction)
{
    WsOperand *operand;
    if (instruction->operand_count == 0) {
        return;
    }
    operand = &instruction->operand[below(random, instruction->operand_count)];
    switch (operand->kind) {
    case WS_OPERAND_REGISTER:
    case WS_OPERAND_PREDICATE:
    case WS_OPERAND_BARRIER:
        operand->index = (operand->index + 1 + below(random, 3)) % 8;
        break;
    case WS_OPERAND_IMMEDIATE:
        operand->value ^= 1u << below(random, 32);
        break;
    case WS_OPERAND_ADDRESS:
        operand->value += 4 * below(random, 64);
        break;
    default:
        break;
    }
}

static void damage_one(GRand *random, WsProgram *program)
{
    guint count = program->instruction_count;
    WsInstruction *instruction = &program->instructions[below(random, count)];
    guint32 location = instruction->location;
    switch (below(random, 6)) {
    case 0:
        random_instruction(random, below(random, WS_OP_COUNT), count, instruction);
        break;
    case 1:
        *instruction = program->instructions[below(random, count)];
        break;
    case 2:
        if (ws_branch_target(instruction) != WS_NO_NODE) {
            ws_branch_set_target(instruction, below(random, count));
            break;
        }
        G_GNUC_FALLTHROUGH;
    case 3:
        instruction->guard = below(random, 8);
        instruction->guard_negated = (guint8)below(random, 2);
        break;
    case 4:
        ws_instruction_init(instruction, below(random, 2) ? WS_OP_NOP : WS_OP_YIELD);
        break;
    default:
        change_operand(random, instruction);
        break;
    }
    fold_registers(instruction);
    instruction->location = location;
}

static gboolean damage(const PropertyCase *this, WsProgram *program)
{
    const guint32 key[] = {(guint32)this->seed, (guint32)(this->seed >> 32), 3};
    GRand *random = g_rand_new_with_seed_array(key, G_N_ELEMENTS(key));
    WsKernel *kernel = &program->kernels[0];
    for (guint i = 1 + below(random, 4); i > 0; i--) {
        damage_one(random, program);
    }
    g_rand_free(random);
    ws_kernel_scan_code(program, kernel);
    kernel->registers = MAX(kernel->registers, REGISTERS);
    return ws_verify(program, NULL);
}

static void ignore_event(void *data, const WsTraceEvent *event)
{
}

/* Contents of all buffers, one behind the other. */
static GByteArray *contents(const WsJob *job)
{
    GByteArray *all = g_byte_array_new();
    for (guint32 i = 0; i < job->buffer_count; i++) {
        g_byte_array_append(all, job->buffers[i].data, (guint)job->buffers[i].bytes);
    }
    return all;
}

static void restore(WsJob *job, const GByteArray *all)
{
    const guint8 *at = all->data;
    for (guint32 i = 0; i < job->buffer_count; i++) {
        memcpy(job->buffers[i].data, at, job->buffers[i].bytes);
        at += job->buffers[i].bytes;
    }
}

/* NULL and no problem if the device does not take the program. */
static WsResult *run(WsJob *job, const WsObserver *observer, guint threads, char **ret_problem)
{
    g_autoptr(GError) error = NULL;
    WsRunOptions options;
    WsResult *result;
    ws_run_options_init(&options);
    options.max_cycles = MAX_CYCLES;
    options.threads = threads;
    options.observers = (const WsObserver *const[]){observer, NULL};
    result = ws_simulation_run(job, &options, &error);
    if (result != NULL) {
        *ret_problem = tiling_problem(job->program, result);
    } else if (!g_error_matches(error, WS_ERROR, WS_ERROR_INPUT)) {
        *ret_problem = g_strdup(error->message);
    }
    return result;
}

static gboolean are_equal(const WsJob *job, const WsResult *a, const WsResult *b)
{
    return a->status == b->status && a->stop.cycle == b->stop.cycle &&
           g_strcmp0(a->stop.message, b->stop.message) == 0 &&
           g_strcmp0(a->stop.details, b->stop.details) == 0 &&
           memcmp(&a->total, &b->total, sizeof a->total) == 0 &&
           memcmp(a->launches[0].instructions, b->launches[0].instructions,
                  job->program->instruction_count * sizeof(WsInstructionCounters)) == 0;
}

/* Once plain and once observed, on one host thread and on two. */
static char *run_twice(WsJob *job, guint threads, gboolean *ret_ran)
{
    const WsObserver observer = {.kinds = WS_ALL_EVENTS, .event = ignore_event};
    g_autoptr(GByteArray) before = contents(job);
    char *problem = NULL;
    g_autoptr(WsResult) plain = run(job, NULL, threads, &problem);
    g_autoptr(GByteArray) after = contents(job);
    *ret_ran = plain != NULL;
    if (plain == NULL || problem != NULL) {
        return problem;
    }
    restore(job, before);
    g_autoptr(WsResult) observed = run(job, &observer, 3 - threads, &problem);
    g_autoptr(GByteArray) again = contents(job);
    if (problem == NULL && !are_equal(job, plain, observed)) {
        problem = g_strdup_printf("two runs differ (%s at %" G_GUINT64_FORMAT
                                  ", %s at %" G_GUINT64_FORMAT ")",
                                  ws_status_name(plain->status), plain->stop.cycle,
                                  ws_status_name(observed->status), observed->stop.cycle);
    }
    if (problem == NULL && memcmp(after->data, again->data, after->len) != 0) {
        problem = g_strdup("two runs leave different memory");
    }
    return problem;
}

char *property_damage_check(const PropertyCase *this, gboolean *ret_ran)
{
    g_autoptr(GError) error = NULL;
    guint statements;
    g_autofree char *text = property_case_text(this, NULL, 0, &statements);
    g_autoptr(WsJob) job = property_case_job(this, text, &error);
    *ret_ran = FALSE;
    if (job == NULL) {
        return g_strdup_printf("the program is refused: %s", error->message);
    }
    if (!damage(this, job->program)) {
        return NULL;
    }
    return run_twice(job, 1 + this->value[PROPERTY_THREADS], ret_ran);
}
