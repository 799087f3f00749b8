/*
 * Dead code: an instruction lives if it has an effect, or if a living one may read what it writes.
 * The order of reads and writes is not looked at, so cycles of dead values go as well.
 */
#include "isa/bytecode/opcode.h"
#include "isa/ir/variables.h"
#include "isa/optimise/optimise.h"

typedef struct {
    guint32 block;
    guint32 instruction;
} Place;

enum { UNIFORMS = 64, UNIFORM_PREDICATES = 8 };

typedef struct {
    WsIrFunction *function;
    WsVariables variables;
    guint32 total;       /* variables, then uniform registers, then uniform predicates */
    guint32 *definition; /* per variable: first entry of `next`, one past; 0 = none */
    GArray *places;      /* of Place */
    GArray *next;        /* of guint32, parallel to places */
    guint8 *used;        /* per variable */
    guint8 **living;     /* per block and instruction */
    GArray *work;        /* of Place */
} Marker;

static guint variables_of(const Marker *marker, const WsRegisterAccess *access, guint32 *ret_first)
{
    if (access->file == WS_FILE_UNIFORM) {
        *ret_first = marker->variables.count + MIN(access->index, UNIFORMS - 1);
        return MIN(access->words, UNIFORMS - MIN(access->index, UNIFORMS - 1));
    }
    if (access->file == WS_FILE_UNIFORM_PREDICATE) {
        *ret_first =
            marker->variables.count + UNIFORMS + MIN(access->index, UNIFORM_PREDICATES - 1);
        return 1;
    }
    return ws_variables_of(&marker->variables, access, ret_first);
}

static void revive(Marker *marker, Place place)
{
    guint8 *living = &marker->living[place.block][place.instruction];
    if (*living)
        return;
    *living = TRUE;
    g_array_append_val(marker->work, place);
}

static void use(Marker *marker, guint32 variable)
{
    if (marker->used[variable])
        return;
    marker->used[variable] = TRUE;
    for (guint32 at = marker->definition[variable]; at != 0;
         at = g_array_index(marker->next, guint32, at - 1))
        revive(marker, g_array_index(marker->places, Place, at - 1));
}

static void collect_definitions(Marker *marker, Place place, const WsInstruction *instruction)
{
    WsRegisterAccess accesses[WS_MAX_ACCESSES];
    guint count = ws_instruction_accesses(instruction, accesses);
    for (guint a = 0; a < count; a++) {
        guint32 first = 0;
        guint words = accesses[a].write ? variables_of(marker, &accesses[a], &first) : 0;
        for (guint w = 0; w < words; w++) {
            g_array_append_val(marker->places, place);
            g_array_append_val(marker->next, marker->definition[first + w]);
            marker->definition[first + w] = marker->places->len;
        }
    }
}

static void mark(Marker *marker)
{
    for (guint32 b = 0; b < marker->function->blocks->len; b++) {
        WsIrBlock *block = ws_ir_block(marker->function, b);
        guint length = ws_ir_length(block);
        marker->living[b] = g_new0(guint8, length + 1);
        for (guint i = 0; i < length; i++)
            collect_definitions(marker, (Place){b, i}, ws_ir_instruction(block, i));
    }
    for (guint32 b = 0; b < marker->function->blocks->len; b++) {
        WsIrBlock *block = ws_ir_block(marker->function, b);
        for (guint i = 0; i < ws_ir_length(block); i++) {
            if (ws_has_effect(ws_ir_instruction(block, i)))
                revive(marker, (Place){b, i});
        }
    }
    while (marker->work->len > 0) {
        Place place = g_array_index(marker->work, Place, marker->work->len - 1);
        g_array_set_size(marker->work, marker->work->len - 1);
        WsRegisterAccess accesses[WS_MAX_ACCESSES];
        guint count = ws_instruction_accesses(
            ws_ir_instruction(ws_ir_block(marker->function, place.block), place.instruction),
            accesses);
        for (guint a = 0; a < count; a++) {
            guint32 first = 0;
            guint words = accesses[a].write ? 0 : variables_of(marker, &accesses[a], &first);
            for (guint w = 0; w < words; w++)
                use(marker, first + w);
        }
    }
}

/* A returning atomic whose result nobody reads is a reduction. */
static void drop_atomic_result(WsInstruction *instruction)
{
    if ((instruction->opcode != WS_OP_ATOM && instruction->opcode != WS_OP_ATOMG) ||
        instruction->operand[0].index != WS_RZ || instruction->mod[WS_MOD_ATOMIC] == WS_ATOMIC_EXCH)
        return;
    instruction->opcode = WS_OP_RED;
    instruction->operand[0] = instruction->operand[1];
    instruction->operand[1] = instruction->operand[2];
    instruction->operand[2] = (WsOperand){0};
    instruction->operand_count = 2;
}

static void discard_results(Marker *marker, WsInstruction *instruction)
{
    WsRegisterAccess accesses[WS_MAX_ACCESSES];
    guint count = ws_instruction_accesses(instruction, accesses);
    for (guint a = 0; a < count; a++) {
        guint32 first = 0;
        guint words = accesses[a].write && accesses[a].operand < WS_MAX_OPERANDS
                          ? ws_variables_of(&marker->variables, &accesses[a], &first)
                          : 0;
        gboolean used = words == 0;
        for (guint w = 0; w < words; w++)
            used |= marker->used[first + w];
        if (used)
            continue;
        WsOperand *operand = &instruction->operand[accesses[a].operand];
        operand->index = operand->kind == WS_OPERAND_PREDICATE ? WS_PT : WS_RZ;
        operand->bank = 0;
    }
    drop_atomic_result(instruction);
}

static void sweep(Marker *marker)
{
    for (guint32 b = 0; b < marker->function->blocks->len; b++) {
        WsIrBlock *block = ws_ir_block(marker->function, b);
        guint kept = 0;
        for (guint i = 0; i < block->instructions->len; i++) {
            if (!marker->living[b][i])
                continue;
            WsInstruction *instruction = ws_ir_instruction(block, i);
            discard_results(marker, instruction);
            g_array_index(block->instructions, WsInstruction, kept++) = *instruction;
        }
        g_array_set_size(block->instructions, kept);
    }
}

void ws_remove_dead_code(WsIrFunction *function)
{
    Marker marker = {.function = function,
                     .places = g_array_new(FALSE, FALSE, sizeof(Place)),
                     .next = g_array_new(FALSE, FALSE, sizeof(guint32)),
                     .work = g_array_new(FALSE, FALSE, sizeof(Place))};
    ws_variables_init(&marker.variables, function);
    marker.total = marker.variables.count + UNIFORMS + UNIFORM_PREDICATES;
    marker.definition = g_new0(guint32, marker.total);
    marker.used = g_new0(guint8, marker.total);
    marker.living = g_new0(guint8 *, function->blocks->len);
    mark(&marker);
    sweep(&marker);
    for (guint32 b = 0; b < function->blocks->len; b++)
        g_free(marker.living[b]);
    g_free(marker.living);
    g_free(marker.used);
    g_free(marker.definition);
    g_array_unref(marker.places);
    g_array_unref(marker.next);
    g_array_unref(marker.work);
    ws_variables_clear(&marker.variables);
}
