/*
 * PTX to the intermediate form: the driver. Walks the statements of a kernel, and of the functions
 * inlined into it, finds the row of each in the tables and lets its function emit instructions.
 */
#include "isa/lower/bodies.h"
#include "isa/lower/device_launch.h"

#include "isa/bytecode/opcode.h"
#include "isa/ir/reference.h"
#include "isa/ir/walk.h"
#include "isa/optimise/combine.h"
#include "isa/ptx/large_constants.h"
#include "isa/ptx/mbarriers.h"
#include "isa/ptx/surfaces.h"

#include <string.h>

/* CUDA C has its own lines: those of the PTX that clang made of it are nowhere to be seen. */
static WsPosition position_for_user(const WsLowerKernel *kernel, const WsPosition *position)
{
    const WsIrModule *ir = kernel->module->ir;
    const WsLocation *place = &g_array_index(ir->locations, WsLocation, kernel->frame->location);
    if (!g_str_has_suffix(ir->path, ".cu") || place->line == 0)
        return *position;
    return (WsPosition){ir->files->pdata[place->file], place->line, place->column};
}

void ws_lower_fail(WsLowerKernel *kernel, const WsPosition *position, const char *format, ...)
{
    if (kernel->refusal != NULL)
        return;
    va_list arguments;
    va_start(arguments, format);
    g_autofree char *text = g_strdup_vprintf(format, arguments);
    va_end(arguments);
    WsPosition shown = position_for_user(kernel, position);
    ws_set_error_at(&kernel->refusal, WS_ERROR_INPUT, &shown, "%s", text);
}

void ws_lower_refuse(WsLowerStatement *lower)
{
    ws_lower_fail(lower->kernel, &lower->statement->position, "instruction '%s' is not supported",
                  lower->statement->full);
}

/* ---- rows ---- */

static GHashTable *index_rows(void)
{
    static const WsPtxRow *const tables[] = {
        ws_ptx_integer_rows,     ws_ptx_logic_rows,   ws_ptx_compare_rows,   ws_ptx_float_rows,
        ws_ptx_approximate_rows, ws_ptx_convert_rows, ws_ptx_memory_rows,    ws_ptx_atomic_rows,
        ws_ptx_warp_rows,        ws_ptx_control_rows, ws_ptx_texture_rows,   ws_ptx_matrix_rows,
        ws_ptx_saturate_rows,    ws_ptx_video_rows,   ws_ptx_async_copy_rows};
    GHashTable *rows =
        g_hash_table_new_full(g_str_hash, g_str_equal, NULL, (GDestroyNotify)g_ptr_array_unref);
    for (guint t = 0; t < G_N_ELEMENTS(tables); t++) {
        for (const WsPtxRow *row = tables[t]; row->opcode != NULL; row++) {
            GPtrArray *list = g_hash_table_lookup(rows, row->opcode);
            if (list == NULL) {
                list = g_ptr_array_new();
                g_hash_table_insert(rows, (gpointer)row->opcode, list);
            }
            g_ptr_array_add(list, (gpointer)row);
        }
    }
    return rows;
}

/* TRUE if `word` is one of the words of `list`. */
static gboolean is_word_of(const char *word, const char *list)
{
    gsize length = strlen(word);
    for (const char *at = strstr(list, word); at != NULL; at = strstr(at + 1, word))
        if ((at == list || at[-1] == ' ') && (at[length] == ' ' || at[length] == '\0'))
            return TRUE;
    return FALSE;
}

static const char *modifier_at(const WsLowerStatement *lower, guint n)
{
    return g_ptr_array_index(lower->frame->function->modifiers,
                             lower->statement->first_modifier + n);
}

static gboolean row_fits(const WsLowerStatement *lower, const WsPtxRow *row)
{
    const WsPtxStatement *s = lower->statement;
    guint32 types = row->types == 0 ? WS_PTX_BIT(NONE) : row->types;
    if (s->operand_count < row->minimum || s->operand_count > row->maximum ||
        (types & (1u << lower->types[0])) == 0)
        return FALSE;
    for (guint i = 1; i < lower->type_count; i++)
        if ((row->others & (1u << lower->types[i])) == 0)
            return FALSE;
    if (row->others != 0 && lower->type_count < 2)
        return FALSE;
    for (guint i = 0; i < s->modifier_count; i++) {
        const char *modifier = modifier_at(lower, i);
        if (ws_ptx_type_find(modifier) == WS_PTX_NONE && !is_word_of(modifier, row->modifiers))
            return FALSE;
    }
    return TRUE;
}

static void read_types(WsLowerStatement *lower)
{
    for (guint i = 0; i < lower->statement->modifier_count; i++) {
        WsPtxType type = ws_ptx_type_find(modifier_at(lower, i));
        if (type != WS_PTX_NONE && lower->type_count < WS_PTX_MAX_TYPES)
            lower->types[lower->type_count++] = type;
    }
}

static const WsPtxRow *find_row(WsLowerStatement *lower)
{
    GHashTable *rows = lower->kernel->module->rows;
    GPtrArray *list = g_hash_table_lookup(rows, lower->statement->opcode);
    read_types(lower);
    for (guint i = 0; list != NULL && i < list->len; i++)
        if (row_fits(lower, g_ptr_array_index(list, i)))
            return g_ptr_array_index(list, i);
    return NULL;
}

/* ---- locations ---- */

/* The file of a .file number, as an index of the module's files. */
static guint32 numbered_file(WsLowerModule *module, guint32 number)
{
    const char *name = g_hash_table_lookup(module->ptx->files, GUINT_TO_POINTER(number));
    return name == NULL ? 0 : ws_lower_file_index(module, name);
}

static guint32 add_location(WsLowerModule *module, const WsPtxFrame *frame,
                            const WsPtxLocation *place, guint32 parent, guint32 ptx_line)
{
    WsLocation location = {.file = numbered_file(module, place->file),
                           .line = place->line,
                           .column = place->column,
                           .inlined_at = parent,
                           .ptx_line = ptx_line,
                           .frame = frame->number};
    g_array_append_val(module->ir->locations, location);
    return module->ir->locations->len - 1;
}

/*
 * Location `number` of the PTX as one of the module, its chain of calls first. PTX that has no .loc
 * at all is its own source.
 */
static guint32 convert_location(WsLowerModule *module, const WsPtxFrame *frame, guint32 number,
                                guint32 ptx_line)
{
    enum { MAX_CHAIN = 256 };
    guint32 chain[MAX_CHAIN];
    guint count = 0;
    GArray *places = frame->module->locations;
    while (number != 0 && count < MAX_CHAIN) {
        chain[count++] = number;
        number = g_array_index(places, WsPtxLocation, number).parent;
    }
    guint32 parent = frame->caller != NULL ? frame->caller->location : 0;
    for (guint i = count; i-- > 1;) {
        gpointer known = g_hash_table_lookup(frame->locations, GUINT_TO_POINTER(chain[i]));
        if (known == NULL) {
            const WsPtxLocation *place = &g_array_index(places, WsPtxLocation, chain[i]);
            known = GUINT_TO_POINTER(add_location(module, frame, place, parent, 0));
            g_hash_table_insert(frame->locations, GUINT_TO_POINTER(chain[i]), known);
        }
        parent = GPOINTER_TO_UINT(known);
    }
    static const WsPtxLocation nowhere;
    const WsPtxLocation *place =
        count == 0 ? &nowhere : &g_array_index(places, WsPtxLocation, chain[0]);
    guint32 added = add_location(module, frame, place, parent, ptx_line);
    if (places->len <= 1 && ptx_line != 0 && g_str_has_suffix(module->ir->path, ".ptx")) {
        WsLocation *location = &g_array_index(module->ir->locations, WsLocation, added);
        location->file = ws_lower_file_index(module, module->ir->path);
        location->line = ptx_line;
    }
    return added;
}

/* Where the compiler says that the kernel begins: the first .loc of its body. */
static guint32 opening_of(WsLowerModule *module, const WsPtxFrame *frame)
{
    const GArray *statements = frame->function->statements;
    for (guint i = 0; i < statements->len; i++) {
        const WsPtxStatement *statement = &g_array_index(statements, WsPtxStatement, i);
        if (statement->location != 0)
            return convert_location(module, frame, statement->location, 0);
    }
    if (statements->len == 0)
        return 0;
    const WsPtxStatement *first = &g_array_index(statements, WsPtxStatement, 0);
    return convert_location(module, frame, 0, first->position.line);
}

/* ---- statements ---- */

static void set_guard(WsLowerStatement *lower)
{
    if (lower->statement->guard == WS_PTX_NO_REGISTER)
        return;
    WsPtxOperand operand = {.kind = WS_PTX_REGISTER, .index = lower->statement->guard};
    lower->guard = ws_lower_predicate_of(lower, &operand).index;
    lower->guard_negated = lower->statement->guard_negated;
}

/* @p around what makes blocks: a branch over it. */
static void branch_around(WsLowerStatement *lower)
{
    WsOperand p = ws_operand_predicate(lower->guard);
    p.flags = lower->guard_negated ? 0 : WS_OPERAND_NEGATE;
    guint32 body = ws_ir_new_block(lower->kernel->ir);
    lower->skip = ws_ir_new_block(lower->kernel->ir);
    lower->guard = WS_PT;
    lower->guard_negated = FALSE;
    ws_lower_branch(lower, p, lower->skip, body);
}

static gboolean makes_blocks(const WsLowerStatement *lower, const WsPtxRow *row)
{
    if (row->flags & WS_PTX_ROW_BRANCHES)
        return TRUE;
    return (row->flags & WS_PTX_ROW_BRANCHES_IF_SHARED) &&
           (ws_lower_has(lower, "shared") || ws_lower_has(lower, "shared::cta"));
}

static void lower_instruction(WsLowerKernel *kernel, const WsPtxStatement *statement)
{
    WsPtxFrame *frame = kernel->frame;
    WsLowerStatement lower = ws_lower_no_statement(kernel);
    lower.statement = statement;
    if (statement->operand_count > 0) /* an array without operands has no data to point into */
        lower.operands =
            &g_array_index(frame->function->operands, WsPtxOperand, statement->first_operand);
    if (!frame->is_library)
        frame->location =
            convert_location(kernel->module, frame, statement->location, statement->position.line);
    set_guard(&lower);
    const WsPtxRow *row = find_row(&lower);
    if (row == NULL) {
        ws_lower_refuse(&lower);
        return;
    }
    if (lower.guard != WS_PT && makes_blocks(&lower, row))
        branch_around(&lower);
    row->lower(&lower);
    if (kernel->frame == frame) /* else a call, which is done when it returns */
        ws_lower_done(&lower);
}

void ws_lower_statements(WsLowerKernel *kernel)
{
    while (kernel->refusal == NULL) {
        WsPtxFrame *frame = kernel->frame;
        if (frame->next == frame->function->statements->len) {
            if (frame->caller == NULL)
                return;
            ws_lower_pop_frame(kernel);
            continue;
        }
        frame->next++;
        const WsPtxStatement *statement = ws_lower_statement_at(frame);
        if (statement->kind == WS_PTX_STATEMENT_LABEL)
            ws_lower_fall_through(kernel, ws_lower_label_block(kernel, statement->label));
        else if (statement->kind == WS_PTX_STATEMENT_INSTRUCTION)
            lower_instruction(kernel, statement);
    }
}

/* ---- kernels ---- */

/* Code that runs off the end of the kernel ends there. */
static void finish_kernel(WsIrFunction *function, guint32 location)
{
    for (guint32 b = 0; b < function->blocks->len; b++) {
        WsIrBlock *block = ws_ir_block(function, b);
        if (block->branch.opcode == WS_OP_NOP && block->next == WS_IR_NO_BLOCK) {
            ws_instruction_init(&block->branch, WS_OP_EXIT);
            block->branch.location = location;
        }
    }
}

static void lower_codes(WsLowerKernel *kernel)
{
    ws_lower_begin_code(kernel, NULL, kernel->ptx, ws_ir_new_block(kernel->ir));
    kernel->frame->location = kernel->ir->opening = opening_of(kernel->module, kernel->frame);
    if (ws_lower_place_kernel(kernel)) {
        ws_lower_note_kernel(kernel);
        kernel->frame->location = 0;
        ws_lower_begin_launches(kernel);
        ws_lower_statements(kernel);
    }
    guint32 last = kernel->frame->location;
    ws_lower_end_code(kernel);
    ws_lower_bodies(kernel);
    finish_kernel(kernel->ir, last);
}

static void init_kernel(WsLowerKernel *kernel, WsLowerModule *module, const WsPtxFunction *ptx)
{
    *kernel = (WsLowerKernel){.module = module, .ptx = ptx};
    kernel->ir = ws_ir_function_new(ptx->name);
    kernel->parameters = ws_lower_places_new();
    kernel->shared = ws_lower_places_new();
    ws_lower_init_bodies(kernel);
}

static void clear_kernel(WsLowerKernel *kernel)
{
    g_hash_table_unref(kernel->parameters);
    g_hash_table_unref(kernel->shared);
    ws_lower_clear_bodies(kernel);
}

/* Adds the kernel to those of the module, or its refusal, of which `first` gets the first. */
static void lower_kernel(WsLowerModule *module, const WsPtxFunction *ptx, GError **first)
{
    const gboolean keeps = ws_keeps_reference(module->options);
    WsLowerKernel kernel;
    init_kernel(&kernel, module, ptx);
    lower_codes(&kernel);
    clear_kernel(&kernel);
    if (kernel.refusal != NULL) {
        if (*first == NULL)
            *first = g_error_copy(kernel.refusal);
        ws_ir_refuse(module->ir->refused, kernel.ir, kernel.refusal);
        ws_ir_function_free(kernel.ir);
        return;
    }
    if (keeps && kernel.ir->bodies == 0) /* no proof of values follows a call into a body */
        ws_reference_keep(kernel.ir);
    if (!(keeps && module->options->debug))
        ws_ir_combine(kernel.ir);
    g_ptr_array_add(module->ir->functions, kernel.ir);
}

/* What one kernel lacks is its own matter, unless there is no other. */
static gboolean lower_kernels(WsLowerModule *module, GError **error)
{
    GError *first = NULL;
    for (guint i = 0; i < module->ptx->functions->len; i++) {
        const WsPtxFunction *function = g_ptr_array_index(module->ptx->functions, i);
        if (function->is_entry && function->has_body)
            lower_kernel(module, function, &first);
    }
    if (first == NULL || module->ir->functions->len > 0) {
        g_clear_error(&first);
        return TRUE;
    }
    g_propagate_error(error, first);
    return FALSE;
}

static void init_module(WsLowerModule *module, const WsPtxModule *ptx,
                        const WsCompileOptions *options, WsIrModule *ir)
{
    *module = (WsLowerModule){.ptx = ptx, .options = options, .ir = ir};
    module->rows = index_rows();
    module->addresses = ws_lower_places_new();
    module->calls = ws_ptx_call_graph_new(ptx);
}

static void clear_module(WsLowerModule *module)
{
    g_hash_table_unref(module->rows);
    g_hash_table_unref(module->addresses);
    ws_ptx_call_graph_free(module->calls);
    ws_ptx_module_free(module->library);
}

WsIrModule *ws_ptx_to_ir(const char *path, const char *text, gsize length,
                         const WsCompileOptions *options, GError **error)
{
    g_autofree char *first = ws_ptx_replace_surfaces(text, length);
    const char *now = first != NULL ? first : text;
    const gsize now_length = first != NULL ? strlen(first) : length;
    g_autofree char *second = ws_ptx_replace_mbarriers(now, now_length);
    g_autoptr(WsPtxModule) parsed = ws_ptx_parse(
        path, second != NULL ? second : now, second != NULL ? strlen(second) : now_length, error);
    if (parsed == NULL ||
        (options->from_cuda && !ws_ptx_move_large_constants(parsed, WS_CONSTANT_BANK_BYTES, error)))
        return NULL;
    g_autoptr(WsIrModule) ir = ws_ir_module_new();
    ir->path = g_strdup(path);
    ir->ptx = g_strndup(text, length);
    WsLowerModule module;
    init_module(&module, parsed, options, ir);
    gboolean good = ws_lower_place_variables(&module, error) && lower_kernels(&module, error);
    clear_module(&module);
    return good ? g_steal_pointer(&ir) : NULL;
}
