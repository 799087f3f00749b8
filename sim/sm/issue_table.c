#include "sim/sm/issue_table.h"

#include "isa/bytecode/accesses.h"
#include "isa/flow/control_flow.h"
#include "isa/flow/dominators.h"
#include "isa/flow/trap_ways.h"
#include "sim/device/passes.h"
#include "sim/fetch/constant_cache.h"
#include "sim/lanes/exchange.h"
#include "sim/sm/issue_class.h"
#include "sim/sm/stall_counts.h"

enum {
    MAX_FIXED = 12,  /* instructions in front of it whose results may be on their way */
    FROZEN_BACK = 6, /* in front of a 64-bit product */
    FROZEN_AHEAD = 6 /* behind it, that read them */
};

typedef struct {
    const WsDevice *device;
    const WsProgram *program;
    const WsDecodedProgram *decoded;
    const WsKernel *kernel;
    WsIssueTable *table;
    GArray *dependences;    /* of WsDependence */
    const guint8 *xu_apart; /* per instruction of the kernel, NULL: none */
    guint32 first_pipe;     /* entries of the warp's own intervals */
    guint32 nowhere;        /* an entry that nobody reads */
} Builder;

/* ---- dependences of one instruction ------------------------------------------------------------
 */

/* Adds an entry to the list that begins at `from`, once. */
static void add(Builder *builder, guint from, guint entry, guint relation)
{
    WsDependence dependence = {(guint16)entry, (guint16)relation};

    if (entry == builder->nowhere)
        return;
    for (guint i = from; i < builder->dependences->len; i++) {
        WsDependence *other = &g_array_index(builder->dependences, WsDependence, i);
        if (other->entry == entry && other->relation == relation)
            return;
    }
    g_array_append_val(builder->dependences, dependence);
}

static guint register_entry(const Builder *builder, guint index)
{
    return index < builder->kernel->registers ? index : builder->nowhere;
}

static guint predicate_entry(const Builder *builder, guint index)
{
    return index < WS_PT ? builder->table->first_predicate + index : builder->nowhere;
}

static guint uniform_entry(const Builder *builder, guint index)
{
    return index < WS_URZ ? builder->table->first_uniform + index : builder->nowhere;
}

static void add_registers(Builder *builder, guint from, guint index, guint width, guint relation)
{
    for (guint i = 0; i < width; i++)
        if (index != WS_RZ)
            add(builder, from, register_entry(builder, index + i), relation);
}

static void add_operand(Builder *builder, guint from, const WsInstruction *instruction, guint n,
                        guint relation, guint predicate_relation)
{
    const WsOperand *o = &instruction->operand[n];

    switch (o->kind) {
    case WS_OPERAND_REGISTER:
        add_registers(builder, from, o->index, ws_operand_width(instruction, n), relation);
        break;
    case WS_OPERAND_PREDICATE:
        add(builder, from, predicate_entry(builder, o->index), predicate_relation);
        break;
    case WS_OPERAND_UNIFORM_REGISTER:
        for (guint i = 0; i < ws_operand_width(instruction, n); i++)
            add(builder, from, uniform_entry(builder, o->index + i), relation);
        break;
    case WS_OPERAND_UNIFORM_PREDICATE:
        if (o->index < WS_PT)
            add(builder, from, builder->table->first_uniform_predicate + o->index,
                predicate_relation);
        break;
    case WS_OPERAND_ADDRESS:
        add(builder, from, uniform_entry(builder, o->uniform), WS_RELATION_ADDRESS);
        add_registers(builder, from, o->index, ws_operand_width(instruction, n),
                      WS_RELATION_ADDRESS);
        break;
    case WS_OPERAND_CONSTANT:
        add(builder, from, uniform_entry(builder, o->uniform), WS_RELATION_ADDRESS);
        if (o->index != WS_RZ)
            add(builder, from, register_entry(builder, o->index), WS_RELATION_ADDRESS);
        break;
    default:
        break;
    }
}

/* Number of the instruction in the kernel. */
static guint32 at(const Builder *builder, const WsInstruction *instruction)
{
    return (guint32)(instruction - builder->program->instructions) - builder->kernel->first;
}

/* BSYNC and CALL wait for the registers that the code in front of them has just written. */
static void add_results(Builder *builder, const WsInstruction *behind)
{
    guint from = builder->dependences->len;
    guint count = MIN(at(builder, behind), (guint)builder->device->convergence_behind + MAX_FIXED);

    for (guint back = 1; back <= count; back++) {
        const WsInstruction *instruction = behind - back;

        if (ws_opcode_ends_block(instruction->opcode))
            break;
        if (!ws_is_fixed_latency(builder->device, instruction))
            continue;
        for (guint n = 0; n < instruction->operand_count; n++)
            if (ws_operand_is_destination(instruction, n) &&
                instruction->operand[n].kind == WS_OPERAND_REGISTER)
                add_operand(builder, from, instruction, n, WS_RELATION_JOIN, WS_RELATION_JOIN);
    }
}

/* Predicates that P2R and R2P name by a mask. */
static void add_masked_predicates(Builder *builder, guint from, guint mask, guint relation)
{
    for (guint i = 0; i < WS_PT; i++)
        if (mask >> i & 1)
            add(builder, from, predicate_entry(builder, i), relation);
}

/* How an instruction of `pipe` reads operand n, if that is no predicate. */
static guint relation_of(const WsInstruction *instruction, guint n, guint pipe, gboolean apart)
{
    if (ws_is_addend(instruction, n))
        return WS_RELATION_ADDEND;
    if (ws_opcode_info(instruction->opcode)->execution_class == WS_CLASS_IMAD_WIDE)
        return WS_RELATION_FACTOR;
    return apart ? WS_RELATION_APART : pipe;
}

static void add_inputs(Builder *builder, const WsInstruction *instruction, guint pipe)
{
    guint from = builder->dependences->len;
    gboolean apart = builder->xu_apart != NULL && builder->xu_apart[at(builder, instruction)];
    /* A predicate operand is read like any other; a guard and a branch decide before that. */
    guint predicate = ws_predicate_relation(instruction);

    if (ws_is_guarded_uniformly(instruction))
        add(builder, from,
            builder->table->first_uniform_predicate + instruction->guard - WS_GUARD_UNIFORM,
            WS_RELATION_BRANCH);
    else if (instruction->guard < WS_PT)
        add(builder, from, predicate_entry(builder, instruction->guard), WS_RELATION_BRANCH);
    for (guint n = 0; n < instruction->operand_count; n++)
        if (!ws_operand_is_destination(instruction, n))
            add_operand(builder, from, instruction, n, relation_of(instruction, n, pipe, apart),
                        predicate);
    if (ws_opcode_has(instruction->opcode, WS_FLAG_PREDICATES_IN))
        add_masked_predicates(builder, from, instruction->operand[2].value, predicate);
}

static void add_outputs(Builder *builder, const WsInstruction *instruction, guint pipe)
{
    guint from = builder->dependences->len;

    for (guint n = 0; n < instruction->operand_count; n++)
        if (ws_operand_is_destination(instruction, n))
            add_operand(builder, from, instruction, n, pipe, pipe);
    if (builder->device->dependences == WS_DEPENDENCES_BLOCKING)
        add(builder, from, builder->table->done, WS_RELATION_DONE);
    if (ws_opcode_has(instruction->opcode, WS_FLAG_PREDICATES_OUT))
        add_masked_predicates(builder, from, instruction->operand[1].value, pipe);
}

/* Registers that a memory instruction reads after its issue: who writes them waits (WAR). */
static void add_war_reads(Builder *builder, const WsInstruction *instruction)
{
    guint from = builder->dependences->len;

    for (guint n = 0; n < instruction->operand_count; n++) {
        const WsOperand *o = &instruction->operand[n];
        if ((o->kind == WS_OPERAND_REGISTER || o->kind == WS_OPERAND_ADDRESS) &&
            !ws_operand_is_destination(instruction, n))
            add_registers(builder, from, o->index, ws_operand_width(instruction, n), 0);
    }
}

/* TRUE if it reads its operands in the load-store unit. */
static gboolean has_address(const WsInstruction *instruction)
{
    return ws_kind_is_memory(ws_opcode_info(instruction->opcode)->kind);
}

/* ---- the table ---------------------------------------------------------------------------------
 */

/* Some class of the pipe makes a warp wait longer than the pipe itself. */
static gboolean pipe_holds_warps(const Builder *builder, guint pipe)
{
    for (guint k = 0; k < WS_CLASS_COUNT; k++)
        if (ws_class_pipe(k) == pipe &&
            builder->device->timing[k].warp_interval > builder->device->timing[k].interval)
            return TRUE;
    return FALSE;
}

/*
 * A class that keeps one warp from its pipe longer than others reads its operands late by that
 * much, and stall counts begin there; behind a hold they begin at its end.
 */
static guint stall_count(const WsClassTiming *timing, const WsControl *control)
{
    guint late = timing->warp_interval - MIN(timing->interval, timing->warp_interval);

    return MIN(MAX(control->stall, 1) + MAX(late, timing->hold), G_MAXUINT8);
}

static void fill_control(Builder *builder, WsIssueInfo *issue, const WsControl *control)
{
    const WsClassTiming *timing = &builder->device->timing[issue->execution_class];

    issue->step = (guint8)(1 + control->yield);
    if (builder->table->control)
        issue->step = (guint8)MAX(issue->step, stall_count(timing, control));
    issue->write_barrier = control->write_barrier;
    issue->read_barrier = control->read_barrier;
}

/* A value that lanes bring to a meeting, and that is being loaded, has to be there by then. */
static void add_brought(Builder *builder, guint from, const WsInstruction *sync, guint pipe)
{
    gint row =
        ws_exchange_loaded_row(builder->decoded, (guint32)(sync - builder->program->instructions));

    if (row >= 0)
        add_registers(builder, from, (guint)row, 1, pipe);
}

/* What the instruction waits for, by the device's way of handling dependences. */
static void add_waits(Builder *builder, const WsInstruction *instruction, guint pipe)
{
    guint from = builder->dependences->len;

    switch ((WsDependences)builder->device->dependences) {
    case WS_DEPENDENCES_SCOREBOARD:
        add_inputs(builder, instruction, pipe);
        if (ws_stands_behind_results(instruction) && builder->device->convergence_behind > 0)
            add_results(builder, instruction);
        if (ws_is_kind(instruction, WS_KIND_WARPSYNC))
            add_brought(builder, from, instruction, pipe);
        break;
    case WS_DEPENDENCES_CONTROL:
        for (guint i = 0; i < WS_DEPENDENCE_BARRIERS; i++)
            if (instruction->control.wait_mask >> i & 1)
                add(builder, from, builder->table->first_barrier + i, WS_RELATION_DONE);
        break;
    case WS_DEPENDENCES_BLOCKING:
        add(builder, from, builder->table->done, WS_RELATION_DONE);
        break;
    }
    if (pipe_holds_warps(builder, pipe))
        add(builder, from, builder->first_pipe + pipe, pipe);
}

/* TRUE if the instruction reads (or writes) the register or predicate that entry stands for. */
static gboolean touches(const Builder *builder, const WsInstruction *instruction, guint entry,
                        gboolean write)
{
    WsRegisterAccess accesses[WS_MAX_ACCESSES];
    guint count = ws_instruction_accesses(instruction, accesses);

    for (guint a = 0; a < count; a++) {
        guint first = accesses[a].file == WS_FILE_REGISTER ? accesses[a].index
                      : accesses[a].file == WS_FILE_PREDICATE
                          ? builder->table->first_predicate + accesses[a].index
                          : builder->nowhere;
        if (accesses[a].write == write && entry - first < accesses[a].words)
            return TRUE;
    }
    return FALSE;
}

/* Whether one of the instructions behind the product reads the entry that was written before it. */
static gboolean is_read_behind(const Builder *builder, const WsInstruction *product, guint entry)
{
    guint left = builder->kernel->count - at(builder, product) - 1;

    if (touches(builder, product, entry, TRUE))
        return FALSE;
    for (guint i = 1; i <= MIN(left, (guint)FROZEN_AHEAD); i++) {
        if (touches(builder, product + i, entry, FALSE))
            return TRUE;
        if (touches(builder, product + i, entry, TRUE) || ws_opcode_ends_block(product[i].opcode))
            return FALSE;
    }
    return FALSE;
}

/* Results that may be on their way when the product stops all counting, and that matter then. */
static void add_frozen(Builder *builder, const WsInstruction *product)
{
    guint from = builder->dependences->len;

    for (guint back = 1; back <= MIN(at(builder, product), (guint)FROZEN_BACK); back++) {
        const WsInstruction *instruction = product - back;
        WsRegisterAccess accesses[WS_MAX_ACCESSES];
        guint count = ws_instruction_accesses(instruction, accesses);

        if (ws_opcode_ends_block(instruction->opcode))
            break;
        for (guint a = 0; a < count; a++)
            for (guint w = 0; accesses[a].write && w < accesses[a].words; w++) {
                guint entry = accesses[a].file == WS_FILE_REGISTER
                                  ? register_entry(builder, accesses[a].index + w)
                              : accesses[a].file == WS_FILE_PREDICATE
                                  ? predicate_entry(builder, accesses[a].index)
                                  : builder->nowhere;
                if (is_read_behind(builder, product, entry))
                    add(builder, from, entry, WS_RELATION_DONE);
            }
    }
    builder->table->frozen[product - builder->program->instructions] =
        (guint8)(builder->dependences->len - from);
}

static void add_dependences(Builder *builder, WsIssueInfo *issue, const WsInstruction *instruction,
                            guint pipe)
{
    guint start = builder->dependences->len, end;

    issue->first = start;
    add_waits(builder, instruction, pipe);
    end = builder->dependences->len;
    issue->inputs = (guint8)(end - start);
    start = end;
    add_outputs(builder, instruction, pipe);
    end = builder->dependences->len;
    issue->outputs = (guint8)(end - start);
    issue->ordered = builder->table->control ? 0 : issue->outputs;
    start = end;
    if (has_address(instruction))
        add_war_reads(builder, instruction);
    end = builder->dependences->len;
    issue->war_reads = (guint8)(end - start);
    start = end;
    if (builder->table->control)
        add_inputs(builder, instruction, pipe);
    issue->checks = (guint8)(builder->dependences->len - start);
    if (builder->device->dependences == WS_DEPENDENCES_SCOREBOARD &&
        builder->device->timing[issue->execution_class].hold > 0)
        add_frozen(builder, instruction);
}

/* Line of the constant operand, + 1. LDC works out its own when it issues. */
static guint32 constant_operand(const Builder *builder, const WsInstruction *instruction)
{
    if (builder->device->fetch_model == WS_FETCH_IDEAL ||
        ws_opcode_info(instruction->opcode)->execution_class == WS_CLASS_CONSTANT_LOAD)
        return 0;
    for (guint n = 0; n < instruction->operand_count; n++)
        if (instruction->operand[n].kind == WS_OPERAND_CONSTANT)
            return 1 +
                   ws_constant_line(instruction->operand[n].bank, instruction->operand[n].value);
    return 0;
}

/* An entry that is ready for this dependence is so for the write that comes after its writer. */
static gboolean stands_for(const WsIssueTable *table, const WsDependence *input, guint entry)
{
    if (input->entry != entry)
        return FALSE;
    for (guint k = 0; k < G_N_ELEMENTS(table->later); k++)
        if (table->later[k][input->relation] < 0)
            return FALSE;
    return TRUE;
}

/* The dependences in short; all inputs and outputs have been added. */
static void fill_quick(Builder *builder, WsIssueInfo *issue)
{
    const WsDependence *inputs =
        (const WsDependence *)(const void *)builder->dependences->data + issue->first;
    const WsDependence *outputs = inputs + issue->inputs;
    guint count = 0;

    for (guint i = 0; i < WS_QUICK_OUTPUTS; i++)
        issue->quick_output[i] =
            (guint16)(i < issue->outputs ? outputs[i].entry : builder->nowhere);
    for (guint i = 0; i < issue->inputs; i++, count++)
        if (count < WS_QUICK_INPUTS)
            issue->quick_input[count] = inputs[i];
    for (guint i = 0; i < issue->ordered; i++) {
        gboolean needed = TRUE;
        for (guint k = 0; k < issue->inputs && needed; k++)
            needed = !stands_for(builder->table, &inputs[k], outputs[i].entry);
        if (needed && count < WS_QUICK_INPUTS)
            issue->quick_input[count] = (WsDependence){outputs[i].entry, WS_RELATION_DONE};
        count += needed;
    }
    issue->quick_inputs =
        (guint8)(count > WS_QUICK_INPUTS || builder->table->control ? WS_NOT_QUICK : count);
}

/*
 * The load-store pipe is handed registers one after the other: a pass behind another waits for
 * that, and for all but the first register the result comes later where the unit has no address.
 */
static void fill_operands(const Builder *builder, WsIssueInfo *issue,
                          const WsInstruction *instruction)
{
    guint cycles = (guint)ws_pass_cycles(builder->device, builder->device->lsu_operand_cycles);
    guint words = 0;

    for (guint n = 0; n < instruction->operand_count; n++) {
        const WsOperand *o = &instruction->operand[n];

        if (!ws_operand_is_destination(instruction, n) && o->index != WS_RZ &&
            (o->kind == WS_OPERAND_REGISTER || o->kind == WS_OPERAND_ADDRESS))
            words += ws_operand_width(instruction, n);
    }
    issue->interval = (guint16)MAX(issue->interval, words * cycles);
    if (issue->unit && words > 1)
        issue->latency = (guint16)(issue->latency + (words - 1) * cycles);
}

/* What a 64-bit product adds to the work of its issue; its low word, if any, is its first output.
 */
static void fill_product(const WsClassTiming *timing, WsIssueInfo *issue,
                         const WsInstruction *instruction)
{
    gboolean low = issue->execution_class == WS_CLASS_IMAD_WIDE &&
                   ws_operand_words(instruction, 0) == 2 && instruction->operand[0].index != WS_RZ;

    if (!low)
        issue->latency = (guint16)(issue->latency + timing->high_later);
    issue->interval = (guint16)MAX(issue->interval, timing->hold + 1);
    issue->holds = timing->hold > 0 || timing->high_later > 0;
}

static void fill_issue(Builder *builder, guint32 n)
{
    const WsInstruction *instruction = &builder->program->instructions[n];
    WsIssueInfo *issue = &builder->table->issues[n];
    guint k = ws_instruction_class(instruction);
    const WsClassTiming *timing = &builder->device->timing[k];
    guint pipe = ws_class_pipe(k);

    issue->execution_class = (guint8)k;
    add_dependences(builder, issue, instruction, pipe);
    issue->warp_pipe_entry = (guint16)(builder->first_pipe + pipe);
    issue->resource = (guint8)ws_class_resource(timing, k);
    issue->unit = !has_address(instruction) && (pipe == WS_PIPE_LSU || timing->sm_interval > 0);
    issue->plain = !issue->unit && builder->decoded->instructions[n].kind == WS_KIND_LANES;
    issue->passes = timing->passes_barrier && builder->device->barrier_lazy &&
                    (builder->decoded->instructions[n].kind == WS_KIND_LANES ||
                     builder->decoded->instructions[n].kind == WS_KIND_NOP);
    issue->latency = timing->latency;
    if (timing->idle_latency != 0 && timing->idle_latency < timing->latency)
        issue->sooner = (guint8)MIN(timing->latency - timing->idle_latency, G_MAXUINT8);
    issue->interval = ws_class_takes_half(timing, k) ? timing->half_interval : timing->interval;
    fill_product(timing, issue, instruction);
    if (pipe == WS_PIPE_LSU)
        fill_operands(builder, issue, instruction);
    /* What a hold adds to its pipe's interval is in stall counts where these are obeyed. */
    if (timing->warp_interval > timing->interval && !(builder->table->control && timing->hold > 0))
        issue->warp_interval = timing->warp_interval;
    issue->constant = constant_operand(builder, instruction);
    issue->target = ws_branch_target(instruction);
    issue->reconvergence = WS_NOWHERE;
    builder->table->any_passes = builder->table->any_passes || issue->passes;
    fill_control(builder, issue, &instruction->control);
    if (builder->table->reads != NULL && issue->plain)
        builder->table->reads[n] = ws_register_reads(
            builder->device, builder->program->instructions, builder->kernel->first, n);
    fill_quick(builder, issue);
    issue->quick = issue->plain && !builder->table->control && issue->warp_interval == 0 &&
                   !issue->holds && issue->outputs <= WS_QUICK_OUTPUTS &&
                   !ws_reads_special(instruction);
}

/*
 * Sides of a branch meet at the immediate post-dominator of its block, ways into a trap left out.
 * In the graph BRX goes to the first row of its table only and each row to the next, so what counts
 * is the first row's.
 */
static void fill_reconvergence(Builder *builder)
{
    const WsKernel *kernel = builder->kernel;
    g_autoptr(WsControlFlow) flow =
        ws_control_flow_new(builder->program->instructions, kernel->first, kernel->count);
    g_autoptr(WsGraph) graph = ws_graph_without_traps(builder->program->instructions, flow);
    g_autofree guint32 *post = ws_graph_post_dominators(graph);

    for (guint32 b = 0; b < flow->block_count; b++) {
        const WsBlock *block = &flow->blocks[b];
        guint32 last = block->first + block->count - 1, meet = post[b], target;

        if (block->count == 0)
            continue;
        target = builder->table->issues[last].target;
        if (ws_is_kind(&builder->program->instructions[last], WS_KIND_BRX) &&
            target - kernel->first < kernel->count)
            meet = post[flow->block_of[target - kernel->first]];
        if (meet < flow->block_count)
            builder->table->issues[last].reconvergence = flow->blocks[meet].first;
    }
}

static void lay_out_entries(Builder *builder)
{
    WsIssueTable *table = builder->table;

    table->first_predicate = builder->kernel->registers;
    table->first_uniform = table->first_predicate + WS_PT;
    table->first_uniform_predicate = table->first_uniform + WS_URZ;
    table->first_barrier = table->first_uniform_predicate + WS_PT;
    builder->first_pipe = table->first_barrier + WS_DEPENDENCE_BARRIERS;
    table->done = builder->first_pipe + WS_PIPE_COUNT;
    builder->nowhere = table->done + 1;
    table->entries = builder->nowhere + 1;
}

WsIssueTable *ws_issue_table_new(const WsDevice *device, const WsDecodedProgram *decoded)
{
    const WsProgram *program = decoded->program;
    const WsKernel *kernel = decoded->kernel;
    WsIssueTable *table = g_new0(WsIssueTable, 1);
    Builder builder = {.device = device,
                       .program = program,
                       .decoded = decoded,
                       .kernel = kernel,
                       .table = table,
                       /* a place is reserved: there is an array even without dependences */
                       .dependences = g_array_sized_new(FALSE, FALSE, sizeof(WsDependence), 1)};
    g_autofree guint8 *xu_apart =
        device->dependences == WS_DEPENDENCES_SCOREBOARD
            ? ws_xu_apart(device, program->instructions, kernel->first, kernel->count)
            : NULL;

    builder.xu_apart = xu_apart;
    table->control = device->dependences == WS_DEPENDENCES_CONTROL;
    table->issues =
        g_aligned_alloc0(program->instruction_count, sizeof(WsIssueInfo), sizeof(WsIssueInfo));
    table->frozen = g_new0(guint8, program->instruction_count);
    if (device->register_banks != 0)
        table->reads = g_new0(guint64, program->instruction_count);
    lay_out_entries(&builder);
    ws_issue_classes_fill(device, table);
    for (guint32 i = 0; i < kernel->count; i++)
        fill_issue(&builder, kernel->first + i);
    fill_reconvergence(&builder);
    table->dependences = (WsDependence *)(void *)g_array_free(builder.dependences, FALSE);
    return table;
}

void ws_issue_table_free(WsIssueTable *table)
{
    if (table == NULL)
        return;
    g_aligned_free(table->issues);
    g_free(table->reads);
    g_free(table->frozen);
    g_free(table->dependences);
    g_free(table);
}
