/*
 * Which values may differ between the lanes of a warp, and so which branches may split it.
 *
 * Sources of difference: thread and lane numbers, anything loaded, results of shuffles, matches and
 * atomics. What is computed from them differs; so does a value that is written between a
 * branch that splits and the join behind it, and read after the join, or on a path that both sides
 * lead to.
 */
#include "isa/converge/convergence.h"
#include "isa/ir/variables.h"

typedef struct {
    const WsIrFunction *function;
    const WsJoins *joins;
    WsVariables variables;
    guint8 *differs;    /* per variable */
    guint8 *divergent;  /* per block */
    guint32 *use_first; /* per variable: first of its blocks in `uses`; [count + 1] */
    guint32 *uses;
    guint32 *writes;        /* per variable: number of writes */
    guint32 *written_first; /* per block: first of its variables in `written`; [blocks + 1] */
    GArray *written;        /* of guint32: variables that the block writes */
    guint32 *asked;         /* per variable: the branch + 1 for which it was last looked at */
    WsBlockSet region, side, seen;
    guint64 work; /* done so far; beyond a limit everything counts as divergent */
    gboolean changed;
} Analysis;

/* Blocks and accesses looked at. Only very deep nests come to it: of more than 1500 branches. */
enum { MAX_WORK = 20000000 };

static gboolean is_source(const WsInstruction *instruction)
{
    const WsOpcodeInfo *info = ws_opcode_info(instruction->opcode);

    if (info->flags & WS_FLAG_WARP_VALUE)
        return FALSE;
    if (ws_kind_is_memory(info->kind) || (info->flags & WS_FLAG_LANE_VALUE))
        return TRUE;
    for (guint n = 0; n < instruction->operand_count; n++)
        if (instruction->operand[n].kind == WS_OPERAND_SPECIAL &&
            ws_special_varies(instruction->operand[n].value) == WS_VARIES_LANES)
            return TRUE;
    return FALSE;
}

static void set_differs(Analysis *analysis, guint32 variable)
{
    if (!analysis->differs[variable]) {
        analysis->differs[variable] = TRUE;
        analysis->changed = TRUE;
    }
}

/* WARP_VALUE: the same for all lanes whatever it reads; only its guard matters. */
static gboolean reads_difference(const Analysis *analysis, const WsInstruction *instruction)
{
    WsRegisterAccess accesses[WS_MAX_ACCESSES];
    guint count = ws_instruction_accesses(instruction, accesses);
    gboolean same = ws_opcode_has(instruction->opcode, WS_FLAG_WARP_VALUE);
    for (guint a = 0; a < count; a++) {
        guint32 first = 0;
        guint words =
            accesses[a].write ? 0 : ws_variables_of(&analysis->variables, &accesses[a], &first);
        if (same && accesses[a].operand != WS_ACCESS_GUARD)
            continue;
        for (guint w = 0; w < words; w++) {
            if (analysis->differs[first + w])
                return TRUE;
        }
    }
    return FALSE;
}

static void analyse_instruction(Analysis *analysis, const WsInstruction *instruction)
{
    if (!is_source(instruction) && !reads_difference(analysis, instruction))
        return;
    WsRegisterAccess accesses[WS_MAX_ACCESSES];
    guint count = ws_instruction_accesses(instruction, accesses);
    for (guint a = 0; a < count; a++) {
        guint32 first = 0;
        guint words =
            accesses[a].write ? ws_variables_of(&analysis->variables, &accesses[a], &first) : 0;
        for (guint w = 0; w < words; w++)
            set_differs(analysis, first + w);
    }
}

static gboolean used_outside(const Analysis *analysis, guint32 variable, const WsBlockSet *region)
{
    for (guint32 u = analysis->use_first[variable]; u < analysis->use_first[variable + 1]; u++) {
        if (!region->has[analysis->uses[u]])
            return TRUE;
    }
    return FALSE;
}

/* TRUE if two successors of the branch reach one block before the join. */
static gboolean sides_meet_early(Analysis *analysis, guint32 b, guint32 join)
{
    const WsGraph *graph = analysis->joins->graph;
    WsBlockSet *seen = &analysis->seen;
    ws_block_set_empty(seen);
    for (guint32 e = graph->first[b]; e < graph->first[b + 1]; e++) {
        guint32 start = graph->successors[e];
        if (start == join || start == b)
            continue;
        WsBlockSet *side = &analysis->side;
        ws_joins_region(analysis->joins, start, TRUE, join, side);
        analysis->work += side->count;
        for (guint i = 0; i < side->count; i++) {
            guint32 at = side->list[i];
            if (seen->has[at] && at != b)
                return TRUE;
        }
        for (guint i = 0; i < side->count; i++)
            ws_block_set_add(seen, side->list[i]);
    }
    return FALSE;
}

/* A value that is written between the branch that ends block `b` and its join. */
static void mark_written(Analysis *analysis, guint32 variable, guint32 b, gboolean meet_early)
{
    if (analysis->differs[variable] || analysis->asked[variable] == b + 1)
        return;
    analysis->asked[variable] = b + 1;
    if ((meet_early && analysis->writes[variable] > 1) ||
        used_outside(analysis, variable, &analysis->region))
        set_differs(analysis, variable);
}

static void mark_writes(Analysis *analysis, guint32 branch, gboolean meet_early)
{
    const WsBlockSet *region = &analysis->region;
    for (guint n = 0; n < region->count && analysis->work < MAX_WORK; n++) {
        guint32 b = region->list[n];
        guint32 end = analysis->written_first[b + 1];
        for (guint32 w = analysis->written_first[b]; w < end; w++)
            mark_written(analysis, g_array_index(analysis->written, guint32, w), branch,
                         meet_early);
        analysis->work += end - analysis->written_first[b];
    }
}

static void analyse_branch(Analysis *analysis, guint32 b)
{
    const WsIrBlock *block = ws_ir_block(analysis->function, b);
    if (analysis->divergent[b] || ws_ir_successor_count(block) < 2 || block->uniform)
        return;
    if (!reads_difference(analysis, &block->branch))
        return;
    analysis->divergent[b] = TRUE;
    analysis->changed = TRUE;
    guint32 join = analysis->joins->joins[b];
    ws_joins_region(analysis->joins, b, FALSE, join, &analysis->region);
    analysis->work += analysis->region.count;
    mark_writes(analysis, b, sides_meet_early(analysis, b, join));
}

/* Lists of the blocks that read each variable, one entry a read. */
static void collect_uses(Analysis *analysis)
{
    guint32 variables = analysis->variables.count;
    analysis->use_first = g_new0(guint32, variables + 2);
    analysis->writes = g_new0(guint32, variables + 1);
    for (guint pass = 0; pass < 2; pass++) {
        for (guint32 b = 0; b < analysis->function->blocks->len; b++) {
            WsIrBlock *block = ws_ir_block(analysis->function, b);
            for (guint i = 0; i < ws_ir_length(block); i++) {
                WsRegisterAccess accesses[WS_MAX_ACCESSES];
                guint count = ws_instruction_accesses(ws_ir_instruction(block, i), accesses);
                for (guint a = 0; a < count; a++) {
                    guint32 first = 0;
                    guint words = ws_variables_of(&analysis->variables, &accesses[a], &first);
                    for (guint w = 0; w < words; w++) {
                        if (accesses[a].write)
                            analysis->writes[first + w] += pass;
                        else if (pass == 0)
                            analysis->use_first[first + w + 1]++;
                        else
                            analysis->uses[analysis->use_first[first + w]++] = b;
                    }
                }
            }
        }
        for (guint32 v = 0; pass == 0 && v < variables; v++)
            analysis->use_first[v + 1] += analysis->use_first[v];
        if (pass == 0)
            analysis->uses = g_new0(guint32, analysis->use_first[variables] + 1);
    }
    for (guint32 v = variables; v > 0; v--)
        analysis->use_first[v] = analysis->use_first[v - 1];
    analysis->use_first[0] = 0;
}

static void collect_writes(Analysis *analysis)
{
    guint32 blocks = analysis->function->blocks->len;
    analysis->written = g_array_new(FALSE, FALSE, sizeof(guint32));
    analysis->written_first = g_new0(guint32, (gsize)blocks + 1);
    for (guint32 b = 0; b < blocks; b++) {
        WsIrBlock *block = ws_ir_block(analysis->function, b);
        for (guint i = 0; i < block->instructions->len; i++) {
            WsRegisterAccess accesses[WS_MAX_ACCESSES];
            guint count = ws_instruction_accesses(ws_ir_instruction(block, i), accesses);
            for (guint a = 0; a < count; a++) {
                guint32 first = 0;
                guint words = accesses[a].write
                                  ? ws_variables_of(&analysis->variables, &accesses[a], &first)
                                  : 0;
                for (guint32 v = first; v < first + words; v++)
                    g_array_append_val(analysis->written, v);
            }
        }
        analysis->written_first[b + 1] = analysis->written->len;
    }
}

static void solve(Analysis *analysis)
{
    guint32 blocks = analysis->function->blocks->len;
    do {
        analysis->changed = FALSE;
        for (guint32 b = 0; b < blocks && analysis->work < MAX_WORK; b++) {
            WsIrBlock *block = ws_ir_block(analysis->function, b);
            for (guint i = 0; i < block->instructions->len; i++)
                analyse_instruction(analysis, ws_ir_instruction(block, i));
            analyse_branch(analysis, b);
            analysis->work += ws_ir_length(block);
        }
    } while (analysis->changed && analysis->work < MAX_WORK);
    for (guint32 b = 0; analysis->work >= MAX_WORK && b < blocks; b++)
        analysis->divergent[b] = ws_ir_successor_count(ws_ir_block(analysis->function, b)) >= 2 &&
                                 !ws_ir_block(analysis->function, b)->uniform;
}

guint8 *ws_divergent_branches(const WsIrFunction *function, const WsJoins *joins)
{
    Analysis analysis = {.function = function, .joins = joins};
    ws_variables_init(&analysis.variables, function);
    analysis.differs = g_new0(guint8, analysis.variables.count + 1);
    analysis.divergent = g_new0(guint8, function->blocks->len + 1);
    analysis.asked = g_new0(guint32, analysis.variables.count + 1);
    WsBlockSet *sets[] = {&analysis.region, &analysis.side, &analysis.seen};
    for (guint i = 0; i < G_N_ELEMENTS(sets); i++)
        ws_block_set_init(sets[i], function->blocks->len);
    collect_uses(&analysis);
    collect_writes(&analysis);
    solve(&analysis);
    for (guint i = 0; i < G_N_ELEMENTS(sets); i++)
        ws_block_set_clear(sets[i]);
    g_free(analysis.asked);
    g_free(analysis.written_first);
    g_array_unref(analysis.written);
    g_free(analysis.differs);
    g_free(analysis.use_first);
    g_free(analysis.uses);
    g_free(analysis.writes);
    ws_variables_clear(&analysis.variables);
    return analysis.divergent;
}
